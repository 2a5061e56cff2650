/**
 * How an origin is shown: scheme, subdomains, registrable domain (bold), port.
 *
 * The Public Suffix List has 15 000 rows; this rule is one page and errs towards more bold. The registrable domain is the last two labels;
 * three if the TLD has two letters and the label before it is a known registry's (`co.uk`); one more than the suffix for hosts that give
 * out names to anybody (`github.io`). In case of doubt, the whole host is bold.
 */

/** Labels under which registries of two-letter TLDs sell names. */
const REGISTRY = new Set(
  'ac co com edu gen gob gouv gov go gv id in info ind ltd me mil ne net nom or org plc sch web'.split(' '),
);

/** Two-letter TLDs with hundreds of place-name registries (`city.tokyo.jp`, `k12.ca.us`). */
const PLACES = new Set(['jp', 'us', 'no', 'it', 'ck', 'fk', 'bd', 'np', 'mm']);

/** Hosts that give out names to anybody, by top-level domain. */
const HOSTING: Readonly<Record<string, string>> = {
  app: 'csb framer lovable netlify ngrok-free ngrok railway replit run vercel web',
  co: 'carrd',
  com: 'appspot blogspot firebaseapp herokuapp myshopify onrender trycloudflare wixsite wordpress',
  dev: 'deno fly github ngrok-free ngrok pages r2 replit workers',
  goog: 'translate',
  io: 'codesandbox github gitlab gitpod ngrok stackblitz webcontainer webflow',
  limo: 'eth',
  link: 'dweb eth',
  me: 'glitch',
  net: 'azurestaticapps azurewebsites cloudfront',
  org: 'neocities',
  sh: 'surge',
  site: 'notion',
  website: 'framer',
};

/** Suffixes with more labels, or by region: `bucket.s3.eu-west-1.amazonaws.com`, `name.uk.com`. */
const NESTED =
  /(?:^|\.)(?:amazonaws|azure|windows|googleapis|googleusercontent|oraclecloud|digitaloceanspaces|(?:uk|eu|us|de|cn|jpn|br|sa|za|gb|ru|se|hu|no|kr|gr|in)\.(?:com|net|org))(?:\.(?:com|net))?$/;

export interface OriginParts {
  /** Shown only if it is not `https`, and then with a caution. */
  scheme: string;
  secure: boolean;
  /** `checkout.eu-west.`, dimmed. */
  prefix: string;
  /** `shop.example`, bold and unbroken. */
  domain: string;
  /** `:8080`, or nothing. */
  port: string;
}

/** How many labels at the end of a lower-case ASCII host form the registrable domain. */
function registrable(labels: string[]): number {
  const all = labels.length;
  const host = labels.join('.');
  const tld = labels.at(-1) ?? '';
  const second = labels.at(-2) ?? '';
  if (all < 3 || /^\d+$/.test(tld) || tld === 'localhost' || NESTED.test(host)) return all;
  if (Object.hasOwn(HOSTING, tld) && HOSTING[tld]!.split(' ').includes(second)) return 3;
  if (tld.length !== 2) return 2;
  if (REGISTRY.has(second)) return 3;
  // A short label under a country code may be a registry's as well as a shop's.
  return second.length <= 3 || PLACES.has(tld) ? all : 2;
}

/** `host`: shown instead of the ASCII host name (`readableHost`), with the same number of labels. */
export function describeOrigin(origin: string, host?: string): OriginParts {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (!url?.host) return { scheme: 'unknown', secure: false, prefix: '', domain: origin, port: '' };
  const scheme = url.protocol.slice(0, -1);
  const port = url.port && `:${url.port}`;
  const secure = scheme === 'https';
  if (url.hostname.startsWith('[') || (scheme !== 'https' && scheme !== 'http'))
    return { scheme, secure, prefix: '', domain: url.hostname, port };
  const labels = url.hostname.split('.');
  const dot = labels.at(-1) === '' ? labels.splice(-1).length : 0;
  const shownLabels = (host ?? url.hostname).split('.');
  const cut = shownLabels.length - dot - registrable(labels);
  return {
    scheme,
    secure,
    prefix: shownLabels
      .slice(0, cut)
      .map((label) => `${label}.`)
      .join(''),
    domain: shownLabels.slice(cut).join('.'),
    port,
  };
}

/** The origin as one line of plain text, for sentences: `shop.example`, `localhost:5173`. */
export function siteName(origin: string): string {
  const { prefix, domain, port } = describeOrigin(origin);
  return prefix + domain + port;
}
