import assert from 'node:assert/strict';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { sql } from 'kysely';
import { Custody } from '../../service/custody/custody.ts';
import { exclusiveOn } from '../../service/concurrency/exclusive.ts';
import { newRecoveryCode, readRecoveryCode } from '../../service/custody/recovery-code.ts';
import { seal, unseal, wrappingKey } from '../../service/keys/sealing.ts';
import { joinDatabase } from '../../service/database/database.ts';
import { type KeyProvider, UnknownKeyVersion } from '../../service/keys/key-provider.ts';
import { editWallet } from '../../service/users/edit-wallet.ts';
import { loadChain, SECRET_TYPES } from '../../src/chains/index.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { pause } from '../waiting.ts';
import {
  type CustodyTest,
  newWallet,
  OTHER_PIN,
  outcome,
  PIN,
  QUICK,
  startCustody,
} from './custody-setup.ts';

let at: CustodyTest;
before(async () => {
  at = await startCustody();
});
after(() => at.service.close());

const use = (id: string, pin = PIN, custody: Custody = at.custody) =>
  outcome(custody.withKey(id, pin, () => {}));

const keyOf = (id: string, pin = PIN, custody: Custody = at.custody) =>
  custody.withKey(id, pin, (key) => Buffer.from(key).toString('hex'));

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

test('sealed data opens only with its key and label', () => {
  fc.assert(
    fc.property(
      bytes(32),
      fc.string(),
      fc.uint8Array({ maxLength: 100 }),
      bytes(32),
      fc.string(),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (key, label, plain, otherKey, otherLabel, where, flip) => {
        const sealed = seal(key, label, plain);
        assert.deepEqual([...unseal(key, label, sealed)!], [...plain]);
        if (Buffer.compare(key, otherKey)) assert.equal(unseal(otherKey, label, sealed), undefined);
        if (Buffer.compare(Buffer.from(label), Buffer.from(otherLabel)))
          assert.equal(unseal(key, otherLabel, sealed), undefined);
        const changed = Buffer.from(sealed);
        changed[where % changed.length]! ^= flip;
        assert.equal(unseal(key, label, changed), undefined);
        assert.equal(unseal(key, label, sealed.subarray(0, where % sealed.length)), undefined);
      },
    ),
    { numRuns: 300 },
  );
});

test('the wrapping key differs for each part and purpose', () => {
  fc.assert(
    fc.property(bytes(32), bytes(32), bytes(32), (a, b, c) => {
      fc.pre(Buffer.compare(a, c) !== 0 && Buffer.compare(b, c) !== 0 && Buffer.compare(a, b) !== 0);
      const keys = [
        wrappingKey([a, b], 'x'),
        wrappingKey([c, b], 'x'),
        wrappingKey([a, c], 'x'),
        wrappingKey([b, a], 'x'),
        wrappingKey([a, b], 'y'),
      ].map((key) => key.toString('hex'));
      assert.equal(new Set(keys).size, keys.length);
    }),
  );
});

test('a recovery code has 160 bits, and is read however people type it', () => {
  const codes = Array.from({ length: 200 }, newRecoveryCode);
  assert.equal(new Set(codes.map(({ text }) => text)).size, 200);
  for (const { text, bytes: secret } of codes) {
    assert.match(text, /^([0-9A-HJKMNP-TV-Z]{4}-){7}[0-9A-HJKMNP-TV-Z]{4}$/);
    const typed = text.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
    assert.deepEqual([...readRecoveryCode(typed)], [...secret]);
  }
});

test('every chain’s wallet has a random key that yields its address, and is exported in the chain’s usual format', async () => {
  const ownerId = await at.account();
  for (const secretType of SECRET_TYPES) {
    const chain = await loadChain(secretType);
    const { wallet } = await at.custody.createWallet(newWallet(ownerId, { secretType, kind: 'testnet' }));
    assert.equal(wallet.secret_type, secretType);
    assert.equal(wallet.is_primary, true, 'the first of its chain');
    const address = await at.custody.withKey(wallet.id, PIN, (key) => chain.address(key, 'testnet'));
    assert.equal(address, wallet.address);
    const exported = await at.custody.exportKey(wallet.id, PIN, 'testnet');
    assert.equal(
      await chain.address(await chain.importKey(exported, undefined, 'testnet'), 'testnet'),
      address,
    );
  }
  const again = await at.custody.createWallet(newWallet(ownerId));
  assert.equal(again.wallet.is_primary, false);
});

test('of wallets created concurrently one is primary, one PIN is the master PIN, and one identifier is one wallet', async () => {
  const ownerId = await at.account();
  const identified = await Promise.all(
    Array.from({ length: 8 }, () => at.custody.createWallet(newWallet(ownerId, { identifier: 'till 1' }))),
  );
  assert.equal(new Set(identified.map(({ wallet }) => wallet.id)).size, 1);
  assert.equal(identified.filter(({ recoveryCode }) => recoveryCode).length, 1);
  const user = await at.account();
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      at.custody
        .createWallet(newWallet(user, { pinOf: 'account', device: `device-${i % 2}` }))
        .catch((error: unknown) => {
          assert.ok(error instanceof ConnectError && error.code === 'device.unknown');
          return undefined;
        }),
    ),
  ).then((all) => all.filter((each) => each !== undefined));
  assert.equal(made.length, 4, 'the other device was not enrolled at that time');
  assert.equal(made.filter(({ wallet }) => wallet.is_primary).length, 1);
  assert.equal(made.filter(({ recoveryCode }) => recoveryCode).length, 1);
  for (const { wallet } of made) assert.equal(await use(wallet.id), 'ok');
  const devices = await at.db.selectFrom('devices').selectAll().where('account_id', '=', user).execute();
  assert.equal(devices.length, 1, 'only the device that chose the PIN');
  const orphans = await at.db
    .selectFrom('pins')
    .leftJoin('wallet_secrets', 'pin_id', 'pins.id')
    .select('pins.id')
    .where('wallet_id', 'is', null)
    .execute();
  assert.deepEqual(orphans, []);
});

test('the key is zeroed when the work succeeds or fails', async () => {
  const { id } = await at.wallet();
  const seen: Uint8Array[] = [];
  await at.custody.withKey(id, PIN, (key) => void seen.push(key));
  await assert.rejects(
    at.custody.withKey(id, PIN, (key) => {
      seen.push(key);
      throw new Error('no node');
    }),
    /no node/,
  );
  assert.equal(seen.length, 2);
  for (const key of seen) assert.ok(key.length === 32 && key.every((byte) => byte === 0));
});

test('each cause has its own error', async () => {
  const { id } = await at.wallet();
  assert.equal(await use(randomUUID()), 'wallet.forbidden');
  assert.equal(await outcome(editWallet(at.db, randomUUID(), { archived: true })), 'wallet.forbidden');

  await editWallet(at.db, id, { archived: true });
  assert.equal(await use(id), 'wallet.archived');
  assert.equal(await outcome(at.custody.exportKey(id, PIN, 'mainnet')), 'wallet.archived');
  await editWallet(at.db, id, { archived: false });
  assert.equal(await use(id), 'ok');

  const lost = await at.wallet();
  await at.db.deleteFrom('wallet_secrets').where('wallet_id', '=', lost.id).execute();
  assert.equal(await use(lost.id), 'wallet.secret.not-found');

  const odd = await at.wallet();
  await at.db.updateTable('pins').set({ cost: '{"memory":"much"}' }).where('id', '=', odd.id).execute();
  assert.equal(await use(odd.id), 'wallet.secret.internal-error');

  const refused = new Custody(at.db, {
    current: () => Promise.reject(new Error('sealed')),
    mac: () => Promise.reject(new Error('sealed')),
  });
  assert.equal(await use(id, PIN, refused), 'wallet.decrypt.internal-error');
  const count = () =>
    at.db
      .selectFrom('wallets')
      .select((is) => is.fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow();
  const wallets = await count();
  assert.equal(
    await outcome(refused.createWallet(newWallet(await at.account()))),
    'wallet.encrypt.internal-error',
  );
  assert.deepEqual(await count(), wallets, 'nothing was stored');

  // An unreadable table: the database's error is not passed on.
  await sql`alter table wallet_secrets rename to gone`.execute(at.db);
  assert.equal(await use(id), 'wallet.secret.internal-error');
  await sql`alter table gone rename to wallet_secrets`.execute(at.db);
  assert.equal(await use(id), 'ok');
});

test('tampering with the database opens nothing', async () => {
  const [mine, other] = [await at.wallet(), await at.wallet({ pin: OTHER_PIN })];
  const { db } = at;
  const wrong = async (change: () => Promise<unknown>, expected: string): Promise<void> => {
    const pin = await db.selectFrom('pins').selectAll().where('id', '=', mine.id).executeTakeFirstOrThrow();
    const secret = await db
      .selectFrom('wallet_secrets')
      .selectAll()
      .where('wallet_id', '=', mine.id)
      .executeTakeFirstOrThrow();
    const wallet = await db
      .selectFrom('wallets')
      .selectAll()
      .where('id', '=', mine.id)
      .executeTakeFirstOrThrow();
    await change();
    assert.equal(await use(mine.id), expected, String(change));
    const { cost, ...columns } = pin;
    await db
      .updateTable('pins')
      .set({ ...columns, cost: JSON.stringify(cost) })
      .where('id', '=', mine.id)
      .execute();
    await db.updateTable('wallet_secrets').set(secret).where('wallet_id', '=', mine.id).execute();
    await db.updateTable('wallets').set(wallet).where('id', '=', mine.id).execute();
    assert.equal(await use(mine.id), 'ok');
  };
  const pins = (columns: object) => () =>
    db.updateTable('pins').set(columns).where('id', '=', mine.id).execute();
  const secrets = (columns: object) => () =>
    db.updateTable('wallet_secrets').set(columns).where('wallet_id', '=', mine.id).execute();
  const theirs = await db.selectFrom('pins').selectAll().where('id', '=', other.id).executeTakeFirstOrThrow();
  const theirSecret = await db
    .selectFrom('wallet_secrets')
    .selectAll()
    .where('wallet_id', '=', other.id)
    .executeTakeFirstOrThrow();

  const decrypt = 'wallet.decrypt.internal-error';
  await wrong(pins({ share: theirs.share }), decrypt);
  await wrong(pins({ share: randomBytes(60) }), decrypt);
  await wrong(pins({ share: Buffer.alloc(0) }), decrypt);
  await wrong(pins({ master_version: 7 }), decrypt);
  await wrong(pins({ by_pin: theirs.by_pin, salt: theirs.salt }), 'pincode.wrong 4');
  await wrong(pins({ salt: randomBytes(16) }), 'pincode.wrong 4');
  await wrong(secrets({ data_key: theirSecret.data_key }), decrypt);
  await wrong(secrets({ private_key: theirSecret.private_key }), decrypt);
  await wrong(secrets({ data_key: theirSecret.data_key, private_key: theirSecret.private_key }), decrypt);
  await wrong(
    () =>
      db
        .updateTable('wallets')
        .set({ address: '0x0000000000000000000000000000000000000001' })
        .where('id', '=', mine.id)
        .execute(),
    decrypt,
  );
  await wrong(
    () => db.updateTable('wallets').set({ secret_type: 'GOCHAIN' }).where('id', '=', mine.id).execute(),
    decrypt,
  );

  // Another wallet's whole row with a known PIN does not open it either.
  const { id: _id, cost, ...rest } = theirs;
  await pins({ ...rest, cost: JSON.stringify(cost) })();
  assert.equal(await use(mine.id, OTHER_PIN), decrypt);
});

test('without the master key the database opens nothing, even with every PIN and the recovery code', async () => {
  const { id, recoveryCode } = await at.wallet();
  const another: KeyProvider = {
    current: () => Promise.resolve(1),
    mac: () => Promise.resolve(randomBytes(32)),
  };
  const thief = new Custody(at.db, another, { cost: QUICK });
  assert.equal(await use(id, PIN, thief), 'wallet.decrypt.internal-error');
  assert.equal(await outcome(thief.recover(id, recoveryCode, PIN)), 'wallet.decrypt.internal-error');
  const key = await keyOf(id);
  const dump = await Promise.all(
    ['pins', 'wallet_secrets', 'wallets', 'devices', 'signing_keys', 'accounts'].map((table) =>
      sql`select t::text from ${sql.table(table)} t`.execute(at.db),
    ),
  );
  const text = JSON.stringify(dump.map(({ rows }) => rows));
  for (const secret of [key, PIN, recoveryCode, Buffer.from(readRecoveryCode(recoveryCode)).toString('hex')])
    assert.equal(text.includes(secret), false);
});

/** A master key that rotates, shared by any number of processes. */
function rotating() {
  const keys = [randomBytes(32)];
  const provider = (seen: () => number): KeyProvider => ({
    current: () => Promise.resolve(seen()),
    async mac(label, version) {
      const key = keys[version - 1];
      if (!key || key.length === 0) throw new UnknownKeyVersion(version);
      return createHmac('sha256', key).update(label).digest();
    },
  });
  return { keys, provider };
}

test('the master key rotates while wallets are in use, and the old one is no longer needed afterwards', async () => {
  const { keys, provider } = rotating();
  let current = 1;
  const newer = new Custody(
    at.db,
    provider(() => current),
    { cost: QUICK },
  );
  const older = new Custody(
    at.db,
    provider(() => 1),
    { cost: QUICK },
  );
  // Other tests' PINs are wrapped by the service's own key.
  await at.db.updateTable('pins').set({ master_version: 1000 }).execute();
  const ownerId = await at.account();
  const made = await Promise.all(Array.from({ length: 30 }, () => newer.createWallet(newWallet(ownerId))));
  const ids = made.map(({ wallet }) => wallet.id);
  const before = await Promise.all(ids.map((id) => keyOf(id, PIN, newer)));

  keys.push(randomBytes(32));
  current = 2;
  const versions = () => at.db.selectFrom('pins').select('master_version').where('id', 'in', ids).execute();
  const versionOf = async (id: string) =>
    (await at.db.selectFrom('pins').select('master_version').where('id', '=', id).executeTakeFirstOrThrow())
      .master_version;
  assert.equal(await keyOf(ids[0]!, PIN, newer), before[0]);
  assert.equal(await versionOf(ids[0]!), 2, 'rewrapped on use');
  assert.equal(await keyOf(ids[0]!, PIN, older), before[0]);
  assert.equal(await versionOf(ids[0]!), 2, 'a process with the older key version does not revert it');

  let rewrapping = true;
  const reading = (async () => {
    let reads = 0;
    for (let i = 0; rewrapping; i = (i + 1) % ids.length) {
      const custody = i % 2 ? older : newer;
      assert.equal(await keyOf(ids[i]!, PIN, custody), before[i]);
      reads++;
    }
    return reads;
  })();
  const batches = await Promise.all([newer.pins.rewrap(), newer.pins.rewrap()]);
  rewrapping = false;
  assert.ok((await reading) > 0);
  assert.deepEqual(
    batches.flatMap(({ failed }) => failed),
    [],
  );
  assert.deepEqual(new Set((await versions()).map((row) => row.master_version)), new Set([2]));
  assert.equal((await newer.pins.rewrap()).rewrapped, 0);

  keys[0] = Buffer.alloc(0);
  for (const [i, id] of ids.entries()) assert.equal(await keyOf(id, PIN, newer), before[i]);
  await newer.recover(ids[3]!, made[3]!.recoveryCode!, OTHER_PIN);
  assert.equal(await keyOf(ids[3]!, OTHER_PIN, newer), before[3]);
});

test('an unreadable share is reported, and the others are rewrapped', async () => {
  const { keys, provider } = rotating();
  let current = 1;
  const custody = new Custody(
    at.db,
    provider(() => current),
    { cost: QUICK, warn: (line) => lines.push(line) },
  );
  const lines: string[] = [];
  await at.db.updateTable('pins').set({ master_version: 1000 }).execute();
  const ownerId = await at.account();
  const [broken, whole] = await Promise.all(
    [1, 2].map(() => custody.createWallet(newWallet(ownerId)).then(({ wallet }) => wallet.id)),
  );
  await at.db
    .updateTable('pins')
    .set({ share: randomBytes(60) })
    .where('id', '=', broken!)
    .execute();
  keys.push(randomBytes(32));
  current = 2;
  assert.deepEqual(await custody.pins.rewrap(), { rewrapped: 1, failed: [broken] });
  assert.equal(lines.length, 1);
  assert.equal(await use(whole!, PIN, custody), 'ok');
});

test('a failed rewrap does not prevent a wallet’s use', async () => {
  const { keys, provider } = rotating();
  let current = 1;
  const warnings: string[] = [];
  const custody = new Custody(
    at.db,
    provider(() => current),
    {
      cost: QUICK,
      warn: (line) => warnings.push(line),
    },
  );
  const { wallet } = await custody.createWallet(newWallet(await at.account()));
  current = 2;
  assert.equal(keys.length, 1);
  assert.equal(await use(wallet.id, PIN, custody), 'ok');
  assert.equal(warnings.length, 1);
});

test('a wallet signs one request at a time across processes, without blocking other wallets', async () => {
  const second = await joinDatabase(at.service.config, { debug: () => {}, warn: () => {} });
  const processes = [exclusiveOn(at.db, 10), exclusiveOn(second.db, 10)];
  const id = randomUUID();
  let inside = 0;
  let most = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    most = Math.max(most, ++inside);
    // Long enough for another to come in, if it could.
    await pause(2);
    inside--;
    done++;
  };
  await Promise.all(Array.from({ length: 60 }, (_, i) => processes[i % 2]!(id, work)));
  assert.deepEqual([most, done], [1, 60]);

  let free: () => void = () => {};
  const held = processes[0]!(id, () => new Promise<void>((resolve) => (free = resolve)));
  await processes[1]!(randomUUID(), work);
  const waiting = Array.from({ length: 40 }, () => processes[0]!(id, work));
  // Waiting for the wallet does not occupy the connection pool.
  assert.equal((await at.db.selectFrom('wallets').select('id').limit(1).execute()).length, 1);
  assert.equal(done, 61);
  free();
  await Promise.all([held, ...waiting]);
  assert.equal(done, 101);

  await assert.rejects(
    processes[0]!(id, () => Promise.reject(new Error('refused'))),
    /refused/,
  );
  await processes[1]!(id, work);

  // Another process waits for a time only, and nothing else of the connection does.
  const hasty = exclusiveOn(second.db, 10, 1);
  const limits: string[] = [];
  await processes[0]!(id, async () => {
    assert.equal(await outcome(hasty(id, work)), 'request.conflict 1 min');
    await hasty(randomUUID(), async (db) => {
      const { rows } = await sql<{ lock_timeout: string }>`show lock_timeout`.execute(db);
      limits.push(rows[0]!.lock_timeout);
    });
  });
  assert.deepEqual(limits, ['0']);
  await second.close();
});

test('work that has lost its lock writes nothing more', async () => {
  const exclusive = exclusiveOn(at.db, 10);
  const id = randomUUID();
  await assert.rejects(
    exclusive(id, async (db) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
      await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(at.db);
      await db.updateTable('wallets').set({ alias: 'twice' }).execute();
    }),
  );
  await exclusive(id, async () => {});
  assert.equal(
    (await at.db.selectFrom('wallets').select('id').where('alias', '=', 'twice').execute()).length,
    0,
  );
});

test('no error and no log contains a secret', async () => {
  const { id, recoveryCode } = await at.wallet();
  const key = await keyOf(id);
  const errors: unknown[] = [];
  const failing = (work: Promise<unknown>) =>
    work.then(
      () => assert.fail(),
      (error: unknown) => errors.push(error),
    );
  const closed = new Custody(at.db, {
    current: () => Promise.resolve(1),
    mac: () => Promise.reject(new Error('closed')),
  });
  await failing(at.custody.withKey(id, OTHER_PIN, () => {}));
  await failing(at.custody.withKey(id, `${PIN}99`, () => {}));
  await failing(at.custody.pins.change(id, OTHER_PIN, PIN));
  await failing(at.custody.recover(id, recoveryCode.slice(2), PIN));
  await failing(
    at.custody.recover(
      id,
      recoveryCode.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')),
      PIN,
    ),
  );
  await failing(closed.withKey(id, PIN, () => {}));
  await failing(closed.createWallet(newWallet(await at.account())));
  await at.db
    .updateTable('pins')
    .set({ share: randomBytes(60) })
    .where('id', '=', id)
    .execute();
  await failing(at.custody.withKey(id, PIN, () => {}));
  assert.equal(errors.length, 8);
  for (const error of errors) {
    assert.ok(error instanceof ConnectError);
    at.service.app.log.error({ err: error }, 'failed');
  }
  const text =
    inspect(errors, { depth: 9, showHidden: true }) + at.service.log.join('') + at.warnings.join('');
  const code = recoveryCode.replaceAll('-', '');
  for (const secret of [PIN, OTHER_PIN, key, recoveryCode, code, recoveryCode.slice(5)])
    assert.equal(text.includes(secret), false);
});
