/** Messages of a hostile page, and what they cannot make the wallet do. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { SignResult } from '../../../src/channel/messages.ts';
import { openWorld, PIN, type Visitor, WalletView, type World } from '../harness.ts';
import { answer, embed, init, request, stillWaiting } from '../raw-host.ts';

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

const HELLO = '0x48656c6c6f';
const codeOf = (message: Record<string, unknown>): string | undefined =>
  (message['error'] as { code: string } | undefined)?.code;

describe('a page that speaks the protocol by itself', () => {
  let visitor: Visitor;
  let wallet: Wallet;
  before(async () => {
    visitor = await world.visit('iframe');
    wallet = await visitor.createWallet();
  });
  after(() => visitor.close());
  afterEach(() => visitor.startAgain());

  const start = async (): Promise<WalletView> => {
    await embed(visitor.page, world.frame);
    await init(visitor.page);
    return new WalletView(visitor.page.locator('#raw').contentFrame(), visitor.page);
  };
  const signing = (data = HELLO) => ({ type: 'ETHEREUM_RAW', walletId: wallet.id, data });
  /** The wallet still works for the same page: the messages before did no harm. */
  let controls = 0;
  const assertStillServes = async (view: WalletView): Promise<void> => {
    const id = `control-${++controls}`;
    await visitor.evaluate(
      ({ requestId, params }) => window.raw.send({ type: 'request', id: requestId, action: 'sign', params }),
      { requestId: id, params: signing() },
    );
    await view.type('PIN', PIN);
    await view.press('Approve');
    const { result } = await answer(visitor.page, id);
    assert.equal((result as SignResult).success, true);
  };
  const assertUnmoved = async (): Promise<void> =>
    assert.equal(await world.chain.getTransactionCount(wallet.address), 0);

  test('lists of 2^32 empty places: each is refused at once, and the wallet goes on', async () => {
    const view = await start();
    await visitor.evaluate(() => {
      const places = Object.assign([], { length: 2 ** 32 - 1 });
      for (const [id, action, params] of [
        ['sparse-0001', 'executeAll', { requests: places }],
        ['sparse-0002', 'linkWallets', { secretTypes: places }],
        ['sparse-0003', 'pending', { requestIds: places }],
        ['sparse-0004', 'execute', { type: 'ETH_TRANSACTION', walletId: 'w', clauses: [[places]] }],
        ['sparse-0005', 'sign', places],
      ] as const)
        window.raw.send({ type: 'request', id, action, params });
    });
    for (let n = 1; n <= 5; n++)
      assert.equal(codeOf(await answer(visitor.page, `sparse-000${n}`)), 'request.invalid');
    await assertStillServes(view);
    await assertUnmoved();
  });

  test('an init that holds such a list: it is not taken, and the next good one is', async () => {
    await embed(visitor.page, world.frame);
    await visitor.evaluate(() => {
      const unlinked = Object.assign([], { length: 2 ** 32 - 1 });
      const { port2 } = new MessageChannel();
      window.raw.post({ type: 'carabiner:init', protocol: 1, mode: 'approve', unlinked }, [port2]);
    });
    await stillWaiting(visitor.page);
    await init(visitor.page);
    assert.equal(
      (await request(visitor.page, 'after-bad-1', 'pending', { requestIds: [] }))['type'],
      'result',
    );
  });

  for (const [what, id] of [
    ['a request of 3,000 levels', 'nested-0001'],
    ['a request that holds itself a million times over', 'doubled-001'],
  ] as const)
    test(`${what}: it has an answer, and the wallet goes on`, async () => {
      const view = await start();
      await visitor.evaluate((named) => {
        let value: unknown = [];
        if (named.startsWith('nested')) for (let level = 0; level < 3000; level++) value = [value];
        else for (let times = 0; times < 20; times++) value = [value, value];
        const params = { type: 'ETH_TRANSACTION', walletId: 'w', value };
        window.raw.send({ type: 'request', id: named, action: 'execute', params });
      }, id);
      assert.equal(codeOf(await answer(visitor.page, id)), 'request.invalid');
      await assertStillServes(view);
      await assertUnmoved();
    });

  test('an open id with another body: refused, and what is signed is what was drawn', async () => {
    const view = await start();
    await visitor.evaluate(
      (params) => window.raw.send({ type: 'request', id: 'open-id-01', action: 'sign', params }),
      signing(),
    );
    await view.box('PIN').waitFor();
    const other = await request(visitor.page, 'open-id-01', 'sign', signing('0x00'));
    assert.equal(codeOf(other), 'request.conflict');
    await visitor.evaluate(() => void (window.raw.heard.length = 0));
    await view.type('PIN', PIN);
    await view.press('Approve');
    const { result } = await answer(visitor.page, 'open-id-01');
    assert.equal((result as SignResult).success, true);
    await assertUnmoved();
  });

  test('21 requests at once: the last is refused, and the first is on screen', async () => {
    const view = await start();
    await visitor.evaluate((params) => {
      for (let n = 1; n <= 21; n++)
        window.raw.send({ type: 'request', id: `flood-${1000 + n}`, action: 'sign', params });
    }, signing());
    assert.equal(codeOf(await answer(visitor.page, 'flood-1021')), 'request.rate-limited');
    await view.type('PIN', PIN);
    await view.press('Approve');
    assert.equal(((await answer(visitor.page, 'flood-1001'))['result'] as SignResult).success, true);
    await assertUnmoved();
  });
});
