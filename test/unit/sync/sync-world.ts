/** A server, and devices that talk to it with passkeys made of one byte each. */
import type { Clock } from '../../../src/base/clock.ts';
import {
  type Content,
  type CopiedWallet,
  liveIn,
  walletKeyOf,
  withEntry,
} from '../../../src/sync/content.ts';
import { type Seen, SeenInMemory } from '../../../src/sync/seen.ts';
import { type NewOpener, type OpenCopy, VaultSync } from '../../../src/sync/vault-sync.ts';
import { TestClock } from '../clock.ts';
import { FakeServer } from './fake-server.ts';

export const RP = 'wallet.example';
export const SEED = new Uint8Array(16).fill(0x7f);
export const CONTENT: Content = { version: 1, seed: SEED, createdAt: 5, backedUp: false, entries: {} };
export const fill = (byte: number) => new Uint8Array(32).fill(byte);
/** What three passkeys give. */
export const [P, SECOND, THIRD] = [fill(1), fill(2), fill(3)] as const;

export const opener = (id: number): NewOpener => ({
  id: new Uint8Array([id]),
  transports: ['internal'],
  name: `Passkey ${id}`,
});

/** With an imported wallet of this name. */
export function named(content: Content, name: string, device: string): Content {
  const wallet: CopiedWallet = {
    id: name,
    secretType: 'ETHEREUM',
    address: `0x${name}`,
    alias: name,
    index: null,
    createdAt: 1,
    primary: false,
    archived: false,
    key: fill(0xab),
  };
  return withEntry(content, walletKeyOf(wallet) as 'wallet ', wallet, device);
}

export const namesIn = ({ content }: OpenCopy) =>
  [...liveIn(content, 'wallet').values()].map(({ alias }) => alias).sort();

/** Pauses between tries take no time, and are recorded. */
export function world() {
  const time = new TestClock();
  const pauses: number[] = [];
  const clock: Clock = {
    ...time,
    after(milliseconds, work, limit) {
      if (limit) return time.after(milliseconds, work);
      pauses.push(milliseconds);
      queueMicrotask(work);
      return () => {};
    },
  };
  const server = new FakeServer(clock);
  const device = (name = 'a', seen: Seen = new SeenInMemory()) =>
    new VaultSync({
      url: 'https://sync.example/',
      rpId: RP,
      clock,
      seen,
      device: name,
      random: () => 0.5,
      fetch: (...request) => server.fetch(...request),
    });
  const vaultPath = () => server.paths('vault').at(-1)!;
  return { server, device, time, pauses, vaultPath };
}

export type World = ReturnType<typeof world>;

/** A copy with two passkeys. */
export async function enrolled() {
  const all = world();
  const seen = new SeenInMemory();
  const sync = all.device('a', seen);
  const first = await sync.enrol(P, opener(1), named(CONTENT, 'one', 'a'));
  const copy = await sync.addPasskey(first, SECOND, opener(2));
  return { ...all, seen, sync, copy };
}
