/** What a request asks for, as the parts of a transaction that the request decides. */
import { parseUnits } from '../amount.ts';
import { recipientOf, unitsOf } from '../requests/build-body.ts';
import type { Node } from '../chain.ts';
import { listedToken } from '../contracts/listed-token.ts';
import { invalid } from '../requests/payloads.ts';
import { type AbiValue, encodeCall } from '../contracts/abi.ts';
import { readHexAddress } from '../contracts/evm-address.ts';
import { readArgument } from '../contracts/arguments.ts';
import { readDecimals } from './node.ts';
import type { EvmRequest } from './evm-payload.ts';
import type { EvmProfile } from './profile.ts';

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
 * Reads the node only for one thing, and is a promise only then: the decimals of a token that the operator does not list, when the site
 * gives a decimal value.
 */
export function intentOf(
  request: EvmRequest,
  from: string,
  node: Node,
  { coin, secretType }: EvmProfile,
): Intent | Promise<Intent> {
  switch (request.type) {
    case 'ETH_TRANSACTION':
    case 'GO_TRANSACTION':
      return {
        ...overrides(request),
        to: request.to ?? null,
        value: request.value,
        data: request.data ?? '0x',
      };
    case 'ETHEREUM_ERC20_TRANSACTION':
    case 'GOCHAIN_GO20_TRANSACTION':
      return {
        ...overrides(request),
        ...call(request.tokenAddress, 'transfer', ['address', 'uint256'], [request.to, request.value]),
      };
    case 'TRANSFER':
    case 'GAS_TRANSFER':
      return {
        to: recipientOf(request.to),
        value: parseUnits(request.value, coin.decimals),
        data: (request.type === 'TRANSFER' ? request.data : undefined) ?? '0x',
      };
    case 'TOKEN_TRANSFER': {
      const to = recipientOf(request.to);
      const { tokenAddress, tokenId, value } = request;
      if (tokenId !== undefined)
        return call(
          tokenAddress,
          'safeTransferFrom',
          ['address', 'address', 'uint256', 'uint256', 'bytes'],
          [from, to, tokenId, unitsOf(value, 0), '0x'],
        );
      const transfer = (amount: bigint) =>
        call(tokenAddress, 'transfer', ['address', 'uint256'], [to, amount]);
      const listed = listedToken(node.network.tokens, tokenAddress);
      if (listed) return transfer(unitsOf(value, listed.decimals));
      return readDecimals(node, tokenAddress).then((decimals) => {
        if (decimals === undefined)
          throw invalid('tokenAddress', 'is not a token contract on this network: it tells no decimals');
        return { ...transfer(unitsOf(value, decimals)), scaledBy: { decimals, text: value } };
      });
    }
    case 'NFT_TRANSFER':
      return call(
        request.tokenAddress,
        'safeTransferFrom',
        ['address', 'address', 'uint256'],
        [request.from ?? from, recipientOf(request.to), request.tokenId],
      );
    case 'CONTRACT_EXECUTION': {
      const types = request.inputs.map((input) => input.type);
      const readAddress = (value: unknown) => readHexAddress(value, secretType);
      const values = request.inputs.map((input) => readArgument(input.type, input.value, readAddress));
      return {
        to: request.to,
        value: request.value ?? 0n,
        data: encodeCall(request.functionName, types, values),
      };
    }
  }
}

/** Stands for a token transfer while its token's decimals are read: it takes the same gas and asks for the same facts. */
export function oneUnit({ tokenAddress, to }: { tokenAddress: string; to: string }): Intent {
  return call(tokenAddress, 'transfer', ['address', 'uint256'], [recipientOf(to), 1n]);
}

function overrides({ gasPrice, gas, nonce }: Pick<Intent, 'gasPrice' | 'gas' | 'nonce'>) {
  return { gasPrice, gas, nonce };
}

function call(to: string, name: string, types: string[], values: AbiValue[]): Intent {
  return { to, value: 0n, data: encodeCall(name, types, values) };
}
