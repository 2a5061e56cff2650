/** Permits and payments by signature: forms that descriptors put into words (`typed-shapes.ts`). */
import type { Deed, Limit, SigningWarning, Term, TypedField } from '../approval/signing.ts';
import { isUnlimited } from '../contracts/calls.ts';
import { contractOf, encodeType } from './typed-data.ts';
import {
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
  TEN_YEARS,
  textAt,
  timeOf,
  tokenAmount,
  valuesAt,
} from './typed-form.ts';
import { PERMISSIONS, type Shape, SHAPES, WITNESSED } from './typed-shapes.ts';

export function readShape(shape: Shape, it: Case): Reading | undefined {
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

/** `PermitTransferFrom` and its like with one more struct at the end, which another contract checks. */
export function readWitnessed(it: Case): Reading | undefined {
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
