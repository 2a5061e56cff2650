/** Replacing a pending transaction (BIP-125), whether another took its coins, and moving coins from the key's P2PKH address. */
import { ConnectError } from '../../base/errors.ts';
import { confirmationsOn, isOvertakenAt, minedIn } from '../nodes/confirmations.ts';
import { restOf } from '../nodes/rest.ts';
import type { Node, Sender } from '../terms.ts';
import type { Amount } from '../coin.ts';
import { type Destination, p2pkhAddress } from './address.ts';
import type { Utxo, UtxoDraft } from './draft.ts';
import { unsignedId } from './envelope.ts';
import { readHeight, readRate, readReceipt, readUtxos, record, required, satoshi, verify } from './node.ts';
import type { UtxoProfile } from './profile.ts';
import { dataOf, dustLimit, feeFor, keyHashOf, virtualSize } from './script.ts';
import { MAX_INPUTS, type Payment, type Selection, sum, usable, worthwhile } from './selection.ts';
import { destinationOn, draftOf, moveAll, transactionOf } from './transaction.ts';

/** What each replacement adds for its own relay: satoshi per 1000 vB (Bitcoin Core, -incrementalrelayfee). */
const RELAY_RATE = 1_000n;

/**
 * `speed-up` keeps the recipient, the amount and the data: the higher fee comes from the change, else from further confirmed coins. `cancel` moves
 * all coins to the wallet's own address. Throws `transaction.refused` for what is confirmed, or has been built upon.
 */
export async function replace(
  params: UtxoProfile,
  draft: UtxoDraft,
  how: 'speed-up' | 'cancel',
  node: Node,
): Promise<UtxoDraft> {
  const { from, value, inputs, facts } = draft;
  const own = destinationOn(params, from, node).script;
  const hash = unsignedId(transactionOf(draft));
  const [state, found, estimate] = await Promise.all([
    hash === undefined ? undefined : readReceipt(hash, node),
    readUtxos(node, from, own),
    readRate(node),
  ]);
  if (state?.state === 'confirmed')
    throw refused('The transaction is no longer waiting: it is in a block.', 'confirmed');
  if (state?.state === 'unknown' && !inputs.every((input) => found.some((coin) => isSame(input, coin))))
    throw refused('The transaction is no longer waiting: another one spent its coins.', 'coins spent');
  const waits = state?.state === 'pending';
  const change = draft.outputs.findIndex((output, i) => i > 0 && output.script === own);
  if (waits && change > 0 && !found.some((coin) => coin.txid === hash && coin.vout === change))
    throw refused(
      'Its change was spent by a later transaction, which would be lost. Speed that one up instead.',
      'change spent',
    );

  const further = usable(
    found.filter((coin) => coin.confirmed && !inputs.some((input) => isSame(input, coin))),
    estimate,
  );
  const toSelf = how === 'cancel' || draft.to === from;
  const target = destinationOn(params, toSelf ? from : draft.to, node);
  const carried = draft.outputs.map(({ script }) => script).filter(dataOf);
  const rate = outbid(draft, estimate);
  const feeOf = (coins: readonly Utxo[], scripts: readonly string[]) => {
    const size = virtualSize(
      coins.map((coin) => coin.script),
      scripts,
    );
    const least = draft.fee + feeFor(size, RELAY_RATE);
    const fee = feeFor(size, rate);
    return { fee: fee > least ? fee : least, size };
  };
  const selection = toSelf
    ? moveAll(params, inputs, own, feeOf(inputs, [own]).fee)
    : add(params, inputs, further, { value, scripts: [target.script, ...carried], own }, feeOf);
  if (selection.inputs.length > 1) await verify(node, selection.inputs);
  const used = sum(selection.inputs);
  return draftOf(params, node, from, target, selection, {
    own,
    value: toSelf ? used - selection.fee : value,
    data: toSelf ? undefined : carried.map(dataOf)[0],
    balance: sum(inputs) + sum(further),
    spendable: sum(inputs) + sum(further),
    about: toSelf ? { familiar: true, reported: false } : facts.about,
    usualRate: estimate,
    source: facts.source,
    replaces: true,
  });
}

/**
 * The inputs, and as few further coins as the higher fee needs; if all are not enough, the draft shows what
 * is missing.
 */
function add(
  params: UtxoProfile,
  inputs: readonly Utxo[],
  further: readonly Utxo[],
  { value, scripts, own }: Omit<Payment, 'rate'>,
  feeOf: (coins: readonly Utxo[], scripts: readonly string[]) => { fee: bigint; size: number },
): Selection {
  for (let count = 0; ; count++) {
    const coins = [...inputs, ...further.slice(0, count)];
    const left = sum(coins) - value;
    const withChange = feeOf(coins, [...scripts, own]);
    const change = left - withChange.fee;
    if (change >= dustLimit(params, own)) return { inputs: coins, change, ...withChange };
    const { fee, size } = feeOf(coins, scripts);
    if (left >= fee) return { inputs: coins, change: 0n, fee: left, size };
    if (count === further.length) return { inputs: coins, change: 0n, fee, size };
  }
}

/** A quarter more than before, because nodes accept only a better rate; or what is usual now. */
function outbid({ fee, size }: UtxoDraft, estimate: bigint): bigint {
  const before = (fee * 1000n + BigInt(size) - 1n) / BigInt(size);
  const better = (before * 5n + 3n) / 4n;
  return better > estimate ? better : estimate;
}

/** Whether a block that has its confirmations gave one of the coins to another transaction. */
export async function isOvertaken(
  hash: string,
  { claims: { coins = [] } }: Sender,
  node: Node,
): Promise<boolean> {
  return isOvertakenAt(restOf(node).each(), async (one) => {
    const [head, ...spends] = await Promise.all([
      readHeight(one),
      ...coins.map((coin) => {
        const [txid, vout] = coin.split(':');
        return required(one.get(`/tx/${txid}/outspend/${vout}`, spendIn));
      }),
    ]);
    const mined = spends.filter((spend) => spend.block !== undefined);
    if (mined.some(({ by }) => by === hash)) return false;
    const needed = confirmationsOn(one.network);
    return mined.some(({ block }) => minedIn(block!, head).confirmations >= needed) || undefined;
  });
}

interface Spend {
  /** Undefined in no block. */
  block?: number;
  by?: unknown;
}

function spendIn(answer: unknown): Spend {
  const { spent, txid, status } = record(answer);
  if (typeof spent !== 'boolean') throw new Error('not a coin');
  const { confirmed, block_height } = (status ?? {}) as Record<string, unknown>;
  return spent && confirmed === true ? { block: Number(satoshi(block_height)), by: txid } : {};
}

/** The P2PKH address of the same key, and its confirmed coins: other wallets that import a WIF key use it. */
export async function find(
  params: UtxoProfile,
  own: string,
  node: Node,
): Promise<{ address: string; amount: Amount }> {
  const source = sourceOf(params, own, node);
  const coins = await readUtxos(node, source.address, source.script);
  const raw = sum(coins.filter((coin) => coin.confirmed));
  return { address: source.address, amount: { raw, ...params.coin } };
}

/** Moves them to the wallet's own address. */
export function sweep(params: UtxoProfile, own: string, node: Node): Promise<UtxoDraft> {
  return moveHere(params, own, sourceOf(params, own, node), node);
}

/** How many coins worth spending the wallet has, if more than one transaction can spend; else 0. One round trip. */
export async function countMany(params: UtxoProfile, own: string, node: Node): Promise<number> {
  const [found, rate] = await Promise.all([
    readUtxos(node, own, destinationOn(params, own, node).script),
    readRate(node),
  ]);
  const { length } = worthwhile(
    found.filter((coin) => coin.confirmed),
    rate,
  );
  return length > MAX_INPUTS ? length : 0;
}

/** Combines the most valuable coins into one, as many as one transaction can spend. */
export function combine(params: UtxoProfile, own: string, node: Node): Promise<UtxoDraft> {
  return moveHere(params, own, destinationOn(params, own, node), node);
}

/** Two round trips: every amount is checked. Throws `transaction.insufficient-funds`. */
async function moveHere(
  params: UtxoProfile,
  own: string,
  source: Destination,
  node: Node,
): Promise<UtxoDraft> {
  const target = destinationOn(params, own, node);
  const [found, rate] = await Promise.all([readUtxos(node, source.address, source.script), readRate(node)]);
  const confirmed = found.filter((coin) => coin.confirmed);
  const inputs = usable(confirmed, rate);
  const size = virtualSize(
    inputs.map((coin) => coin.script),
    [target.script],
  );
  const selection = moveAll(params, inputs, target.script, feeFor(size, rate));
  await verify(node, inputs);
  return draftOf(params, node, own, target, selection, {
    own: target.script,
    value: sum(inputs) - selection.fee,
    balance: sum(confirmed),
    spendable: sum(inputs),
    about: { familiar: true, reported: false },
    usualRate: rate,
    source: source.address === own ? undefined : source.address,
  });
}

function sourceOf(params: UtxoProfile, own: string, node: Node) {
  const { hash } = keyHashOf(destinationOn(params, own, node).script)!;
  return destinationOn(params, p2pkhAddress(params, hash, node.network.kind), node);
}

function isSame(a: Utxo, b: Utxo): boolean {
  return a.txid === b.txid && a.vout === b.vout;
}

function refused(message: string, reason: string): ConnectError {
  return new ConnectError('transaction.refused', message, { reason });
}
