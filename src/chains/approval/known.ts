/**
 * What the wallet knows about an address before anything is sent to it: whether it was used before, and whether it was made to look like
 * one that was. Such addresses cost their makers a search ("address poisoning", https://arxiv.org/abs/2501.16681), so likeness is
 * measured by the effort: 2^24 tries for three hex digits at both ends or six at one, 2^32 for four at both.
 */
import type { Known } from '../terms.ts';

/** For callers that keep no record of addresses. */
export const NOTHING_KNOWN: Known = { used: [], own: [], reported: [] };

export interface AddressFacts {
  /** The user's own, or used before. */
  familiar: boolean;
  /** One of the user's wallets. Absent from drafts of older versions. */
  own?: true | undefined;
  reported: boolean;
  /** An address that the wallet knows, which begins or ends like this one. */
  resembles?: string | undefined;
  /** The end at which they match, where it is only one. */
  end?: End | undefined;
  /** Both ends match, with an effort that only makes sense for deception. */
  close?: boolean | undefined;
}

export type End = 'start' | 'end';

/**
 * Characters that must match at each end to count as both, and the effort in bits above which ends count as alike, and both as
 * intended.
 */
const EACH_END = 2;
const LIKE = 24;
const CLOSE = 32;

export function addressFacts(address: string, known: Known): AddressFacts {
  const lower = address.toLowerCase();
  const familiar = [...known.own, ...known.used];
  const isIn = (list: readonly string[]) => list.some((a) => a.toLowerCase() === lower);
  const isFamiliar = isIn(familiar);
  const twin = isFamiliar ? undefined : closest(address, [...familiar, ...(known.seen ?? [])]);
  return {
    familiar: isFamiliar,
    ...(isIn(known.own) && { own: true }),
    reported: isIn(known.reported),
    ...(twin && {
      resembles: twin.address,
      ...(twin.end && { end: twin.end }),
      ...(!twin.end && twin.effort >= CLOSE && { close: true }),
    }),
  };
}

interface Likeness {
  /** Bits of search needed to make one address look like the other. */
  effort: number;
  /** As in `AddressFacts`. */
  end?: End | undefined;
}

interface Twin extends Likeness {
  address: string;
}

/** One that matches at both ends, if there is any. */
function closest(address: string, known: readonly string[]): Twin | undefined {
  const twins = known
    .map((one): Twin => ({ address: one, ...likeness(address, one) }))
    .filter(({ effort }) => effort >= LIKE);
  const both = twins.filter(({ end }) => !end);
  return (both.length ? both : twins).reduce<Twin | undefined>(
    (best, twin) => (best && best.effort >= twin.effort ? best : twin),
    undefined,
  );
}

/** No effort for addresses that are identical or in different formats. */
function likeness(one: string, other: string): Likeness {
  const [lead, otherLead] = [fixedPart(one), fixedPart(other)];
  if (lead.length !== otherLead.length || one.toLowerCase() === other.toLowerCase()) return { effort: 0 };
  const [a, b] = [one.slice(lead.length), other.slice(otherLead.length)];
  const isHex = /^0x/i.test(one);
  const bits = isHex ? () => 4 : /1[qp]$/i.test(lead) ? () => 5 : base58Bits;
  const head: number[] = [];
  const tail: number[] = [];
  for (let i = 0; alike(a.at(i), b.at(i)); i++) head.push(i);
  for (let i = -1; alike(a.at(i), b.at(i)); i--) tail.push(i);
  const effortOf = (places: number[]): number => places.reduce((sum, i) => sum + bits(a.at(i)!, b.at(i)!), 0);
  const all = [...head, ...tail];
  if (head.length >= EACH_END && tail.length >= EACH_END) return { effort: effortOf(all) };
  // Contracts begin with zeros to save gas, and those of a network itself consist of them.
  const chosen = isHex ? all.filter((i) => a.at(i) !== '0') : all;
  return { effort: effortOf(chosen), end: head.length > tail.length ? 'start' : 'end' };
}

function alike(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase();
}

/** A base58 letter is one of 58; with case ignored, one of about 32. */
function base58Bits(one: string, other: string): number {
  return one === other ? Math.log2(58) : 5;
}

/**
 * What every address of a form begins with: `0x`, `ak_` (and the 2 of its longer form), bech32's prefix with the version, `T` of Tron,
 * and the digit or letter that stands for the version in other base58.
 */
const FIXED = /^(?:0x|ak_(?:2(?=.{49}$))?|(?:bc|tb|bcrt|ltc|tltc|rltc)1[qp]|[1-9a-z])/i;

function fixedPart(address: string): string {
  return FIXED.exec(address)?.[0] ?? '';
}

/**
 * Addresses that nobody has a key for: zero, to which tokens are burned and forgotten form fields point; those up to 0xffff, which EIP-1352
 * reserves for precompiled contracts; and 0xeee…, by which interfaces denote the coin where a token is expected.
 */
export function isReserved(address: string): boolean {
  return /^0x(?:0{36}[0-9a-f]{4}|e{40})$/i.test(address);
}

/** Which characters of `address` differ from those of `known`, ignoring case where the chain's own notation does. */
export function differences(address: string, known: string): Set<number> {
  const exact = !/^(?:0x|[a-z]+1[qp])/i.test(address);
  const [a, b] = exact ? [address, known] : [address.toLowerCase(), known.toLowerCase()];
  // If the lengths differ, the ends are aligned too.
  const longer = b.length - a.length;
  return new Set([...a].flatMap((one, i) => (one === b[i] || one === b[i + longer] ? [] : [i])));
}
