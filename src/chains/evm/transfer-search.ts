/**
 * Finds what an owner was sent in the contracts' logs, within limits: nodes refuse long ranges, each at its
 * own length.
 */
import type { Node } from '../terms.ts';
import { rpcOf } from './json-rpc.ts';
import { quantity, required } from './node.ts';

/** `Transfer(address,address,uint256)`; only ERC-721 has its third argument indexed. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Blocks per request: the whole chain at first, then fewer each time a node refuses. */
const LENGTHS = [Number.MAX_SAFE_INTEGER, 100_000, 10_000, 2_000, 500];

/** Tokens of a contract that are confirmed together, and in all. */
const AT_ONCE = 100;
const MAX = 2_000;

export interface Search {
  node: Node;
  /** Requests that are left. */
  requests: number;
  /** Milliseconds since 1970, after which no more is asked. */
  until: number;
}

export interface Searched {
  address: string;
  fromBlock: number | undefined;
  /** How many tokens end the search. */
  wanted: number;
}

/** Token ids by contract. */
export type Candidates = readonly { address: string; ids: readonly bigint[] }[];

/** The newest blocks first, of all contracts together, until each has as many as wanted. What `confirm` leaves out is not the owner's. */
export async function searchTransfers(
  owner: string,
  contracts: readonly Searched[],
  search: Search,
  confirm: (candidates: Candidates) => Promise<ReadonlyMap<string, readonly bigint[]>>,
): Promise<Map<string, bigint[]>> {
  const confirmedIds = new Map<string, bigint[]>(contracts.map(({ address }) => [address, []]));
  const seen = new Map<string, Set<bigint>>(contracts.map(({ address }) => [address, new Set()]));
  const isOpen = ({ address, wanted }: Searched) => confirmedIds.get(address)!.length < wanted;
  /** The next ones to confirm: the owner may have passed on most of what it was sent. */
  const take = (address: string, ids: ReadonlyMap<string, bigint[]>): bigint[] => {
    const [list = [], known] = [ids.get(address.toLowerCase()), seen.get(address)!];
    const next: bigint[] = [];
    while (list.length > 0 && next.length < AT_ONCE && known.size < MAX) {
      const id = list.shift()!;
      if (!known.has(id)) next.push(id);
      known.add(id);
    }
    return next;
  };
  let open = contracts;
  let length = 0;
  let to =
    contracts.length > 0 ? Number(await required(rpcOf(search.node).call('eth_blockNumber'), quantity)) : 0;
  while (open.length > 0 && to >= first(open) && search.requests > 0 && Date.now() <= search.until) {
    const from = Math.max(first(open), to - LENGTHS[length]! + 1);
    search.requests--;
    const ids = await transfersTo(owner, open, from, to, search.node);
    if (!ids) {
      if (++length === LENGTHS.length) break;
      continue;
    }
    for (;;) {
      const next = open.filter(isOpen).map(({ address }) => ({ address, ids: take(address, ids) }));
      if (!next.some(({ ids: some }) => some.length > 0)) break;
      for (const [address, own] of await confirm(next)) confirmedIds.get(address)!.push(...own);
    }
    open = open.filter(isOpen);
    to = from - 1;
  }
  for (const { address, wanted } of contracts)
    confirmedIds.set(address, confirmedIds.get(address)!.slice(0, wanted));
  return confirmedIds;
}

function first(contracts: readonly Searched[]): number {
  return Math.min(...contracts.map(({ fromBlock }) => fromBlock ?? 0));
}

/** Newest first, by contract in lower case. Undefined if the node does not answer for that many blocks. */
async function transfersTo(
  owner: string,
  contracts: readonly Searched[],
  from: number,
  to: number,
  node: Node,
): Promise<Map<string, bigint[]> | undefined> {
  const addresses = new Set(contracts.map(({ address }) => address.toLowerCase()));
  let logs: unknown;
  try {
    logs = await rpcOf(node).call('eth_getLogs', {
      address: [...addresses],
      topics: [TRANSFER, null, `0x${owner.slice(2).toLowerCase().padStart(64, '0')}`],
      fromBlock: `0x${from.toString(16)}`,
      toBlock: `0x${to.toString(16)}`,
    });
  } catch {
    // Each node has its own words for it, and some close the connection.
    return undefined;
  }
  if (!Array.isArray(logs)) return undefined;
  const ids = new Map<string, bigint[]>();
  for (const log of logs.reverse()) {
    const { address, topics, removed } = (log ?? {}) as Record<string, unknown>;
    const id: unknown = Array.isArray(topics) ? topics[3] : undefined;
    if (removed === true || typeof id !== 'string' || !/^0x[0-9a-f]{64}$/i.test(id)) continue;
    const contract = String(address).toLowerCase();
    if (!addresses.has(contract)) continue;
    const list = ids.get(contract) ?? [];
    list.push(BigInt(id));
    ids.set(contract, list);
  }
  return ids;
}
