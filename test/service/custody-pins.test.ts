import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { clearAttempts, countAttempt, endAttempt, readAttempts } from '../../service/custody/attempts.ts';
import { sql } from 'kysely';
import { Custody } from '../../service/custody/custody.ts';
import { hashSemaphore } from '../../service/custody/pin-hash.ts';
import { joinDatabase } from '../../service/database/database.ts';
import type { ConnectError } from '../../src/base/errors.ts';
import { Semaphore } from '../../service/concurrency/semaphore.ts';
import { poll, within } from '../waiting.ts';
import {
  type CustodyTest,
  OTHER_PIN,
  outcome,
  advanceLocks,
  PIN,
  QUICK,
  startCustody,
} from './custody-setup.ts';

let at: CustodyTest;
before(async () => {
  at = await startCustody();
});
after(() => at.service.close());

const use = (id: string, pin: string, custody: Custody = at.custody) =>
  outcome(custody.withKey(id, pin, () => {}));

test('wrong PINs lock for longer and longer, the right PIN does not help during a lock, and the tenth locks permanently', async () => {
  const { id, recoveryCode } = await at.wallet();
  for (const left of [4, 3, 2, 1]) assert.equal(await use(id, OTHER_PIN), `pincode.wrong ${left}`);
  for (const minutes of [15, 30, 60, 120, 240]) {
    assert.equal(await use(id, OTHER_PIN), `pincode.locked ${minutes} min`);
    await advanceLocks(at.db, id, minutes - 1);
    assert.equal(await use(id, PIN), 'pincode.locked 1 min', 'the right PIN during the lock');
    await advanceLocks(at.db, id, 1);
  }
  assert.equal(await use(id, OTHER_PIN), 'pincode.locked hard');
  await advanceLocks(at.db, id, 100_000);
  assert.equal(await use(id, PIN), 'pincode.locked hard');
  const next = await at.custody.recover(id, recoveryCode, OTHER_PIN);
  assert.equal(await use(id, OTHER_PIN), 'ok');
  assert.notEqual(next, recoveryCode);
  assert.equal(
    await outcome(at.custody.recover(id, recoveryCode, PIN)),
    'request.invalid',
    'a recovery code works once',
  );
  await at.custody.recover(id, next, PIN);
  assert.equal(await use(id, PIN), 'ok');
});

test('the right PIN resets the count', async () => {
  const { id } = await at.wallet();
  for (let round = 0; round < 3; round++) {
    assert.equal(await use(id, OTHER_PIN), 'pincode.wrong 4');
    assert.equal(await use(id, OTHER_PIN), 'pincode.wrong 3');
    assert.equal(await use(id, PIN), 'ok');
  }
  for (const left of [4, 3, 2, 1]) assert.equal(await use(id, OTHER_PIN), `pincode.wrong ${left}`);
  await use(id, OTHER_PIN);
  await advanceLocks(at.db, id, 15);
  assert.equal(await use(id, PIN), 'ok', 'after the lock');
  assert.equal((await readAttempts(at.db, id)).wrong, 0);
  assert.equal(await use(id, OTHER_PIN), 'pincode.wrong 4');
});

test('200 concurrent wrong PINs in two processes count as five', async () => {
  const { id } = await at.wallet();
  const process = () =>
    new Custody(at.db, at.service.service.keys, { cost: QUICK, semaphore: new Semaphore(8) });
  const [one, two] = [process(), process()];
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) => use(id, String(100_000 + i), i % 2 ? one : two)),
  );
  assert.deepEqual(answers.filter((answer) => answer.startsWith('pincode.wrong')).sort(), [
    'pincode.wrong 1',
    'pincode.wrong 2',
    'pincode.wrong 3',
    'pincode.wrong 4',
  ]);
  assert.equal(answers.filter((answer) => answer === 'pincode.locked 15 min').length, 196);
  const row = await at.db.selectFrom('pins').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  assert.equal(row.tries, 5);

  for (const [wrong, minutes] of [15, 30, 60, 120, 240].entries()) {
    await advanceLocks(at.db, id, minutes);
    await Promise.all(Array.from({ length: 20 }, (_, i) => use(id, OTHER_PIN, i % 2 ? one : two)));
    assert.equal((await readAttempts(at.db, id)).wrong, wrong + 6, 'each step counts one attempt');
  }
});

test('concurrent right PINs in six processes, after four wrong ones, lock nobody out', async () => {
  const { id } = await at.wallet();
  for (const left of [4, 3, 2, 1]) assert.equal(await use(id, OTHER_PIN), `pincode.wrong ${left}`);
  const processes = Array.from({ length: 6 }, () => {
    const { keys } = at.service.service;
    return new Custody(at.db, keys, { cost: QUICK, semaphore: new Semaphore(1) });
  });
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => use(id, PIN, processes[i % processes.length])),
  );
  assert.deepEqual([...new Set(answers)], ['ok']);
  assert.equal((await readAttempts(at.db, id)).wrong, 0);
});

test('a right PIN among wrong ones clears only the attempts before its own', async () => {
  const { id } = await at.wallet();
  const tries = [];
  for (let i = 0; i < 4; i++) {
    const attempt = (await countAttempt(at.db, id))!;
    tries.push(attempt);
    assert.equal(await countAttempt(at.db, id), undefined, 'one at a time');
    await endAttempt(at.db, id, attempt);
  }
  await clearAttempts(at.db, id, tries[2]!);
  assert.equal((await readAttempts(at.db, id)).wrong, 1, 'the fourth was wrong');
  await clearAttempts(at.db, id, tries[0]!);
  assert.equal(
    (await readAttempts(at.db, id)).wrong,
    1,
    'an earlier attempt that finishes later clears nothing more',
  );
});

test('an attempt is counted before the PIN is checked, and not if it cannot be checked', async () => {
  const { id } = await at.wallet();
  const full = new Custody(at.db, at.service.service.keys, { cost: QUICK, semaphore: new Semaphore(0, 0) });
  assert.equal(await use(id, OTHER_PIN, full), 'request.rate-limited 1 min');
  const noMaster = new Custody(at.db, {
    current: () => Promise.resolve(1),
    mac: () => Promise.reject(new Error('unreachable')),
  });
  assert.equal(await use(id, OTHER_PIN, noMaster), 'wallet.decrypt.internal-error');
  assert.equal((await readAttempts(at.db, id)).wrong, 0);
  const hashes = new Semaphore(1);
  const busy = new Custody(at.db, at.service.service.keys, { hashes });
  await at.db
    .updateTable('pins')
    .set({ cost: JSON.stringify({ ...QUICK, iterations: 2 }) })
    .where('id', '=', id)
    .execute();
  let free = (): void => {};
  const other = hashes.run(() => new Promise<void>((next) => (free = next)));
  const tried = use(id, PIN, busy);
  await poll(async () => (await readAttempts(at.db, id)).wrong > 0, 'the count');
  free();
  await other;
  assert.equal(await tried, 'pincode.wrong 4', 'a different cost derives a different key');
});

test('while a PIN is hashed, other work can use the only database connection', async () => {
  const { id } = await at.wallet();
  const { db, close } = await joinDatabase(
    { ...at.service.config, databaseConnections: 1 },
    { debug: () => {}, warn: () => {} },
  );
  // It does not end before the other work is done.
  const hashes = new Semaphore(1);
  const custody = new Custody(db, at.service.service.keys, { hashes });
  let free = (): void => {};
  const other = hashes.run(() => new Promise<void>((next) => (free = next)));
  const tried = use(id, PIN, custody);
  await poll(async () => (await readAttempts(at.db, id)).wrong > 0, 'the count');
  assert.equal((await within(readAttempts(db, id), 'other work')).wrong, 1);
  free();
  await other;
  assert.equal(await tried, 'ok');
  await close();
});

test('a try reads its row and is counted while another PIN is hashed, and waits for that core', async () => {
  const { id } = await at.wallet();
  const hashes = new Semaphore(1);
  const custody = new Custody(at.db, at.service.service.keys, { cost: QUICK, hashes });
  let free = (): void => {};
  const other = hashes.run(() => new Promise<void>((next) => (free = next)));
  let answer: string | undefined;
  const tried = use(id, PIN, custody).then((said) => (answer = said));
  await poll(async () => (await readAttempts(at.db, id)).wrong > 0, 'the count');
  for (let n = 0; n < 20; n++) await readAttempts(at.db, id);
  assert.equal(answer, undefined);
  free();
  await other;
  assert.equal(await tried, 'ok');
});

test('a try whose process died delays the next one, but not for ever', async () => {
  const { id } = await at.wallet();
  assert.ok(await countAttempt(at.db, id));
  const next = use(id, PIN);
  await at.db
    .updateTable('pins')
    .set({ trying_until: sql<Date>`trying_until - interval '10 s'` })
    .where('id', '=', id)
    .execute();
  assert.equal(await next, 'ok');
});

test('a caller refused because too many PINs wait learns when to retry', async () => {
  let now = 0;
  const semaphore = new Semaphore(1, 3, () => now);
  await semaphore.run(() => Promise.resolve((now += 450)));
  let free = (): void => {};
  const held = new Promise<void>((next) => (free = next));
  const waiting = Array.from({ length: 4 }, () => semaphore.run(() => held));
  const refused = (await semaphore.run(() => held).catch((error: unknown) => error)) as ConnectError;
  assert.equal(refused.code, 'request.rate-limited');
  assert.deepEqual(refused.details, { retryAfter: 2 });
  free();
  await Promise.all(waiting);
});

test('a flood of PINs is checked in order, within the semaphore’s limit', async () => {
  const semaphore = new Semaphore(3, 100);
  let now = 0;
  let most = 0;
  const order: number[] = [];
  const results = await Promise.allSettled(
    Array.from({ length: 150 }, (_, i) =>
      semaphore.run(async () => {
        most = Math.max(most, ++now);
        order.push(i);
        await new Promise((next) => setImmediate(next));
        now--;
        if (i === 7) throw new Error('fails');
      }),
    ),
  );
  assert.equal(most, 3);
  assert.deepEqual(
    order,
    Array.from({ length: 103 }, (_, i) => i),
  );
  assert.equal(results.filter(({ status }) => status === 'rejected').length, 48);
  await semaphore.run(async () => {});
});

test('PINs are hashed on up to three cores, and one is left to everything else', async () => {
  for (const [cores, atOnce] of [
    [1, 1],
    [2, 1],
    [3, 2],
    [16, 3],
  ] as const) {
    const semaphore = hashSemaphore(cores);
    let [running, most] = [0, 0];
    const hash = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
    };
    await Promise.all(Array.from({ length: 8 }, () => semaphore.run(hash)));
    assert.equal(most, atOnce, `${cores} cores`);
  }
});

test('a master PIN opens all wallets of the account, a wallet’s own PIN only that wallet, each with its own count', async () => {
  const ownerId = await at.account();
  const first = await at.wallet({ ownerId, pinOf: 'account', walletType: 'THREEWAY_SHARED' });
  assert.ok(first.recoveryCode);
  const second = await at.wallet({ ownerId, pinOf: 'account', secretType: 'BITCOIN' });
  assert.equal(second.recoveryCode, undefined, 'the PIN existed already');
  assert.equal(
    await outcome(at.wallet({ ownerId, pinOf: 'account', pin: OTHER_PIN })),
    'pincode.wrong 4',
    'a further wallet requires the master PIN',
  );
  assert.equal(await use(second.id, PIN), 'ok');
  const ownCode = await at.custody.setOwnPin(second.id, PIN, OTHER_PIN);
  assert.equal(await outcome(at.custody.setOwnPin(second.id, PIN, OTHER_PIN)), 'request.conflict');
  assert.equal(await use(second.id, PIN), 'pincode.wrong 4');
  assert.equal(await use(second.id, OTHER_PIN), 'ok');
  for (let i = 0; i < 5; i++) await use(second.id, PIN);
  assert.equal(await use(second.id, OTHER_PIN), 'pincode.locked 15 min');
  assert.equal(await use(first.id, PIN), 'ok', 'the master PIN is not locked');
  await at.custody.pins.change(ownerId, PIN, '4826');
  assert.equal(await use(first.id, '4826'), 'ok');
  assert.equal(await outcome(at.custody.recover(second.id, first.recoveryCode, PIN)), 'request.invalid');
  await at.custody.recover(second.id, ownCode.toLowerCase().replaceAll('-', ' '), PIN);
  assert.equal(await use(second.id, PIN), 'ok');
  assert.equal(await at.custody.pins.has(ownerId), true);
});

test('changing a PIN requires the old one, and only one of two concurrent changes succeeds', async () => {
  const { id, recoveryCode } = await at.wallet();
  assert.equal(await outcome(at.custody.pins.change(id, OTHER_PIN, '4826')), 'pincode.wrong 4');
  const before = await at.db.selectFrom('wallet_secrets').selectAll().where('wallet_id', '=', id).execute();
  const both = await Promise.all(
    ['4826', '5937'].map((next) => outcome(at.custody.pins.change(id, PIN, next))),
  );
  // The second one fails on its PIN if the first changed it before the check, else on the changed row.
  const [first, second] = both.sort();
  assert.equal(first, 'ok');
  assert.match(second!, /^(request\.conflict|pincode\.wrong 4)$/);
  const opens = [await use(id, '4826'), await use(id, '5937')].map((answer) => answer.split(' ')[0]);
  assert.deepEqual(opens.sort(), ['ok', 'pincode.wrong']);
  const after_ = await at.db.selectFrom('wallet_secrets').selectAll().where('wallet_id', '=', id).execute();
  assert.deepEqual(after_, before, 'no key is re-encrypted');
  await at.custody.recover(id, recoveryCode, PIN);
  assert.equal(await use(id, PIN), 'ok');
});

test('a malformed PIN is refused and not counted', async () => {
  const { id } = await at.wallet();
  for (const pin of ['', '123', '1234567', '12a4', '１２３４', '1234\n'])
    assert.equal(await use(id, pin), 'request.invalid', JSON.stringify(pin));
  assert.equal(await outcome(at.custody.pins.change(id, PIN, '12')), 'request.invalid');
  assert.equal(await outcome(at.custody.recover(id, 'x', PIN)), 'request.invalid');
  assert.equal((await readAttempts(at.db, id)).wrong, 0);
});
