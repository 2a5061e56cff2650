/** A server of copies in memory that keeps to the wire format, and lies where a test tells it to. */
import { fromBase64Url, toBase64Url } from '../../../src/base/base64.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { hashOf, isSignedBy } from '../../../src/sync/keys.ts';
import type { Bytes } from '../../../src/wallets/records.ts';

export interface Sent {
  method: string;
  path: string;
  headers: Headers;
  body: Bytes;
  init: RequestInit;
}

type Lie = (sent: Sent, honest: () => Promise<Response>) => Response | Promise<Response>;

export class FakeServer {
  readonly objects = new Map<string, Bytes>();
  /** Every state that an object had, the first one first. */
  readonly states = new Map<string, Bytes[]>();
  readonly requests: Sent[] = [];
  lie: Lie | undefined;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly fetch: typeof fetch = async (input, init = {}) => {
    const sent: Sent = {
      method: init.method ?? 'GET',
      path: new URL(String(input)).pathname,
      headers: new Headers(init.headers),
      body: new Uint8Array((init.body as Bytes | undefined) ?? []),
      init,
    };
    this.requests.push(sent);
    const honest = () => this.#answer(sent);
    return this.lie ? this.lie(sent, honest) : honest();
  };

  /** Paths of this kind, in the order of their creation. */
  paths(kind: 'slot' | 'vault'): string[] {
    return [...this.objects.keys()].filter((path) => path.startsWith(`/sync/${kind}/`));
  }

  async #answer(sent: Sent): Promise<Response> {
    const { method, path, body, headers } = sent;
    const signer = await this.#signerOf(sent);
    const object = this.objects.get(path);
    const isAllowed = signer !== undefined && (!object || mayWrite(object, signer));
    if (method === 'GET') {
      if (!object || !isAllowed) return this.#plain(404);
      return found(object, object[6] === 1 ? 410 : 200);
    }
    if (!isAllowed) return this.#plain(401);
    const match = headers.get('If-Match');
    if (method === 'PUT' && headers.get('If-None-Match') === '*') {
      if (object) return plain(412);
    } else if (!object || etagOf(object) !== match) return plain(412);
    const isRevival = method === 'PUT' && body[5] === 1 && object !== undefined && isOwner(object, signer);
    if (object?.[6] === 1 && !isRevival) return plain(410);
    if (!follows(body, object) || toBase64Url(body.slice(40, 72)) !== path.split('/').at(-1))
      return plain(422);
    if (!object && !isOwner(body, signer)) return plain(401);
    if ((method === 'DELETE') !== (body[6] === 1)) return plain(422);
    this.objects.set(path, body);
    this.states.set(path, [...(this.states.get(path) ?? []), body]);
    return plain(object ? 204 : 201);
  }

  #plain(status: number): Response {
    return plain(status, { Date: new Date(this.#clock.date()).toUTCString() });
  }

  async #signerOf({ method, path, headers, body }: Sent): Promise<Bytes | undefined> {
    const [, key, time, signature] =
      /^Sync ([\w-]{43}):(\d+):([\w-]{86})$/.exec(headers.get('Authorization') ?? '') ?? [];
    if (!key || Math.abs(Number(time) - this.#clock.date()) > 120_000) return undefined;
    const match = headers.get('If-Match') ?? headers.get('If-None-Match') ?? '';
    const text = ['carabiner.sync.request', method, path, time, toBase64Url(hashOf(body)), match].join('\n');
    const isSigned = await isSignedBy(
      fromBase64Url(key),
      new TextEncoder().encode(text),
      fromBase64Url(signature!),
    );
    return isSigned ? fromBase64Url(key) : undefined;
  }
}

export function etagOf(object: Bytes): string {
  return `"${counterOf(object)}.${toBase64Url(hashOf(object))}"`;
}

export function found(object: Bytes, status = 200, etag = etagOf(object)): Response {
  return new Response(object, {
    status,
    headers: { 'Content-Type': 'application/octet-stream', ETag: etag },
  });
}

export function plain(status: number, headers: Record<string, string> = {}): Response {
  return new Response(status === 204 ? null : '{}', {
    status,
    headers: { 'Content-Type': 'application/problem+json', ...headers },
  });
}

function mayWrite(object: Bytes, signer: Bytes): boolean {
  return [object.slice(72, 104), object.slice(104, 136)].some((key) => String(key) === String(signer));
}

function isOwner(object: Bytes, signer: Bytes): boolean {
  return String(object.slice(72, 104)) === String(signer);
}

function counterOf(object: Bytes): bigint {
  return new DataView(object.buffer, object.byteOffset).getBigUint64(136);
}

function follows(body: Bytes, before: Bytes | undefined): boolean {
  const step = counterOf(body) - (before ? counterOf(before) : 0n);
  const isChained = !before || String(body.slice(144, 176)) === String(hashOf(before));
  return step >= 1n && step <= 2n ** 20n && isChained;
}
