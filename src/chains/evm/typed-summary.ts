/** What typed data says, in words where its form is known (`typed-shapes.ts`), and which of it is refused. */
import type { Known, Node } from '../terms.ts';
import type { SigningScene, SigningWarning, Term, TypedSigning, TypedField } from '../approval/signing.ts';
import { listedToken } from '../contracts/listed-token.ts';
import type { Network } from '../network.ts';
import { invalid } from '../requests/payloads.ts';
import type { EvmProfile } from './profile.ts';
import { readRelayed, readSafe, readUserOperation } from './typed-calls.ts';
import {
  chainIdOf,
  contractOf,
  encodeType,
  refuseOwn,
  type TypedData,
  typedDataDigests,
} from './typed-data.ts';
import { addressesIn, type Case, caution, danger, type Reading } from './typed-form.ts';
import { readBulk, readOrder, readSeaport } from './typed-orders.ts';
import { isWitnessed, readShape, readWitnessed } from './typed-permits.ts';
import {
  CONTRACT_NAMES,
  ORDERS,
  RELAYED,
  SAFE_TRANSACTION,
  SEAPORT_ORDER,
  SHAPES,
  USER_OPERATION,
} from './typed-shapes.ts';
import { chainOfAddress } from '../requests/foreign-address.ts';

/**
 * Throws `request.invalid` for data of a contract that is the user's own account, and for delegations of it. With a scene, the node is asked
 * what the wallet holds and who may take it, and data of another network is a danger; without one nobody sees it, and it is refused.
 */
export async function describeTyped(
  data: TypedData,
  from: string,
  node: Node,
  known: Known,
  profile: EvmProfile,
  scene: SigningScene | undefined,
): Promise<TypedSigning> {
  const now = BigInt(Math.floor((scene?.now ?? 0) / 1000));
  const elsewhere = await otherNetwork(data, node.network, scene);
  const it: Case = {
    data,
    from,
    network: elsewhere?.network ?? node.network,
    known,
    profile,
    now,
    ...(scene && !elsewhere ? { node, bargain: scene.bargain } : { node: undefined }),
  };
  refuseOwn(data, [from, ...known.own]);
  const form = formOf(it);
  const reading = (await form?.()) ?? readUnknown(it);
  const loose = form ? danger : caution;
  const warnings = [
    ...(elsewhere ? [elsewhere.warning] : []),
    ...reading.warnings,
    ...reportedWarnings(it, reading),
    ...(isOver(reading, now) ? [caution('expired')] : []),
    ...(chainIdOf(data) ? [] : [loose('every-network')]),
    ...(contractOf(data) ? [] : [loose('every-contract')]),
    ...(data.unsigned.length ? [caution('more-than-signed', { names: data.unsigned.join(', ') })] : []),
  ];
  return {
    kind: 'typed',
    deed: reading.deed,
    terms: reading.terms,
    primaryType: data.primaryType,
    domain: data.domain,
    message: data.message,
    names: namesOf(it, reading),
    digests: typedDataDigests(data),
    warnings: [
      ...warnings.filter(({ level }) => level === 'danger'),
      ...warnings.filter(({ level }) => level === 'caution'),
    ],
  };
}

/**
 * The network that the data is for, if that is not the request's: its addresses are of that one, of which nothing is known here but its
 * name. Throws `request.invalid` where nobody sees it, or who signs it refuses it.
 */
async function otherNetwork(
  data: TypedData,
  here: Network,
  scene: SigningScene | undefined,
): Promise<{ network: Network; warning: SigningWarning } | undefined> {
  const bound = chainIdOf(data);
  if (!bound || bound.chainId === BigInt(here.chainId!)) return undefined;
  const { chainId, name: field } = bound;
  if (!scene || scene.refusesElsewhere)
    throw invalid(`data.domain.${field}`, `is ${chainId}, but the wallet is on ${here.chainId}`);
  const { chainName } = await import('./well-known.ts');
  const { id, secretType, kind } = here;
  const listing = chainName(Number(chainId), scene.networks);
  const symbol = listing ? (listing.symbol ?? 'ETH') : '?';
  const name = listing?.name ?? `Chain ${chainId}`;
  return {
    network: { id, secretType, kind, name, nodes: [], tokens: [], coin: { symbol } },
    warning: danger('other-network', {
      here: here.name,
      chainId: String(chainId),
      ...(listing && { there: listing.name }),
    }),
  };
}

type Read = () => Reading | undefined | Promise<Reading | undefined>;

/** Reads data of a known form. */
function formOf(it: Case): Read | undefined {
  const { types, primaryType } = it.data;
  const type = encodeType(primaryType, types);
  const shape = SHAPES.find((one) => one.type === type);
  if (shape) return () => readShape(shape, it);
  const order = ORDERS.find((one) => one.type === type);
  if (order) return () => readOrder(order, it);
  if (type === SEAPORT_ORDER) return () => readSeaport([it.data.message], it);
  if (primaryType === 'BulkOrder') return () => readBulk(it);
  if (type === SAFE_TRANSACTION) return () => readSafe(it);
  if (type === USER_OPERATION) return () => readUserOperation(it);
  const relayed = RELAYED.find((one) => one.type === type);
  if (relayed) return () => readRelayed(relayed, it);
  return isWitnessed(it) ? () => readWitnessed(it) : undefined;
}

/** Whether nobody can use it any more: its own time has passed, or that of all that it allows. In Permit2 an end of 0 is the block that takes it. */
function isOver({ terms }: Reading, now: bigint): boolean {
  const isPast = ({ time }: Term) => typeof time === 'bigint' && time > 0n && time < now;
  const ends = terms.filter(({ code }) => code === 'limit-ends');
  return (
    terms.some((term) => term.code === 'sign-before' && isPast(term)) ||
    (ends.length > 0 && ends.every(isPast))
  );
}

/** Of any address in the data, wherever it stands. */
function reportedWarnings({ data, known }: Case, { terms, involved = [] }: Reading): SigningWarning[] {
  const said = [...addressesIn(data.message), ...involved, ...terms.flatMap(({ address }) => address ?? [])];
  return [...new Set(said)]
    .filter((address) => known.reported.some((one) => one.toLowerCase() === address.toLowerCase()))
    .map((address) => danger('reported-address', { address }));
}

function namesOf({ data, network }: Case, { involved = [] }: Reading): TypedSigning['names'] {
  const routers = new Map<string, string>();
  // Checked where swaps are; here only names are taken from it.
  for (const entry of network.exchanges ?? []) {
    const { name, router } = entry as { name?: unknown; router?: unknown };
    if (typeof name === 'string' && typeof router === 'string') routers.set(router.toLowerCase(), name);
  }
  const names: TypedSigning['names'] = {};
  for (const address of [...addressesIn(data.domain), ...addressesIn(data.message), ...involved]) {
    const lower = address.toLowerCase();
    const token = listedToken(network.tokens, address);
    const exchange = routers.get(lower);
    const contract = CONTRACT_NAMES[lower];
    if (token) names[lower] = { name: token.symbol, kind: 'token' };
    else if (exchange) names[lower] = { name: exchange, kind: 'exchange' };
    else if (contract) names[lower] = { name: contract, kind: 'contract' };
  }
  return names;
}

/** A smaller integer is a number of things, a flag, or a time in seconds. */
const LARGE = 1n << 32n;
/** Bytes of a function's selector: an address, or an amount that matters, has no room in them. */
const SHORT = 4;
/** Bits of an address, which can be cut into small numbers. */
const ADDRESS = 160;

/**
 * A danger unless it names nobody and no amount, and all that is small in it together has no room for an address, whatever its fields are
 * called: a contract can take any form for an order or a permission.
 */
function readUnknown({ data, from }: Case): Reading {
  const harmless = [from, contractOf(data) ?? from].map((address) => address.toLowerCase());
  const couldMove = ({ type, value }: TypedField): boolean => {
    if (Array.isArray(value)) return value.some(couldMove);
    if (typeof value === 'boolean') return false;
    if (typeof value === 'bigint') return isLarge(value);
    if (type === 'string') return textCouldMove(value, harmless);
    if (type === 'address') return !harmless.includes(value.toLowerCase());
    return (value.length - 2) / 2 > SHORT;
  };
  const isHarmless = !data.message.some(couldMove) && roomIn(data.message) < ADDRESS;
  return { terms: [], warnings: [(isHarmless ? caution : danger)('unknown-form')] };
}

/** In bits, as none of the fields is large. */
function roomIn(fields: readonly TypedField[]): number {
  return fields.reduce((sum, { type, value }) => {
    if (Array.isArray(value)) return sum + roomIn(value);
    if (typeof value === 'boolean') return sum + 1;
    if (typeof value === 'bigint') return sum + 32;
    if (type === 'address') return sum;
    const digits = type === 'string' ? lettersOf(value) : value;
    return sum + (/^(0x)?[0-9a-f]*$/i.test(digits) ? digits.replace(/^0x/i, '').length * 4 : 0);
  }, 0);
}

function isLarge(integer: bigint): boolean {
  return integer >= LARGE || integer <= -LARGE;
}

/** A date or time of ISO 8601, in the years that people mean. */
const TIME =
  /\b(?:19|20)\d\d-(?:0\d|1[0-2])-[0-3]\d(?:[t ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:z|[+-]\d\d:\d\d)?)?/g;
/** Hex digits in a row that are no word, year or short number; after `0x`, a number that is large. */
const HEX = /[0-9a-f]{20,}|0x[1-9a-f][0-9a-f]{8,}/;
/** `5e12`, not as a part of a word. Bounded, so that a long text takes no longer than its length. */
const SCIENTIFIC = /(?<![\p{L}\p{N}])\d[\d.,]{0,40}e\+?\d+(?![\p{L}\p{N}])/u;

/** Exchanges that keep their own books take addresses and amounts as text, and people read through whatever is put between the digits. */
function textCouldMove(text: string, harmless: readonly string[]): boolean {
  const plain = text.normalize('NFKC').toLowerCase();
  if (SCIENTIFIC.test(plain)) return true;
  if (text.split(/[^\p{L}\p{N}]+/u).some((word) => isForeign(word, harmless))) return true;
  const letters = harmless.reduce(
    (rest, address) => rest.replaceAll(address.slice(2), ''),
    lettersOf(plain.replace(TIME, '')),
  );
  const numbers = letters.match(/\p{Nd}{10,}/gu) ?? [];
  return (
    HEX.test(letters) ||
    // Digits of other scripts are not counted further.
    numbers.some((digits) => !/^\d+$/.test(digits) || isLarge(BigInt(digits)))
  );
}

function isForeign(word: string, harmless: readonly string[]): boolean {
  return !harmless.includes(word.toLowerCase()) && chainOfAddress(word) !== undefined;
}

/** As many scripts write them, and nothing between. */
function lettersOf(text: string): string {
  return text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '');
}
