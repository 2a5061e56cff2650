/** Host names that an operator types: read by their grammar, so that nothing else gets into a file. */
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** RFC 1123, and a label that is written as letters and digits: no underscore. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_LENGTH = 253;

/** The option is wrong; the message names it. */
export class WrongName extends Error {
  override name = 'WrongName';
}

/**
 * The name as the DNS has it: in lower case, other scripts as `xn--…`. `option` is named in the error. Takes no IP address, port, URL, dot at
 * the end, or name without a dot: certificates and passkeys need a domain.
 */
export function readHostName(option: string, text: string): string {
  const wrong = (why: string): WrongName => new WrongName(`${option} ${JSON.stringify(text)} ${why}`);
  if (text.includes('/')) throw wrong('must be a host name alone, such as shop.example: no URL');
  // In brackets or not, with a zone or not.
  if (isIP(text.replace(/^\[|\].*$|%.*$/g, '')) || isIP(text.replace(/:\d+$/, '')))
    throw wrong('is an IP address: browsers and certificates need a host name');
  if (text.includes(':')) throw wrong('must be without a port: https has 443');
  if (text.endsWith('.')) throw wrong('must not end with a dot: for browsers that is another origin');
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(text)) throw wrong('is no host name, such as shop.example');
  const name = domainToASCII(text.toLowerCase());
  const labels = name.split('.');
  if (name.length > MAX_LENGTH || !labels.every((label) => LABEL.test(label)))
    throw wrong('is no host name, such as shop.example');
  if (labels.length < 2) throw wrong('needs a domain: shop.example');
  if (/^\d+$/.test(labels.at(-1)!)) throw wrong('is no host name: its last part is a number');
  return name;
}

/** `name` itself, or a name below it. */
export function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

/**
 * Throws for two options with one name, or with one name below the other: a page can claim what a passkey or a cookie of the name above it
 * has.
 */
export function requireApart(names: Readonly<Record<string, string>>): void {
  const pairs = Object.entries(names);
  for (const [i, [option, name]] of pairs.entries())
    for (const [other, above] of pairs.slice(0, i)) {
      if (name === above)
        throw new WrongName(`${option} and ${other} are both ${name}: each needs a host name of its own`);
      for (const [lower, low, upper, high] of [
        [option, name, other, above],
        [other, above, option, name],
      ] as const)
        if (isWithin(low, high))
          throw new WrongName(
            `${lower} ${low} is below ${upper} ${high}: give it a name beside it, not within it`,
          );
    }
}
