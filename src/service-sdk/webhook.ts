/** Webhooks of the service, as Standard Webhooks specifies them (https://www.standardwebhooks.com, version 1.0.0). */
import * as z from 'zod/mini';
import { jsonOf } from '../api/client.ts';
import type { WalletEvent } from '../api/wallet-event.ts';
import type { PaymentEvent, ReceivingWalletEvent } from '../api/webhook.ts';
import { fromBase64 } from '../base/base64.ts';
import { concat } from '../base/bytes.ts';

/** What the service sends. A newer service may send a `type` that is not listed here: answer 204 and ignore it. */
export type ServiceEvent = PaymentEvent | ReceivingWalletEvent | WalletEvent;

/** The form that every event has, so that events of a newer service are accepted. */
const AnyEvent = z.looseObject({
  id: z.string(),
  type: z.string(),
  timestamp: z.string(),
  data: z.looseObject({}),
});

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Seconds that `webhook-timestamp` may be off; 300 when absent. */
  tolerance?: number;
  /** Milliseconds since 1970; for tests. */
  now?: () => number;
}

/** `reason`: `headers` are missing, the `timestamp` is too far off, or the `signature`, the `secret` or the `payload` is invalid. */
export class WebhookError extends Error {
  override name = 'WebhookError';
  constructor(
    readonly reason: 'headers' | 'timestamp' | 'signature' | 'secret' | 'payload',
    message: string,
  ) {
    super(message);
  }
}

/**
 * Verifies the signature of a request and returns its event. `payload` is the raw body: parsed and serialized again, it no longer matches
 * its signature. With several secrets any of them may have signed it, so that they can be rotated. Throws `WebhookError`.
 *
 * ```ts
 * const event = await verifyWebhook(body, request.headers, secret);
 * if (event.type === 'payment.succeeded') ship(event.data.session.id);
 * ```
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options?: VerifyOptions,
): Promise<ServiceEvent> {
  await verifySignature(payload, headers, secret, options);
  const text = typeof payload === 'string' ? payload : new TextDecoder().decode(payload);
  const { success, data } = AnyEvent.safeParse(jsonOf(text));
  if (!success) throw new WebhookError('payload', 'The body of the webhook is not an event of the service.');
  return data as unknown as ServiceEvent;
}

/** Only the signature, for a body of any form. Throws `WebhookError`. */
export async function verifySignature(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { tolerance = 300, now = Date.now }: VerifyOptions = {},
): Promise<void> {
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array))
    throw new WebhookError(
      'payload',
      'Give the raw body of the webhook, as text or bytes, before it is parsed.',
    );
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures)
    throw new WebhookError('headers', 'webhook-id, webhook-timestamp or webhook-signature is missing.');
  if (!/^\d{1,12}$/.test(timestamp) || !(Math.abs(now() / 1000 - Number(timestamp)) <= tolerance))
    throw new WebhookError('timestamp', `webhook-timestamp is more than ${tolerance} seconds off.`);
  const signed = concat(encoded(`${id}.${timestamp}.`), encoded(payload));
  const candidates = signatures.split(' ').flatMap((one) => {
    const [version, text = ''] = one.split(',', 2);
    return version === 'v1' ? (bytesOf(text) ?? []) : [];
  });
  const keys = await Promise.all([secret].flat().map(keyOf));
  // Web Cryptography compares in constant time.
  const verified = await Promise.all(
    keys.flatMap((key) =>
      candidates.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)),
    ),
  );
  if (!verified.includes(true))
    throw new WebhookError('signature', 'No signature of the webhook matches a given secret.');
}

/** What is used of a request of Node's `http`; its body has not been read yet. */
export interface WebhookRequest extends AsyncIterable<Uint8Array | string> {
  headers: WebhookHeaders;
}

/** What is used of a response of Node's `http`. */
export interface WebhookResponse {
  writeHead(status: number): { end(): unknown };
}

export interface ListenerOptions extends VerifyOptions {
  /** Gets what `handle` throws; `console.error` when absent. */
  report?: (error: unknown) => void;
}

/** No event is larger. */
const MAX_BODY = 1024 * 1024;

/**
 * Answers the requests of a receiver in a server of Node's: `handle` gets only events that the service signed. Answers 204 once it is done,
 * 500 if it throws, so that the event comes again, and 401 to anything else; reads a mebibyte at most. An event can come twice. Throws
 * `WebhookError` at once if a secret is invalid.
 *
 * ```ts
 * const hear = webhookListener(secret, ({ type, data }) => {
 *   if (type === 'payment.succeeded') ship(data.session.id);
 * });
 * createServer((request, response) => (request.url === '/events' ? hear(request, response) : shop(request, response)));
 * ```
 */
export function webhookListener(
  secret: string | readonly string[],
  handle: (event: ServiceEvent) => unknown,
  // oxlint-disable-next-line no-console -- on a server that gives no function of its own
  { report = console.error, ...options }: ListenerOptions = {},
): (request: WebhookRequest, response: WebhookResponse) => Promise<void> {
  for (const one of [secret].flat()) secretBytes(one);
  const statusFor = async (request: WebhookRequest): Promise<number> => {
    const body = await bodyOf(request);
    if (!body) return 413;
    let event: ServiceEvent;
    try {
      event = await verifyWebhook(body, request.headers, secret, options);
    } catch {
      return 401;
    }
    try {
      await handle(event);
      return 204;
    } catch (error) {
      report(error);
      return 500;
    }
  };
  return async (request, response) => {
    // Whose connection broke gets no answer, and the service sends the event again.
    const status = await statusFor(request).catch(() => 400);
    response.writeHead(status).end();
  };
}

/** Undefined if it is too large. */
async function bodyOf(request: WebhookRequest): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request) {
    const bytes = encoded(part);
    size += bytes.length;
    if (size > MAX_BODY) return undefined;
    parts.push(bytes);
  }
  return concat(...parts);
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.[0];
}

const encoded = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? new TextEncoder().encode(text) : text;

function keyOf(secret: string | undefined): Promise<CryptoKey> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', secretBytes(secret), hmac, false, ['verify']);
}

/** `secret` may come from a variable that is not set. */
function secretBytes(secret: string | undefined): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(secret?.replace(/^whsec_/, '') ?? '');
  if (!bytes?.length)
    throw new WebhookError('secret', 'The signing secret is invalid: it looks like whsec_….');
  return bytes;
}

/** Undefined for text that is not base64. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return fromBase64(text);
  } catch {
    return undefined;
  }
}
