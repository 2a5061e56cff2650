/** What a request asks for, as the parts of a transaction that the request decides. */
import { parseUnits } from '../../base/amount.ts';
import { recipientOf, unitsOf } from '../requests/build-body.ts';
import type { Node } from '../terms.ts';
import { abiTypeOf } from '../contracts/abi-types.ts';
import { readArgument } from '../contracts/arguments.ts';
import { listedToken } from '../contracts/listed-token.ts';
import { invalid } from '../requests/payloads.ts';
import { toEvm } from './address.ts';
import { COIN, type Contract } from './draft.ts';
import { INT64, isAssetId, readEvmAddress } from './fields.ts';
import { type Deployer, readDeployer, tokenAt } from './contract-reads.ts';
import type { TronRequest } from './payload.ts';

export interface Intent {
  contract: Contract;
  /** `0x…`; `0x` is none. */
  memo: string;
  /** Where the node was asked for decimals, it was asked for this too. */
  deployer?: Promise<Deployer | undefined> | undefined;
  /** Sun; computed when absent. */
  feeLimit?: bigint | undefined;
}

/** Reads the node only for one thing: the decimals of a token that the operator does not list, when the site gives a decimal value. */
export async function intentOf(request: TronRequest, from: string, node: Node): Promise<Intent> {
  switch (request.type) {
    case 'TRX_TRANSACTION':
      return {
        contract: { kind: 'coin', to: request.to, amount: request.value },
        memo: request.data ?? '0x',
      };
    case 'TRC10_TRANSACTION':
      return {
        contract: await tokenTransfer(request.token, request.to, request.value),
        memo: request.memo ?? '0x',
        feeLimit: request.feeLimit,
      };
    case 'TRANSFER':
    case 'GAS_TRANSFER':
      return {
        contract: {
          kind: 'coin',
          to: recipientOf(request.to),
          amount: parseUnits(request.value, COIN.decimals),
        },
        memo: (request.type === 'TRANSFER' ? request.data : undefined) ?? '0x',
      };
    case 'TOKEN_TRANSFER': {
      const to = recipientOf(request.to);
      const { tokenAddress } = request;
      const isAsked = !isAssetId(tokenAddress) && !listedToken(node.network.tokens, tokenAddress);
      const deployer = isAsked ? readDeployer(node, tokenAddress, from) : undefined;
      const amount = await tokenValue(tokenAddress, request.value, node);
      return {
        contract: await tokenTransfer(tokenAddress, to, amount),
        memo: request.memo ?? '0x',
        deployer,
      };
    }
    case 'TRON_CONTRACT_EXECUTION':
    case 'CONTRACT_EXECUTION': {
      const { functionName, inputs, to, value } = request;
      const { encodeCall } = await import('../contracts/abi.ts');
      const data = encodeCall(
        functionName,
        inputs.map((input) => input.type),
        inputs.map((input) => readArgument(abiTypeOf(input.type)!, input.value, readEvmAddress)),
      );
      return {
        contract: { kind: 'call', to, value: value ?? 0n, data },
        memo: request.memo ?? '0x',
        feeLimit: 'feeLimit' in request ? request.feeLimit : undefined,
      };
    }
  }
}

/** A decimal value in the token's smallest units. */
export async function tokenValue(token: string, value: string, node: Node): Promise<bigint> {
  const { decimals } = await tokenAt(token, node);
  const amount = unitsOf(value, decimals);
  if (isAssetId(token) && amount >= INT64)
    throw invalid('value', 'is too large: its smallest units must be below 2^63');
  return amount;
}

async function tokenTransfer(token: string, to: string, amount: bigint): Promise<Contract> {
  if (isAssetId(token)) return { kind: 'asset', token, to, amount };
  const { encodeCall } = await import('../contracts/abi.ts');
  const data = encodeCall('transfer', ['address', 'uint256'], [toEvm(to), amount]);
  return { kind: 'call', to: token, value: 0n, data };
}
