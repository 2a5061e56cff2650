/** A frame whose wallet service keeps encrypted copies, and an authenticator. */
import { expect } from '@open-wc/testing';
import { Authenticator } from '../../wallets/authenticator.ts';
import { FakeServer } from '../../sync/fake-server.ts';
import { NETWORKS, until, world, type World } from '../world.ts';

export const COPIES = { ...NETWORKS, service: 'https://copies.example' };

export interface CopyWorld extends World {
  server: FakeServer;
  authenticator: Authenticator;
}

let undo: (() => void)[] = [];
afterEach(() => {
  for (const each of undo) each();
  undo = [];
});

/** `server`: of another browser, with `authenticator`, which both share. */
export async function copyWorld(
  of: Parameters<typeof world>[0] = {},
  shared?: Pick<CopyWorld, 'server' | 'authenticator'>,
): Promise<CopyWorld> {
  const authenticator = shared?.authenticator ?? new Authenticator();
  if (!shared) undo.push(authenticator.plug());
  const w = await world({ networks: COPIES, ...of });
  const server = shared?.server ?? new FakeServer(w.clock);
  const real = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const { origin, pathname } = new URL(String(input), location.href);
    if (origin !== COPIES.service) return real(input, init);
    return pathname === '/sync' ? Response.json({ years: 3 }) : server.fetch(input, init);
  };
  undo.push(() => {
    globalThis.fetch = real;
  });
  return Object.assign(w, { server, authenticator });
}

/** The vault has the passkey from the start. */
export async function withPasskey(w: CopyWorld): Promise<void> {
  const open = await w.vault.createWithPasskey();
  await w.vault.createWallet(open, 'ETHEREUM');
  open.close();
}

export async function openSettings(w: World): Promise<void> {
  w.ask('manageWallets', { chain: 'ETHEREUM' });
  await w.press('Settings');
}

/** Waits until the server has a copy: one vault object, and a slot for each passkey. */
export async function keeps(w: CopyWorld, slots = 1): Promise<void> {
  await until(
    () => w.server.paths('vault').length > 0 && w.server.paths('slot').length === slots,
    'the copy',
  );
  expect(w.server.paths('vault')).to.have.length(1);
}

/** How often the vault object was written. */
export const written = ({ server }: CopyWorld): number =>
  server.states.get(server.paths('vault')[0]!)!.length;

/** Keeps a copy, and is back in Settings: until it was read again, Back would take it back. */
export async function keepInSettings(w: CopyWorld): Promise<void> {
  await openSettings(w);
  await w.press('Show encrypted copy');
  await w.press('Keep an encrypted copy');
  await keeps(w);
  await w.title('Settings');
}

/** The same, and out of Settings. */
export async function keep(w: CopyWorld): Promise<void> {
  await keepInSettings(w);
  await w.press('Back');
}

/** A browser with a wallet that keeps a copy. */
export async function keeping(): Promise<CopyWorld> {
  const w = await copyWorld({ wallets: 0 });
  await withPasskey(w);
  await keep(w);
  return w;
}
