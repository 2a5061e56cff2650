/** What a request asks for, as the parts of a transaction that the request decides. */
import { parseUnits } from '../../base/amount.ts';
import { recipientOf, unitsOf } from '../requests/build-body.ts';
import type { Node } from '../terms.ts';
import { abiTypeOf } from '../contracts/abi-types.ts';
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
};

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
export async function planOf(request: VechainRequest, node: Node): Promise<Plan> {
  switch (request.type) {
    case 'VET_TRANSACTION':
      return planned(
        request.clauses.map(({ to, amount, data = '0x' }) => ({ to, value: amount, data })),
        overrides(request),
      );
    case 'VTHO_TRANSACTION':
      return planned(
        await Promise.all(request.clauses.map(({ to, amount }) => transfer(VTHO.address, to, amount))),
        overrides(request),
      );
    case 'VECHAIN_VIP180_TRANSACTION':
      return planned(
        await Promise.all(
          request.clauses.map(({ to, amount, tokenAddress }) => transfer(tokenAddress, to, amount)),
        ),
        overrides(request),
      );
    case 'TRANSFER': {
      const { data = '0x' } = request;
      const value = parseUnits(request.value, COIN.decimals);
      return planned([{ to: recipientOf(request.to), value, data }]);
    }
    case 'GAS_TRANSFER': {
      const amount = parseUnits(request.value, GAS_COIN.decimals);
      return planned([await transfer(VTHO.address, recipientOf(request.to), amount)]);
    }
    case 'TOKEN_TRANSFER': {
      const to = recipientOf(request.to);
      const { tokenAddress, value } = request;
      const trusted = listedToken(node.network.tokens, tokenAddress);
      if (trusted) return planned([await transfer(tokenAddress, to, unitsOf(value, trusted.decimals))]);
      return {
        intent: { clauses: [await transfer(tokenAddress, to, 1n)] },
        async scaled() {
          const decimals = await readDecimals(node, tokenAddress);
          if (decimals === undefined)
            throw invalid('tokenAddress', 'is not a token contract on this network: it tells no decimals');
          return { clauses: [await transfer(tokenAddress, to, unitsOf(value, decimals))] };
        },
      };
    }
    case 'CONTRACT_EXECUTION': {
      const types = request.inputs.map((input) => input.type);
      const values = request.inputs.map((input) =>
        readArgument(abiTypeOf(input.type)!, input.value, readAddress),
      );
      const { encodeCall } = await import('../contracts/abi.ts');
      const data = encodeCall(request.functionName, types, values);
      return planned([{ to: request.to, value: request.value ?? 0n, data }]);
    }
  }
}

function planned(clauses: Clause[], fields: Partial<Body> = {}): Plan {
  return { intent: { ...fields, clauses } };
}

interface Overrides {
  blockRef?: string | undefined;
  chainTag?: number | undefined;
  expiration?: number | undefined;
  gas?: bigint | undefined;
  gasPriceCoef?: number | undefined;
  nonce?: string | undefined;
  dependsOn?: string | undefined;
}

/** Only what the request gives. */
function overrides(given: Overrides): Partial<Body> {
  const { blockRef, chainTag, expiration, gas, gasPriceCoef, nonce, dependsOn } = given;
  return {
    ...(blockRef !== undefined && { blockRef }),
    ...(chainTag !== undefined && { chainTag }),
    ...(expiration !== undefined && { expiration }),
    ...(gas !== undefined && { gas }),
    ...(gasPriceCoef !== undefined && { gasPriceCoef }),
    ...(nonce !== undefined && { nonce: BigInt(nonce) }),
    ...(dependsOn !== undefined && { dependsOn }),
  };
}

/** The coder is loaded only for calls. */
async function transfer(token: string, to: string, amount: bigint): Promise<Clause> {
  const { encodeCall } = await import('../contracts/abi.ts');
  return { to: token, value: 0n, data: encodeCall('transfer', ['address', 'uint256'], [to, amount]) };
}
