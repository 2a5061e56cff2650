import { expect } from '@open-wc/testing';
import { liveIn, merge } from '../../../src/sync/content.ts';
import { openSlot, readObject } from '../../../src/sync/objects.ts';
import { slotKeys, vaultKeys } from '../../../src/sync/keys.ts';
import { SeenInMemory, StoredSeen } from '../../../src/sync/seen.ts';
import type { VaultSync } from '../../../src/sync/vault-sync.ts';
import { openDatabase } from '../../../src/wallets/database.ts';
import { failure } from '../wallets/setup.ts';
import { plain } from './fake-server.ts';
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

  it('goes while another device adds one: that one opens the new R, too', async () => {
    const { server, copy, sync, device } = await three();
    const b = device('b');
    const ofB = await b.read(THIRD);
    server.lie = async (sent, honest) => {
      if (sent.method === 'DELETE' && sent.path.includes('/vault/')) {
        server.lie = undefined;
        await b.addPasskey(ofB, fill(4), opener(4));
      }
      return honest();
    };
    const rotated = await sync.rotate(copy, opener(2));
    expect((await device('x').read(fill(4))).root).to.deep.equal(rotated.root);
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
  it('is kept in its database, and never lowered without consent', async () => {
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
      await seen.note(fill(1), mark(3n), true);
      expect(await seen.latest(fill(1))).to.deep.equal(mark(3n));
      expect(await seen.latest(fill(2))).to.equal(undefined);
    }
    expect(await new StoredSeen(db).latest(fill(1)), 'after a reload').to.deep.include({ counter: 3n });
    indexedDB.deleteDatabase(name);
  });
});
