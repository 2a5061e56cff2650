import { expect } from '@open-wc/testing';
import { utf8 } from '../../../src/base/bytes.ts';
import {
  type Content,
  liveIn,
  merge,
  recipientKeyOf,
  withEntry,
  writeContent,
} from '../../../src/sync/content.ts';
import { openSlot, readObject, sealVault } from '../../../src/sync/objects.ts';
import { slotKeys, vaultKeys } from '../../../src/sync/keys.ts';
import { SeenInMemory, StoredSeen } from '../../../src/sync/seen.ts';
import type { VaultSync } from '../../../src/sync/vault-sync.ts';
import { openDatabase } from '../../../src/wallets/database.ts';
import { failure } from '../wallets/setup.ts';
import { type FakeServer, plain } from './fake-server.ts';
import {
  CONTENT,
  enrolled,
  fill,
  named,
  namesIn,
  opener,
  P,
  RP,
  SECOND,
  THIRD,
  world,
} from './sync-world.ts';

describe('several devices', () => {
  it('that write at once lose nothing: three of them, from one state', async () => {
    const { device, copy, sync } = await enrolled();
    const [b, c] = [device('b'), device('c')];
    const [ofB, ofC] = [await b.read(P), await c.read(SECOND)];
    const written = await Promise.all([
      sync.write(copy, named(copy.content, 'a1', 'a')),
      b.write(ofB, named(ofB.content, 'b1', 'b')),
      c.write(ofC, named(ofC.content, 'c1', 'c')),
    ]);
    expect(written.map(namesIn).flat()).to.include.members(['a1', 'b1', 'c1']);
    expect(namesIn(await device('d').read(P))).to.deep.equal(['a1', 'b1', 'c1', 'one']);
  });

  it('that are always faster: six tries with longer and longer pauses, then an error, and nothing is lost', async () => {
    const { server, copy, sync, pauses } = await enrolled();
    server.lie = (sent, honest) => (sent.method === 'PUT' ? plain(412) : honest());
    server.requests.length = 0;
    expect(await failure(sync.write(copy, named(copy.content, 'two', 'a')))).to.include({
      code: 'copy.busy',
    });
    expect(server.requests.filter(({ method }) => method === 'PUT')).to.have.length(6);
    expect(pauses).to.deep.equal([375, 750, 1500, 3000, 6000]);
    server.lie = undefined;
    expect(namesIn(await sync.write(copy, named(copy.content, 'two', 'a')))).to.deep.equal(['one', 'two']);
  });

  it('whose write was taken though the answer was lost write it once more, to the same end', async () => {
    const { server, copy, sync, device } = await enrolled();
    const local = named(copy.content, 'two', 'a');
    server.lie = async (sent, honest) => {
      const response = await honest();
      if (sent.method === 'PUT') throw new TypeError('Failed to fetch');
      return response;
    };
    expect(await failure(sync.write(copy, local))).to.include({ code: 'copy.unreachable' });
    server.lie = undefined;
    const written = await sync.write(copy, local);
    expect(namesIn(written)).to.deep.equal(['one', 'two']);
    expect((await sync.read(P)).warning).to.equal(undefined);
    expect(namesIn(await device('b').read(SECOND))).to.deep.equal(['one', 'two']);
  });

  it('of another seed are refused by the one copy', async () => {
    const { copy, sync } = await enrolled();
    const other = { ...copy.content, seed: fill(5).slice(0, 16) };
    expect(await failure(sync.write(copy, other))).to.include({ code: 'copy.other-wallet' });
  });
});

/** With a recipient that takes more than half of what a copy holds. */
function bulky(content: Content, key: string, device: string): Content {
  const recipient = { secretType: 'ETHEREUM', key, address: key, name: key.repeat(20_000) };
  return withEntry(content, recipientKeyOf(recipient) as 'recipient ', recipient, device);
}

describe('a removed passkey', () => {
  /** Three passkeys, of which the second goes. */
  async function three() {
    const all = await enrolled();
    const copy = await all.sync.addPasskey(all.copy, THIRD, opener(3));
    return { ...all, copy };
  }

  it('cannot open the new R, and the others open it untouched', async () => {
    const { server, copy, sync, device } = await three();
    const before = copy.root.slice();
    const rotated = await sync.rotate(copy, opener(2));
    expect(rotated.root).not.to.deep.equal(before);
    expect(copy.root, 'is closed').to.deep.equal(new Uint8Array(32));
    expect([...liveIn(rotated.content, 'passkey').keys()]).to.have.length(2);
    expect(liveIn(rotated.content, 'rotation').size).to.equal(0);
    for (const each of [P, THIRD]) expect((await device('x').read(each)).root).to.deep.equal(rotated.root);
    expect(await failure(device('x').read(SECOND))).to.include({ code: 'copy.removed' });
    // Not even from everything that the server ever stored since.
    const { signer, ...keys } = await slotKeys(SECOND, RP);
    const owner = signer.publicKey;
    for (const object of [...server.states.values()].flat()) {
      const root = await (async () =>
        openSlot(readObject(object, { kind: 'slot', rpId: RP, owner }), keys))().catch(() => undefined);
      if (root) expect(root).to.deep.equal(before);
    }
    const removed = server.paths('slot').filter((path) => server.objects.get(path)![6] === 1);
    expect(removed, 'its slot is a tombstone, and no other is').to.have.length(1);
    const old = await vaultKeys(before, RP);
    expect(server.objects.get(server.paths('vault')[0]!)![6], 'the old vault object').to.equal(1);
    expect(old.signer.publicKey).not.to.deep.equal(rotated.vault.signer.publicKey);
    expect(namesIn(await sync.write(rotated, named(rotated.content, 'two', 'a')))).to.deep.equal([
      'one',
      'two',
    ]);
  });

  it('is not the one at hand, nor one that opens nothing', async () => {
    const { copy, sync } = await three();
    for (const id of [1, 9]) expect(await failure(sync.rotate(copy, opener(id)))).to.be.instanceOf(TypeError);
  });

  it('goes while another device writes: the change is in the new content, and that device finds it', async () => {
    const { server, copy, sync, device } = await three();
    const b = device('b');
    const ofB = await b.read(THIRD);
    const local = named(ofB.content, 'from b', 'b');
    // The write arrives just before the old vault object is removed.
    let deletions = 0;
    server.lie = async (sent, honest) => {
      if (sent.method === 'DELETE' && sent.path.includes('/vault/') && deletions++ === 0) {
        server.lie = undefined;
        await b.write(ofB, local);
      }
      return honest();
    };
    const rotated = await sync.rotate(copy, opener(2));
    expect(deletions).to.equal(1);
    expect(namesIn(rotated)).to.deep.equal(['from b', 'one']);
    const late = await failure(b.write(ofB, named(local, 'later', 'b')));
    expect(late).to.deep.include({ code: 'copy.removed', details: { verified: true } });
    const again = await b.read(THIRD);
    expect(again.warning).to.equal(undefined);
    const done = await b.write(again, merge(again.content, named(local, 'later', 'b')));
    expect(namesIn(done)).to.deep.equal(['from b', 'later', 'one']);
  });

  /** Runs `work` once, just before the first request of this kind. */
  const before = (server: FakeServer, method: string, kind: string, work: () => Promise<unknown>): void => {
    server.lie = async (sent, honest) => {
      if (sent.method === method && sent.path.includes(`/${kind}/`)) {
        server.lie = undefined;
        await work();
      }
      return honest();
    };
  };
  const FOURTH = fill(4);

  for (const [when, method, kind] of [
    ['after the list was shown', 'PUT', 'vault'],
    ['while the new R is spread', 'PUT', 'slot'],
    ['just before the old copy is removed', 'DELETE', 'vault'],
  ] as const)
    it(`brings in no other one ${when}: whoever adds one by the old R adds it again`, async () => {
      const { server, copy, sync, device } = await three();
      const thief = device('thief');
      const stolen = await thief.read(SECOND);
      before(server, method, kind, () => thief.addPasskey(stolen, FOURTH, opener(4)));
      const rotated = await sync.rotate(copy, opener(2));
      expect(server.lie, 'it was added meanwhile').to.equal(undefined);
      expect([...liveIn(rotated.content, 'passkey').values()].map(({ name }) => name)).to.have.members([
        'Passkey 1',
        'Passkey 3',
      ]);
      for (const each of [SECOND, FOURTH])
        expect(await failure(device('x').read(each))).to.include({ code: 'copy.removed' });
      // Nor by what other devices remember of the old copy.
      const b = device('b');
      const ofB = await b.read(THIRD);
      const again = await b.write(ofB, merge(ofB.content, stolen.content));
      expect(liveIn(again.content, 'passkey').size).to.equal(2);
      await b.addPasskey(again, FOURTH, opener(4));
      expect((await device('x').read(FOURTH)).root).to.deep.equal(rotated.root);
    });

  for (const [what, bytes] of [
    ['what is no content', utf8('{')],
    ['a content of another seed', writeContent({ ...CONTENT, seed: fill(5).slice(0, 16) })],
    ['more than a copy holds', writeContent(bulky(CONTENT, 'x', 'thief'))],
  ] as const)
    it(`keeps nobody from the new R by ${what} under the old one`, async () => {
      const { server, copy, sync, device, vaultPath } = await three();
      const full = await sync.write(copy, bulky(copy.content, 'y', 'a'));
      const { vault } = await device('thief').read(SECOND);
      const old = vaultPath();
      before(server, 'PUT', 'slot', async () => {
        const { counter, hash } = readObject(server.objects.get(old)!, {
          kind: 'vault',
          rpId: RP,
          owner: vault.signer.publicKey,
        });
        const place = { rpId: RP, owner: vault.signer.publicKey, counter: counter + 1n, previous: hash };
        server.objects.set(old, await sealVault(vault, place, bytes));
      });
      const rotated = await sync.rotate(full, opener(2));
      expect(server.objects.get(old)![6], 'the old vault object').to.equal(1);
      expect((await device('x').read(THIRD)).root).to.deep.equal(rotated.root);
    });

  it('is added again, and removed again', async () => {
    const { copy, sync, device } = await three();
    const without = await sync.rotate(copy, opener(2));
    const withIt = await sync.addPasskey(without, SECOND, opener(2));
    expect((await device('x').read(SECOND)).root).to.deep.equal(withIt.root);
    expect(await failure(sync.addPasskey(withIt, SECOND, opener(2)))).to.include({ code: 'copy.exists' });
    const last = await sync.rotate(withIt, opener(2));
    expect(await failure(device('x').read(SECOND))).to.include({ code: 'copy.removed' });
    expect((await device('x').read(THIRD)).root).to.deep.equal(last.root);
  });
});

describe('a device that stops at any request', () => {
  type Step = (sync: VaultSync) => Promise<unknown>;
  const steps: [name: string, step: Step][] = [
    ['enrol', (sync) => sync.enrol(P, opener(1), named(CONTENT, 'one', 'a'))],
    ['write', async (sync) => sync.write(await sync.read(P), named(CONTENT, 'two', 'a'))],
    ['addPasskey', async (sync) => sync.addPasskey(await sync.read(P), THIRD, opener(3))],
    ['rotate', async (sync) => sync.rotate(await sync.read(P), opener(2))],
    ['remove', (sync) => sync.remove(P)],
  ];
  for (const [name, step] of steps)
    for (const isApplied of [false, true])
      it(`of ${name}, ${isApplied ? 'after' : 'before'} the server served it, shuts no door`, async () => {
        for (let stop = 1, isOver = false; !isOver; stop++) {
          const { server, device } = name === 'enrol' ? world() : await enrolled();
          let count = 0;
          server.lie = async (_, honest) => {
            count++;
            if (count > stop) throw new TypeError('gone');
            const response = count < stop || isApplied ? await honest() : undefined;
            if (count === stop || !response) throw new TypeError('gone');
            return response;
          };
          const seen = new SeenInMemory();
          const error = await step(device('a', seen)).then(
            () => undefined,
            (reason: { code?: string }) => reason,
          );
          isOver = error === undefined;
          if (!isOver) expect(error).to.include({ code: 'copy.unreachable' });
          server.lie = undefined;
          const doors = name === 'enrol' || name === 'remove' ? [P] : [P, SECOND];
          for (const prf of doors) {
            const opened = await device('fresh')
              .read(prf)
              .then(namesIn, ({ code }: { code: string }) => code);
            const isShut = typeof opened === 'string';
            if (isShut) expect(opened, `${name} ${stop}`).to.match(/^copy\.(unknown|removed)$/);
            else expect(opened).to.include('one');
            // Only what was being made or removed may be absent.
            const mayBeShut = name === 'enrol' || name === 'remove' || (name === 'rotate' && prf === SECOND);
            expect(isShut && !mayBeShut, `${name} ${stop}`).to.equal(false);
          }
          // And the same device gets to the end of it.
          if (isOver) continue;
          const again = device('a', seen);
          const retried = await step(again).catch((reason: { code?: string }) => reason);
          if (retried instanceof Error && name === 'rotate') {
            const finished = await again.finishRotation(await again.read(P));
            expect([...liveIn(finished.content, 'passkey').keys()]).to.have.length(1);
            expect(liveIn(finished.content, 'rotation').size).to.equal(0);
          } else if (retried instanceof Error) expect(retried).to.include({ code: 'copy.exists' });
          if (name === 'remove') expect((await failure(again.read(P)))['code']).to.equal('copy.removed');
          else expect(namesIn(await again.read(P))).to.include('one');
        }
      });
});

describe('what a device has seen', () => {
  it('is kept in its database, and never lowered', async () => {
    const name = `carabiner-${crypto.randomUUID()}`;
    const db = await openDatabase(name);
    for (const make of [() => new StoredSeen(db), () => new SeenInMemory()]) {
      const seen = make();
      const mark = (counter: bigint) => ({ counter, hash: fill(Number(counter)), writer: fill(0) });
      expect(await seen.latest(fill(1))).to.equal(undefined);
      await seen.note(fill(1), mark(5n));
      await seen.note(fill(1), mark(4n));
      expect(await seen.latest(fill(1))).to.deep.equal(mark(5n));
      await seen.note(fill(1), mark(6n));
      expect(await seen.latest(fill(1))).to.deep.equal(mark(6n));
      expect(await seen.latest(fill(2))).to.equal(undefined);
    }
    expect(await new StoredSeen(db).latest(fill(1)), 'after a reload').to.deep.include({ counter: 6n });
    indexedDB.deleteDatabase(name);
  });
});
