/** Permits and payments by signature: forms that descriptors put into words (`typed-shapes.ts`). */
import type { Amount } from '../coin.ts';
import type { Deed, Limit, SigningWarning, Term, TypedField } from '../approval/signing.ts';
import { allowanceWarnings } from '../contracts/allowance-warnings.ts';
import { isUnlimited } from '../contracts/calls.ts';
import { MAX_TOKENS } from '../contracts/deeds.ts';
import { claimOf, listedToken } from '../contracts/listed-token.ts';
import { TOTAL_SUPPLY } from '../contracts/token-calls.ts';
import { readDecimals, readTokenBalance, readWord } from './node.ts';
import { hasCode } from './token-reads.ts';
import { contractOf, encodeType } from './typed-data.ts';
import {
  allowanceWarning,
  type Case,
  caution,
  contractWarnings,
  danger,
  itemAmount,
  laterFirst,
  MAX_UINT256,
  ownerWarnings,
  partyWarnings,
  type Reading,
  Sums,
  TEN_YEARS,
  textAt,
  timeOf,
  tokenAmount,
  valuesAt,
} from './typed-form.ts';
import { PERMISSIONS, type Shape, SHAPES, WITNESSED } from './typed-shapes.ts';

export async function readShape(shape: Shape, it: Case): Promise<Reading | undefined> {
  const { data } = it;
  const needsContract =
    shape.deed === 'act' ||
    shape.terms.some(({ format }) => 'token' in format && format.token === '@contract');
  if (needsContract && !contractOf(data)) return undefined;
  const to = textAt(data, shape.to);
  const owner = shape.owner ? textAt(data, shape.owner) : it.from;
  const facts = await readTold(shape, to, owner, it);
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
        const limit = limitOf(format, tokens[i]!, value, it, facts);
        limits.push(limit);
        perToken.push([
          { code: 'token', address: tokens[i]! },
          { code: term, limit },
        ]);
      }
    }
  }
  const ends = valuesAt(data, shape.until) as bigint[];
  const zero = shape.terms.find(({ path }) => path === shape.until)?.format;
  const until = ends
    .map((end) => timeOf(end, zero?.as === 'date' ? zero.zero : undefined))
    .sort(laterFirst)[0];
  const revokes = shape.given
    ? valuesAt(data, shape.given)[0] !== true
    : shape.deed !== 'pay' && limits.every(({ amount }) => amount.raw === 0n);
  const amounts = revokes || shape.deed === 'pay' ? limits : perAsset(limits, facts);
  const deed: Deed = { kind: revokes ? 'revoke' : shape.deed, amounts, to, until };
  const contract = contractOf(data);
  return {
    deed,
    terms: [
      ...perToken.flat(),
      ...common,
      ...(contract && (shape.contracts || shape.deed === 'act')
        ? [{ code: 'contract' as const, address: contract }]
        : []),
    ],
    warnings: [
      ...(revokes ? [] : await limitWarnings(deed, facts, it)),
      ...ownerWarnings(owner, it),
      ...contractWarnings(shape.contracts, it),
      ...partyWarnings(to, it),
    ],
  };
}

/** Two limits of one token can both be used. */
function perAsset(limits: readonly Limit[], told: SpenderFacts): Limit[] {
  const sums = new Sums();
  for (const { amount } of limits) sums.add(amount);
  const isItem = limits.some((limit) => limit.isItem);
  return sums.all().map((amount) => ({ ...limitTo(amount, told), ...(isItem && { isItem }) }));
}

function limitTo(amount: Amount, { tokens }: SpenderFacts): Limit {
  const { supply, held = 0n } = tokens.get(amount.token!.toLowerCase()) ?? {};
  // A supply below what is held is disregarded: the contract answers anything.
  const total = supply === undefined || supply < held ? undefined : supply;
  return { amount, ...(isUnlimited(amount.raw, total) && { unlimited: true }) };
}

interface PermittedToken {
  held: bigint | undefined;
  supply: bigint | undefined;
  /** Of a token that is not listed: its own decimals. */
  claimedDecimals?: number | undefined;
}

/** The node's word on what somebody may take; where it has none, nothing is said. */
interface SpenderFacts {
  /** By lower-case address; of the first ones. */
  tokens: ReadonlyMap<string, PermittedToken>;
  /** No code binds who may take. */
  isPerson: boolean;
}

async function readTold(shape: Shape, spender: string, owner: string, it: Case): Promise<SpenderFacts> {
  const { data, node } = it;
  if (!node || (shape.deed !== 'allow' && shape.deed !== 'take'))
    return { tokens: new Map(), isPerson: false };
  const named = shape.terms.flatMap(({ path, format }) => {
    if (format.as !== 'limit') return [];
    const values = valuesAt(data, path) as bigint[];
    return valuesAt(data, format.token).filter((_, i) => !isUnlimited(values[i]!)) as string[];
  });
  const tokens = [...new Set(named.map((token) => token.toLowerCase()))].slice(0, MAX_TOKENS);
  const unknown = () => undefined;
  // All at once, so they go as one batch.
  const [coded, found] = await Promise.all([
    hasCode(node, spender),
    Promise.all(
      tokens.map(async (token) => {
        const [held, supply, decimals] = await Promise.all([
          readTokenBalance(node, token, owner).catch(unknown),
          readWord(node, token, TOTAL_SUPPLY).catch(unknown),
          listedToken(it.network.tokens, token) ? undefined : readDecimals(node, token).catch(unknown),
        ]);
        return [token, { held, supply, ...claimOf(decimals) }] as const;
      }),
    ),
  ]);
  return { tokens: new Map(found), isPerson: coded === false };
}

function limitOf(
  format: Exclude<Shape['terms'][number]['format'], { as: 'address' | 'date' }>,
  token: string,
  value: TypedField['value'],
  { network }: Case,
  told: SpenderFacts,
): Limit {
  switch (format.as) {
    case 'all':
      return value === true
        ? { amount: tokenAmount(token, MAX_UINT256, network), unlimited: true }
        : { amount: tokenAmount(token, 0n, network) };
    case 'item':
      return { amount: itemAmount(token, 1n, value as bigint, network), isItem: true };
    case 'limit': {
      const { claimedDecimals } = told.tokens.get(token.toLowerCase()) ?? {};
      return limitTo(tokenAmount(token, value as bigint, network, claimedDecimals), told);
    }
  }
}

async function limitWarnings(
  { kind, amounts, to, until }: Deed,
  told: SpenderFacts,
  it: Case,
): Promise<SigningWarning[]> {
  const { now } = it;
  const endless = until === 'never' || (until !== undefined && until > now + TEN_YEARS);
  if (kind === 'pay') return endless ? [caution('no-end')] : [];
  const params = { spender: to! };
  if (kind === 'act' || kind === 'borrow') {
    const [limit] = amounts;
    const isPerson = it.node && (await hasCode(it.node, to!)) === false;
    return [
      kind === 'act' ? danger('acts-for-you', params) : { ...danger('debt', params), limit },
      ...(isPerson ? [danger('spender-is-account', params)] : []),
    ];
  }
  return [
    ...allowed(amounts, to!, told),
    ...(endless ? [danger('no-end', params)] : []),
    ...(kind === 'take' ? [caution('spender-decides', params)] : []),
  ];
}

function allowed(
  limits: readonly Limit[],
  spender: string,
  { tokens, isPerson }: SpenderFacts,
): SigningWarning[] {
  const warnings = limits.flatMap(({ amount, unlimited = false, isItem }, i) =>
    allowanceWarnings({
      token: amount.token!,
      spender,
      amount,
      unlimited,
      isItem,
      held: tokens.get(amount.token!.toLowerCase())?.held,
      isPerson: isPerson && i === 0,
    }),
  );
  return [
    ...warnings.map(allowanceWarning),
    ...(limits.length > MAX_TOKENS ? [danger('too-many-tokens', { count: String(limits.length) })] : []),
  ];
}

export function isWitnessed({ data }: Case): boolean {
  return Object.hasOwn(WITNESSED, data.primaryType);
}

/** `PermitTransferFrom` and its like with one more struct at the end, which another contract checks. */
export async function readWitnessed(it: Case): Promise<Reading | undefined> {
  const { data } = it;
  const plain = isWitnessed(it) ? WITNESSED[data.primaryType]! : undefined;
  const shape = plain && SHAPES.find(({ type }) => type.startsWith(`${plain}(`));
  if (!shape) return undefined;
  const members = data.types.get(data.primaryType)!.map(({ type, name }) => `${type} ${name}`);
  const head = shape.type.slice(plain.length + 1, shape.type.indexOf(')')).split(',');
  const isSame = head.every((member, i) => members[i] === member) && members.length > head.length;
  if (!isSame || encodeType('TokenPermissions', data.types) !== PERMISSIONS) return undefined;
  const reading = await readShape(shape, it);
  const witness = data.message.slice(head.length);
  return (
    reading && {
      ...reading,
      terms: [...reading.terms, { code: 'witness', fields: witness }],
      warnings: [danger('unknown-witness'), ...reading.warnings],
    }
  );
}
