/** Payments by wallet while nodes are down, lie or contradict themselves, and while two services watch them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runningCluster } from '../../service/database/embedded/cluster.ts';
import { startService } from '../../service/server.ts';
import { poll } from '../waiting.ts';
import { letExpire } from './checkout-setup.ts';
import { newLog } from './logs.ts';
import {
  type Chain,
  coins,
  dollars,
  FAST,
  openTill,
  RECEIVER,
  startChain,
  type Till,
} from './wallet-payments-setup.ts';

/** How often the service has seen a wrong answer before nothing is found to have come of it. */
const LOOKS = 3;

let chain: Chain;
let till: Till;
let payer: string;

before(async () => {
  chain = await startChain();
  till = await openTill([chain.network]);
  payer = chain.accounts[0]!;
});
after(async () => {
  await till?.close();
  await chain?.close();
});

const tokens = () => till.receive({ tokenAddress: chain.token('DUSD') });

test('while the node is down, a session stays open', async () => {
  await tokens();
  const session = await till.session();
  const quote = await till.quote(session);
  chain.node.down = true;
  try {
    // Requests from before the outage have finished.
    await poll(async () => {
      const { db } = till.tested.service;
      const cursors = await db
        .selectFrom('wallet_lanes')
        .select('failures')
        .where('failures', '>', 1)
        .execute();
      return cursors.length > 0;
    }, 'a failure');
    await chain.sendToken(payer, chain.token('DUSD'), RECEIVER, dollars(quote));
    await till.endQuotes(session, 20);
    await letExpire(till.tested, session.id);
    assert.equal(await till.refused(await till.session(), 'quote'), '422 checkout.wallet.no-price');
    assert.ok(till.tested.log.some((line) => line.includes('could not be read from a network')));
    assert.equal(await till.stateOf(session), 'open unpaid');
  } finally {
    chain.node.down = false;
  }
  await till.paid(session);
});

for (const asset of ['DUSD', 'ETH'] as const)
  test(`a reorganisation removes a payment in ${asset}, and a new one counts`, async () => {
    await till.receive({ confirmations: 6, ...(asset === 'DUSD' && { tokenAddress: chain.token('DUSD') }) });
    const session = await till.session();
    const quote = await till.quote(session);
    const send = () =>
      asset === 'ETH'
        ? chain.send(payer, RECEIVER, coins(quote))
        : chain.sendToken(payer, chain.token('DUSD'), RECEIVER, dollars(quote));
    const before = await chain.rpc<string>('evm_snapshot');
    const hash = await send();
    await chain.mine(2);
    await till.until(session, 'confirmations', ({ confirmations }) => confirmations === 3);
    await chain.rpc('evm_revert', before);
    // A longer branch without it.
    await chain.mine(9);
    const back = await till.until(session, 'the reorganisation', ({ confirmations }) => confirmations === 0);
    assert.equal(back.transactionHash, hash);
    assert.equal(await till.stateOf(session), 'open unpaid');
    assert.deepEqual(await till.received(`?session=${session.id}`), []);
    await send();
    await till.until(session, 'a confirmation', ({ confirmations }) => confirmations === 1);
    await chain.mine(5);
    await till.paid(session);
    assert.equal((await till.received(`?session=${session.id}`)).length, 1);
  });

test('a node that temporarily forgets a payment loses nothing, and one that lies about the amount pays nothing', async () => {
  await till.receive({ confirmations: 4 });
  const session = await till.session();
  const quote = await till.quote(session);
  await chain.send(payer, RECEIVER, coins(quote));
  await till.until(session, 'a confirmation', ({ confirmations }) => confirmations === 1);
  let reads = 0;
  chain.alter = (call, reply) => {
    if (call.method !== 'eth_getTransactionReceipt') return reply;
    reads++;
    return { ...reply, result: null };
  };
  await chain.mine(6);
  await poll(() => reads > LOOKS, 'reads');
  const forgotten = (await till.page(session)).wallet!.payment!;
  assert.deepEqual([forgotten.state, forgotten.confirmations], ['pending', 1]);
  let lies = 0;
  chain.alter = (call, reply) => {
    if (call.method !== 'eth_getTransactionByHash') return reply;
    lies++;
    return { ...reply, result: { ...(reply.result as object), value: '0x1' } };
  };
  await poll(() => lies > LOOKS, 'lies');
  assert.equal(await till.stateOf(session), 'open unpaid');
  chain.alter = undefined;
  await till.paid(session);
});

for (const wrong of ['{}', '[]', '"x"', '{"number":"0x1"}', '{"number":"-1","hash":1}'])
  test(`a node that answers ${wrong} is not trusted, and no payment is missed`, async () => {
    await tokens();
    const session = await till.session();
    const quote = await till.quote(session);
    let told = 0;
    chain.alter = (call, reply) => {
      if (!/^eth_get(BlockByNumber|Logs|TransactionReceipt)$/.test(call.method)) return reply;
      told++;
      return { ...reply, result: JSON.parse(wrong) as unknown };
    };
    await chain.sendToken(payer, chain.token('DUSD'), RECEIVER, dollars(quote));
    const before = told;
    await poll(() => told > before + LOOKS, 'looks at the wrong answers');
    assert.equal(await till.stateOf(session), 'open unpaid');
    assert.equal(await till.refused(await till.session(), 'quote'), '422 checkout.wallet.no-price');
    chain.alter = undefined;
    await till.paid(session);
  });

test('two services on one database settle once', async () => {
  await tokens();
  const { config } = till.tested;
  const cluster = config.databaseUrl ? undefined : (await runningCluster(config.dataFolder))!;
  const databaseUrl =
    config.databaseUrl ??
    `postgres://${cluster!.user}:${String(cluster!.password)}@${cluster!.host}:${cluster!.port}/${cluster!.database}`;
  const other = await startService(
    { ...config, port: 0, databaseUrl },
    { walletPayments: FAST, logTo: newLog() },
  );
  try {
    const sessions = await Promise.all(Array.from({ length: 8 }, () => till.session()));
    const quotes = await Promise.all(sessions.map((session) => till.quote(session)));
    for (const quote of quotes) await chain.sendToken(payer, chain.token('DUSD'), RECEIVER, dollars(quote));
    for (const session of sessions) await till.paid(session);
    for (const session of sessions)
      assert.deepEqual(
        (await till.shop.events(session.id)).map(({ type }) => type),
        ['payment.succeeded'],
      );
  } finally {
    await other.close();
  }
});
