/**
 * The only way to URLs that came from a request or a contract. It connects to public addresses only: an address in the URL is
 * checked after parsing, which normalises every notation; an address from DNS is checked when the connection is made, so a name
 * cannot resolve to something else later. Redirects are not followed here: `readText` checks each new address like the first.
 */
import { lookup, type LookupAddress } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { isAllowed, type Range } from './addresses.ts';

export class RefusedAddress extends Error {
  override name = 'RefusedAddress';
}

/** The answer was a redirect. */
export class Redirect extends Error {
  override name = 'Redirect';
  constructor(
    host: string,
    readonly status: number,
    /** The `Location` as sent: it may be relative, or invalid. */
    readonly location: string,
  ) {
    super(`${host} answered a redirect, which is not followed`);
  }
}

/** The host name, without the brackets of IPv6. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

export class Outbound {
  readonly #allowed: readonly Range[];
  readonly #lookup: LookupFunction;

  /** `allowed`: ranges besides the public internet. */
  constructor(allowed: readonly Range[] = [], resolve: typeof lookup = lookup) {
    this.#allowed = allowed;
    this.#lookup = (hostname, options, done) =>
      resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
        if (error) return done(error, []);
        // A private address among public ones is an attack.
        if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address, this.#allowed)))
          return done(new RefusedAddress(`${hostname} is not on the public internet`), []);
        if (options.all) return done(null, addresses);
        done(null, addresses[0]!.address, addresses[0]!.family);
      });
  }

  /** Throws `RefusedAddress` for a URL that is refused without asking DNS. */
  check(url: URL): void {
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw new RefusedAddress(`${url.protocol} is not a protocol for this`);
    if (url.username || url.password) throw new RefusedAddress('The URL carries a user name or password');
    const host = hostOf(url);
    if (isIP(host) && !isAllowed(host, this.#allowed))
      throw new RefusedAddress(`${host} is not on the public internet`);
  }

  /** Every address that the URL resolves to now. Throws `RefusedAddress`, and errors of DNS. */
  async addresses(url: URL): Promise<string[]> {
    this.check(url);
    const host = hostOf(url);
    if (isIP(host)) return [host];
    return new Promise((resolve, reject) =>
      this.#lookup(host, { all: true }, (error, addresses) =>
        error ? reject(error) : resolve((addresses as LookupAddress[]).map(({ address }) => address)),
      ),
    );
  }

  /** The part of `fetch` that clients of nodes need. */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    this.check(url);
    const { method = 'GET', headers, body, signal } = init;
    if (body != null && typeof body !== 'string') throw new TypeError('Only text can be sent');
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
      send(url, {
        method,
        headers: { 'user-agent': 'carabiner', ...Object.fromEntries(new Headers(headers)) },
        lookup: this.#lookup,
        // Never a kept connection: it was made under another caller's rules.
        agent: false,
        ...(signal ? { signal } : {}),
      })
        .once('response', resolve)
        .once('error', reject)
        // A protocol switch is neither a response nor an error.
        .once('close', () => reject(new Error(`${url.host} did not answer the request`)))
        .end(body ?? undefined);
    });
    const status = answer.statusCode!;
    if (status >= 300 && status < 400) {
      answer.destroy();
      throw new Redirect(url.host, status, answer.headers.location ?? '');
    }
    const hasBody = status !== 204 && status !== 205;
    if (!hasBody) answer.resume();
    return new Response(hasBody ? (Readable.toWeb(answer) as ReadableStream) : null, {
      status,
      headers: {
        'content-type': answer.headers['content-type'] ?? '',
        ...(answer.headers['retry-after'] ? { 'retry-after': answer.headers['retry-after'] } : {}),
      },
    });
  };
}
