/** The encrypted copy: the wallet's own client on the real service. */
import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { liveIn } from '../../src/sync/content.ts';
import { readTerms } from '../../src/sync/sync-server.ts';
import { named, namesIn, opener } from '../unit/sync/sync-world.ts';
import {
  assertNothingLeaks,
  type Copies,
  FRAME,
  Hand,
  newPasskey,
  startCopies,
  withWallet,
} from './sync-setup.ts';

let copies: Copies;
before(async () => {
  copies = await startCopies();
});
after(() => copies.service.close());

test('a wallet makes a copy, another browser finds it by the passkey and writes to it, and a removed passkey opens nothing', async () => {
  const [prf, second] = [newPasskey(), newPasskey()];
  const sync = copies.device('a');
  const first = await sync.enrol(prf, opener(1), withWallet('one'));
  const roots = [first.root.slice()];
  const both = await sync.addPasskey(first, second, opener(2));
  const b = copies.device('b');
  const ofB = await b.read(second);
  await b.write(ofB, named(ofB.content, 'two', 'b'));
  const rotated = await sync.rotate(both, opener(2));
  roots.push(rotated.root.slice());
  assert.deepEqual(namesIn(rotated), ['one', 'two']);
  assert.equal(liveIn(rotated.content, 'passkey').size, 1);
  await assert.rejects(copies.device('c').read(second), { code: 'copy.removed' });
  assert.deepEqual(namesIn(await copies.device('c').read(prf)), ['one', 'two']);
  await sync.remove(prf);
  await assert.rejects(copies.device('c').read(prf), { code: 'copy.removed' });
  const kept = [...(await copies.objects('slot')), ...(await copies.objects('vault'))];
  assert.ok(
    kept.every(({ removed, object }) => removed && object.length === 272),
    'only tombstones are left',
  );
  const again = await sync.enrol(prf, opener(1), withWallet('three'));
  roots.push(again.root.slice());
  assert.deepEqual(namesIn(await copies.device('c').read(prf)), ['three']);
  assertNothingLeaks(copies, [prf, second, ...roots]);
});

test('what is unknown and what somebody else has look the same, and only the wallet’s page may ask', async () => {
  const prf = newPasskey();
  await copies.device().enrol(prf, opener(1), withWallet('one'));
  const path = copies.requests.at(-1)!.path;
  const unknown = `/sync/vault/${newId()}`;
  const stranger = new Hand();
  const executor = copies.service.service.db.getExecutor();
  const queries = mock.method(executor, 'executeQuery');
  const answer = async (at: string, headers: Record<string, string>) => {
    queries.mock.resetCalls();
    const response = await copies.service.get(at, { Origin: FRAME, ...headers });
    const { instance: _instance, ...problem } = (await response.json()) as Record<string, unknown>;
    const kept = [...response.headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
    // Meanwhile the service may look after its own work.
    const asked = queries.mock.calls
      .map((call) => (call.arguments[0] as { sql: string }).sql)
      .filter((sql) => sql.includes('"copies"'));
    return { status: response.status, kept, problem, asked };
  };
  const expected = await answer(unknown, stranger.headers('GET', unknown));
  assert.equal(expected.status, 404);
  assert.equal(expected.asked.length, 1, 'the same work');
  for (const headers of [
    {},
    { Authorization: 'Sync x' },
    stranger.headers('GET', path),
    stranger.headers('GET', unknown),
  ])
    assert.deepEqual(await answer(path, headers), expected);
  const cors = async (origin: string) => {
    const { headers } = await copies.service.get(path, { Origin: origin });
    return [
      headers.get('access-control-allow-origin'),
      headers.get('cache-control'),
      headers.get('set-cookie'),
    ];
  };
  assert.deepEqual(await cors(FRAME), [FRAME, 'no-store', null]);
  assert.deepEqual(await cors('https://shop.example'), [null, 'no-store', null]);
  assert.deepEqual(await readTerms({ url: copies.service.url, clock: systemClock }), { years: 3 });
  const wellKnown = await copies.service.get('/.well-known/webauthn');
  assert.equal(wellKnown.status, 404);
});

function newId(): string {
  return Buffer.from(newPasskey()).toString('base64url');
}
