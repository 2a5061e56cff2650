/** Preparing and signing transactions. */
import { ConnectError } from '../../base/errors.ts';
import { parseUnits } from '../../base/amount.ts';
import { recipientOf } from '../requests/build-body.ts';
import { readMemo } from '../requests/fields.ts';
import type { Claims } from '../approval/claims.ts';
import type { Known, Node, PrivateKey, Signed } from '../terms.ts';
import { bytesOf, hexOf } from '../../base/bytes.ts';
import { checkFrom } from '../approval/owner.ts';
import { type AddressFacts, addressFacts } from '../approval/known.ts';
import { invalid } from '../requests/payloads.ts';
import { CHAIN_NAMES } from '../secret-type.ts';
import { type Destination, readDestination } from './address.ts';
import type { Facts, Utxo, UtxoDraft } from './draft.ts';
import { type Transaction, signTransaction } from './envelope.ts';
import { type FoundUtxo, readRate, readTransaction, readUtxos, verify } from './node.ts';
import type { UtxoProfile } from './profile.ts';
import { MIN_RATE, type UtxoRequest, rateOf } from './payload.ts';
import { dataScript, dustLimit, hash160, keyHashOf, virtualSize } from './script.ts';
import {
  MAX_INPUTS,
  type Payment,
  maxPayment,
  type Selection,
  select,
  sum,
  usable,
  worthwhile,
} from './selection.ts';

/** Below 0xfffffffe: it may be replaced by one with a higher fee (BIP-125). */
const REPLACEABLE = 0xfffffffd;
/** Maximum mempool coins looked at if confirmed ones are not enough. */
const MAX_WAITING = 25;

interface Intent {
  to: string;
  value: bigint;
  /** Satoshi per 1000 vB; undefined: the node's estimate. */
  rate?: bigint | undefined;
  /** `0x…`: what goes with it in an output of its own. */
  data?: string | undefined;
}

export function intentOf(params: UtxoProfile, request: UtxoRequest): Intent {
  const data = 'data' in request ? request.data : undefined;
  if ('secretType' in request)
    return { to: recipientOf(request.to), value: parseUnits(request.value, params.coin.decimals), data };
  return { to: request.to, value: request.value, rate: rateOf(params, request), data };
}

/** Every default filled in. One round trip; two when several coins are needed, whose amounts are then checked. */
export async function prepare(
  params: UtxoProfile,
  request: UtxoRequest,
  from: string,
  node: Node,
  known: Known,
): Promise<UtxoDraft> {
  const { to, value, rate: given, data } = intentOf(params, request);
  const target = destinationOn(params, to, node);
  const own = ownScript(params, from, node);
  const [unspent, usualRate] = await Promise.all([
    readUtxos(node, from, own),
    // If the site gives a rate, this one is only for comparison.
    given === undefined ? readRate(node) : readRate(node).catch(() => undefined),
  ]);
  const rate = given ?? usualRate!;
  const claimedCoins = new Set(known.taken?.flatMap(({ coins = [] }) => coins));
  const freeCoins = unspent.filter((coin) => !claimedCoins.has(outpoint(coin)));
  const payment: Payment = { value, scripts: scriptsOf(target.script, data), own, rate };
  const choose = (coins: readonly Utxo[], all: boolean): Selection | undefined =>
    select(params, coins, payment) ?? (all && given === undefined ? lastCoins(coins, payment) : undefined);
  const { spendable, selection } = await gather(node, freeCoins, choose);
  const worth = worthwhile(spendable, rate);
  return draftOf(params, node, from, target, selection ?? shortage(spendable, payment), {
    value,
    data,
    own,
    balance: sum(freeCoins),
    spendable: sum(usable(spendable, rate)),
    waiting: sum(freeCoins) - sum(spendable),
    small: sum(spendable) - sum(worth),
    many: selection ? undefined : tooMany(worth, payment),
    about: aboutOf(target.address, from, known),
    usualRate,
  });
}

/** Undefined if all coins together would not be enough either. */
function tooMany(worth: readonly Utxo[], { value, scripts, rate }: Payment): Facts['many'] {
  if (worth.length <= MAX_INPUTS || maxPayment(worth, scripts, rate, [...worth]).value < value)
    return undefined;
  return { coins: worth.length, maxSpendable: maxPayment(worth, scripts, rate).value };
}

/** Of the outputs but the change. */
function scriptsOf(script: string, data: string | undefined): string[] {
  return data ? [script, dataScript(data)] : [script];
}

export function claims({ inputs }: UtxoDraft): Claims {
  return { coins: inputs.map(outpoint) };
}

function outpoint({ txid, vout }: Pick<Utxo, 'txid' | 'vout'>): string {
  return `${txid}:${vout}`;
}

/**
 * The maximum that a transfer to `to` can carry now; to any kind of address if there is none yet. At most two
 * round trips.
 */
export async function maxSpendable(
  params: UtxoProfile,
  from: string,
  to: string | undefined,
  node: Node,
  data?: string,
): Promise<bigint> {
  const own = ownScript(params, from, node);
  // P2WSH and P2TR are the largest.
  const script = to === undefined ? `0x0020${'00'.repeat(32)}` : destinationOn(params, to, node).script;
  const [found, rate] = await Promise.all([readUtxos(node, from, own), readRate(node)]);
  const { spendable } = await gather(node, found, () => undefined);
  const { value } = maxPayment(spendable, scriptsOf(script, data && readMemo(data)), rate);
  return value < dustLimit(params, script) ? 0n : value;
}

/**
 * Confirmed coins first. Only if they are not enough, also the wallet's own unconfirmed change: what others
 * sent may still be double-spent. `choose` is told whether there are more coins. A selection of several
 * inputs is checked, see `verify`.
 */
async function gather(
  node: Node,
  found: readonly FoundUtxo[],
  choose: (coins: readonly Utxo[], all: boolean) => Selection | undefined,
): Promise<{ spendable: Utxo[]; selection: Selection | undefined }> {
  const confirmed = found.filter((coin) => coin.confirmed);
  const waiting = found.filter((coin) => !coin.confirmed);
  const selection = choose(confirmed, waiting.length === 0);
  if (selection || waiting.length === 0) {
    if (selection && selection.inputs.length > 1) await verify(node, selection.inputs);
    return { spendable: confirmed, selection };
  }
  // All in one round trip: the final choice is among them.
  const [change] = await Promise.all([ownChange(node, waiting), verify(node, usable(confirmed, MIN_RATE))]);
  const spendable = [...confirmed, ...change];
  return { spendable, selection: choose(spendable, true) };
}

/** Of coins that are not confirmed, those whose transactions only the wallet itself paid for. */
async function ownChange(node: Node, waiting: readonly FoundUtxo[]): Promise<Utxo[]> {
  const looked = usable(waiting, 0n).slice(0, MAX_WAITING);
  const own = await Promise.all(
    looked.map(async (coin) => {
      const { spenders, outputs } = await readTransaction(node, coin.txid);
      const hash = hexOf(keyHashOf(coin.script)!.hash);
      const mine = spenders.every((key) => key !== undefined && hexOf(hash160(bytesOf(key))) === hash);
      return mine && outputs[coin.vout]?.value === coin.value && outputs[coin.vout]?.script === coin.script;
    }),
  );
  return looked.filter((_, i) => own[i]);
}

/**
 * All coins, for an amount that leaves slightly less for the fee than the estimate asks: it was computed as
 * the maximum a moment ago, at another rate.
 */
function lastCoins(coins: readonly Utxo[], payment: Payment): Selection | undefined {
  const inputs = usable(coins, payment.rate);
  const lower = (payment.rate * 3n) / 4n;
  const { fee, size } = maxPayment(coins, payment.scripts, lower < MIN_RATE ? MIN_RATE : lower);
  const left = sum(inputs) - payment.value;
  return inputs.length > 0 && left >= fee ? { inputs, change: 0n, fee: left, size } : undefined;
}

/** What spending everything would cost, for a draft that shows what is missing and cannot be signed. */
function shortage(coins: readonly Utxo[], { scripts, rate }: Payment): Selection {
  const { fee, size } = maxPayment(coins, scripts, rate);
  return { inputs: usable(coins, rate), change: 0n, fee, size };
}

/** What a draft holds besides its inputs and outputs. */
interface DraftFacts extends Omit<Facts, 'usual'> {
  value: bigint;
  data?: string | undefined;
  /** The script that change goes to. */
  own: string;
}

export function draftOf(
  params: UtxoProfile,
  node: Node,
  from: string,
  target: Destination,
  { inputs, change, fee, size }: Selection,
  { value, data, own, ...facts }: DraftFacts,
): UtxoDraft {
  const [script, ...carried] = scriptsOf(target.script, data);
  return {
    secretType: params.secretType,
    network: node.network,
    from,
    to: target.address,
    value,
    // Plain coins, without the other facts read about them, which are not signed.
    inputs: inputs.map(({ txid, vout, value, script }) => ({ txid, vout, value, script })),
    outputs: [
      { value, script: script! },
      ...(change > 0n ? [{ value: change, script: own }] : []),
      ...carried.map((script) => ({ value: 0n, script })),
    ],
    fee,
    size,
    facts: { ...facts, usual: target.usual },
  };
}

/** The script of the wallet's own address. Throws `request.invalid` at `from` for another form, and for another network's. */
export function ownScript(params: UtxoProfile, from: string, node: Node): string {
  checkFrom(from, (value) => readDestination(params, value).address);
  const { script } = destinationOn(params, from, node, 'from');
  if (keyHashOf(script)?.segwit) return script;
  throw invalid(
    'from',
    `is an address that this wallet does not spend from: its own begins with ${params.hrp[node.network.kind]}1q`,
  );
}

/** The address's script. Throws `request.invalid` at `to` when the address is of another network than the node. */
export function destinationOn(params: UtxoProfile, to: string, { network }: Node, path = 'to'): Destination {
  const target = readDestination(params, to);
  if (target.kinds.includes(network.kind)) return target;
  const name = CHAIN_NAMES[params.secretType];
  throw invalid(
    path,
    target.kinds.includes('mainnet')
      ? `is an address of ${name}’s live network; this wallet is on ${network.name}`
      : `is an address of a ${name} test network; this wallet is on ${network.name}`,
  );
}

function aboutOf(to: string, from: string, known: Known): AddressFacts {
  return addressFacts(to, { ...known, own: [...known.own, from] });
}

/**
 * Version 2, lock time 0: a wallet with a single address has no pattern to hide, and a lock time at the tip
 * is refused by nodes that have not seen that block yet.
 */
export function transactionOf({ inputs, outputs }: UtxoDraft): Transaction {
  return {
    version: 2,
    lockTime: 0,
    inputs: inputs.map((input) => ({ ...input, sequence: REPLACEABLE })),
    outputs,
  };
}

/** Offline and deterministic (RFC 6979). */
export async function sign(draft: UtxoDraft, key: PrivateKey): Promise<Signed> {
  if (sum(draft.inputs) !== draft.outputs.reduce((total, { value }) => total + value, draft.fee))
    throw new ConnectError(
      'transaction.insufficient-funds',
      'The wallet does not hold enough for the amount and the fee.',
    );
  const { bytes, txid } = await signTransaction(transactionOf(draft), key);
  return { raw: hexOf(bytes), hash: txid };
}

/** Everything but the fee to one script. */
export function moveAll(
  params: UtxoProfile,
  inputs: readonly Utxo[],
  script: string,
  fee: bigint,
): Selection {
  if (sum(inputs) - fee < dustLimit(params, script))
    throw new ConnectError(
      'transaction.insufficient-funds',
      'The coins are worth less than the fee that moving them takes.',
      { have: sum(inputs).toString(), fee: fee.toString() },
    );
  const size = virtualSize(
    inputs.map((coin) => coin.script),
    [script],
  );
  return { inputs: [...inputs], change: 0n, fee, size };
}
