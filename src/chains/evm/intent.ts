/** What a request asks for, as the parts of a transaction that the request decides. */
import { parseUnits } from '../../base/amount.ts';
import { recipientOf, unitsOf } from '../requests/build-body.ts';
import type { Node } from '../terms.ts';
import { listedToken } from '../contracts/listed-token.ts';
import { invalid } from '../requests/payloads.ts';
import type { AbiValue } from '../contracts/abi.ts';
import { readHexAddress } from '../contracts/evm-address.ts';
import { abiTypeOf } from '../contracts/abi-types.ts';
import { readArgument } from '../contracts/arguments.ts';
import { readDecimals } from './node.ts';
import type { EvmRequest } from './payload.ts';
import type { EvmProfile } from './profile.ts';
import type { AccessList } from './raw-transaction.ts';

export interface Intent {
  to: string | null;
  value: bigint;
  data: string;
  gasPrice?: bigint | undefined;
  maxFeePerGas?: bigint | undefined;
  maxPriorityFeePerGas?: bigint | undefined;
  accessList?: AccessList | undefined;
  /** Undefined and 0n mean computed. */
  gas?: bigint | undefined;
  nonce?: number | undefined;
}

/** What is prepared. */
export interface Plan {
  intent: Intent;
  /**
   * Only for a decimal value of an unlisted token: asks its contract for the decimals. `intent` is then a
   * transfer of one unit, which takes the same gas and needs the same facts, and this one replaces it.
   */
  scaled?: (() => Promise<Intent>) | undefined;
}

/** Reads nothing from the node. */
export async function planOf(
  request: EvmRequest,
  from: string,
  node: Node,
  { coin, secretType }: EvmProfile,
): Promise<Plan> {
  switch (request.type) {
    case 'ETH_TRANSACTION':
    case 'GO_TRANSACTION': {
      const { to = null, value, data = '0x' } = request;
      return { intent: { ...overrides(request), to, value, data } };
    }
    case 'ETHEREUM_ERC20_TRANSACTION':
    case 'GOCHAIN_GO20_TRANSACTION': {
      const { tokenAddress, to, value } = request;
      return { intent: { ...overrides(request), ...(await transfer(tokenAddress, to, value)) } };
    }
    case 'TRANSFER':
    case 'GAS_TRANSFER': {
      const data = (request.type === 'TRANSFER' ? request.data : undefined) ?? '0x';
      const value = parseUnits(request.value, coin.decimals);
      return { intent: { to: recipientOf(request.to), value, data } };
    }
    case 'TOKEN_TRANSFER': {
      const to = recipientOf(request.to);
      const { tokenAddress, tokenId, value } = request;
      if (tokenId !== undefined) {
        const types = ['address', 'address', 'uint256', 'uint256', 'bytes'];
        const values = [from, to, BigInt(tokenId), unitsOf(value, 0), '0x'];
        return { intent: await call(tokenAddress, 'safeTransferFrom', types, values) };
      }
      const listed = listedToken(node.network.tokens, tokenAddress);
      if (listed) return { intent: await transfer(tokenAddress, to, unitsOf(value, listed.decimals)) };
      return {
        intent: await transfer(tokenAddress, to, 1n),
        async scaled() {
          const decimals = await readDecimals(node, tokenAddress);
          if (decimals === undefined)
            throw invalid('tokenAddress', 'is not a token contract on this network: it tells no decimals');
          return transfer(tokenAddress, to, unitsOf(value, decimals));
        },
      };
    }
    case 'NFT_TRANSFER': {
      const types = ['address', 'address', 'uint256'];
      const values = [request.from ?? from, recipientOf(request.to), BigInt(request.tokenId)];
      return { intent: await call(request.tokenAddress, 'safeTransferFrom', types, values) };
    }
    case 'CONTRACT_EXECUTION': {
      const types = request.inputs.map((input) => input.type);
      const readAddress = (value: unknown) => readHexAddress(value, secretType);
      const values = request.inputs.map((input) =>
        readArgument(abiTypeOf(input.type)!, input.value, readAddress),
      );
      const { data } = await call(request.to, request.functionName, types, values);
      return { intent: { to: request.to, value: request.value ?? 0n, data } };
    }
  }
}

type Native = Extract<EvmRequest, { nonce?: unknown }>;

function overrides(request: Native): Omit<Intent, 'to' | 'value' | 'data'> {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList, gas, nonce } = request;
  return {
    gasPrice,
    maxFeePerGas,
    maxPriorityFeePerGas,
    accessList: accessList?.map(({ address, storageKeys }) => [address, storageKeys] as const),
    gas,
    nonce,
  };
}

function transfer(token: string, to: string, amount: bigint): Promise<Intent> {
  return call(token, 'transfer', ['address', 'uint256'], [to, amount]);
}

/** The coder is loaded only for calls. */
async function call(to: string, name: string, types: string[], values: AbiValue[]): Promise<Intent> {
  const { encodeCall } = await import('../contracts/abi.ts');
  return { to, value: 0n, data: encodeCall(name, types, values) };
}
