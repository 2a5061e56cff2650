/**
 * Incoming coins of an address, which no log and no index tells of: by what its balance did between two looks, and by the blocks in which it
 * did so, if nodes still have the balances of that time. Only blocks that have the network's confirmations are looked at, and of several
 * nodes two have to say the same; where they differ, nothing is found.
 */
import { ConnectError } from '../../base/errors.ts';
import type { Amount } from '../coin.ts';
import { checksum } from '../contracts/evm-address.ts';
import { confirmationsOn } from '../nodes/confirmations.ts';
import { nonsense } from '../nodes/http.ts';
import { type CoinArrival, type CoinLook, type FindCoins, isDust } from '../nodes/incoming.ts';
import { coinOf } from '../secret-type.ts';
import { type JsonRpc, rpcOf } from './json-rpc.ts';
import { quantity, required } from './node.ts';
import { readPayouts } from './payout-logs.ts';

/** Blocks between two looks that are searched at most; after a longer time, what came is told in one sum. */
const MAX_BLOCKS = 10_000;
/** Of one search: balances that are read, blocks that are read with their transactions, and transactions that are looked up in each. */
const MAX_READS = 64;
const MAX_FULL_BLOCKS = 8;
const MAX_RECEIPTS = 16;
/** Looks that are kept, so that a reorganisation can be gone back behind. */
const MAX_LOOKS = 5;
/** How long a sum waits, in milliseconds, for the wallet to know what its own transactions cost. */
const PATIENCE = 600_000;

export const findCoins: FindCoins = async (address, node, looks, spent, payers = []) => {
  const rpc = rpcOf(node);
  const head = count(await required(rpc.call('eth_blockNumber'), quantity));
  const block = head - confirmationsOn(node.network) + 1;
  const last = looks.at(-1);
  if (block < 0 || (last && block <= last.block)) return { items: [], looks: [...looks] };
  const witnesses = new Witnesses(rpc.each());
  const { hasCode, ...now } = await witnesses.agreed((one) => readLook(one, address, block));
  const validLooks = await stillThere(witnesses, looks);
  const from = validLooks.at(-1);
  const next = {
    looks: [...validLooks, now].slice(-MAX_LOOKS),
    ...(validLooks.length < looks.length && { validTo: from?.block ?? looks[0]!.block - 1 }),
  };
  if (!from || (from.balance === now.balance && from.nonce === now.nonce)) return { items: [], ...next };
  if (now.nonce < from.nonce) throw nonsense('a nonce');
  const search = new CoinSearch(witnesses, { address, coin: coinOf(node.network), hasCode, payers });
  const items = await search.find(from, now).catch((error: unknown) => {
    if (error instanceof ConnectError) return undefined;
    throw error;
  });
  if (items) return { items, ...next };
  // Code may spend without a nonce.
  if (hasCode) return { items: [], ...next };
  const cost = now.nonce === from.nonce ? 0n : spent(from.nonce, now.nonce);
  if (cost === undefined && now.time - from.time < PATIENCE) return { items: [], ...next, looks: validLooks };
  const raw = now.balance - from.balance + (cost ?? 0n);
  if (cost === undefined || raw <= 0n) return { items: [], ...next };
  const amount = { ...coinOf(node.network), raw };
  return { items: [{ id: `seen:${now.hash}`, ...arrivalOf(amount, now), seenSince: from.time }], ...next };
};

/** The looks up to the last one whose block is still in the chain. */
async function stillThere(witnesses: Witnesses, looks: readonly CoinLook[]): Promise<CoinLook[]> {
  for (let length = looks.length; length > 0; length--) {
    const { block, hash } = looks[length - 1]!;
    const header = await witnesses.agreed((one) => readHeader(one, block));
    if (header.hash === hash) return looks.slice(0, length);
  }
  return [];
}

/** Nodes that have to say the same: two where there are several. */
class Witnesses {
  readonly #nodes: readonly JsonRpc[];
  #chosen: readonly JsonRpc[] | undefined;

  constructor(nodes: readonly JsonRpc[]) {
    this.#nodes = nodes;
  }

  /** Throws `node.unreachable` if too few nodes answer, or if they answer differently. The first to answer are asked from then on. */
  async agreed<T>(read: (node: JsonRpc) => Promise<T>): Promise<T> {
    const left = [...(this.#chosen ?? this.#nodes)];
    const wanted = Math.min(2, this.#nodes.length);
    const answers: { node: JsonRpc; answer: T }[] = [];
    let failure: unknown;
    while (answers.length < wanted && left.length > 0) {
      const some = left.splice(0, wanted - answers.length);
      await Promise.all(
        some.map(async (node) => {
          try {
            answers.push({ node, answer: await read(node) });
          } catch (error) {
            failure = error;
          }
        }),
      );
    }
    if (answers.length < wanted || wanted === 0)
      throw failure instanceof ConnectError ? failure : nonsense('what the network has');
    if (new Set(answers.map(({ answer }) => textOf(answer))).size > 1)
      throw nonsense('what another node answered');
    this.#chosen ??= answers.map(({ node }) => node);
    return answers[0]!.answer;
  }
}

function textOf(answer: unknown): string {
  return JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

interface Holding {
  block: number;
  balance: bigint;
  nonce: number;
}

/** A transaction that pays the address, or that it sent. */
interface Movement {
  hash: string;
  from: string;
  /** The address pays itself nothing. */
  isOwn: boolean;
  /** What it brought; 0 of its own. */
  brought: bigint;
  /** What it took, its fee included; 0 of others'. */
  cost: bigint;
}

/** Whose coins are searched for. */
interface Account {
  address: string;
  coin: { symbol: string; decimals: number };
  hasCode: boolean;
  payers: readonly string[];
}

/** The blocks between two looks in which the balance changed, and what they hold. */
class CoinSearch {
  #reads = 0;

  constructor(
    readonly witnesses: Witnesses,
    readonly account: Account,
  ) {}

  /** Throws `node.unreachable` if nodes cannot tell, contradict themselves, or would have to be asked too much. */
  async find(from: CoinLook, to: CoinLook): Promise<CoinArrival[]> {
    if (to.block - from.block > MAX_BLOCKS) throw tooMuch();
    const steps = await this.#changes(from, to);
    if (steps.length > MAX_FULL_BLOCKS) throw tooMuch();
    return (await Promise.all(steps.map(([before, after]) => this.#arrivalsIn(before, after)))).flat();
  }

  /** Pairs of successive blocks between which something changed. Each round halves all intervals. */
  async #changes(from: Holding, to: Holding): Promise<[Holding, Holding][]> {
    let open: [Holding, Holding][] = [[from, to]];
    while (open.some(([low, high]) => high.block - low.block > 1)) {
      const halves = await Promise.all(
        open.map(async ([low, high]): Promise<[Holding, Holding][]> => {
          if (high.block - low.block === 1) return [[low, high]];
          const middle = await this.#holdingAt((low.block + high.block) >> 1);
          return [
            [low, middle],
            [middle, high],
          ];
        }),
      );
      open = halves.flat().filter(([low, high]) => low.balance !== high.balance || low.nonce !== high.nonce);
    }
    return open;
  }

  #holdingAt(block: number): Promise<Holding> {
    if (++this.#reads > MAX_READS) throw tooMuch();
    return this.witnesses.agreed(async (one) => ({
      block,
      ...(await readHolding(one, this.account.address, block)),
    }));
  }

  async #arrivalsIn(before: Holding, after: Holding): Promise<CoinArrival[]> {
    const { time, movements } = await this.witnesses.agreed((one) =>
      readMovements(one, this.account.address, after.block),
    );
    const { coin, hasCode } = this.account;
    const inBlock = { block: after.block, time };
    const own = movements.filter(({ isOwn }) => isOwn);
    const paid = movements.filter(({ brought }) => brought > 0n);
    if (after.nonce - before.nonce < own.length) throw nonsense('a nonce');
    const explained = movements.reduce((sum, { brought, cost }) => sum + brought - cost, 0n);
    const rest = after.balance - before.balance - explained;
    const arrivalBy = ({
      hash,
      from,
      brought,
    }: Pick<Movement, 'hash' | 'from' | 'brought'>): CoinArrival => ({
      id: `${hash}:coin`,
      hash,
      from: checksum(from),
      ...arrivalOf({ ...coin, raw: brought }, inBlock),
    });
    const payouts = rest > 0n ? await this.#payoutsIn(after.block, rest) : [];
    const arrivals = [...paid, ...payouts].map(arrivalBy);
    const unnamed = payouts.reduce((left, { brought }) => left - brought, rest);
    // What its own calls brought belongs to them, and some networks take more for them than they say.
    if (unnamed === 0n || own.length > 0 || hasCode) return arrivals;
    if (unnamed < 0n) throw nonsense('a balance');
    return [
      ...arrivals,
      { id: `block:${after.block}:coin`, ...arrivalOf({ ...coin, raw: unnamed }, inBlock) },
    ];
  }

  /** What payers say that they paid, if the balance rose by no less: they say so of what did not get there, too. */
  async #payoutsIn(block: number, rest: bigint): Promise<Pick<Movement, 'hash' | 'from' | 'brought'>[]> {
    const { payers, address } = this.account;
    if (payers.length === 0) return [];
    const payouts = await this.witnesses.agreed((one) => readPayouts(one, payers, { block, to: address }));
    const sum = payouts.reduce((all, { amount }) => all + amount, 0n);
    return sum <= rest
      ? payouts.map(({ hash, vault, amount }) => ({ hash, from: vault, brought: amount }))
      : [];
  }
}

function arrivalOf(
  amount: Amount,
  { block, time }: Pick<CoinLook, 'block' | 'time'>,
): Pick<CoinArrival, 'amount' | 'at' | 'block' | 'dust'> {
  return { amount, at: time, block, ...(isDust(amount) && { dust: true }) };
}

function tooMuch(): ConnectError {
  return new ConnectError('node.unreachable', 'Too much happened to search for it.', { reason: 'search' });
}

// Reads from one node.

type Json = Record<string, unknown>;

async function readLook(
  one: JsonRpc,
  address: string,
  block: number,
): Promise<CoinLook & { hasCode: boolean }> {
  const [header, holding, code] = await Promise.all([
    readHeader(one, block),
    readHolding(one, address, block),
    required(one.call('eth_getCode', address, hex(block)), (value) => {
      if (typeof value !== 'string' || !/^0x[0-9a-f]*$/i.test(value)) throw nonsense('code');
      return value;
    }),
  ]);
  return { block, ...header, ...holding, hasCode: code !== '0x' };
}

async function readHolding(
  one: JsonRpc,
  address: string,
  block: number,
): Promise<{ balance: bigint; nonce: number }> {
  const [balance, nonce] = await Promise.all([
    required(one.call('eth_getBalance', address, hex(block)), quantity),
    required(one.call('eth_getTransactionCount', address, hex(block)), quantity),
  ]);
  return { balance, nonce: count(nonce) };
}

function readHeader(one: JsonRpc, block: number): Promise<{ hash: string; time: number }> {
  return required(one.call('eth_getBlockByNumber', hex(block), false), (value) => headerOf(value, block));
}

function headerOf(value: unknown, block: number): { hash: string; time: number } {
  const { number, hash, timestamp } = (value ?? {}) as Json;
  if (quantity(number) !== BigInt(block)) throw nonsense('the block that was asked for');
  return { hash: hashOf(hash), time: count(quantity(timestamp)) * 1000 };
}

/** The transactions of a block that move coins of the address by themselves. */
async function readMovements(
  one: JsonRpc,
  address: string,
  block: number,
): Promise<{ hash: string; time: number; movements: Movement[] }> {
  const { header, transactions } = await required(
    one.call('eth_getBlockByNumber', hex(block), true),
    (value) => {
      const all = (value as Json | null)?.['transactions'];
      if (!Array.isArray(all)) throw nonsense('the transactions of a block');
      return { header: headerOf(value, block), transactions: all as Json[] };
    },
  );
  const key = address.toLowerCase();
  const isOf = (party: unknown): boolean => String(party).toLowerCase() === key;
  const relevant = new Map<string, Json>();
  for (const each of transactions)
    if (isOf(each?.['from']) || (isOf(each?.['to']) && quantity(each['value']) > 0n))
      relevant.set(hashOf(each['hash']), each);
  if (relevant.size > MAX_RECEIPTS) throw tooMuch();
  const movements = await Promise.all(
    [...relevant].map(async ([hash, { from, to, value, gasPrice }]): Promise<Movement> => {
      const receipt = (await required(
        one.call('eth_getTransactionReceipt', hash),
        (answer) => answer,
      )) as Json;
      if (hashOf(receipt?.['transactionHash']) !== hash || hashOf(receipt['blockHash']) !== header.hash)
        throw nonsense('the receipt that was asked for');
      // Before Byzantium a receipt has no status.
      const amount = receipt['status'] === '0x0' ? 0n : quantity(value);
      if (!isOf(from)) return { hash, from: addressOf(from), isOwn: false, brought: amount, cost: 0n };
      const { gasUsed, effectiveGasPrice = gasPrice, l1Fee = '0x0' } = receipt;
      const fee = quantity(gasUsed) * quantity(effectiveGasPrice) + quantity(l1Fee);
      return { hash, from: address, isOwn: true, brought: 0n, cost: fee + (isOf(to) ? 0n : amount) };
    }),
  );
  return { ...header, movements };
}

function hashOf(value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)) return value.toLowerCase();
  throw nonsense('a hash');
}

function addressOf(value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)) return value.toLowerCase();
  throw nonsense('an address');
}

function count(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw nonsense('a number of a block');
  return Number(value);
}

function hex(number: number): string {
  return `0x${number.toString(16)}`;
}
