/** What a request asks for, as the parts of a transaction that the request decides. */
import { parseUnits } from '../amount.ts';
import { recipientOf, unitsOf } from '../requests/build-body.ts';
import type { Node } from '../chain.ts';
import { encodeCall } from '../contracts/abi.ts';
import { readArgument } from '../contracts/arguments.ts';
import { listedToken } from '../contracts/listed-token.ts';
import { invalid } from '../requests/payloads.ts';
import { readAddress } from './address.ts';
import { COIN, GAS_COIN, VTHO } from './draft.ts';
import type { Body, Clause } from './envelope.ts';
import { readDecimals } from './node.ts';
import type { VechainRequest } from './payload.ts';

export type Intent = Partial<Omit<Body, 'clauses'>> & {
  clauses: Clause[];
  /** See `Facts.scaledBy`. */
  scaledBy?: { decimals: number; text: string } | undefined;
};

/**
 * Reads the node only for one thing, and is a promise only then: the decimals of a token that the operator does not list, when the site
 * gives a decimal value.
 */
export function intentOf(request: VechainRequest, node: Node): Intent | Promise<Intent> {
  switch (request.type) {
    case 'VET_TRANSACTION':
      return {
        ...overrides(request),
        clauses: request.clauses.map(({ to, amount, data }) => ({ to, value: amount, data: data ?? '0x' })),
      };
    case 'VTHO_TRANSACTION':
      return {
        ...overrides(request),
        clauses: request.clauses.map(({ to, amount }) => tokenClause(VTHO.address, to, amount)),
      };
    case 'VECHAIN_VIP180_TRANSACTION':
      return {
        ...overrides(request),
        clauses: request.clauses.map(({ to, amount, tokenAddress }) => tokenClause(tokenAddress, to, amount)),
      };
    case 'TRANSFER':
      return {
        clauses: [
          {
            to: recipientOf(request.to),
            value: parseUnits(request.value, COIN.decimals),
            data: request.data ?? '0x',
          },
        ],
      };
    case 'GAS_TRANSFER':
      return {
        clauses: [
          tokenClause(VTHO.address, recipientOf(request.to), parseUnits(request.value, GAS_COIN.decimals)),
        ],
      };
    case 'TOKEN_TRANSFER': {
      const to = recipientOf(request.to);
      const { tokenAddress, value } = request;
      const transfer = (decimals: number) => [tokenClause(tokenAddress, to, unitsOf(value, decimals))];
      const trusted = listedToken(node.network.tokens, tokenAddress);
      if (trusted) return { clauses: transfer(trusted.decimals) };
      return readDecimals(node, tokenAddress).then((decimals) => {
        if (decimals === undefined)
          throw invalid('tokenAddress', 'is not a token contract on this network: it tells no decimals');
        return { clauses: transfer(decimals), scaledBy: { decimals, text: value } };
      });
    }
    case 'CONTRACT_EXECUTION': {
      const types = request.inputs.map((input) => input.type);
      const values = request.inputs.map((input) => readArgument(input.type, input.value, readAddress));
      return {
        clauses: [
          {
            to: request.to,
            value: request.value ?? 0n,
            data: encodeCall(request.functionName, types, values),
          },
        ],
      };
    }
  }
}

/** Stands for a token transfer while its token's decimals are read: it takes the same gas and asks for the same facts. */
export function oneUnit({ tokenAddress, to }: { tokenAddress: string; to: string }): Intent {
  return { clauses: [tokenClause(tokenAddress, recipientOf(to), 1n)] };
}

interface Overrides {
  blockRef?: string | undefined;
  chainTag?: number | undefined;
  expiration?: number | undefined;
  gas?: bigint | undefined;
  gasPriceCoef?: number | undefined;
  nonce?: string | undefined;
}

/** Only what the request gives. */
function overrides({ blockRef, chainTag, expiration, gas, gasPriceCoef, nonce }: Overrides): Partial<Body> {
  return {
    ...(blockRef !== undefined && { blockRef }),
    ...(chainTag !== undefined && { chainTag }),
    ...(expiration !== undefined && { expiration }),
    ...(gas !== undefined && { gas }),
    ...(gasPriceCoef !== undefined && { gasPriceCoef }),
    ...(nonce !== undefined && { nonce: BigInt(nonce) }),
  };
}

function tokenClause(token: string, to: string, amount: bigint): Clause {
  return { to: token, value: 0n, data: encodeCall('transfer', ['address', 'uint256'], [to, amount]) };
}
