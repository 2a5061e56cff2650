/** One attempt to deliver an event: what the receiver is sent, and what its answer means. */
import { createHmac } from 'node:crypto';
import { Redirect, type Outbound, RefusedAddress } from '../outbound/outbound.ts';
import { readRetryAfter } from './backoff.ts';
import type { Attempt } from './queue.ts';
import type { Credentials, Secrets } from './secrets.ts';

/** How much of an answer's body is read, and ignored. A longer one may never end, so it does not count as complete. */
const ANSWER_BYTES = 65_536;

export interface Sending {
  url: string;
  eventId: string;
  body: string;
  secrets: Secrets;
}

export interface SendResult {
  attempt: Attempt;
  /** Pause in milliseconds that the receiver asks for. */
  retryAfter: number | undefined;
}

export interface SendSettings {
  /** Milliseconds since the epoch. */
  now: () => number;
  timeoutMs: number;
}

/** Standard Webhooks: HMAC-SHA-256 of `id.timestamp.body`. `secret` is `whsec_` and base64. */
export function signature(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

function credentialHeader(credentials: Credentials): [string, string] {
  if (credentials.type === 'API_KEY') return [credentials.headerName, credentials.apiKey];
  const pair = `${credentials.username}:${credentials.password}`;
  return ['Authorization', `Basic ${Buffer.from(pair).toString('base64')}`];
}

/** Throws only for `stop`: then it is unknown whether the event arrived. */
export async function send(
  outbound: Outbound,
  { url, eventId, body, secrets }: Sending,
  { now, timeoutMs }: SendSettings,
  stop: AbortSignal,
): Promise<SendResult> {
  const at = now();
  const started = performance.now();
  const timestamp = Math.floor(at / 1000);
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), timeoutMs);
  const give = (): void => over.abort();
  stop.addEventListener('abort', give);
  let retryAfter: number | undefined;
  let status: number | null = null;
  let error: string | null = null;
  try {
    const response = await outbound.fetch(url, {
      method: 'POST',
      headers: [
        ['content-type', 'application/json'],
        ['webhook-id', eventId],
        ['webhook-timestamp', String(timestamp)],
        ['webhook-signature', signature(secrets.signingSecret, eventId, timestamp, body)],
        credentialHeader(secrets.credentials),
      ],
      body,
      signal: over.signal,
    });
    status = response.status;
    retryAfter = readRetryAfter(response.headers.get('retry-after'), now());
    if (!response.ok) error = `The receiver answered ${status}.`;
    if (!(await discard(response))) error ??= `The answer is longer than ${ANSWER_BYTES / 1024} KiB.`;
  } catch (cause) {
    stop.throwIfAborted();
    if (cause instanceof Redirect) ({ status } = cause);
    // A refusal stands, however its body ends.
    error ??= over.signal.aborted
      ? `There was no complete answer within ${timeoutMs / 1000} s.`
      : reasonOf(cause, { url, answered: status !== null });
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', give);
    over.abort();
  }
  const milliseconds = Math.round(performance.now() - started);
  return { attempt: { at: new Date(at).toISOString(), status, error, milliseconds }, retryAfter };
}

/** Whether the answer ends. */
async function discard({ body }: Response): Promise<boolean> {
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    // Leaving the loop closes the connection.
    if (size > ANSWER_BYTES) return false;
  }
  return true;
}

/** Without any part of the URL, which may contain a secret. */
function reasonOf(cause: unknown, { url, answered }: { url: string; answered: boolean }): string {
  if (cause instanceof RefusedAddress) return 'The URL does not point to the public internet.';
  if (cause instanceof Redirect) return redirectReason(cause, url);
  if (answered) return 'The answer broke off.';
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (code === 'ENOTFOUND') return 'The host name in the URL does not resolve.';
  if (code === 'ECONNREFUSED') return 'The connection was refused.';
  return `There was no answer${/^[A-Z0-9_]{3,60}$/.test(code) ? ` (${code})` : ''}.`;
}

/** The rest of a `Location` may repeat secrets of the URL, and so may the name of a host that the receiver makes up. */
function redirectReason({ status, location }: Redirect, url: string): string {
  const [from, to] = [new URL(url), URL.canParse(location, url) ? new URL(location, url) : undefined];
  const where =
    to?.origin === from.origin
      ? 'on its own origin'
      : to?.host === from.host && to.protocol === 'https:'
        ? 'to https'
        : 'to another origin';
  return `The receiver answered ${status}, a redirect ${where}, which is not followed: register the address that answers.`;
}
