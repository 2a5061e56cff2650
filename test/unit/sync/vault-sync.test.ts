import { expect } from '@open-wc/testing';
import { toBase64, toBase64Url } from '../../../src/base/base64.ts';
import { hexDigits, utf8 } from '../../../src/base/bytes.ts';
import { liveIn, merge } from '../../../src/sync/content.ts';
import { slotKeys, vaultKeys } from '../../../src/sync/keys.ts';
import { readObject, sealSlot, sealTombstone, sealVault } from '../../../src/sync/objects.ts';
import { SeenInMemory } from '../../../src/sync/seen.ts';
import { VaultSync } from '../../../src/sync/vault-sync.ts';
import type { Bytes } from '../../../src/wallets/records.ts';
import { TestClock } from '../clock.ts';
import { failure } from '../wallets/setup.ts';
import { etagOf, found, plain, type Sent } from './fake-server.ts';
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
  SEED,
  THIRD,
  type World,
  world,
} from './sync-world.ts';

/** Answers GETs of this kind differently. */
function lieAbout(
  kind: 'slot' | 'vault',
  answer: (honest: Response, sent: Sent) => Response | Promise<Response>,
) {
  return async (sent: Sent, honest: () => Promise<Response>) =>
    sent.method === 'GET' && sent.path.startsWith(`/sync/${kind}/`) ? answer(await honest(), sent) : honest();
}

describe('the encrypted copy', () => {
  it('is made by one passkey and found by it from an empty browser', async () => {
    const { device } = world();
    const copy = await device().enrol(P, opener(1), named(CONTENT, 'one', 'a'));
    expect(namesIn(copy)).to.deep.equal(['one']);
    const restored = await device('b').read(P);
    expect(restored.content).to.deep.equal(copy.content);
    expect(restored.warning).to.equal(undefined);
    expect(P, 'is its owner’s to overwrite').to.deep.equal(fill(1));
    expect(await failure(device().enrol(P, opener(1), CONTENT))).to.include({ code: 'copy.exists' });
    expect(await failure(device().read(THIRD))).to.deep.include({
      code: 'copy.unknown',
      details: { seen: false },
    });
  });

  it('is opened by each of its passkeys, which write to one content', async () => {
    const { device } = await enrolled();
    const b = device('b');
    const copy = await b.read(SECOND);
    await b.write(copy, named(copy.content, 'two', 'b'));
    expect(namesIn(await device().read(P))).to.deep.equal(['one', 'two']);
  });

  it('sends no secret in any form, and asks without cookies, caches or redirects', async () => {
    const { server, sync, copy } = await enrolled();
    const root = copy.root.slice();
    await sync.write(copy, named(copy.content, 'two', 'a'));
    await sync.rotate(await sync.read(P), opener(2));
    const secrets = [P, SECOND, root, SEED, fill(0xab), new TextEncoder().encode('Passkey')];
    const needles = secrets.flatMap((each) => [
      String(each),
      hexDigits(each),
      toBase64(each),
      toBase64Url(each),
    ]);
    expect(server.requests.length).to.be.greaterThan(15);
    for (const { body, headers, path, init } of server.requests) {
      expect(init).to.include({ redirect: 'error', credentials: 'omit', cache: 'no-store' });
      expect(path).to.match(/^\/sync\/(slot|vault)\/[\w-]{43}$/);
      const texts = [
        String(body),
        new TextDecoder('latin1').decode(body),
        path,
        JSON.stringify([...headers]),
      ];
      for (const needle of needles) for (const text of texts) expect(text.includes(needle)).to.equal(false);
    }
  });

  it('is removed with all its slots, the vault gone before the own slot', async () => {
    const { server, sync, device } = await enrolled();
    await sync.remove(P);
    expect([...server.objects.values()].every((object) => object[6] === 1 && object.length === 272)).to.equal(
      true,
    );
    for (const each of [P, SECOND]) {
      const error = await failure(device('a').read(each));
      expect(error).to.include({ code: 'copy.removed' });
    }
    const order = server.requests
      .filter(({ method }) => method === 'DELETE')
      .map(({ path }) => path.split('/')[2]);
    expect(order).to.deep.equal(['slot', 'vault', 'slot']);
    await sync.remove(P);
  });

  it('is made again after it was removed, and after the server forgot even that', async () => {
    const { server, sync, device } = await enrolled();
    await sync.remove(P);
    const again = await sync.enrol(P, opener(1), named(CONTENT, 'two', 'a'));
    expect([...liveIn(again.content, 'passkey').keys()]).to.have.length(1);
    expect(namesIn(await device('x').read(P))).to.deep.equal(['two']);
    expect(await failure(sync.enrol(P, opener(1), CONTENT))).to.include({ code: 'copy.exists' });
    server.objects.clear();
    const third = await sync.enrol(P, opener(1), named(CONTENT, 'three', 'a'));
    expect(third.warning).to.equal(undefined);
    expect(namesIn(await device('x').read(P))).to.deep.equal(['three']);
  });

  it('is made again over a slot that leads nowhere, and over one that does not open', async () => {
    const { server, sync, device, vaultPath } = await enrolled();
    server.objects.delete(vaultPath());
    expect(await failure(sync.read(P))).to.include({ code: 'copy.unknown' });
    const second = await sync.enrol(P, opener(1), named(CONTENT, 'two', 'a'));
    const { signer, opening, commitment } = await slotKeys(P, RP);
    const path = server.paths('slot').find((each) => isOwn(server.objects.get(each)!, signer.publicKey))!;
    const { hash } = readObject(server.objects.get(path)!, {
      kind: 'slot',
      rpId: RP,
      owner: signer.publicKey,
    });
    const writer = second.vault.signer.publicKey;
    const place = { rpId: RP, owner: signer.publicKey, writer, counter: 9n, previous: hash };
    server.objects.set(path, await sealSlot({ open: opening.publicKey, commitment }, place, fill(8)));
    expect(await failure(sync.read(P))).to.include({ code: 'copy.damaged' });
    await sync.enrol(P, opener(1), named(CONTENT, 'three', 'a'));
    expect(namesIn(await device('x').read(P))).to.deep.equal(['three']);
  });

  it('is removed with what an interrupted change of R left, and though its content is damaged', async () => {
    const { server, sync, copy, vaultPath } = await enrolled();
    server.lie = (sent, honest) => (sent.method === 'DELETE' ? plain(503) : honest());
    expect(await failure(sync.rotate(copy, opener(2)))).to.include({ code: 'copy.unreachable' });
    server.lie = undefined;
    await sync.remove(P);
    const isGone = (object: Bytes): boolean => object[6] === 1;
    expect([...server.objects.values()].map(isGone)).to.deep.equal([true, true, true, true]);
    const again = await sync.enrol(P, opener(1), CONTENT);
    const { counter, hash } = again.received;
    const place = { rpId: RP, owner: again.vault.signer.publicKey, counter: counter + 1n, previous: hash };
    server.objects.set(vaultPath(), await sealVault(again.vault, place, utf8('{')));
    await sync.remove(P);
    expect([...server.objects.values()].every(isGone)).to.equal(true);
  });

  it('is asked for by the browser’s own fetch, which is nobody’s method', async () => {
    const own = globalThis.fetch;
    const { server, time } = world();
    globalThis.fetch = function (this: unknown, ...request) {
      if (this !== undefined && this !== globalThis) throw new TypeError('Illegal invocation');
      return server.fetch(...request);
    };
    try {
      const options = { url: 'https://sync.example', rpId: RP, clock: time, device: 'a' };
      const sync = new VaultSync({ ...options, seen: new SeenInMemory() });
      expect(namesIn(await sync.enrol(P, opener(1), named(CONTENT, 'one', 'a')))).to.deep.equal(['one']);
    } finally {
      globalThis.fetch = own;
    }
  });

  it('is read and written by a device whose clock is wrong, after one more request', async () => {
    const { server, copy } = await enrolled();
    const clock = new TestClock();
    const slow = new TestClock(clock.date() - 3_600_000);
    const options = { url: 'https://sync.example', rpId: RP, clock: slow, device: 'slow' };
    const sync = new VaultSync({ ...options, seen: new SeenInMemory(), fetch: server.fetch });
    server.requests.length = 0;
    const read = await sync.read(P);
    await sync.write(read, named(copy.content, 'two', 'slow'));
    expect(server.requests.map(({ method }) => method)).to.deep.equal(['GET', 'GET', 'GET', 'PUT']);
    // A server whose date is wrong is not believed: its next answer is the same.
    server.lie = (_, honest) => honest().then((response) => withDate(response, clock.date() + 9_000_000));
    expect(await failure(sync.read(THIRD))).to.include({ code: 'copy.unknown' });
    expect(namesIn(await sync.read(P))).to.include('two');
  });
});

function withDate(response: Response, date: number): Response {
  response.headers.set('Date', new Date(date).toUTCString());
  return response;
}

describe('a lying server', () => {
  const cases: [
    what: string,
    code: string,
    kind: 'slot' | 'vault',
    answer: (all: World, honest: Bytes) => Response | Promise<Response>,
  ][] = [
    [
      'the slot of another passkey',
      'copy.foreign',
      'slot',
      ({ server }, honest) => {
        const path = server
          .paths('slot')
          .find((each) => String(server.objects.get(each)) !== String(honest))!;
        return found(server.objects.get(path)!);
      },
    ],
    [
      'a slot for the vault object',
      'copy.foreign',
      'vault',
      ({ server }) => found(server.objects.get(server.paths('slot')[0]!)!),
    ],
    [
      'a truncated object',
      'copy.damaged',
      'vault',
      (_, honest) => found(honest.slice(0, -1), 200, etagOf(honest)),
    ],
    [
      'a longer object',
      'copy.damaged',
      'slot',
      (_, honest) => found(new Uint8Array([...honest, 0]), 200, etagOf(honest)),
    ],
    ['another ETag', 'copy.damaged', 'vault', (_, honest) => found(honest, 200, '"9.x"')],
    ['version 2', 'copy.version', 'vault', (_, honest) => found(honest.with(4, 2) as Bytes)],
    ['nothing', 'copy.unknown', 'vault', () => plain(404)],
    [
      'the 404 of another web server',
      'copy.unreachable',
      'slot',
      () => new Response('<html>', { status: 404, headers: { 'Content-Type': 'text/html' } }),
    ],
    ['nothing for the slot', 'copy.unknown', 'slot', () => plain(404)],
    [
      'HTML',
      'copy.unreachable',
      'slot',
      () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }),
    ],
    ['an empty 204', 'copy.unreachable', 'slot', () => plain(204)],
    ['an error', 'copy.unreachable', 'vault', () => plain(503)],
    ['a refusal', 'copy.refused', 'vault', () => plain(403)],
    [
      'a redirect',
      'copy.unreachable',
      'slot',
      () => {
        throw new TypeError('Failed to fetch');
      },
    ],
    ['a redirected page', 'copy.unreachable', 'slot', () => plain(302)],
    ['a huge body', 'copy.unreachable', 'vault', () => found(new Uint8Array(70_000), 200, '"1.x"')],
  ];
  for (const [what, code, kind, answer] of cases) {
    it(`that returns ${what} gets a clear error, and no write follows`, async () => {
      const all = await enrolled();
      const count = all.server.objects.size;
      all.server.requests.length = 0;
      all.server.lie = lieAbout(kind, async (honest) =>
        answer(all, new Uint8Array(await honest.arrayBuffer())),
      );
      const error = await failure(all.sync.read(P));
      expect(error).to.include({ name: 'SyncError', code });
      expect(all.server.requests.every(({ method }) => method === 'GET')).to.equal(true);
      expect(all.server.objects.size).to.equal(count);
      all.server.lie = undefined;
      expect(namesIn(await all.sync.read(P)), 'is well again').to.deep.equal(['one']);
    });
  }

  it('that changes any byte of a header is noticed', async () => {
    const { server, device } = await enrolled();
    for (let i = 0; i < 208; i += 5) {
      for (const kind of ['slot', 'vault'] as const) {
        server.lie = lieAbout(kind, async (honest) => {
          const bytes = new Uint8Array(await honest.arrayBuffer());
          return found(bytes.with(i, bytes[i]! ^ 4) as Bytes);
        });
        expect((await failure(device('x').read(P)))['code'], `${kind} ${i}`).to.match(/^copy\./);
      }
    }
  });

  it('that forgets what this device has seen is told from one that never knew', async () => {
    const { server, sync } = await enrolled();
    server.objects.clear();
    expect(await failure(sync.read(P))).to.deep.include({ code: 'copy.unknown', details: { seen: true } });
  });

  it('that returns the state before is noticed by whoever saw a newer one, and overwritten only with consent', async () => {
    const { server, sync, copy, device, vaultPath } = await enrolled();
    await sync.write(copy, named(copy.content, 'two', 'a'));
    const states = server.states.get(vaultPath())!;
    server.objects.set(vaultPath(), states.at(-2)!);
    const old = await sync.read(P);
    expect(old.warning).to.equal('rolled-back');
    const local = merge(old.content, named(copy.content, 'two', 'a'));
    server.requests.length = 0;
    expect(await failure(sync.write(old, local))).to.include({ code: 'copy.rolled-back' });
    expect(await failure(sync.rotate(old, opener(2)))).to.include({ code: 'copy.rolled-back' });
    expect(server.requests.length, 'nothing was even tried').to.equal(0);
    expect((await sync.read(P)).warning, 'and not forgotten').to.equal('rolled-back');
    const written = await sync.write(old, local, true);
    expect(written.warning).to.equal(undefined);
    expect(written.received.counter, 'above what was seen').to.equal(copy.received.counter + 2n);
    expect(namesIn(await device('c').read(P))).to.deep.equal(['one', 'two']);
    expect((await sync.read(P)).warning).to.equal(undefined);
  });

  it('that shows two devices different states is told apart at the same counter and at the next', async () => {
    const { server, sync, copy, device, vaultPath } = await enrolled();
    const base = server.objects.get(vaultPath())!;
    await sync.write(copy, named(copy.content, 'two', 'a'));
    server.objects.set(vaultPath(), base);
    const b = device('b');
    const other = await b.read(P);
    const forked = await b.write(other, named(other.content, 'three', 'b'));
    const seen = await sync.read(P);
    expect(seen.warning).to.equal('forked');
    const merged = await sync.write(seen, merge(named(copy.content, 'two', 'a'), seen.content));
    expect(namesIn(merged)).to.deep.equal(['one', 'three', 'two']);

    server.objects.set(vaultPath(), forked.received.bytes);
    const c = device('c');
    const third = await c.read(P);
    await c.write(third, named(third.content, 'four', 'c'));
    await c.write(await c.read(P), named(third.content, 'five', 'c'));
    expect((await sync.read(P)).warning, 'it does not follow what was seen').to.equal('forked');
  });

  it('that seals a content with a key of its own choice is refused by the commitment', async () => {
    const { server, sync, copy, vaultPath } = await enrolled();
    const stranger = await vaultKeys(fill(9), RP);
    const { counter, hash } = copy.received;
    const place = { rpId: RP, owner: copy.vault.signer.publicKey, counter: counter + 1n, previous: hash };
    const object = await sealVault(stranger, place, new TextEncoder().encode('{}'));
    server.objects.set(vaultPath(), object);
    expect(await failure(sync.read(P))).to.include({ code: 'copy.commitment' });
    server.objects.set(vaultPath(), copy.received.bytes);
    expect((await sync.read(P)).warning, 'what was not opened is not remembered').to.equal(undefined);
  });

  it('that has a slot whose R is not the one of its writer is refused: anybody can seal to a public key', async () => {
    const { server, sync, copy } = await enrolled();
    const { signer, opening, commitment } = await slotKeys(P, RP);
    const path = server.paths('slot').find((each) => isOwn(server.objects.get(each)!, signer.publicKey))!;
    const writer = copy.vault.signer.publicKey;
    const place = { rpId: RP, owner: signer.publicKey, writer, counter: 2n, previous: fill(5) };
    const address = { open: opening.publicKey, commitment };
    server.objects.set(path, await sealSlot(address, place, fill(8)));
    expect(await failure(sync.read(P))).to.include({ code: 'copy.damaged' });
  });

  it('that forges a tombstone is not believed, and a true one deletes nothing here either', async () => {
    const { server, sync, copy, device } = await enrolled();
    const { signer } = await slotKeys(P, RP);
    const stranger = await vaultKeys(fill(9), RP);
    const slot = [...server.objects].find(
      ([, bytes]) => String(bytes.slice(72, 104)) === String(signer.publicKey),
    );
    const place = {
      rpId: RP,
      owner: signer.publicKey,
      counter: 2n,
      writer: stranger.signer.publicKey,
      previous: fill(5),
    };
    const removed = { code: 'copy.removed', details: { verified: true } };
    const forged = { code: 'copy.removed', details: { verified: false } };
    server.objects.set(slot![0], await sealTombstone('slot', place, stranger.signer));
    server.lie = lieAbout('slot', () => found(server.objects.get(slot![0])!, 410));
    expect(await failure(sync.read(P))).to.deep.include(forged);
    const byVault = { ...place, writer: copy.vault.signer.publicKey };
    server.objects.set(slot![0], await sealTombstone('slot', byVault, copy.vault.signer));
    expect(await failure(sync.read(P))).to.deep.include(removed);
    expect(await failure(device('new').read(P)), 'it never saw who may').to.deep.include(forged);
    server.objects.set(slot![0], slot![1]);
    expect(await failure(sync.read(P)), 'a live object is no tombstone').to.deep.include(forged);
  });

  it('that asks to wait, or takes no more, says so', async () => {
    const { server, sync, copy } = await enrolled();
    const write = () => failure(sync.write(copy, named(copy.content, 'two', 'a')));
    for (const [answer, expected] of [
      [plain(429, { 'Retry-After': '30' }), { code: 'copy.rate-limited', details: { retryAfter: 30 } }],
      [plain(429, { 'Retry-After': 'soon' }), { code: 'copy.rate-limited', details: {} }],
      [plain(507), { code: 'copy.too-large', details: { status: 507 } }],
      [plain(413), { code: 'copy.too-large', details: { status: 413 } }],
      [plain(401), { code: 'copy.refused', details: { status: 401 } }],
      [plain(422), { code: 'copy.refused', details: { status: 422 } }],
      [plain(200), { code: 'copy.unreachable', details: { status: 200 } }],
    ] as const) {
      server.lie = () => answer;
      expect(await write()).to.deep.include(expected);
    }
    server.lie = undefined;
    await sync.write(copy, named(copy.content, 'two', 'a'));
  });

  it('that never answers is given up after 20 seconds', async () => {
    const { server, sync, time } = await enrolled();
    const asked = new Promise<void>((resolve) => {
      server.lie = ({ init }) =>
        new Promise((_, reject) => {
          init.signal!.addEventListener('abort', () => reject(init.signal!.reason));
          resolve();
        });
    });
    const error = failure(sync.read(P));
    await asked;
    await time.pass(20_000);
    expect(await error).to.include({ code: 'copy.unreachable' });
  });

  it('that begins an answer and never ends it, too', async () => {
    const { server, sync, time } = await enrolled();
    const begun = new Promise<void>((resolve) => {
      server.lie = () =>
        new Response(
          new ReadableStream({
            pull() {
              resolve();
              return new Promise(() => {});
            },
          }),
          { headers: { 'Content-Type': 'application/octet-stream' } },
        );
    });
    const error = failure(sync.read(P));
    await begun;
    await time.pass(20_000);
    expect(await error).to.include({ code: 'copy.unreachable' });
  });
});

function isOwn(object: Bytes, owner: Bytes): boolean {
  return String(object.slice(72, 104)) === String(owner);
}
