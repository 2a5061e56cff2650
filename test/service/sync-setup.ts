/** The wallet's own client of the encrypted copy, on a real service, with whoever is in between. */
import assert from 'node:assert/strict';
import { randomBytes, sign } from 'node:crypto';
import { createPrivateKey, hash } from 'node:crypto';
import { toBase64, toBase64Url } from '../../src/base/base64.ts';
import { hexDigits } from '../../src/base/bytes.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { requestText } from '../../src/api/copy-object.ts';
import { type Seen, SeenInMemory } from '../../src/sync/seen.ts';
import { VaultSync } from '../../src/sync/vault-sync.ts';
import type { ServiceConfig } from '../../service/config.ts';
import { CONTENT, named, RP, SEED } from '../unit/sync/sync-world.ts';
import { startTested } from './harness.ts';

export const FRAME = `https://${RP}`;
const UNLIMITED = { most: 0, years: 3, readsPerHour: 0, writesPerDay: 0, newPerHour: 0 };

export interface Sent {
  method: string;
  path: string;
  headers: Headers;
  body: Buffer;
}

/** Stands between the wallet and the service; `honest` asks the service. */
export type Between = (sent: Sent, honest: () => Promise<Response>) => Response | Promise<Response>;

/** Pauses between tries take no time. */
const impatient: Clock = {
  ...systemClock,
  after(milliseconds, work, limit) {
    if (limit) return systemClock.after(milliseconds, work, limit);
    queueMicrotask(work);
    return () => {};
  },
};

export type Copies = Awaited<ReturnType<typeof startCopies>>;

export async function startCopies(copies: Partial<ServiceConfig['copies']> = {}) {
  const service = await startTested({
    frameUrl: FRAME,
    // Its pages may call the rest of the service.
    corsOrigins: ['https://shop.example'],
    copies: { ...UNLIMITED, ...copies },
  });
  const requests: Sent[] = [];
  let linesBefore = 0;
  const world = {
    service,
    requests,
    between: undefined as Between | undefined,
    device(name = 'a', seen: Seen = new SeenInMemory(), { ahead = 0, url = service.url } = {}): VaultSync {
      const clock: Clock = { ...impatient, date: () => Date.now() + ahead };
      const send: typeof fetch = (input, init = {}) => {
        const sent: Sent = {
          method: init.method ?? 'GET',
          path: new URL(String(input)).pathname,
          headers: new Headers(init.headers),
          body: Buffer.from((init.body as Uint8Array | undefined) ?? []),
        };
        requests.push(sent);
        const honest = () =>
          fetch(input, { ...init, headers: { ...Object.fromEntries(sent.headers), Origin: FRAME } });
        return Promise.resolve(world.between ? world.between(sent, honest) : honest());
      };
      return new VaultSync({ url, rpId: RP, clock, seen, device: name, random: () => 0, fetch: send });
    },
    /** What was sent and logged since the last call. */
    since(): { sent: Sent[]; log: string } {
      const log = service.log.slice(linesBefore).join('\n');
      linesBefore = service.log.length;
      return { sent: requests.splice(0), log };
    },
    /** All objects of a kind. */
    objects: async (kind: 'slot' | 'vault') =>
      service.service.db.selectFrom('copies').selectAll().where('kind', '=', kind).execute(),
  };
  return world;
}

/** What a passkey that nobody has used gives. */
export const newPasskey = (): Uint8Array => new Uint8Array(randomBytes(32));

export const withWallet = (name: string, device = 'a') => named(CONTENT, name, device);

/** No request and no line of the log since the last call has these secrets in any form, and no line has an id or a key of a copy. */
export function assertNothingLeaks(copies: Copies, secrets: readonly Uint8Array[]): void {
  const { sent, log } = copies.since();
  const forms = [...secrets, SEED, new Uint8Array(32).fill(0xab), Buffer.from('Passkey')].flatMap((each) => [
    Buffer.from(each).toString('latin1'),
    hexDigits(each),
    toBase64(each),
    toBase64Url(each),
    String([...each]),
  ]);
  const names = sent.flatMap(({ path, headers }) => [
    path.split('/')[3]!,
    headers.get('Authorization')!.slice(5, 48),
  ]);
  assert.ok(names.length > 0, 'something was sent');
  for (const name of new Set(names)) assert.ok(!log.includes(name), 'an id or a key is in the log');
  for (const form of forms) {
    assert.ok(!log.includes(form), 'a secret is in the log');
    for (const { path, headers, body } of sent)
      for (const text of [path, JSON.stringify([...headers]), body.toString('latin1')])
        assert.ok(!text.includes(form), 'a secret is in a request');
  }
}

/** Of a key of its own, for requests that no client makes. */
export class Hand {
  readonly publicKey: Buffer;
  readonly #key;

  constructor(seed: Uint8Array = randomBytes(32)) {
    this.#key = createPrivateKey({
      key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
      format: 'der',
      type: 'pkcs8',
    });
    const { x } = this.#key.export({ format: 'jwk' });
    this.publicKey = Buffer.from(x!, 'base64url');
  }

  sign(text: Uint8Array): Buffer {
    return sign(null, text, this.#key);
  }

  /** `Authorization` of a request. */
  headers(
    method: string,
    path: string,
    body: Uint8Array = Buffer.alloc(0),
    match = '',
    ahead = 0,
  ): Record<string, string> {
    const time = String(Date.now() + ahead);
    const text = requestText({ method, path, time, bodyHash: hash('sha256', body, 'base64url'), match });
    const key = this.publicKey.toString('base64url');
    return { Authorization: `Sync ${key}:${time}:${this.sign(text).toString('base64url')}` };
  }
}
