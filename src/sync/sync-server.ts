/** Talks to the server that keeps the objects. Whatever it answers is checked: it is not trusted, and may be anybody's. */
import { type Clock, inTime } from '../base/clock.ts';
import { concat, toBase64Url } from '../base/bytes.ts';
import type { Bytes } from '../wallets/records.ts';
import { hashOf, type Kind, objectId, type Signer } from './keys.ts';
import { MAX_OBJECT_BYTES } from './objects.ts';
import { SyncError } from './sync-error.ts';

const PATIENCE_MS = 20_000;
const BINARY = 'application/octet-stream';

export interface ServerOptions {
  /** Base URL of the service. */
  url: string;
  clock: Clock;
  fetch?: typeof fetch;
}

/** An object's owner, and who signs the request for it. */
export interface Access {
  kind: Kind;
  owner: Bytes;
  signer: Signer;
}

export type Condition = { match: string } | 'none';

/** What the server has at an address. */
export type Answer =
  | { state: 'live' | 'tombstone'; bytes: Bytes; etag: string | null }
  | { state: 'unknown' };

export class SyncServer {
  readonly #base: string;
  readonly #clock: Clock;
  readonly #fetch: typeof fetch;

  constructor({ url, clock, fetch: send = fetch }: ServerOptions) {
    this.#base = url.replace(/\/+$/, '');
    this.#clock = clock;
    this.#fetch = send;
  }

  async get(access: Access): Promise<Answer> {
    return this.#request(access, 'GET', undefined, undefined, async (response, signal) => {
      if (response.status === 404) return { state: 'unknown' };
      if (response.status !== 200 && response.status !== 410) throw refusal(response);
      if (response.headers.get('Content-Type')?.split(';')[0] !== BINARY) throw unreachable(response.status);
      const bytes = await boundedBody(response, signal);
      const etag = response.headers.get('ETag');
      return { state: response.status === 200 ? 'live' : 'tombstone', bytes, etag };
    });
  }

  /** False if the condition does not hold: there is one already, or it was changed. */
  async put(access: Access, object: Bytes, condition: Condition): Promise<boolean> {
    return this.#write(access, 'PUT', object, condition);
  }

  /** The same with a tombstone. One that is removed already is fine. */
  async remove(access: Access, tombstone: Bytes, match: string): Promise<boolean> {
    return this.#write(access, 'DELETE', tombstone, { match });
  }

  #write(access: Access, method: 'PUT' | 'DELETE', body: Bytes, condition: Condition): Promise<boolean> {
    return this.#request(access, method, body, condition, async (response) => {
      if (response.status === 412 || (method === 'PUT' && response.status === 410)) return false;
      if (response.status === 410 && method === 'DELETE') return true;
      const success = condition === 'none' ? 201 : 204;
      if (response.status !== success) throw refusal(response);
      return true;
    });
  }

  async #request<T>(
    { kind, owner, signer }: Access,
    method: 'GET' | 'PUT' | 'DELETE',
    body: Bytes | undefined,
    condition: Condition | undefined,
    read: (response: Response, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const path = `/sync/${kind}/${toBase64Url(objectId(kind, owner))}`;
    const time = String(this.#clock.date());
    const match = condition === undefined ? '' : condition === 'none' ? '*' : condition.match;
    const lines = [
      'carabiner.sync.request',
      method,
      path,
      time,
      toBase64Url(hashOf(body ?? concat())),
      match,
    ];
    const signature = await signer.sign(new TextEncoder().encode(lines.join('\n')));
    const headers = new Headers({
      Accept: BINARY,
      Authorization: `Sync ${toBase64Url(signer.publicKey)}:${time}:${toBase64Url(signature)}`,
    });
    if (body) headers.set('Content-Type', BINARY);
    if (condition) headers.set(condition === 'none' ? 'If-None-Match' : 'If-Match', match);
    try {
      return await inTime(this.#clock, PATIENCE_MS, async (signal) => {
        const response = await this.#fetch(this.#base + path, {
          method,
          headers,
          signal,
          ...(body && { body }),
          redirect: 'error',
          credentials: 'omit',
          referrerPolicy: 'no-referrer',
          cache: 'no-store',
        });
        return read(response, signal);
      });
    } catch (error) {
      throw error instanceof SyncError ? error : unreachable();
    }
  }
}

/** Stops reading where no object is larger. */
async function boundedBody(response: Response, signal: AbortSignal): Promise<Bytes> {
  const reader = response.body?.getReader();
  if (!reader) throw unreachable(response.status);
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop);
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    signal.throwIfAborted();
    if (done) return concat(...parts);
    length += value.length;
    if (length > MAX_OBJECT_BYTES) {
      stop();
      throw unreachable(response.status);
    }
    parts.push(value);
  }
}

function refusal(response: Response): SyncError {
  const { status } = response;
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  switch (status) {
    case 429:
      return new SyncError(
        'copy.rate-limited',
        'The server asks to wait before the next copy.',
        Number.isFinite(retryAfter) && retryAfter >= 0 ? { retryAfter } : {},
      );
    case 413:
    case 507:
      return new SyncError('copy.too-large', 'The server takes no more. Save a back-up file instead.', {
        status,
      });
    case 401:
      return new SyncError('copy.refused', 'The server refused the copy. Check the clock of this device.', {
        status,
      });
    default:
      return status >= 400 && status < 500
        ? new SyncError('copy.refused', 'The server refused the copy.', { status })
        : unreachable(status);
  }
}

function unreachable(status?: number): SyncError {
  return new SyncError(
    'copy.unreachable',
    'The server of the copy does not answer as it should. Nothing was changed here; try again later.',
    status === undefined ? {} : { status },
  );
}
