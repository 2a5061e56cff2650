/** What a service does on a restored database, beside transactions: refunds by card, keys of an earlier restore, and work of its own. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Fastify from 'fastify';
import { markRestored } from '../../service/backup/restore-backup.ts';
import { whileServing } from '../../service/http/while-serving.ts';
import { accept, waitingRestore } from '../../service/restored/accept.ts';
import { Restored } from '../../service/restored/restored.ts';
import { poll } from '../waiting.ts';
import { commandOn } from './command-setup.ts';
import { startTest, type TestedProvider } from './checkout-providers.ts';
import { openShop, order, type Shop, SUCCESS } from './checkout-setup.ts';
import { type Refunds, refundsOf } from './refunds-setup.ts';

let till: TestedProvider;
let shop: Shop;
let refunds: Refunds;
before(async () => {
  till = await startTest();
  shop = await openShop(till.tested);
  refunds = refundsOf(till.tested, () => shop.headers);
});
after(() => till.close());

async function sold(): Promise<string> {
  const session = await shop.create(order());
  await till.pay(session, SUCCESS);
  return session.id;
}

/** As after a restore of what the database is, without a chain to compare with. Returns the prefix of new keys. */
async function restored(): Promise<string> {
  const { service } = till.tested;
  await markRestored(service.db, service.keys, new Date());
  const waiting = (await waitingRestore(service.db))!;
  await accept(service.db, service.keys, waiting, { wallets: 0, differences: [] }, []);
  service.restored = await Restored.open(service.db);
  return waiting.id;
}

test('a card is refunded again only under a key that is newer than the last restore', async () => {
  const session = await sold();
  assert.equal((await refunds.ask(session, { amount: 100 }, 'known')).outcome, '201');
  const first = await restored();
  const unknown = await refunds.ask(session, { amount: 100 }, 'unknown');
  assert.equal(unknown.outcome, '409 request.conflict');
  assert.deepEqual(unknown.body.details, { reason: 'restored', keyPrefix: first, transactions: [] });
  assert.equal((await refunds.ask(session, { amount: 100 }, 'known')).outcome, '201');
  assert.equal((await refunds.ask(session, { amount: 100 }, `${first}a`)).outcome, '201');
  const second = await restored();
  // It may have been used before the second restore.
  assert.equal((await refunds.ask(session, { amount: 100 }, `${first}b`)).outcome, '409 request.conflict');
  assert.equal((await refunds.ask(session, { amount: 100 }, `${second}b`)).outcome, '201');
  assert.equal((await refunds.list(session)).length, 3);
  // What was sold since has no older refunds.
  assert.equal((await refunds.ask(await sold(), { amount: 100 }, 'any')).outcome, '201');
});

test('a PostgreSQL that other tools restored is marked, and then as safe', async () => {
  const restore = commandOn('restore', () => till.tested.config);
  assert.match(
    (await restore('one.backup')).err,
    /restore that with its tools, then run service:restore -- mark/,
  );
  assert.match((await restore('report')).err, /was not restored, or it is accepted already/);
  for (const wrong of [[], ['--at', 'yesterday'], ['--at', '2999-01-01']])
    assert.match((await restore('mark', ...wrong)).err, /Usage/);
  assert.match((await restore('mark', '--at', '2026-01-31T12:00:00Z')).out, /only read until/);
  assert.ok((await Restored.open(till.tested.service.db)).isReadOnly);
  assert.match((await restore('report')).out, /The back-up is of 2026-01-31T12:00:00\.000Z/);
  assert.equal((await restore('accept', '--yes')).code, 0);
  assert.equal((await Restored.open(till.tested.service.db)).isReadOnly, false);
});

test('nothing is done beside requests before the database is accepted', async () => {
  const app = Fastify();
  let acceptIt!: () => void;
  app.decorate('accepted', new Promise<void>((resolve) => (acceptIt = resolve)));
  const done: string[] = [];
  whileServing(app, () => {
    done.push('started');
    return {
      stop: async () => {
        done.push('stopped');
      },
    };
  });
  await app.ready();
  assert.deepEqual(done, []);
  acceptIt();
  await poll(() => done.length > 0, 'the work');
  await app.close();
  assert.deepEqual(done, ['started', 'stopped']);
});
