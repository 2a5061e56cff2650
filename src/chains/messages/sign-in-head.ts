/**
 * The first line of a sign-in, "shop.example wants you to sign in with your Ethereum account:", which CAIP-122
 * (https://chainagnostic.org/CAIPs/caip-122) took from EIP-4361 for all chains: sites write Polygon, EVM or
 * eip155:1 in it. No scheme means https, and no port the scheme's default; local host names may omit the scheme,
 * as development servers do.
 */
import type { Mismatch } from '../approval/signing.ts';

// RFC 3986, where `%` is followed by two hex digits.
export const HEX = '%[0-9A-Fa-f]{2}';
export const UNRESERVED = 'A-Za-z0-9\\-._~';
export const SUB_DELIMITERS = "!$&'()*+,;=";
export const SCHEME = '[A-Za-z][A-Za-z0-9+\\-.]*';
const REG_NAME = `(?:[${UNRESERVED}${SUB_DELIMITERS}]|${HEX})`;
export const AUTHORITY = `(?:(?:[${UNRESERVED}${SUB_DELIMITERS}:]|${HEX})*@)?(?:\\[[0-9A-Fa-f:.]+\\]|${REG_NAME}*)(?::\\d*)?`;
// Only domains that a site can have: the grammar would also allow an empty one, or a name with an underscore.
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?\.?)$/;
const HEAD = new RegExp(
  `^(?:(${SCHEME})://)?(${AUTHORITY}) wants you to sign in with your ([^\\p{C}\\s]\\P{C}{0,58}) account:$`,
  'u',
);

export interface SignInHead {
  scheme?: string | undefined;
  domain: string;
  /** Name of the chain, as written. */
  chain: string;
}

/** Undefined unless the line matches exactly. */
export function parseHead(line: string): SignInHead | undefined {
  const [, scheme, domain = '', chain = ''] = HEAD.exec(line) ?? [];
  return domain.length <= 300 && HOST.test(hostOf(domain)) ? { scheme, domain, chain } : undefined;
}

/** What is wrong with the named domain, if it is not the site's. */
export function domainMismatch(
  { scheme, domain }: Omit<SignInHead, 'chain'>,
  origin: string,
): Mismatch | undefined {
  if (isSite(scheme, domain, origin)) return undefined;
  const named = `${scheme ?? 'https'}://${domain}`;
  // Of the same host only the scheme can differ, which a domain without one would not show.
  if (!domain.includes('@') && hostIn(named) === new URL(origin).host)
    return { what: 'scheme', named, actual: origin };
  return { what: 'domain', named: scheme ? named : domain, actual: origin };
}

/** Whether a text claims to be a sign-in, whatever its chain, spacing, case and invisible characters. */
export function looksLikeSignIn(text: string): boolean {
  const plain = text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .toLowerCase();
  return /wants you to sign in with your (?:.{0,60} )?account/.test(plain);
}

function hostIn(uri: string): string | undefined {
  return URL.canParse(uri) ? new URL(uri).host : undefined;
}

export function originOf(uri: string): string | undefined {
  return URL.canParse(uri) ? new URL(uri).origin : undefined;
}

function isSite(scheme: string | undefined, domain: string, origin: string): boolean {
  // A user name before the host is not part of an origin, but reads like one.
  if (domain.includes('@')) return false;
  if (originOf(`${scheme ?? 'https'}://${domain}`) === origin) return true;
  return scheme === undefined && isOwnMachine(origin) && originOf(`http://${domain}`) === origin;
}

function isOwnMachine(origin: string): boolean {
  const { hostname } = new URL(origin);
  return /^(?:localhost|.*\.localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
}

function hostOf(authority: string): string {
  return authority.replace(/^.*@/, '').replace(/:\d*$/, '');
}
