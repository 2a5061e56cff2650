/**
 * Non-fungible tokens as their contracts describe them (ERC-721, https://eips.ethereum.org/EIPS/eip-721). A contract that can be enumerated
 * is asked; any other is searched for transfers to the owner, newest first. Whatever was found is the owner's only if `ownerOf` says so.
 */
import type { Node } from '../terms.ts';
import { rpcOf } from './json-rpc.ts';
import { type AbiValue, decode, encodeCall } from '../contracts/abi.ts';
import { bytes, isRevert, quantity, required, tolerant } from './node.ts';
import { type Search, searchTransfers } from './transfer-search.ts';

export interface NonFungibleContract {
  address: string;
  /** The block that created it, if known: older ones are not searched. */
  fromBlock?: number | undefined;
}

/** A contract's own claims. Text may contain anything. */
export interface Collection {
  address: string;
  name: string;
  symbol: string;
  /** Where the collection is described (ERC-7572). */
  uri: string;
}

export interface HeldNonFungible {
  contract: Collection;
  tokenId: bigint;
  owner: string;
  /** Where the token is described; empty where it is not. */
  uri: string;
}

export interface NonFungibleHoldings {
  tokens: HeldNonFungible[];
  /** False if a limit ended the search before everything was found that the contracts attribute to the owner. */
  complete: boolean;
}

export interface NonFungibleLimits {
  /** Tokens of one answer. */
  tokens: number;
  /** Requests for transfers, of all contracts together. */
  searches: number;
  /** Milliseconds after which no more is searched. */
  time: number;
}

const LIMITS: NonFungibleLimits = { tokens: 1000, searches: 40, time: 10_000 };

/** Interface ids (ERC-165). */
const ERC721 = '0x80ac58cd';
const ENUMERABLE = '0x780e9d63';

/** Descriptions stored in the contract can be hundreds of kilobytes each. */
const URIS_AT_ONCE = 20;

interface Probe extends Collection {
  fromBlock: number | undefined;
  balance: number;
  enumerable: boolean;
}

/**
 * In the order of the contracts. Rejects with `node.unreachable`; a contract of another kind, or one that
 * returns nonsense, adds nothing.
 */
export async function readNonFungibles(
  owner: string,
  contracts: readonly NonFungibleContract[],
  node: Node,
  limits: Partial<NonFungibleLimits> = {},
): Promise<NonFungibleHoldings> {
  const within: NonFungibleLimits = { ...LIMITS, ...limits };
  if (contracts.length === 0) return { tokens: [], complete: true };
  const search: Search = { node, until: Date.now() + within.time, requests: within.searches };
  const probes = await inBatches(contracts, contracts.length, search, (contract) =>
    probe(contract, owner, node),
  );
  const held = probes.filter((collection) => collection !== undefined && collection.balance > 0) as Probe[];

  let left = within.tokens;
  const wanted = new Map(
    held.map((collection) => {
      const want = Math.min(collection.balance, left);
      left -= want;
      return [collection, want] as const;
    }),
  );
  const lists = await inBatches(held, held.length, search, (collection) =>
    collection.enumerable
      ? enumerate(collection, owner, wanted.get(collection)!, node)
      : Promise.resolve(undefined),
  );
  const owned = new Map<Probe, bigint[]>();
  for (const [i, collection] of held.entries()) if (lists[i]) owned.set(collection, lists[i]);

  const searched = held.filter((collection) => !owned.has(collection) && wanted.get(collection)! > 0);
  const ids = await searchTransfers(
    owner,
    searched.map((collection) => ({ ...collection, wanted: wanted.get(collection)! })),
    search,
    (candidates) => confirm(candidates, owner, node),
  );
  for (const collection of searched) owned.set(collection, ids.get(collection.address) ?? []);

  const tokens = held.flatMap((collection) =>
    (owned.get(collection) ?? []).map((tokenId) => ({ collection, tokenId })),
  );
  const uris = await inBatches(tokens, URIS_AT_ONCE, search, ({ collection, tokenId }) =>
    call(node, collection.address, 'tokenURI', ['uint256'], [tokenId], 'string'),
  );
  return {
    tokens: tokens.map(({ collection: { address, name, symbol, uri }, tokenId }, i) => ({
      contract: { address, name, symbol, uri },
      tokenId,
      owner,
      uri: textOf(uris[i]),
    })),
    complete: held.every((collection) => (owned.get(collection)?.length ?? 0) >= collection.balance),
  };
}

/** Where one token is described; empty where it is not. Rejects with `node.unreachable`. */
export async function tokenUri(contract: string, tokenId: bigint, node: Node): Promise<string> {
  return textOf(await call(node, contract, 'tokenURI', ['uint256'], [tokenId], 'string'));
}

/** One batch. Undefined where there is no ERC-721 contract. */
async function probe(
  { address, fromBlock }: NonFungibleContract,
  owner: string,
  node: Node,
): Promise<Probe | undefined> {
  const supports = (id: string) => call(node, address, 'supportsInterface', ['bytes4'], [id], 'bool');
  const [is721, enumerable, balance, name, symbol, uri] = await Promise.all([
    supports(ERC721),
    supports(ENUMERABLE),
    call(node, address, 'balanceOf', ['address'], [owner], 'uint256'),
    call(node, address, 'name', [], [], 'string'),
    call(node, address, 'symbol', [], [], 'string'),
    call(node, address, 'contractURI', [], [], 'string'),
  ]);
  if (is721 !== true || typeof balance !== 'bigint') return undefined;
  return {
    address,
    fromBlock,
    // Nobody holds more, whatever a contract says.
    balance: Number(balance > 1_000_000n ? 1_000_000n : balance),
    enumerable: enumerable === true,
    name: textOf(name),
    symbol: textOf(symbol),
    uri: textOf(uri),
  };
}

/** Undefined if the contract breaks its interface's promise: then its transfers are searched. */
async function enumerate(
  { address }: Probe,
  owner: string,
  count: number,
  node: Node,
): Promise<bigint[] | undefined> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      call(node, address, 'tokenOfOwnerByIndex', ['address', 'uint256'], [owner, BigInt(i)], 'uint256'),
    ),
  );
  const ids = [...new Set(answers)].filter((id) => typeof id === 'bigint');
  if (ids.length < count) return undefined;
  return (await confirm([{ address, ids }], owner, node)).get(address) ?? [];
}

/** Those that `ownerOf` gives to the owner, by contract. One batch. */
async function confirm(
  candidates: readonly { address: string; ids: readonly bigint[] }[],
  owner: string,
  node: Node,
): Promise<Map<string, bigint[]>> {
  const entries = await Promise.all(
    candidates.map(async ({ address, ids }) => {
      const owners = await Promise.all(
        ids.map((id) => call(node, address, 'ownerOf', ['uint256'], [id], 'address')),
      );
      const own = ids.filter((_, i) => String(owners[i]).toLowerCase() === owner.toLowerCase());
      return [address, own] as const;
    }),
  );
  return new Map(entries);
}

function textOf(value: AbiValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** One value; undefined where the contract has no such function, or does not answer it. */
function call(
  node: Node,
  to: string,
  name: string,
  types: readonly string[],
  values: readonly AbiValue[],
  returned: string,
): Promise<AbiValue | undefined> {
  const answer = rpcOf(node).call('eth_call', { to, data: encodeCall(name, types, values) }, 'latest');
  return tolerant(answer, (value) => {
    const text = bytes(value);
    return isRevert(text) ? undefined : decode([returned], text)[0];
  });
}

/**
 * `size` items go together. Where that fails, each goes alone, because one contract may answer more than a client takes; an item that
 * fails alone too, or comes too late, is undefined. Rejects when the node answers nothing else either.
 */
async function inBatches<T, R>(
  items: readonly T[],
  size: number,
  { node, until }: Search,
  read: (item: T) => Promise<R | undefined>,
): Promise<(R | undefined)[]> {
  const answers: (R | undefined)[] = [];
  for (let at = 0; at < items.length; at += size) {
    if (Date.now() > until) break;
    const some = items.slice(at, at + size);
    try {
      answers.push(...(await Promise.all(some.map(read))));
    } catch {
      await required(rpcOf(node).call('eth_blockNumber'), quantity);
      for (const item of some)
        answers.push(Date.now() > until ? undefined : await read(item).catch(() => undefined));
    }
  }
  return answers;
}
