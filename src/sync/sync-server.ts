/** Talks to the server that keeps the objects. Whatever it answers is checked: it is not trusted, and may be anybody's. */
import { type Clock, inTime } from '../base/clock.ts';
import { CopyTerms, MAX_OBJECT_BYTES, requestText } from '../api/copy-object.ts';
import { toBase64Url } from '../base/base64.ts';
import { concat } from '../base/bytes.ts';
import type { Bytes } from '../wallets/records.ts';
import { hashOf, type Kind, objectId, type Signer } from './keys.ts';
import { SyncError } from './sync-error.ts';

const PATIENCE_MS = 20_000;
/** Far less than the two minutes by which a server lets clocks differ, far more than an answer takes. */
const CLOCK_ERROR_MS = 60_000;
const BINARY = 'application/octet-stream';
const PROBLEM = 'application/problem+json';
const REQUEST = {
  redirect: 'error',
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
  cache: 'no-store',
} as const;

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
  /** By how much this device's clock is behind the server's, if that was why it refused. */
  #clockError = 0;

  constructor({ url, clock, fetch: send = fetch }: ServerOptions) {
    this.#base = url.replace(/\/+$/, '');
    this.#clock = clock;
    // Browsers refuse a `fetch` that is called as a method of anything but the window.
    this.#fetch = (...request) => send(...request);
  }

  async get(access: Access): Promise<Answer> {
    return this.#request(access, 'GET', undefined, undefined, async (response, signal) => {
      const { status } = response;
      // Any web server answers 404 to what it does not know: only the service's says that there is no copy.
      if (status === 404 && typeOf(response) === PROBLEM) return { state: 'unknown' };
      if (status !== 200 && status !== 404 && status !== 410) throw refusal(response);
      if (status === 404 || typeOf(response) !== BINARY) throw unreachable(status);
      const bytes = await boundedBody(response, signal);
      const etag = response.headers.get('ETag');
      return { state: status === 200 ? 'live' : 'tombstone', bytes, etag };
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

  /** Once more by the server's clock if this device's is wrong. */
  async #request<T>(
    access: Access,
    method: 'GET' | 'PUT' | 'DELETE',
    body: Bytes | undefined,
    condition: Condition | undefined,
    read: (response: Response, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const path = `/sync/${access.kind}/${toBase64Url(objectId(access.kind, access.owner))}`;
    const send = async (signal: AbortSignal, clockError: number): Promise<Response> => {
      const time = String(this.#clock.date() + clockError);
      const headers = await signedHeaders(access.signer, method, path, time, body, condition);
      return this.#fetch(this.#base + path, {
        method,
        headers,
        signal,
        ...(body && { body }),
        ...REQUEST,
      });
    };
    try {
      return await inTime(this.#clock, PATIENCE_MS, async (signal) => {
        let response = await send(signal, this.#clockError);
        const clockError = this.#clockErrorIn(response);
        if (clockError !== undefined) {
          discard(response);
          response = await send(signal, clockError);
          if (!isTimeRefused(response)) this.#clockError = clockError;
        }
        try {
          return await read(response, signal);
        } finally {
          discard(response);
        }
      });
    } catch (error) {
      throw error instanceof SyncError ? error : unreachable();
    }
  }

  /** Undefined unless it may be the reason of the answer. */
  #clockErrorIn(response: Response): number | undefined {
    if (!isTimeRefused(response)) return undefined;
    const error = Date.parse(response.headers.get('Date') ?? '') - this.#clock.date();
    return Math.abs(error - this.#clockError) > CLOCK_ERROR_MS ? error : undefined;
  }
}

/** What a service says of the copies that it keeps. Undefined if it keeps none, or does not answer. */
export async function readTerms({
  url,
  clock,
  fetch: send = fetch,
}: ServerOptions): Promise<CopyTerms | undefined> {
  try {
    return await inTime(clock, PATIENCE_MS, async (signal) => {
      const response = await send(`${url.replace(/\/+$/, '')}/sync`, { ...REQUEST, signal });
      if (response.status !== 200) return void discard(response);
      const text = new TextDecoder().decode(await boundedBody(response, signal));
      return CopyTerms.parse(JSON.parse(text));
    });
  } catch {
    return undefined;
  }
}

/** So a server answers if the signature, or its time, is not right; a read as if there were nothing. */
function isTimeRefused({ status }: Response): boolean {
  return status === 401 || status === 404;
}

async function signedHeaders(
  signer: Signer,
  method: string,
  path: string,
  time: string,
  body: Bytes | undefined,
  condition: Condition | undefined,
): Promise<Headers> {
  const match = condition === undefined ? '' : condition === 'none' ? '*' : condition.match;
  const bodyHash = toBase64Url(hashOf(body ?? concat()));
  const signature = await signer.sign(requestText({ method, path, time, bodyHash, match }));
  const headers = new Headers({
    Accept: BINARY,
    Authorization: `Sync ${toBase64Url(signer.publicKey)}:${time}:${toBase64Url(signature)}`,
  });
  if (body) headers.set('Content-Type', BINARY);
  if (condition) headers.set(condition === 'none' ? 'If-None-Match' : 'If-Match', match);
  return headers;
}

function typeOf(response: Response): string | undefined {
  return response.headers.get('Content-Type')?.split(';')[0]?.trim();
}

/** Lets go of what was not read, however long it is. */
function discard(response: Response): void {
  response.body?.cancel().catch(() => undefined);
}

/** Stops reading where no object is larger. */
async function boundedBody(response: Response, signal: AbortSignal): Promise<Bytes> {
  const reader = response.body?.getReader();
  if (!reader) throw unreachable(response.status);
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.throwIfAborted();
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
