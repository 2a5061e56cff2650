/** Reads from exchanges. Loaded with the first request about swaps. */
import type * as z from 'zod/mini';
import {
  CreateSwap,
  type ExchangeRates,
  RatesQuery,
  type SwapOutcome,
  type TradingPair,
} from '../../api/swap.ts';
import { networkOf, usableNetworks } from '../../chains/nodes/networks.ts';
import { toIssues } from '../../chains/requests/payloads.ts';
import type { Home } from '../../chains/secret-type.ts';
import type { ParamsOf } from '../../channel/messages.ts';
import { RequestInvalidError } from '../../base/errors.ts';
import { type Reach, createSwap, crossChainOf, swapPairs, swapRates } from '../../swaps/index.ts';
import { entriesOf } from '../../swaps/entry.ts';
import { movedBy } from '../../swaps/outcome.ts';
import type { NodeReader } from '../frame.ts';
import type { NativeTransaction } from '../../chains/requests.ts';

export async function pairs(frame: NodeReader, home: ParamsOf<'swapPairs'>): Promise<TradingPair[]> {
  const reach = await reachOf(frame, home);
  return reach ? swapPairs(reach, await exchangesOf(frame)) : [];
}

export async function rates(
  frame: NodeReader,
  { query, network }: ParamsOf<'swapRates'>,
): Promise<ExchangeRates> {
  const parsed = checked(RatesQuery, query);
  const crossChain = await exchangesOf(frame);
  return swapRates(parsed, (secretType) => reachOf(frame, { secretType, network }), { crossChain });
}

export async function create(
  frame: NodeReader,
  { body, address: from, recipient: to, network }: ParamsOf<'createSwap'>,
): Promise<NativeTransaction[]> {
  const parsed = checked(CreateSwap, body);
  const crossChain = await exchangesOf(frame);
  return createSwap(
    parsed,
    { from, to },
    (secretType, other) => reachOf(frame, { secretType, network: other ?? network }),
    crossChain,
  );
}

/** Null before it is confirmed, and for an exchange that the network does not list. */
export async function outcome(
  frame: NodeReader,
  { hash, exchange, fromToken, toToken, address: from, recipient: to, ...home }: ParamsOf<'swapOutcome'>,
): Promise<SwapOutcome | null> {
  const chain = await frame.chain(home.secretType);
  const node = chain.node(networkOf(frame.networks, home));
  const entry = entriesOf(node.network).find(({ name }) => name === exchange);
  if (!entry) return null;
  const { state, arrivals = [] } = await chain.receipt(hash, node);
  if (state !== 'confirmed') return null;
  const { input, output } = movedBy(arrivals, entry, { fromToken, toToken, from, to });
  return { rawInputAmount: input?.toString() ?? null, rawOutputAmount: output?.toString() ?? null };
}

/** Those between chains. */
function exchangesOf({ networks, clock }: NodeReader): ReturnType<typeof crossChainOf> {
  return crossChainOf(networks, { clock });
}

/** Undefined for a chain for which this wallet has no node. */
async function reachOf(frame: NodeReader, home: Home): Promise<Reach | undefined> {
  const { secretType } = home;
  if (!usableNetworks(frame.networks, secretType).length) return undefined;
  const chain = await frame.chain(secretType);
  return { chain, node: chain.node(networkOf(frame.networks, home)) };
}

function checked<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new RequestInvalidError(result.error.issues.flatMap(toIssues));
}
