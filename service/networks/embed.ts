/** The operator's list of pages that may show the wallet in a dialog, and how a page learns whether it is on it. */

/** Answers longer than this are not read by `connect.js`. */
const MOST = 1024;

/** Undefined where each of `embed` is an exact origin that a browser can compare; else what is wrong, line by line. */
export function wrongEmbed(embed: readonly string[]): string | undefined {
  return (
    embed
      .flatMap((origin, i) =>
        isOrigin(origin) ? [] : [`✖ embed[${i}] ${JSON.stringify(origin)} ${why(origin)}`],
      )
      .join('\n') || undefined
  );
}

function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // A policy has no form for addresses in brackets, and would end at a semicolon.
  return url?.origin === text && /^[a-z]+:\/\/[a-z0-9.-]+(:\d+)?$/.test(text) && isSafe(url);
}

/** Of pages without TLS only those on the developer's own machine are what they say they are. */
function isSafe({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' ||
    (protocol === 'http:' && (/^(.+\.)?localhost$/.test(hostname) || hostname === '127.0.0.1'))
  );
}

function why(text: string): string {
  if (text.includes('*')) return 'has a wildcard: name every origin';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !isSafe(url))
    return 'must be https: a page without TLS can be anybody';
  if (url && url.origin !== 'null' && url.origin !== text) return `must be an origin alone: ${url.origin}`;
  return 'must be an origin such as https://shop.example';
}

/**
 * What `embed.json` says: the whole list where it fits, which a static host can send too; else only whether the page that asks is on
 * it, by its `Origin` header.
 */
export function embedAnswer(embed: readonly string[], asking: string | undefined): string {
  const whole = JSON.stringify({ embed });
  if (Buffer.byteLength(whole) <= MOST) return whole;
  return JSON.stringify({ embed: embed.filter((origin) => origin === asking) });
}
