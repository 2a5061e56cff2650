/** What typed data says, in words where its form is known (`typed-shapes.ts`), and which of it is refused. */
import type { Amount, Known, Node } from '../chain.ts';
import { addressFacts } from '../approval/known.ts';
import { listedToken } from '../contracts/listed-token.ts';
import type { Network } from '../network.ts';
import { invalid } from '../requests/payloads.ts';
import type {
  Deed,
  Limit,
  SigningScene,
  SigningWarning,
  SigningWarningCode,
  Term,
  TypedField,
  TypedSigning,
} from '../approval/signing.ts';
import { shortName } from '../contracts/token-facts.ts';
import { isUnlimited, NOBODY } from '../contracts/calls.ts';
import { showCall } from '../call-reading/show-call.ts';
import { readCall as readInner } from '../call-reading/inner-calls.ts';
import { readCode, readTokenBalance } from './node.ts';
import type { EvmProfile } from './profile.ts';
import { contractOf, encodeType, refuseOwn, type TypedData } from './typed-data.ts';
import {
  CONTRACT_NAMES,
  type Path,
  PERMISSIONS,
  RELAYED,
  SAFE_TRANSACTION,
  SEAPORT_ORDER,
  SEAPORTS,
  type Shape,
  SHAPES,
  WITNESSED,
} from './typed-shapes.ts';

interface Case {
  data: TypedData;
  from: string;
  network: Network;
  known: Known;
  profile: EvmProfile;
  /** Seconds since 1970. */
  now: bigint;
}

/** What a known format amounts to. */
type Reading = Pick<TypedSigning, 'deed' | 'terms' | 'warnings'>;

const MAX_UINT256 = (1n << 256n) - 1n;
const ZERO = `0x${'00'.repeat(20)}`;
/** In seconds. What holds longer has no end for the person who signs it. */
const TEN_YEARS = 315_576_000n;
/** The last second that a date can say. */
const LAST_SECOND = 8_640_000_000_000n;

/**
 * Throws `request.invalid` for data of another network, of a contract that is the user's own account, and for delegations of it. With
 * a scene, the node is asked what the wallet holds and who may take it.
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
  const it: Case = { data, from, network: node.network, known, profile, now };
  refuse(it);
  const reading = readForm(it) ?? { terms: [], warnings: [caution('unknown-form')] };
  const found = scene ? await lookUp(reading, from, node) : [];
  const bound = data.domain.some(({ name }) => name === 'chainId');
  const warnings = [
    ...reading.warnings,
    ...found,
    ...reportedWarnings(it, reading),
    ...(bound ? [] : [caution('every-network')]),
  ];
  return {
    kind: 'typed',
    deed: reading.deed,
    terms: reading.terms,
    primaryType: data.primaryType,
    domain: data.domain,
    message: data.message,
    names: namesOf(it),
    warnings: [
      ...warnings.filter(({ level }) => level === 'danger'),
      ...warnings.filter(({ level }) => level === 'caution'),
    ],
  };
}

function refuse({ data, from, known, network }: Case): void {
  const chainId = data.domain.find(({ name }) => name === 'chainId')?.value;
  if (chainId !== undefined && chainId !== BigInt(network.chainId!))
    throw invalid('data.domain.chainId', `is ${chainId}, but the wallet is on ${network.chainId}`);
  refuseOwn(data, [from, ...known.own]);
}

function readForm(it: Case): Reading | undefined {
  const { types, primaryType } = it.data;
  const type = encodeType(primaryType, types);
  const shape = SHAPES.find((one) => one.type === type);
  if (shape) return readShape(shape, it);
  if (type === SEAPORT_ORDER) return readOrders([it.data.message], it);
  if (primaryType === 'BulkOrder') return readBulk(it);
  if (type === SAFE_TRANSACTION) return readSafe(it);
  const relayed = RELAYED.find((one) => one.type === type);
  if (relayed) return readRelayed(relayed, it);
  return readWitnessed(it);
}

/** What is at the path: one value, or of a `*` one each. */
function valuesAt(data: TypedData, path: Path): TypedField['value'][] {
  if (path === '@contract') return [contractOf(data)!];
  let values: TypedField['value'][] = [data.message];
  for (const part of path.split('.'))
    values = values.flatMap((value) =>
      (value as TypedField[]).filter(({ name }) => part === '*' || name === part).map((field) => field.value),
    );
  return values;
}

const textAt = (data: TypedData, path: Path): string => valuesAt(data, path)[0] as string;

function readShape(shape: Shape, it: Case): Reading | undefined {
  const { data } = it;
  const needsContract = shape.terms.some(({ format }) => 'token' in format && format.token === '@contract');
  if (needsContract && !contractOf(data)) return undefined;
  const limits: Limit[] = [];
  const perToken: Term[][] = [];
  const common: Term[] = [];
  for (const { path, term, format } of shape.terms) {
    const values = valuesAt(data, path);
    if (format.as === 'address')
      common.push(...values.map((value) => ({ code: term, address: value as string })));
    else if (format.as === 'date') {
      const times = values.map((value): Term => ({ code: term, time: timeOf(value as bigint, format.zero) }));
      if (path.includes('*')) for (const [i, time] of times.entries()) perToken[i]?.push(time);
      else common.push(...times);
    } else {
      const tokens = valuesAt(data, format.token) as string[];
      for (const [i, value] of values.entries()) {
        const limit = limitOf(format, tokens[i]!, value, it);
        limits.push(limit);
        perToken.push([
          { code: 'token', address: tokens[i]! },
          { code: term, limit },
        ]);
      }
    }
  }
  const to = textAt(data, shape.to);
  const ends = valuesAt(data, shape.until) as bigint[];
  const zero = shape.terms.find(({ path }) => path === shape.until)?.format;
  const until = ends
    .map((end) => timeOf(end, zero?.as === 'date' ? zero.zero : undefined))
    .sort(laterFirst)[0];
  const revokes = shape.deed !== 'pay' && limits.every(({ amount }) => amount.raw === 0n);
  const deed: Deed = { kind: revokes ? 'revoke' : shape.deed, amounts: limits, to, until };
  const contract = contractOf(data);
  return {
    deed,
    terms: [
      ...perToken.flat(),
      ...common,
      ...(contract && shape.contracts ? [{ code: 'contract' as const, address: contract }] : []),
    ],
    warnings: [
      ...(revokes ? [] : limitWarnings(deed, it)),
      ...(shape.owner ? ownerWarnings(textAt(data, shape.owner), it) : []),
      ...contractWarnings(shape.contracts, it),
      ...partyWarnings(to, it),
    ],
  };
}

function laterFirst(a: bigint | 'never', b: bigint | 'never'): number {
  if (a === b) return 0;
  return a === 'never' || (b !== 'never' && a > b) ? -1 : 1;
}

function timeOf(seconds: bigint, zero?: 'never'): bigint | 'never' {
  return seconds > LAST_SECOND || (zero && seconds === 0n) ? 'never' : seconds;
}

function limitOf(
  format: Exclude<Shape['terms'][number]['format'], { as: 'address' | 'date' }>,
  token: string,
  value: TypedField['value'],
  { network }: Case,
): Limit {
  switch (format.as) {
    case 'all':
      return value === true
        ? { amount: tokenAmount(token, MAX_UINT256, network), unlimited: true }
        : { amount: tokenAmount(token, 0n, network) };
    case 'item':
      return { amount: itemAmount(token, 1n, value as bigint, network) };
    case 'limit': {
      const raw = value as bigint;
      return {
        amount: tokenAmount(token, raw, network),
        ...(isUnlimited(raw) && { unlimited: true }),
      };
    }
  }
}

function limitWarnings({ kind, amounts, to, until }: Deed, { now }: Case): SigningWarning[] {
  const given = amounts.filter(({ amount }) => amount.raw > 0n);
  const endless = until === 'never' || (until !== undefined && until > now + TEN_YEARS);
  if (kind === 'pay') return endless ? [caution('no-end')] : [];
  const params = { spender: to! };
  return [
    ...given.map(
      (limit): SigningWarning =>
        limit.unlimited
          ? { code: 'unlimited', level: 'danger', limit, params }
          : { code: 'gives-limit', level: 'caution', limit, params },
    ),
    ...(endless ? [danger('no-end', params)] : []),
    ...(kind === 'take' ? [caution('spender-decides', params)] : []),
  ];
}

function ownerWarnings(owner: string, { from }: Case): SigningWarning[] {
  return owner.toLowerCase() === from.toLowerCase() ? [] : [caution('other-owner', { address: owner })];
}

function contractWarnings(contracts: readonly string[] | undefined, { data }: Case): SigningWarning[] {
  const contract = contractOf(data);
  if (!contracts || contracts.some((one) => one.toLowerCase() === contract?.toLowerCase())) return [];
  const name = CONTRACT_NAMES[contracts[0]!.toLowerCase()]!;
  return [caution('other-contract', { name, address: contract ?? '' })];
}

/** Of somebody who may take, gets or is called. */
function partyWarnings(address: string, { known }: Case): SigningWarning[] {
  const { familiar, resembles, close } = addressFacts(address, known);
  return [
    ...(resembles ? [(close ? danger : caution)('resembles-known', { address, known: resembles })] : []),
    ...(familiar ? [] : [caution('first-spender', { address })]),
  ];
}

/** Of any address in the data, wherever it stands. */
function reportedWarnings({ data, known }: Case, { terms }: Reading): SigningWarning[] {
  const said = [...addressesIn(data.message), ...terms.flatMap(({ address }) => address ?? [])];
  return [...new Set(said)]
    .filter((address) => known.reported.some((one) => one.toLowerCase() === address.toLowerCase()))
    .map((address) => danger('reported-address', { address }));
}

/** What the node knows: a limit of all that there is, and a spender whom no code binds. Where it does not answer, nothing is said. */
async function lookUp({ deed }: Reading, from: string, node: Node): Promise<SigningWarning[]> {
  if (!deed || (deed.kind !== 'allow' && deed.kind !== 'take')) return [];
  const { to, amounts } = deed;
  const limited = amounts.filter(({ unlimited, amount }) => !unlimited && amount.token && amount.raw > 0n);
  // All at once, so they go as one batch.
  const [code, ...balances] = await Promise.all([
    readCode(node, to!).catch(() => undefined),
    ...limited
      .slice(0, 20)
      .map(({ amount }) => readTokenBalance(node, amount.token!, from).catch(() => undefined)),
  ]);
  const warnings: SigningWarning[] = [];
  for (const [i, held] of balances.entries()) {
    const limit = limited[i]!;
    if (held && limit.amount.decimals !== 0 && limit.amount.raw >= held)
      warnings.push({
        code: 'all-you-hold',
        level: 'danger',
        limit: { amount: { ...limit.amount, raw: held } },
        params: { spender: to! },
      });
  }
  if (code === '0x') warnings.push(danger('spender-is-account', { spender: to! }));
  return warnings;
}

/** `PermitTransferFrom` and its like with one more struct at the end, which another contract checks. */
function readWitnessed(it: Case): Reading | undefined {
  const { data } = it;
  const plain = Object.hasOwn(WITNESSED, data.primaryType) ? WITNESSED[data.primaryType]! : undefined;
  const shape = plain && SHAPES.find(({ type }) => type.startsWith(`${plain}(`));
  if (!shape) return undefined;
  const members = data.types.get(data.primaryType)!.map(({ type, name }) => `${type} ${name}`);
  const head = shape.type.slice(plain.length + 1, shape.type.indexOf(')')).split(',');
  const isSame = head.every((member, i) => members[i] === member) && members.length > head.length;
  if (!isSame || encodeType('TokenPermissions', data.types) !== PERMISSIONS) return undefined;
  const reading = readShape(shape, it);
  const witness = data.message.slice(head.length);
  return (
    reading && {
      ...reading,
      terms: [...reading.terms, { code: 'witness', fields: witness }],
      warnings: [danger('unknown-witness'), ...reading.warnings],
    }
  );
}

type Fields = Readonly<Record<string, TypedField['value']>>;

function record(fields: readonly TypedField[]): Fields {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
}

function recordsOf(value: TypedField['value'] | undefined): Fields[] {
  return (value as TypedField[]).map((item) => record(item.value as TypedField[]));
}

/** A tree of orders that one signature makes; places that are left over hold orders of nobody. */
function readBulk(it: Case): Reading | undefined {
  const { types, message } = it.data;
  const members = types.get('BulkOrder')!;
  if (members.length !== 1 || !/^OrderComponents(?:\[2\])+$/.test(members[0]!.type)) return undefined;
  if (encodeType('OrderComponents', types) !== SEAPORT_ORDER) return undefined;
  let level = [message[0]!];
  while (level[0]!.type !== 'OrderComponents') level = level.flatMap(({ value }) => value as TypedField[]);
  const orders = level.map(({ value }) => value as TypedField[]);
  return readOrders(
    orders.filter((order) => record(order)['offerer'] !== ZERO),
    it,
  );
}

function readOrders(orders: TypedField[][], it: Case): Reading {
  const gives = new Sums();
  const gets = new Sums();
  const others: Term[] = [];
  const offerers = new Set<string>();
  let anyItem = false;
  let freeOrder = orders.length === 0;
  let start: bigint | undefined;
  let until: bigint | 'never' = 0n;
  for (const fields of orders) {
    const order = record(fields);
    const offerer = order['offerer'] as string;
    offerers.add(offerer);
    for (const item of recordsOf(order['offer'])) {
      anyItem ||= (item['itemType'] as bigint) >= 4n;
      const [low, high] = range(item);
      // What leaves may rise with time, and what comes may fall.
      gives.add(itemOf(item, low > high ? low : high, it));
    }
    let comes = 0n;
    for (const item of recordsOf(order['consideration'])) {
      const [low, high] = range(item);
      const amount = itemOf(item, low < high ? low : high, it);
      const receiver = item['recipient'] as string;
      if (receiver.toLowerCase() === it.from.toLowerCase()) {
        gets.add(amount);
        comes += amount.raw;
      } else others.push({ code: 'others-get', address: receiver, limit: { amount } });
    }
    freeOrder ||= comes === 0n;
    const from = order['startTime'] as bigint;
    start = start === undefined || from < start ? from : start;
    until = [until, timeOf(order['endTime'] as bigint)].sort(laterFirst)[0]!;
  }
  const amounts = gives
    .all()
    .map((amount): Limit => ({ amount, ...(isUnlimited(amount.raw) && { unlimited: true }) }));
  const received = gets.all();
  const { network, now } = it;
  const isKnown = ({ token }: Amount) => !token || listedToken(network.tokens, token) !== undefined;
  return {
    deed: {
      kind: 'trade',
      amounts,
      gets: received,
      until,
      ...(orders.length !== 1 && { orders: orders.length }),
    },
    terms: [
      ...amounts.map((limit): Term => ({ code: 'gives', limit })),
      ...received.map((amount): Term => ({ code: 'gets', limit: { amount } })),
      ...others,
      ...(start ? [{ code: 'valid-from' as const, time: timeOf(start) }] : []),
      { code: 'sign-before', time: until },
      ...(contractOf(it.data) ? [{ code: 'contract' as const, address: contractOf(it.data)! }] : []),
    ],
    warnings: [
      ...(freeOrder ? [danger('gets-nothing')] : []),
      ...(anyItem ? [danger('any-item')] : []),
      ...(until === 'never' || until > now + TEN_YEARS ? [danger('no-end')] : []),
      ...(!freeOrder && !received.some(isKnown) ? [caution('gets-unknown')] : []),
      ...[...offerers].flatMap((offerer) => ownerWarnings(offerer, it)),
      ...contractWarnings(SEAPORTS, it),
    ],
  };
}

function range(item: Fields): [start: bigint, end: bigint] {
  return [item['startAmount'] as bigint, item['endAmount'] as bigint];
}

/** Seaport's `ItemType`: the coin, ERC-20, ERC-721, ERC-1155, and any or some of a collection of either. */
function itemOf(item: Fields, raw: bigint, { network, profile }: Case): Amount {
  const kind = item['itemType'] as bigint;
  const token = item['token'] as string;
  if (kind === 0n) return { raw, ...profile.coin };
  if (kind === 1n) return tokenAmount(token, raw, network);
  return itemAmount(token, raw, kind < 4n ? (item['identifierOrCriteria'] as bigint) : undefined, network);
}

/** Amounts of the same thing, together. */
class Sums {
  readonly #sums = new Map<string, Amount>();

  add(amount: Amount): void {
    const key = `${amount.token?.toLowerCase()} ${amount.symbol}`;
    this.#sums.set(key, { ...amount, raw: (this.#sums.get(key)?.raw ?? 0n) + amount.raw });
  }

  /** Zero results are left out. */
  all(): Amount[] {
    return [...this.#sums.values()].filter(({ raw }) => raw > 0n);
  }
}

function readSafe(it: Case): Reading {
  const { data, profile } = it;
  const {
    to,
    value,
    data: call,
    operation,
    gasPrice,
    refundReceiver,
  } = record(data.message) as {
    to: string;
    value: bigint;
    data: string;
    operation: bigint;
    gasPrice: bigint;
    refundReceiver: string;
  };
  const safe = contractOf(data);
  const reading = readCall({ to, data: call, value }, it);
  const delegated = operation !== 0n;
  return {
    deed: { kind: 'safe', amounts: value ? [{ amount: { raw: value, ...profile.coin } }] : [], to },
    terms: [
      ...(safe ? [{ code: 'safe' as const, address: safe }] : []),
      ...reading.terms,
      ...(gasPrice ? [{ code: 'refund' as const, address: refundReceiver }] : []),
    ],
    warnings: [
      ...(delegated ? [danger('delegatecall', { address: to })] : reading.warnings),
      ...(gasPrice ? [caution('refund', { address: refundReceiver })] : []),
      ...partyWarnings(to, it),
    ],
  };
}

function readRelayed(form: (typeof RELAYED)[number], it: Case): Reading | undefined {
  const { data, profile } = it;
  const to = form.to === '@contract' ? contractOf(data) : textAt(data, form.to);
  if (!to) return undefined;
  const value = form.value ? (valuesAt(data, form.value)[0] as bigint) : 0n;
  const { terms, warnings } = readCall({ to, data: textAt(data, form.data), value }, it);
  return {
    deed: { kind: 'relay', amounts: value ? [{ amount: { raw: value, ...profile.coin } }] : [], to },
    terms,
    warnings: [...warnings, ...ownerWarnings(textAt(data, form.from), it), ...partyWarnings(to, it)],
  };
}

/** Functions that give away control, or hold calls that are not looked into here. */
const POWERFUL =
  /^(?:transferOwnership|upgradeTo|upgradeToAndCall|setApprovalForAll|permit|multicall|aggregate3|aggregate3Value|tryAggregate|multiSend|execute|executeBatch|execTransaction|enableModule|setGuard|setFallbackHandler|addOwnerWithThreshold|swapOwner|renounceOwnership|changeThreshold)$/;

/** A call inside the data. */
function readCall(
  { to, data, value }: { to: string; data: string; value: bigint },
  { network, profile }: Case,
): Pick<Reading, 'terms' | 'warnings'> {
  const terms: Term[] = [{ code: 'receiver', address: to }];
  if (value) terms.push({ code: 'amount', limit: { amount: { raw: value, ...profile.coin } } });
  if (data === '0x') return { terms, warnings: [] };
  const { call, deeds, nested, unreadable } = readInner(to, data, NOBODY);
  terms.push({ code: 'call', call: showCall(call, data, listedToken(network.tokens, to), network.tokens) });
  const { effect, name } = call;
  if (name === null || unreadable) return { terms, warnings: [danger('unreadable-call')] };
  if (effect.kind === 'approval' && effect.amount > 0n) {
    const amount = tokenAmount(effect.token ?? to, effect.amount, network);
    const params = { spender: effect.spender };
    return {
      terms,
      warnings: isUnlimited(effect.amount)
        ? [{ code: 'unlimited', level: 'danger', limit: { amount, unlimited: true }, params }]
        : [{ code: 'gives-limit', level: 'caution', limit: { amount }, params }],
    };
  }
  // What a single function does is shown by its arguments; what other calls do is not looked into here.
  const plain = deeds.length === 1 && /^(token|nft|approval|other)$/.test(deeds[0]!.effect.kind);
  const powerful = POWERFUL.test(name) || nested || !plain;
  return { terms, warnings: powerful ? [danger('dangerous-call', { name })] : [] };
}

function tokenAmount(token: string, raw: bigint, network: Network): Amount {
  const listed = listedToken(network.tokens, token);
  return { raw, decimals: listed?.decimals ?? null, symbol: listed?.symbol ?? shortName(token), token };
}

/** Of a collection; without an id, of any of it. */
function itemAmount(token: string, raw: bigint, id: bigint | undefined, network: Network): Amount {
  const { symbol } = tokenAmount(token, raw, network);
  return { raw, decimals: 0, symbol: id === undefined ? symbol : `${symbol} #${id}`, token };
}

function addressesIn(fields: readonly TypedField[]): string[] {
  return fields.flatMap(({ type, value }) =>
    Array.isArray(value) ? addressesIn(value) : type === 'address' ? [value as string] : [],
  );
}

function namesOf({ data, network }: Case): TypedSigning['names'] {
  const routers = new Map<string, string>();
  // Checked where swaps are; here only names are taken from it.
  for (const entry of network.exchanges ?? []) {
    const { name, router } = entry as { name?: unknown; router?: unknown };
    if (typeof name === 'string' && typeof router === 'string') routers.set(router.toLowerCase(), name);
  }
  const names: TypedSigning['names'] = {};
  for (const address of [...addressesIn(data.domain), ...addressesIn(data.message)]) {
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

function caution(code: SigningWarningCode, params?: Record<string, string>): SigningWarning {
  return { code, level: 'caution', ...(params && { params }) };
}

function danger(code: SigningWarningCode, params?: Record<string, string>): SigningWarning {
  return { code, level: 'danger', ...(params && { params }) };
}
