/** The wallet's client on the real service, with a liar in between, devices that stop at any request, and a service that is killed. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { liveIn, merge } from '../../src/sync/content.ts';
import { slotKeys, vaultKeys } from '../../src/sync/keys.ts';
import { sealTombstone, sealVault } from '../../src/sync/objects.ts';
import { SeenInMemory } from '../../src/sync/seen.ts';
import type { SyncError } from '../../src/sync/sync-error.ts';
import type { VaultSync } from '../../src/sync/vault-sync.ts';
import { named, namesIn, opener, RP } from '../unit/sync/sync-world.ts';
import { dataIn, temporaryFolder } from './harness.ts';
import { end, startProcess } from './processes-setup.ts';
import {
  assertNothingLeaks,
  type Between,
  type Copies,
  FRAME,
  newPasskey,
  type Sent,
  startCopies,
  withWallet,
} from './sync-setup.ts';

let copies: Copies;
before(async () => {
  copies = await startCopies();
});
after(() => copies.service.close());

/** A copy with two passkeys. */
async function enrolled(seen = new SeenInMemory()) {
  copies.between = undefined;
  const [prf, second] = [newPasskey(), newPasskey()];
  const sync = copies.device('a', seen);
  const first = await sync.enrol(prf, opener(1), withWallet('one'));
  const copy = await sync.addPasskey(first, second, opener(2));
  return { prf, second, sync, seen, copy };
}

type Enrolled = Awaited<ReturnType<typeof enrolled>>;
type Kind = 'slot' | 'vault';

const bytesOf = async (response: Response): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await response.arrayBuffer());

/** The answer to a read, with these bytes in place of the service's. */
function answer(object: Uint8Array, status = 200): Response {
  const bytes = Buffer.from(object);
  const etag = `"${bytes.readBigUInt64BE(136)}.${hashOf(bytes)}"`;
  return new Response(new Uint8Array(bytes), {
    status,
    headers: { 'Content-Type': 'application/octet-stream', ETag: etag },
  });
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url');

/** Lies about reads of this kind. */
function lieAbout(kind: Kind, lie: (honest: Response, sent: Sent) => Response | Promise<Response>): Between {
  return async (sent, honest) =>
    sent.method === 'GET' && sent.path.startsWith(`/sync/${kind}/`) ? lie(await honest(), sent) : honest();
}

const PROBLEM = { headers: { 'Content-Type': 'application/problem+json' } };
const object = async (
  honest: Response,
  change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array,
): Promise<Response> => {
  const before = await bytesOf(honest);
  return answer(change(before), honest.status);
};
const flipped = (bytes: Uint8Array, at: number): Uint8Array => bytes.with(at, bytes[at]! ^ 4);

/** What the wallet makes of each lie: an error, and no write. */
const LIES: [
  what: string,
  code: string,
  kind: Kind,
  lie: (all: Enrolled, honest: Response) => Response | Promise<Response>,
][] = [
  ['nothing', 'copy.unknown', 'slot', () => new Response('{}', { status: 404, ...PROBLEM })],
  ['nothing for the vault', 'copy.unknown', 'vault', () => new Response('{}', { status: 404, ...PROBLEM })],
  [
    'the 404 of a web server',
    'copy.unreachable',
    'slot',
    () => new Response('<html>', { status: 404, headers: { 'Content-Type': 'text/html' } }),
  ],
  [
    'HTML',
    'copy.unreachable',
    'vault',
    () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }),
  ],
  ['a huge body', 'copy.unreachable', 'vault', () => answer(new Uint8Array(70_000))],
  ['the slot of another passkey', 'copy.foreign', 'slot', async ({ second }) => answer(await slotOf(second))],
  [
    'a slot for the vault object',
    'copy.foreign',
    'vault',
    async ({ second }) => answer(await slotOf(second)),
  ],
  [
    'a truncated object',
    'copy.damaged',
    'vault',
    (_, honest) => object(honest, (bytes) => bytes.subarray(0, -1)),
  ],
  ['version 2', 'copy.version', 'vault', (_, honest) => object(honest, (bytes) => bytes.with(4, 2))],
  ['the other kind', 'copy.foreign', 'vault', (_, honest) => object(honest, (bytes) => bytes.with(5, 1))],
  ['a changed body', 'copy.damaged', 'vault', (_, honest) => object(honest, (bytes) => flipped(bytes, 400))],
  [
    'a changed commitment',
    'copy.commitment',
    'slot',
    (_, honest) => object(honest, (bytes) => flipped(bytes, 180)),
  ],
  [
    'a content under another key',
    'copy.commitment',
    'vault',
    async ({ copy }) => answer(await sealedByStranger(copy)),
  ],
  [
    'a live object as a tombstone',
    'copy.removed',
    'slot',
    (_, honest) =>
      object(honest, (bytes) => bytes).then(
        (same) => new Response(same.body, { status: 410, headers: same.headers }),
      ),
  ],
  [
    'a limit',
    'copy.rate-limited',
    'slot',
    () => new Response('{}', { status: 429, headers: { 'Retry-After': '60' } }),
  ],
];

async function slotOf(prf: Uint8Array): Promise<Uint8Array> {
  const { signer } = await slotKeys(prf, RP);
  const [row] = (await copies.objects('slot')).filter(({ owner }) => owner.equals(signer.publicKey));
  return row!.object;
}

async function sealedByStranger({ vault, received }: Enrolled['copy']): Promise<Uint8Array> {
  const stranger = await vaultKeys(newPasskey(), RP);
  const place = {
    rpId: RP,
    owner: vault.signer.publicKey,
    counter: received.counter + 1n,
    previous: received.hash,
  };
  return sealVault(stranger, place, new TextEncoder().encode('{}'));
}

test('whatever is answered in the service’s place gives a clear error, and nothing is written or deleted', async () => {
  const all = await enrolled();
  const count = (await copies.objects('slot')).length;
  for (const [what, code, kind, lie] of LIES) {
    copies.requests.length = 0;
    copies.between = lieAbout(kind, (honest) => lie(all, honest));
    await assert.rejects(all.sync.read(all.prf), { name: 'SyncError', code }, what);
    assert.ok(
      copies.requests.every(({ method }) => method === 'GET'),
      what,
    );
    copies.between = undefined;
    assert.deepEqual(namesIn(await all.sync.read(all.prf)), ['one'], what);
  }
  for (let at = 0; at < 208; at += 3)
    for (const kind of ['slot', 'vault'] as const) {
      copies.between = lieAbout(kind, (honest) => object(honest, (bytes) => flipped(bytes, at)));
      await assert.rejects(copies.device('x').read(all.prf), { name: 'SyncError' }, `${kind} ${at}`);
    }
  copies.between = undefined;
  assert.equal((await copies.objects('slot')).length, count);
});

test('an older state and a fork are noticed, and overwritten with consent above what was seen', async () => {
  const { sync, prf, copy } = await enrolled();
  const old = copy.received.bytes;
  await sync.write(copy, named(copy.content, 'two', 'a'));
  copies.between = lieAbout('vault', () => answer(old));
  const rolled = await sync.read(prf);
  assert.equal(rolled.warning, 'rolled-back');
  const local = merge(rolled.content, named(copy.content, 'two', 'a'));
  await assert.rejects(sync.write(rolled, local), { code: 'copy.rolled-back' });
  copies.between = undefined;
  // The service itself has lost the last state, as after a restored back-up.
  const { db } = copies.service.service;
  const { counter, hash } = copy.received;
  const owner = Buffer.from(copy.vault.signer.publicKey);
  await db
    .updateTable('copies')
    .set({ object: Buffer.from(old), counter, hash: Buffer.from(hash) })
    .where('owner', '=', owner)
    .execute();
  const written = await sync.write(await sync.read(prf), local, true);
  assert.equal(written.received.counter, counter + 2n);
  assert.deepEqual(namesIn(await copies.device('b').read(prf)), ['one', 'two']);
  // One device is shown one state, another device another one.
  const forked = await copies.device('c').read(prf);
  const other = await sealVault(
    forked.vault,
    { rpId: RP, owner: forked.vault.signer.publicKey, counter: written.received.counter, previous: hash },
    new TextEncoder().encode('{}'),
  );
  copies.between = lieAbout('vault', () => answer(other));
  await assert.rejects(sync.read(prf), { code: 'copy.damaged' });
  copies.between = undefined;
});

test('a forged tombstone is not believed, and none deletes anything', async () => {
  const { sync, prf, copy } = await enrolled();
  const { signer } = await slotKeys(prf, RP);
  const stranger = await vaultKeys(newPasskey(), RP);
  const place = { rpId: RP, owner: signer.publicKey, counter: 9n, previous: copy.received.hash };
  const forged = await sealTombstone(
    'slot',
    { ...place, writer: stranger.signer.publicKey },
    stranger.signer,
  );
  copies.between = lieAbout('slot', () => answer(forged, 410));
  await assert.rejects(sync.read(prf), { code: 'copy.removed', details: { verified: false } });
  // Who believes it and makes a copy anew gets no further than the real service.
  await assert.rejects(sync.enrol(prf, opener(1), withWallet('new')), { code: 'copy.exists' });
  copies.between = undefined;
  assert.deepEqual(namesIn(await sync.read(prf)), ['one']);
});

test('others that are always faster, limits and a service that takes no more end in an error, and nothing is lost', async () => {
  const { sync, prf, copy } = await enrolled();
  const local = named(copy.content, 'two', 'a');
  for (const [status, code] of [
    [412, 'copy.busy'],
    [429, 'copy.rate-limited'],
    [507, 'copy.too-large'],
    [422, 'copy.refused'],
    [503, 'copy.unreachable'],
  ] as const) {
    copies.between = (sent, honest) => (sent.method === 'PUT' ? new Response('{}', { status }) : honest());
    await assert.rejects(sync.write(copy, local), { code });
  }
  copies.between = undefined;
  assert.deepEqual(namesIn(await sync.read(prf)), ['one']);
  assert.deepEqual(namesIn(await sync.write(copy, local)), ['one', 'two']);
});

test('devices that write at the same time lose nothing, and one whose clock is wrong is corrected', async () => {
  const { prf, second } = await enrolled();
  const devices = ['a', 'b', 'c', 'd'].map((name, n) =>
    copies.device(name, new SeenInMemory(), { ahead: n === 3 ? -86_400_000 : 0 }),
  );
  const opened = await Promise.all(devices.map((device, n) => device.read(n % 2 ? second : prf)));
  await Promise.all(
    devices.map((device, n) => device.write(opened[n]!, named(opened[n]!.content, `w${n}`, `device ${n}`))),
  );
  assert.deepEqual(namesIn(await copies.device('e').read(prf)), ['one', 'w0', 'w1', 'w2', 'w3']);
});

type Step = (sync: VaultSync, all: { prf: Uint8Array; third: Uint8Array }) => Promise<unknown>;
const STEPS: Record<string, Step> = {
  enrol: (sync, { third }) => sync.enrol(third, opener(3), withWallet('one')),
  write: async (sync, { prf }) => sync.write(await sync.read(prf), withWallet('two')),
  addPasskey: async (sync, { prf, third }) => sync.addPasskey(await sync.read(prf), third, opener(3)),
  rotate: async (sync, { prf }) => sync.rotate(await sync.read(prf), opener(2)),
  remove: (sync, { prf }) => sync.remove(prf),
};

for (const [name, step] of Object.entries(STEPS))
  for (const isServed of [false, true])
    test(`a device that stops at any request of ${name}, ${isServed ? 'after' : 'before'} it was served, shuts no door`, async () => {
      for (let stop = 1, isOver = false; !isOver; stop++) {
        const { prf, second, seen } = await enrolled();
        const third = newPasskey();
        let count = 0;
        copies.between = async (_, honest) => {
          count++;
          const response = count < stop || (count === stop && isServed) ? await honest() : undefined;
          if (count >= stop || !response) throw new TypeError('gone');
          return response;
        };
        const error = await step(copies.device('a', seen), { prf, third }).then(
          () => undefined,
          (reason: SyncError) => reason,
        );
        assertNothingLeaks(copies, [prf, second, third]);
        isOver = error === undefined;
        if (error) assert.equal(error.code, 'copy.unreachable');
        copies.between = undefined;
        const doors = name === 'remove' ? [] : name === 'rotate' ? [prf] : [prf, second];
        for (const door of doors)
          assert.ok(namesIn(await copies.device('fresh').read(door)).includes('one'), `${name} ${stop}`);
        if (isOver) continue;
        // The same device gets to the end of it.
        const again = copies.device('a', seen);
        await step(again, { prf, third }).catch(async (reason: Error & { code?: string }) => {
          if (name === 'rotate') {
            const done = await again.finishRotation(await again.read(prf));
            assert.equal(liveIn(done.content, 'rotation').size, 0);
            assert.equal(liveIn(done.content, 'passkey').size, 1);
          } else assert.equal(reason.code, 'copy.exists');
        });
        if (name === 'rotate')
          await assert.rejects(copies.device('fresh').read(second), { code: 'copy.removed' });
        if (name === 'remove') await assert.rejects(again.read(prf), { code: 'copy.removed' });
        if (name === 'enrol' || name === 'addPasskey')
          assert.ok(namesIn(await again.read(third)).includes('one'));
      }
    });

test('what a killed service had acknowledged is there when it starts again', async () => {
  const folder = dataIn(temporaryFolder());
  const settings = { DATA_DIR: folder, FRAME_URL: FRAME, COPY_CREATION_LIMIT: '0' };
  const first = await startProcess(settings);
  const prf = newPasskey();
  const seen = new SeenInMemory();
  const sync = copies.device('a', seen, { url: first.url });
  const copy = await sync.enrol(prf, opener(1), withWallet('one'));
  await sync.write(copy, named(copy.content, 'two', 'a'));
  await end(first, 'SIGKILL');
  await assert.rejects(sync.read(prf), { code: 'copy.unreachable' });
  const second = await startProcess(settings);
  const read = await copies.device('a', seen, { url: second.url }).read(prf);
  assert.deepEqual([namesIn(read), read.warning], [['one', 'two'], undefined]);
  await end(second);
});
