/** What a request asks for, as the parts of a transaction that the request decides. */
import { ConnectError } from '../../errors.ts';
import { AmountError, parseUnits } from '../amount.ts';
import type { Node } from '../chain.ts';
import { invalid } from '../payloads.ts';
import { type AbiValue, encodeCall } from './abi.ts';
import { readValue } from './abi-value.ts';
import { COIN } from './draft.ts';
import { isEmail } from './fields.ts';
import { listedToken, readDecimals } from './node.ts';
import type { EthereumRequest } from './payload.ts';

export interface Intent {
  to: string | null;
  value: bigint;
  data: string;
  gasPrice?: bigint | undefined;
  /** Undefined and 0n mean computed. */
  gas?: bigint | undefined;
  nonce?: number | undefined;
  /** See `Facts.scaledBy`. */
  scaledBy?: { decimals: number; text: string } | undefined;
}

/**
 * Reads the node only for one thing: the decimals of a token that the operator does not list, when the site gives a decimal value.
 */
export async function intentOf(request: EthereumRequest, from: string, node: Node): Promise<Intent> {
  switch (request.type) {
    case 'ETH_TRANSACTION':
      return {
        ...overrides(request),
        to: request.to ?? null,
        value: request.value,
        data: request.data ?? '0x',
      };
    case 'ETHEREUM_ERC20_TRANSACTION':
      return {
        ...overrides(request),
        ...call(request.tokenAddress, 'transfer', ['address', 'uint256'], [request.to, request.value]),
      };
    case 'TRANSFER':
    case 'GAS_TRANSFER':
      return {
        to: recipient(request.to),
        value: units(request.value, COIN.decimals),
        data: (request.type === 'TRANSFER' ? request.data : undefined) ?? '0x',
      };
    case 'TOKEN_TRANSFER': {
      const to = recipient(request.to);
      const { tokenAddress, tokenId, value } = request;
      if (tokenId !== undefined)
        return call(
          tokenAddress,
          'safeTransferFrom',
          ['address', 'address', 'uint256', 'uint256', 'bytes'],
          [from, to, tokenId, units(value, 0), '0x'],
        );
      const listed = listedToken(node.network.tokens, tokenAddress);
      const decimals = listed?.decimals ?? (await readDecimals(node, tokenAddress));
      if (decimals === undefined)
        throw invalid('tokenAddress', 'is not a token contract on this network: it tells no decimals');
      return {
        ...call(tokenAddress, 'transfer', ['address', 'uint256'], [to, units(value, decimals)]),
        ...(listed ? {} : { scaledBy: { decimals, text: value } }),
      };
    }
    case 'NFT_TRANSFER':
      return call(
        request.tokenAddress,
        'safeTransferFrom',
        ['address', 'address', 'uint256'],
        [request.from ?? from, recipient(request.to), request.tokenId],
      );
    case 'CONTRACT_EXECUTION': {
      const types = request.inputs.map((input) => input.type);
      const values = request.inputs.map((input) => readValue(input.type, input.value));
      return {
        to: request.to,
        value: request.value ?? 0n,
        data: encodeCall(request.functionName, types, values),
      };
    }
  }
}

function overrides({ gasPrice, gas, nonce }: Pick<Intent, 'gasPrice' | 'gas' | 'nonce'>) {
  return { gasPrice, gas, nonce };
}

function call(to: string, name: string, types: string[], values: AbiValue[]): Intent {
  return { to, value: 0n, data: encodeCall(name, types, values) };
}

function units(value: string, decimals: number): bigint {
  try {
    const raw = parseUnits(value, decimals);
    if (raw >> 256n) throw new AmountError('is too large: it must fit in 256 bits');
    return raw;
  } catch (error) {
    if (error instanceof AmountError) throw invalid('value', error.message);
    throw error;
  }
}

function recipient(to: string): string {
  if (!isEmail(to)) return to;
  throw new ConnectError(
    'recipient.unknown',
    'No wallet was found for this e-mail. Ask the recipient for an address.',
  );
}
