/** What the readings of all forms of typed data share: fields, amounts, times, and warnings about the people named. */
import type { Known, Node } from '../terms.ts';
import type { Amount } from '../coin.ts';
import { addressFacts } from '../approval/known.ts';
import type {
  CompareWorth,
  SigningWarning,
  SigningWarningCode,
  TypedField,
  TypedSigning,
} from '../approval/signing.ts';
import type { Warning } from '../approval/summary.ts';
import { tokenAmount as amountOfToken } from '../contracts/listed-token.ts';
import { shortName } from '../contracts/token-facts.ts';
import type { Network } from '../network.ts';
import type { EvmProfile } from './profile.ts';
import { contractOf, type TypedData } from './typed-data.ts';
import { CONTRACT_NAMES, type Path } from './typed-shapes.ts';

export interface Case {
  data: TypedData;
  from: string;
  network: Network;
  known: Known;
  profile: EvmProfile;
  /** Seconds since 1970. */
  now: bigint;
  /** Asked about tokens and spenders; undefined where nobody may be asked. */
  node: Node | undefined;
  bargain?: CompareWorth | undefined;
}

/** What a known format amounts to. */
export interface Reading extends Pick<TypedSigning, 'deed' | 'terms' | 'warnings'> {
  /** Whose tokens leave, if not the signer's. */
  owner?: string | undefined;
  /** Addresses that only a call inside the data names. */
  involved?: readonly string[] | undefined;
}

export const MAX_UINT256 = (1n << 256n) - 1n;
/** In seconds. What holds longer has no end for the person who signs it. */
export const TEN_YEARS = 315_576_000n;
/** The last second that a date can say. */
const LAST_SECOND = 8_640_000_000_000n;

/** What is at the path: one value, or of a `*` one each. */
export function valuesAt(data: TypedData, path: Path): TypedField['value'][] {
  if (path === '@contract') return [contractOf(data)!];
  let values: TypedField['value'][] = [data.message];
  for (const part of path.split('.'))
    values = values.flatMap((value) =>
      (value as TypedField[]).filter(({ name }) => part === '*' || name === part).map((field) => field.value),
    );
  return values;
}

export const textAt = (data: TypedData, path: Path): string => valuesAt(data, path)[0] as string;

export type Fields = Readonly<Record<string, TypedField['value']>>;

export function record(fields: readonly TypedField[]): Fields {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
}

export function recordsOf(value: TypedField['value'] | undefined): Fields[] {
  return (value as TypedField[]).map((item) => record(item.value as TypedField[]));
}

export function laterFirst(a: bigint | 'never', b: bigint | 'never'): number {
  if (a === b) return 0;
  return a === 'never' || (b !== 'never' && a > b) ? -1 : 1;
}

export function timeOf(seconds: bigint, zero?: 'never'): bigint | 'never' {
  return seconds > LAST_SECOND || (zero && seconds === 0n) ? 'never' : seconds;
}

/** Amounts of the same thing, together. */
export class Sums {
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

export function tokenAmount(token: string, raw: bigint, network: Network, claimedDecimals?: number): Amount {
  return amountOfToken(raw, token, network, { symbol: shortName(token), claimedDecimals });
}

/** Of a collection; without an id, of any of it. */
export function itemAmount(token: string, raw: bigint, id: bigint | undefined, network: Network): Amount {
  const { symbol } = tokenAmount(token, raw, network);
  return { raw, decimals: 0, symbol: id === undefined ? symbol : `${symbol} #${id}`, token };
}

export function addressesIn(fields: readonly TypedField[]): string[] {
  return fields.flatMap(({ type, value }) =>
    Array.isArray(value) ? addressesIn(value) : type === 'address' ? [value as string] : [],
  );
}

export function ownerWarnings(owner: string, { from }: Case): SigningWarning[] {
  return owner.toLowerCase() === from.toLowerCase() ? [] : [caution('other-owner', { address: owner })];
}

/** A warning about an allowance in the words of signatures. */
export function allowanceWarning({ code, level, params = {}, amount }: Warning): SigningWarning {
  const { spender = '' } = params;
  const said = SIGNED[code] ?? (code as SigningWarningCode);
  const unlimited = said === 'unlimited' && { unlimited: true };
  return { code: said, level, params: { spender }, ...(amount && { limit: { amount, ...unlimited } }) };
}

const SIGNED: Partial<Record<Warning['code'], SigningWarningCode>> = {
  'unlimited-approval': 'unlimited',
  'spending-limit': 'gives-limit',
  'nft-approval': 'gives-limit',
};

export function contractWarnings(contracts: readonly string[] | undefined, { data }: Case): SigningWarning[] {
  const contract = contractOf(data);
  if (!contracts || !contract || contracts.some((one) => one.toLowerCase() === contract.toLowerCase()))
    return [];
  const name = CONTRACT_NAMES[contracts[0]!.toLowerCase()]!;
  return [caution('other-contract', { name, address: contract })];
}

/** Of somebody who may take, gets or is called. */
export function partyWarnings(address: string, { known }: Case): SigningWarning[] {
  const { familiar, resembles, end, close } = addressFacts(address, known);
  return [
    ...(resembles
      ? [(close ? danger : caution)('resembles-known', { address, known: resembles, ...(end && { end }) })]
      : []),
    ...(familiar ? [] : [caution('first-spender', { address })]),
  ];
}

export function caution(code: SigningWarningCode, params?: Record<string, string>): SigningWarning {
  return { code, level: 'caution', ...(params && { params }) };
}

export function danger(code: SigningWarningCode, params?: Record<string, string>): SigningWarning {
  return { code, level: 'danger', ...(params && { params }) };
}
