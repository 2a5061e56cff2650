/**
 * The first line of a sign-in, "shop.example wants you to sign in with your Ethereum account:", which other
 * chains adopted from EIP-4361. No scheme means https, and no port the scheme's default; local host names may
 * omit the scheme, as development servers do.
 */

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
  `^(?:(${SCHEME})://)?(${AUTHORITY}) wants you to sign in with your ([A-Za-z0-9 ]{1,40}) account:$`,
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

/** The named domain, if it is not the site's. */
export function otherSite({ scheme, domain }: Omit<SignInHead, 'chain'>, origin: string): string | undefined {
  if (isSite(scheme, domain, origin)) return undefined;
  return scheme ? `${scheme}://${domain}` : domain;
}

/**
 * Whether a text claims to be a sign-in, whatever its spacing, case and invisible characters. `chain`: its
 * name in lower case; any few words if omitted.
 */
export function looksLikeSignIn(text: string, chain = '(?:\\S+ ){0,4}?'): boolean {
  const plain = text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .toLowerCase();
  return new RegExp(`wants you to sign in with your ${chain}account`).test(plain);
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
