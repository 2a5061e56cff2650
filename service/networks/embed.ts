/** The operator's lists of pages: those that may embed the wallet in a dialog, and how a page learns whether it is listed; those that ask by redirect. */

/** `connect.js` does not read longer answers. */
const MAX_BYTES = 1024;

/** What is wrong, line by line; undefined when every entry is an exact origin that a browser can compare. */
export function wrongOrigins(name: 'embed' | 'redirects', origins: readonly string[]): string | undefined {
  return (
    origins
      .flatMap((origin, i) =>
        isOrigin(origin) ? [] : [`✖ ${name}[${i}] ${JSON.stringify(origin)} ${why(origin)}`],
      )
      .join('\n') || undefined
  );
}

function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // A policy has no syntax for addresses in brackets, and a semicolon would end it.
  return url?.origin === text && /^[a-z]+:\/\/[a-z0-9.-]+(:\d+)?$/.test(text) && isSafe(url);
}

/** Without TLS only pages on the developer's own machine can be trusted to be what they claim. */
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
    return 'must be https: without TLS anybody can pretend to be the page';
  if (url && url.origin !== 'null' && url.origin !== text) return `must be an origin alone: ${url.origin}`;
  return 'must be an origin such as https://shop.example';
}

/**
 * The content of `embed.json`: the whole list when it fits, which a static host can send, too; else only whether the requesting page is on
 * it, by its `Origin` header.
 */
export function embedAnswer(embed: readonly string[], asking: string | undefined): string {
  const whole = JSON.stringify({ embed });
  if (Buffer.byteLength(whole) <= MAX_BYTES) return whole;
  return JSON.stringify({ embed: embed.filter((origin) => origin === asking) });
}
