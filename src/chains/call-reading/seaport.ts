/**
 * What fulfilling a Seaport order gives and asks for: https://github.com/ProjectOpenSea/seaport. Orders whose
 * items only the contract determines (criteria, contract orders) are not read.
 */
import type { AbiValue } from '../contracts/abi.ts';
import { type Effect, NOBODY } from '../contracts/calls.ts';

type Item = readonly [
  type: bigint,
  token: string,
  id: bigint,
  start: bigint,
  end: bigint,
  recipient?: string,
];

/** Undefined where the order does not say. `caller` takes it, and pays what it asks for. */
export function readOrder(
  name: string,
  args: Record<string, AbiValue>,
  caller: string,
): Effect[] | undefined {
  if (name.startsWith('fulfillBasicOrder')) return readBasic(args['parameters'] as AbiValue[], caller);
  const order = (args['order'] ?? args['advancedOrder']) as AbiValue[];
  const [parameters, numerator, denominator] = order as [AbiValue[], bigint, bigint];
  const [, , offer, consideration, orderType] = parameters as [string, string, Item[], Item[], bigint];
  // Parts of an order, contract orders, and items that are chosen while it runs.
  if (args['advancedOrder'] !== undefined && numerator !== denominator) return undefined;
  if (orderType > 3n || [...offer, ...consideration].some(([type]) => type > 3n)) return undefined;
  const named = args['recipient'] as string | undefined;
  const recipient = named === undefined || named === NOBODY ? caller : named;
  // Amounts may rise or fall with time: the maximum of what is paid, the minimum of what comes.
  return [
    ...consideration.map(([type, token, id, start, end, to]) => given(type, token, id, max(start, end), to!)),
    ...offer.map(([type, token, id, start, end]) => asked(type, token, id, min(start, end), recipient)),
  ];
}

/** Four order types for each of six routes: what is paid and what comes. */
const ROUTES: readonly (readonly [paid: bigint, comes: bigint])[] = [
  [0n, 2n],
  [0n, 3n],
  [1n, 2n],
  [1n, 3n],
  [2n, 1n],
  [3n, 1n],
];

function readBasic(parameters: AbiValue[], caller: string): Effect[] | undefined {
  const [paidToken, paidId, paid, offerer, , token, id, amount, basicType] = parameters as [
    string,
    bigint,
    bigint,
    string,
    string,
    string,
    bigint,
    bigint,
    bigint,
  ];
  const others = parameters[16] as [bigint, string][];
  const route = ROUTES[Number(basicType / 4n)];
  if (!route) return undefined;
  const [pays, comes] = route;
  const fees = others.reduce((sum, [share]) => sum + share, 0n);
  // A seller of an item pays the fees to others out of the proceeds.
  const sells = comes === 1n;
  if (sells && fees > amount) return undefined;
  return [
    given(pays, paidToken, paidId, paid, offerer),
    ...(sells ? [] : others.map(([share, to]) => given(pays, paidToken, 0n, share, to))),
    asked(comes, token, id, sells ? amount - fees : amount, caller),
  ];
}

/** The coin is part of what is sent with the call, which is shown separately. */
function given(type: bigint, token: string, id: bigint, amount: bigint, to: string): Effect {
  if (type === 0n) return { kind: 'pay', to, amount };
  return type === 1n ? { kind: 'token', to, amount, token } : { kind: 'nft', to, id, amount, token };
}

function asked(type: bigint, token: string, id: bigint, amount: bigint, to: string): Effect {
  return { kind: 'receive', to, amount, ...(type > 0n && { token }), ...(type > 1n && { id }) };
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
