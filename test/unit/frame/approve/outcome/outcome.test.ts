import { expect } from '@open-wc/testing';
import type { Chain } from '../../../../../src/chains/chain.ts';
import type { Node, ParsedRequest } from '../../../../../src/chains/terms.ts';
import { ConnectError } from '../../../../../src/base/errors.ts';
import { moveCoins } from '../../../../../src/frame/wallets/offer-move-flow.ts';
import { poll } from '../../../../waiting.ts';
import { turns } from '../../../turns.ts';
import { NETWORKS, ORIGIN, type World, settled, unreachable, until, world } from '../../world.ts';

const HASH = `0x${'1'.padStart(64, '0')}`;

describe('an expired transaction', () => {
  it('has its own text', async () => {
    const w = await world();
    w.chain.expired.add(HASH);
    const asked = w.transfer();
    await w.approve();
    await w.title('Not sent');
    expect(w.text()).to.include('It expired before a block included it. Nothing was spent.');
    expect(w.text(), 'no explorer has it').to.not.include('View on explorer');
    await w.press('Close');
    await settled(asked);
    expect(asked.progress.at(-1)).to.equal('failed');
    const record = await w.vault.activity.get(HASH);
    expect([record?.state, record?.expired]).to.deep.equal(['failed', true]);
  });

  it('is refused if no node had it before', async () => {
    const w = await world();
    w.chain.failBroadcast = unreachable();
    const asked = w.transfer('order-1001');
    await w.approve();
    await w.title('Approved but not sent');
    await w.press('Close');
    await settled(asked);
    w.chain.expired.add(HASH);
    const resumed = w.ask('resume', { requestId: 'order-1001' });
    await settled(resumed);
    expect(resumed.error?.code).to.equal('transaction.refused');
    expect(resumed.error?.details['reason']).to.equal('expired');
    expect((await w.vault.journal.get(ORIGIN, 'order-1001'))?.state).to.equal('failed');
    const again = w.transfer('order-1001');
    await settled(again);
    expect(again.error?.code, 'nothing is signed for it again').to.equal('transaction.refused');
    expect(w.chain.signed).to.have.length(1);
  });

  it('does not count as sent just because a chain knows that it expired', async () => {
    const w = await world();
    w.chain.failBroadcast = new ConnectError('transaction.refused', 'The network refused it: expired.', {
      reason: 'expired',
    });
    w.chain.expired.add(HASH);
    const asked = w.transfer();
    await w.approve();
    await w.title('Not sent');
    await settled(asked);
    expect(asked.error?.details['reason']).to.equal('expired');
  });
});

describe('the outcome of a transaction', () => {
  for (const state of ['confirmed', 'failed'] as const)
    it(`is not shown to a user who leaves just before it is ready: ${state}`, async () => {
      const w = await world();
      w.chain.mines = false;
      const asked = w.transfer();
      await w.approve();
      await w.confirming();
      const { open } = w.frame.stage;
      const titles: string[] = [];
      w.frame.stage.open = function (view, options) {
        titles.push(view.localName);
        return open.call(this, view, options) as never;
      };
      const { setReceipt } = w.vault.activity;
      w.vault.activity.setReceipt = async (...receipt) => {
        await setReceipt.apply(w.vault.activity, receipt);
        // From here on, nobody but the sending view awaits a click.
        void turns(1).then(() => w.press('Close'));
      };
      w.chain.known.set(HASH, state);
      await w.clock.pass(1000);
      await w.closed();
      await until(() => asked.progress.at(-1) === state);
      expect(titles).to.deep.equal([]);
    });
});

describe('a payment of a signed order', () => {
  for (const surface of ['iframe', 'popup'] as const)
    it(`ends with the order’s own price and number, and leads back to the shop: ${surface}`, async () => {
      const w = await world({ surface });
      const { describe } = w.chain.chain;
      w.chain.chain.describe = async (draft) => ({
        ...(await describe(draft)),
        order: {
          state: 'signed',
          merchant: 'Fernhill Outfitters',
          total: 3050,
          currency: 'USD',
          reference: 'A-1042',
          items: 2,
          expires: w.clock.now() + 600_000,
        },
      });
      const asked = w.transfer();
      await w.approve();
      await w.title('Paid $30.50');
      await settled(asked);
      const text = w.text().replace(/\s+/g, ' ');
      expect(text).to.include('Fernhill Outfitters has your payment.');
      expect(text).to.include('A-1042 · 2 items');
      expect(text, 'its price by another rate').not.to.match(/\$(?!30\.50)/);
      await w.press('Back to the shop');
      await w.closed();
    });
});

describe('the fee of a transaction', () => {
  it('is stored once it is final', async () => {
    const w = await world();
    const asked = w.transfer();
    await w.approve();
    await w.title('Sent');
    await settled(asked);
    expect(w.text()).to.include('0.000000000000252 ETH');
    expect(String((await w.vault.activity.get(HASH))?.fee)).to.equal('252000');
  });
});

describe('a network that needs several confirmations', () => {
  const networks = { ...NETWORKS, networks: [{ ...NETWORKS.networks[0]!, confirmations: 3 }] };

  it('shows what is sent in its first block, and calls it confirmed when it has them', async () => {
    const w = await world({ networks });
    w.chain.confirmations = 1;
    const asked = w.transfer();
    await w.approve();
    await w.title('Sent');
    await settled(asked);
    const state = async () => (await w.vault.activity.get(HASH))?.state;
    const shows = (text: string) => poll(() => w.text().replace(/\s+/g, ' ').includes(text), text);
    /** The network is asked every 8 s; when the wallet waits for that again is not seen. */
    const laterShows = (text: string) =>
      poll(async () => {
        await w.clock.pass(8000);
        return w.text().replace(/\s+/g, ' ').includes(text);
      }, text);
    await shows('Waiting for confirmation 1 / 3');
    expect(w.text()).to.not.include('confirmed');
    expect([await state(), asked.progress.at(-1)]).to.deep.equal(['pending', 'broadcast']);
    w.chain.confirmations = 2;
    await laterShows('Waiting for confirmation 2 / 3');
    w.chain.confirmations = 3;
    await laterShows('The network has confirmed it.');
    await until(() => asked.progress.at(-1) === 'confirmed');
    expect(await state()).to.equal('confirmed');
  });

  it('sends again what a reorganisation removed', async () => {
    const w = await world({ networks });
    w.chain.confirmations = 1;
    const asked = w.transfer();
    await w.approve();
    await w.title('Sent');
    w.chain.known.delete(HASH);
    w.chain.mines = false;
    await poll(async () => {
      await w.clock.pass(8000);
      return w.chain.broadcasts.length === 2;
    }, 'the second broadcast');
    expect(new Set(w.chain.broadcasts.map(({ raw }) => raw)).size).to.equal(1);
    expect([(await w.vault.activity.get(HASH))?.state, asked.progress.at(-1)]).to.deep.equal([
      'pending',
      'broadcast',
    ]);
    w.chain.known.set(HASH, 'confirmed');
    w.chain.confirmations = 3;
    await poll(async () => {
      await w.clock.pass(8000);
      return asked.progress.at(-1) === 'confirmed';
    }, 'its confirmation');
  });
});

describe('moving coins from another address of the key', () => {
  const withSweep = (w: World, prepare: () => Promise<unknown>): Chain => ({
    ...w.chain.chain,
    sweep: { find: async () => undefined as never, prepare: prepare as never },
  });
  const draft = (w: World) => async () => {
    const request = { type: 'sweep', walletId: w.wallet.id } as unknown as ParsedRequest;
    const node = { network: w.frame.networks.networks[0]! } as Node;
    return w.chain.chain.prepare(request, w.wallet.address, node, { used: [], own: [], reported: [] });
  };
  const run = (w: World, prepare: () => Promise<unknown>) => {
    const controller = new AbortController();
    const options = { signal: controller.signal, requestId: 'manage-1' };
    const frame = { ...w.frame, chain: async () => withSweep(w, prepare) };
    return moveCoins(frame, 'sweep', w.vault, w.wallet, options);
  };

  it('is approved as the wallet’s own request, sent, and listed', async () => {
    const w = await world();
    w.chain.summary = { from: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', to: w.wallet.address };
    const done = run(w, draft(w));
    await until(() => w.text().includes('Move coins here'));
    expect(w.shell.own, 'no site asks for it').to.equal(true);
    await until(() => w.text().includes('1BvB'));
    await w.approve();
    await w.title('Sent');
    await w.press('Done');
    await done;
    const [record] = await w.vault.activity.list(w.wallet.id);
    expect(record?.origin).to.equal(location.origin);
    expect(record?.state).to.equal('confirmed');
    expect(await w.vault.journal.unsent()).to.have.length(0);
  });

  it('is not done if the user rejects, or the coins do not cover their fee', async () => {
    const w = await world();
    const rejected = run(w, draft(w)).catch((error: ConnectError) => error.code);
    await until(() => w.text().includes('Move coins here'));
    await w.press('Reject');
    expect(await rejected).to.equal('user.rejected');
    const poor = run(w, async () => {
      throw new ConnectError('transaction.insufficient-funds', 'The coins do not pay their fee.');
    }).catch((error: ConnectError) => error.code);
    expect(await poor).to.equal('transaction.insufficient-funds');
    expect(w.chain.signed).to.have.length(0);
  });

  it('stays in the activity if no node took it', async () => {
    const w = await world();
    w.chain.failBroadcast = unreachable();
    const failed = run(w, draft(w)).catch((error: ConnectError) => error.code);
    await w.approve();
    expect(await failed).to.equal('node.unreachable');
    const [record] = await w.vault.activity.list(w.wallet.id);
    expect([record?.state, record?.raw]).to.deep.equal(['unknown', `0x02${HASH.slice(2)}`]);
  });
});
