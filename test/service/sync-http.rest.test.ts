/** `/sync/{kind}/{id}` without the wallet's client: every refusal, the limits, retention and what operators see. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type CopyKind, idText, tombstoneText, writeHeader } from '../../src/api/copy-object.ts';
import { systemClock } from '../../src/base/clock.ts';
import { readTerms } from '../../src/sync/sync-server.ts';
import { newStateOf } from '../../service/sync/changes.ts';
import { Copies as CopyTable } from '../../service/sync/copies.ts';
import { type Copies, FRAME, Hand, newPasskey, startCopies } from './sync-setup.ts';

let copies: Copies;
before(async () => {
  copies = await startCopies();
});
after(() => copies.service.close());

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const ZEROS = Buffer.alloc(32);

interface State {
  counter?: bigint;
  before?: Buffer | undefined;
  writer?: Hand | undefined;
  /** Who signs the tombstone. */
  tombstone?: Hand;
  lengthClass?: number;
}

/** An object of this owner. Nobody could open it, which the service does not know. */
function objectOf(
  kind: CopyKind,
  owner: Hand,
  { counter = 1n, before: last, writer, tombstone, lengthClass = 0 }: State = {},
): Buffer {
  const header = writeHeader(kind, {
    isTombstone: tombstone !== undefined,
    lengthClass,
    site: new Uint8Array(sha256(Buffer.from('wallet.example'))),
    id: new Uint8Array(sha256(idText(kind, owner.publicKey))),
    owner: new Uint8Array(owner.publicKey),
    writer: new Uint8Array(writer?.publicKey ?? ZEROS),
    counter,
    previous: new Uint8Array(last ? sha256(last) : ZEROS),
    commitment: new Uint8Array(tombstone ? ZEROS : Buffer.alloc(32, 7)),
  });
  const body =
    tombstone?.sign(tombstoneText(header)) ??
    Buffer.alloc(kind === 'slot' ? 80 : 28 + 1024 * 2 ** lengthClass, 9);
  return Buffer.concat([header, body]);
}

const pathOf = (kind: CopyKind, owner: Hand): string =>
  `/sync/${kind}/${sha256(idText(kind, owner.publicKey)).toString('base64url')}`;
const etagOf = (object: Buffer): string =>
  `"${object.readBigUInt64BE(136)}.${sha256(object).toString('base64url')}"`;

interface Request {
  path: string;
  by: Hand;
  body?: Buffer;
  /** `*`: only if there is none. */
  match?: string;
  ahead?: number;
  type?: string;
}

async function send(
  method: string,
  { path, by, body, match, ahead, type = 'application/octet-stream' }: Request,
  at = copies,
): Promise<Response> {
  const headers: Record<string, string> = { Origin: FRAME, ...by.headers(method, path, body, match, ahead) };
  if (body) headers['Content-Type'] = type;
  if (match !== undefined) headers[match === '*' ? 'If-None-Match' : 'If-Match'] = match;
  return fetch(at.service.url + path, { method, headers, ...(body && { body: new Uint8Array(body) }) });
}

const status = async (...request: Parameters<typeof send>): Promise<number> =>
  (await send(...request)).status;

/** The status and the code of a refusal. */
async function refusal(...request: Parameters<typeof send>): Promise<string> {
  const response = await send(...request);
  return `${response.status} ${((await response.json()) as { code: string }).code}`;
}

/** A slot of a new passkey, under a new vault's key. */
async function newSlot() {
  const [owner, writer] = [new Hand(), new Hand()];
  const object = objectOf('slot', owner, { writer });
  const path = pathOf('slot', owner);
  assert.equal(await status('PUT', { path, by: owner, body: object, match: '*' }), 201);
  return { owner, writer, object, path };
}

test('a slot is made by its owner, read and rewritten by its vault, removed, and made again by its owner alone', async () => {
  const { owner, writer, object, path } = await newSlot();
  for (const by of [owner, writer]) {
    const response = await send('GET', { path, by });
    assert.equal(response.headers.get('etag'), etagOf(object));
    assert.equal(response.headers.get('content-type'), 'application/octet-stream');
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), object);
  }
  const vault = new Hand();
  const next = objectOf('slot', owner, { writer: vault, counter: 2n, before: object });
  const match = etagOf(object);
  assert.equal(await refusal('PUT', { path, by: new Hand(), body: next, match }), '412 copy.changed');
  const written = await send('PUT', { path, by: writer, body: next, match });
  assert.deepEqual([written.status, written.headers.get('etag')], [204, etagOf(next)]);
  assert.equal(await refusal('PUT', { path, by: vault, body: next, match }), '412 copy.changed');
  assert.equal(await status('GET', { path, by: writer }), 404);

  const forged = objectOf('slot', owner, { writer: vault, counter: 3n, before: next, tombstone: writer });
  assert.equal(
    await refusal('DELETE', { path, by: vault, body: forged, match: etagOf(next) }),
    '422 copy.refused',
  );
  const other = objectOf('slot', owner, { writer, counter: 3n, before: next, tombstone: vault });
  assert.equal(
    await refusal('DELETE', { path, by: vault, body: other, match: etagOf(next) }),
    '422 copy.refused',
  );
  const tombstone = objectOf('slot', owner, { writer: vault, counter: 3n, before: next, tombstone: vault });
  assert.equal(await status('DELETE', { path, by: vault, body: tombstone, match: etagOf(next) }), 204);
  assert.equal(
    await refusal('DELETE', { path, by: vault, body: tombstone, match: etagOf(next) }),
    '410 copy.removed',
  );
  const gone = await send('GET', { path, by: owner });
  assert.deepEqual([gone.status, Buffer.from(await gone.arrayBuffer())], [410, tombstone]);

  const again = objectOf('slot', owner, { writer: vault, counter: 4n, before: tombstone });
  const revive = { path, body: again, match: etagOf(tombstone) };
  assert.equal(await refusal('PUT', { ...revive, by: vault }), '410 copy.removed');
  assert.equal(await status('PUT', { ...revive, by: owner }), 204);
});

test('a removed vault object stays removed: the next one has another key', async () => {
  const owner = new Hand();
  const path = pathOf('vault', owner);
  const object = objectOf('vault', owner, { lengthClass: 5 });
  assert.equal(await status('PUT', { path, by: owner, body: object, match: '*' }), 201);
  const tombstone = objectOf('vault', owner, { counter: 2n, before: object, tombstone: owner });
  assert.equal(await status('DELETE', { path, by: owner, body: tombstone, match: etagOf(object) }), 204);
  const { rows } = await sql<{
    object: Buffer;
  }>`select object from copies where owner = ${owner.publicKey}`.execute(copies.service.service.db);
  assert.deepEqual(
    rows.map((row) => row.object),
    [tombstone],
    'its content is erased',
  );
  const next = objectOf('vault', owner, { counter: 3n, before: tombstone });
  assert.equal(
    await refusal('PUT', { path, by: owner, body: next, match: etagOf(tombstone) }),
    '410 copy.removed',
  );
});

test('of writers at the same time one is first, and the others change nothing', async () => {
  const { owner, writer, object, path } = await newSlot();
  const tries = await Promise.all(
    Array.from({ length: 8 }, (_, n) => {
      const body = objectOf('slot', owner, {
        writer: n % 2 ? writer : new Hand(),
        counter: 2n,
        before: object,
      });
      return status('PUT', { path, by: writer, body, match: etagOf(object) });
    }),
  );
  assert.deepEqual(tries.toSorted(), [204, ...Array<number>(7).fill(412)]);
  // Two that both saw the state before, whatever the timing.
  const table = new CopyTable(copies.service.service.db);
  const other = await newSlot();
  const id = Buffer.from(other.path.split('/')[3]!, 'base64url');
  const before = (await table.state('slot', id, other.owner.publicKey))!;
  const nextState = () => {
    const next = objectOf('slot', other.owner, { writer: new Hand(), counter: 2n, before: other.object });
    const write = { kind: 'slot', id, signer: other.owner.publicKey, object: next } as const;
    return table.replace('slot', newStateOf(write, false), before);
  };
  assert.deepEqual([await nextState(), await nextState()], [true, false]);
  const [one, two] = [new Hand(), new Hand()];
  const creations = await Promise.all(
    [one, two, one, two].map((vault) =>
      status('PUT', {
        path: pathOf('slot', one),
        by: one,
        body: objectOf('slot', one, { writer: vault }),
        match: '*',
      }),
    ),
  );
  assert.deepEqual(creations.toSorted(), [201, 412, 412, 412]);
});

test('what is not signed, not in time or by another key is refused before anything is looked up', async () => {
  const owner = new Hand();
  const path = pathOf('vault', owner);
  const body = objectOf('vault', owner);
  const put = { path, by: owner, body, match: '*' };
  for (const ahead of [121_000, -121_000])
    assert.equal(await refusal('PUT', { ...put, ahead }), '401 copy.signature');
  assert.equal(await refusal('PUT', { ...put, by: new Hand() }), '401 copy.signature');
  const signed = owner.headers('PUT', path, body, '*');
  const by = (
    authorization: string | undefined,
    changes: { path?: string; body?: Buffer; match?: string } = {},
  ) =>
    fetch(copies.service.url + (changes.path ?? path), {
      method: 'PUT',
      body: new Uint8Array(changes.body ?? body),
      headers: {
        'Content-Type': 'application/octet-stream',
        'If-None-Match': changes.match ?? '*',
        ...(authorization && { Authorization: authorization }),
      },
    });
  for (const response of [
    await by(undefined),
    await by(signed['Authorization']!.replace(/.{4}$/, 'AAAA')),
    await by(signed['Authorization'], { body: Buffer.concat([body.subarray(0, -1), Buffer.of(1)]) }),
    await by(signed['Authorization'], { path: `${path}?x` }),
    await by(signed['Authorization'], { match: '"x"' }),
  ]) {
    assert.equal(response.status, 401);
    assert.equal(response.headers.get('www-authenticate'), 'Sync');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.ok(response.headers.get('date'), 'for clocks that are wrong');
  }
  assert.equal(await status('PUT', { ...put, ahead: 110_000 }), 201);
});

test('an object that does not fit its path, its form or the state before is refused', async () => {
  const owner = new Hand();
  const path = pathOf('vault', owner);
  const good = objectOf('vault', owner);
  const changed = (at: number, value: number): Buffer => {
    const copy = Buffer.from(good);
    copy[at] = value;
    return copy;
  };
  const bad: [what: string, body: Buffer][] = [
    ['no object', Buffer.from('{}')],
    ['other first bytes', changed(0, 0)],
    ['version 2', changed(4, 2)],
    ['another kind', changed(5, 1)],
    ['a state that there is not', changed(6, 2)],
    ['another length', changed(7, 1)],
    ['another id', changed(40, good[40]! ^ 1)],
    ['another owner', changed(72, good[72]! ^ 1)],
    ['a writer', changed(104, 1)],
    ['counter 0', changed(143, 0)],
    ['a state before the first', changed(144, 1)],
    ['one byte less', good.subarray(0, -1)],
    ['of another key', objectOf('vault', new Hand())],
    ['a tombstone', objectOf('vault', owner, { counter: 2n, before: good, tombstone: owner })],
  ];
  for (const [what, body] of bad)
    assert.equal(await refusal('PUT', { path, by: owner, body, match: '*' }), '422 copy.refused', what);
  assert.equal(await refusal('PUT', { path, by: owner, body: good }), '400 copy.condition');
  assert.equal(
    await refusal('PUT', { path, by: owner, body: good, match: '*', type: 'application/json' }),
    '415 request.media-type',
  );
  assert.equal(
    await refusal('PUT', { path, by: owner, body: Buffer.alloc(65_537), match: '*' }),
    '413 request.too-large',
  );
  assert.equal(await status('PUT', { path, by: owner, body: good, match: '*' }), 201);
  const match = etagOf(good);
  for (const [what, state] of Object.entries<State>({
    'the same counter': { counter: 1n, before: good },
    'a counter far above': { counter: 2n + 2n ** 20n, before: good },
    'not the state before': { counter: 2n, before: objectOf('vault', new Hand()) },
  }))
    assert.equal(
      await refusal('PUT', { path, by: owner, body: objectOf('vault', owner, state), match }),
      '422 copy.refused',
      what,
    );
  assert.equal(
    await refusal('DELETE', {
      path,
      by: owner,
      body: objectOf('vault', owner, { counter: 2n, before: good }),
      match,
    }),
    '422 copy.refused',
  );
  // A device that saw states which were lost goes on above them.
  assert.equal(
    await status('PUT', {
      path,
      by: owner,
      body: objectOf('vault', owner, { counter: 900n, before: good }),
      match,
    }),
    204,
  );
  const unknown = pathOf('vault', new Hand());
  assert.equal(await refusal('GET', { path: unknown, by: owner }), '404 request.not-found');
  for (const odd of ['/sync/vault/x', `/sync/other/${path.slice(12)}`, `${path.slice(0, -1)}B`])
    assert.equal(await refusal('GET', { path: odd, by: owner }), '404 request.not-found', odd);
});

test('a browser asks before, and only the wallet’s page is allowed', async () => {
  const path = pathOf('slot', new Hand());
  const ask = (origin: string) =>
    fetch(copies.service.url + path, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'authorization,if-match',
      },
    });
  const { status: code, headers } = await ask(FRAME);
  assert.equal(code, 204);
  assert.equal(headers.get('access-control-allow-origin'), FRAME);
  assert.match(headers.get('access-control-allow-methods')!, /GET, PUT, DELETE/);
  assert.match(
    headers.get('access-control-allow-headers')!,
    /Authorization, Content-Type, If-Match, If-None-Match/,
  );
  assert.equal(headers.get('access-control-allow-credentials'), null);
  assert.equal((await ask('https://shop.example')).headers.get('access-control-allow-origin'), null);
  const terms = await fetch(`${copies.service.url}/sync`, { headers: { Origin: FRAME } });
  assert.deepEqual(
    [terms.headers.get('access-control-allow-origin'), await terms.json()],
    [FRAME, { years: 3 }],
  );
  const read = await send('GET', { path, by: new Hand() });
  assert.match(read.headers.get('access-control-expose-headers')!, /Date, ETag, Retry-After/);
});

test('reads, writes and new copies are limited, and so is their number', async () => {
  const limited = await startCopies({ readsPerHour: 2, writesPerDay: 2, newPerHour: 5, most: 4 });
  try {
    const owner = new Hand();
    const path = pathOf('vault', owner);
    const first = objectOf('vault', owner);
    assert.equal(await status('PUT', { path, by: owner, body: first, match: '*' }, limited), 201);
    assert.deepEqual(
      [await status('GET', { path, by: owner }, limited), await status('GET', { path, by: owner }, limited)],
      [200, 200],
    );
    for (let n = 0; n < 3; n++)
      assert.equal(await status('GET', { path, by: new Hand() }, limited), 404, 'strangers use nothing up');
    const refused = await send('GET', { path, by: owner }, limited);
    assert.equal(refused.status, 429);
    const wait = Number(refused.headers.get('retry-after'));
    assert.ok(wait > 3000 && wait <= 3600, String(wait));
    let before = first;
    for (const expected of [204, 204, 429]) {
      const body = objectOf('vault', owner, { counter: before.readBigUInt64BE(136) + 1n, before });
      assert.equal(await status('PUT', { path, by: owner, body, match: etagOf(before) }, limited), expected);
      if (expected === 204) before = body;
    }
    const create = (): Promise<number> => {
      const other = new Hand();
      return status(
        'PUT',
        { path: pathOf('vault', other), by: other, body: objectOf('vault', other), match: '*' },
        limited,
      );
    };
    const created = [await create(), await create(), await create(), await create(), await create()];
    assert.deepEqual(created, [201, 201, 201, 507, 429]);
    const tombstone = objectOf('vault', owner, {
      counter: before.readBigUInt64BE(136) + 1n,
      before,
      tombstone: owner,
    });
    assert.equal(
      await status('DELETE', { path, by: owner, body: tombstone, match: etagOf(before) }, limited),
      204,
      'removal is not limited',
    );
  } finally {
    await limited.service.close();
  }
});

test('what nobody used for years is deleted, but no slot whose vault is in use, and tombstones after 400 days', async () => {
  const { db } = copies.service.service;
  const table = new CopyTable(db);
  const vault = new Hand();
  const drawer = new Hand();
  const used = objectOf('vault', vault);
  await status('PUT', { path: pathOf('vault', vault), by: vault, body: used, match: '*' });
  await status('PUT', {
    path: pathOf('slot', drawer),
    by: drawer,
    body: objectOf('slot', drawer, { writer: vault }),
    match: '*',
  });
  const left = await newSlot();
  const removed = await newSlot();
  const tombstone = objectOf('slot', removed.owner, {
    writer: removed.writer,
    counter: 2n,
    before: removed.object,
    tombstone: removed.owner,
  });
  await status('DELETE', {
    path: removed.path,
    by: removed.owner,
    body: tombstone,
    match: etagOf(removed.object),
  });
  const age = (owner: Hand, days: number) =>
    sql`update copies set used_on = current_date - ${days}::integer where owner = ${owner.publicKey}`.execute(
      db,
    );
  const isThere = async (kind: CopyKind, owner: Hand) =>
    (await status('GET', { path: pathOf(kind, owner), by: owner })) !== 404;
  await age(drawer, 1500);
  await age(left.owner, 1500);
  await age(vault, 1000);
  await age(removed.owner, 399);
  await table.sweep(3);
  assert.deepEqual(
    await Promise.all([isThere('vault', vault), isThere('slot', left.owner), isThere('slot', removed.owner)]),
    [true, false, true],
  );
  // The vault was read just now, so its other slot stays.
  await table.sweep(3);
  assert.equal(await isThere('slot', drawer), true);
  await age(removed.owner, 401);
  await age(vault, 1500);
  await age(drawer, 1500);
  await table.sweep(3);
  assert.deepEqual(
    await Promise.all([isThere('vault', vault), isThere('slot', drawer), isThere('slot', removed.owner)]),
    [false, false, false],
  );
});

test('operators see how many there are, and nothing that tells one from another', async () => {
  const { path } = await newSlot();
  const metrics = await (await copies.service.get('/metrics')).text();
  assert.match(metrics, /encrypted_copies\{kind="slot",state="kept"\} \d+/);
  assert.match(metrics, /encrypted_copy_bytes\{kind="vault",state="removed"\} \d+/);
  assert.match(metrics, /route="\/sync\/:kind\/:id"/);
  const ids = [path, pathOf('slot', new Hand())].map((each) => each.split('/')[3]!);
  await copies.service.post(`/sync/slot/${ids[1]}`, {});
  await copies.service.get(`/sync/slot/${ids[1]}/more`);
  const seen = metrics + copies.service.log.join('\n');
  for (const id of ids) assert.ok(!seen.includes(id));
  const document = (await (await copies.service.get('/openapi.json')).json()) as {
    paths: Record<string, object>;
  };
  assert.deepEqual(Object.keys(document.paths['/sync/{kind}/{id}']!), ['get', 'put', 'delete']);
  assert.match(await (await copies.service.get('/docs')).text(), /\/sync\/\{kind\}\/\{id\}/);
});

test('without a frame there is nothing', async () => {
  const { startTested } = await import('./harness.ts');
  const service = await startTested({ frameUrl: undefined });
  try {
    const answer = await service.get(`/sync/slot/${Buffer.from(newPasskey()).toString('base64url')}`);
    assert.equal(answer.status, 404);
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
    assert.equal(await readTerms({ url: service.url, clock: systemClock }), undefined);
  } finally {
    await service.close();
  }
});
