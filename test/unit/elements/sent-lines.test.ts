import { expect } from '@open-wc/testing';
import { SENT_ITEM } from '../../../src/elements/connect-element.ts';
import { SentLines } from '../../../src/elements/sent-lines.ts';
import { ConnectProgressEvent } from '../../../src/elements/events.ts';
import { TestClock } from '../clock.ts';
import { ether, FakeConnect, MAIN, RECIPIENT, TOKEN, TWO_NETWORKS } from './fake-connect.ts';
import { all, control, settle, show, text, until } from './page.ts';

const HASH = `0x${'ab'.repeat(32)}`;
const GIVEN = { walletId: MAIN.id, secretType: 'ETHEREUM', to: RECIPIENT, value: '0.25' } as const;

const lines = (element: Element): string[] =>
  all<HTMLElement>(element, '.sent .words').map((one) => one.textContent!.trim());
const kept = (): { hash: string }[] => JSON.parse(localStorage.getItem(SENT_ITEM) ?? '[]');

/** Sends, and the wallet answers. */
async function sent(properties = {}, connect = new FakeConnect()) {
  const shown = await show('transfer-dialog', { ...GIVEN, ...properties }, [MAIN], connect);
  const answer = shown.element.show();
  await settle(shown.element);
  connect.last.resolve({ transactionHash: HASH });
  await answer;
  await until(shown.element, () => lines(shown.element).length > 0);
  await settle(shown.element);
  return shown;
}

/** The same below an element that asked for nothing, with a clock that the test moves. */
async function following(connect = new FakeConnect()) {
  const { element } = await show('transfer-dialog', { walletId: MAIN.id }, [MAIN], connect);
  const clock = new TestClock();
  const own = new SentLines(element, clock);
  const render = Object.getPrototypeOf(element).render as () => unknown;
  Object.assign(element, { render: () => [render.call(element), own.render()] });
  await own.add({ transactionHash: HASH }, GIVEN, 'request-1');
  await settle(element);
  return { element, clock, own, connect };
}

describe('what the page sent', () => {
  beforeEach(() => localStorage.removeItem(SENT_ITEM));
  afterEach(() => localStorage.removeItem(SENT_ITEM));

  it('is a line below the element once the wallet has answered, with a link to the explorer', async () => {
    const { element } = await sent();
    expect(lines(element)).to.deep.equal(['0.25 ETH to 0x8f3C…A063 — waiting']);
    expect(all<HTMLAnchorElement>(element, '.sent a')[0]!.href).to.equal(
      `https://explorer.example/tx/${HASH}`,
    );
    expect(all(element, '[role=status]')).to.have.length(1);
    await expect(element).to.be.accessible();
  });

  it('does not say that it waits where a block was quicker than the answer', async () => {
    const connect = new FakeConnect();
    connect.statuses = { [HASH]: 'confirmed' };
    const { element } = await following(connect);
    expect(lines(element)[0]).not.to.include('waiting');
  });

  it('names a token by its contract’s symbol', async () => {
    const connect = new FakeConnect();
    connect.tokens = [
      {
        tokenAddress: TOKEN,
        rawBalance: '0',
        balance: 0,
        decimals: 6,
        symbol: 'USDX',
        logo: '',
        type: 'ERC20',
        transferable: true,
      },
    ];
    const { element } = await sent({ tokenAddress: TOKEN }, connect);
    expect(lines(element)).to.deep.equal(['0.25 USDX to 0x8f3C…A063 — waiting']);
  });

  it('is looked up on the network that it was sent on, after a reload too', async () => {
    const connect = new FakeConnect();
    connect.chainNetworks = TWO_NETWORKS;
    connect.balances['main base'] = ether('0', 'ETHEREUM', 'BASE');
    const asked: unknown[] = [];
    connect.transactionStatus = async (_hash, _chain, options) => {
      asked.push(options?.network);
      return 'pending';
    };
    const { element } = await sent({ network: 'base' }, connect);
    await until(element, () => lines(element)[0] === '0.25 BASE to 0x8f3C…A063 — waiting');
    element.remove();
    const { element: next } = await show('transfer-dialog', {}, [MAIN], connect);
    await until(next, () => lines(next).length > 0);
    const links = () => connect.readsElsewhere.filter((read) => read === 'transactionUrl main base');
    await until(next, () => links().length === 2);
    expect(asked).to.deep.equal(['base', 'base']);
  });

  it('of a built request is named by its hash', async () => {
    const request = { type: 'ETH_TRANSACTION', walletId: MAIN.id, to: RECIPIENT, value: 1 };
    const { element } = await sent({ request });
    expect(lines(element)).to.deep.equal(['Transaction 0xabab…abab — waiting']);
  });

  it('is still there after a reload, below one element only', async () => {
    const { element } = await sent();
    expect(kept().map(({ hash }) => hash)).to.deep.equal([HASH]);
    expect(Object.keys(kept()[0]!).sort(), 'nothing but what the page asked for').to.deep.equal([
      'at',
      'hash',
      'secretType',
      'to',
      'walletId',
      'what',
    ]);
    element.remove();
    const { element: next } = await show('transfer-dialog', {}, [MAIN]);
    await until(next, () => lines(next).length > 0);
    expect(lines(next)).to.deep.equal(['0.25 ETH to 0x8f3C…A063 — waiting']);
    const { element: other } = await show('transfer-dialog', {}, [MAIN]);
    await settle(other);
    expect(lines(other)).to.deep.equal([]);
  });

  it('to a name as long as names may be is still there after a reload, too', async () => {
    const to = `${'a'.repeat(241)}@shop.example`;
    const { element } = await sent({ to });
    element.remove();
    const { element: next } = await show('transfer-dialog', {}, [MAIN]);
    await until(next, () => lines(next).length > 0);
    expect(lines(next)[0]).to.include('0.25 ETH to ').and.include('waiting');
  });

  it('follows the network until a block decides, and is kept no longer', async () => {
    const { element, clock, connect } = await following();
    await clock.pass(3000);
    await settle(element);
    expect(lines(element)).to.deep.equal(['0.25 ETH to 0x8f3C…A063 — waiting']);
    connect.statuses[HASH] = 'confirmed';
    await clock.pass(5000);
    await settle(element);
    expect(lines(element)).to.deep.equal(['0.25 ETH to 0x8f3C…A063 — confirmed']);
    expect(kept()).to.deep.equal([]);
    await clock.pass(120_000);
    expect(clock.waiting, 'nobody is asked any more').to.equal(0);
  });

  it('says that it failed', async () => {
    const { element, clock, connect } = await following();
    connect.statuses[HASH] = 'failed';
    await clock.pass(5000);
    await settle(element);
    expect(lines(element)).to.deep.equal(['0.25 ETH to 0x8f3C…A063 — failed']);
  });

  it('follows the wallet at once, and to the transaction that took its place', async () => {
    const { element } = await following();
    const next = `0x${'cd'.repeat(32)}`;
    element.dispatchEvent(new ConnectProgressEvent('transfer', 'confirmed', 'request-1', next));
    await settle(element);
    expect(lines(element)).to.deep.equal(['0.25 ETH to 0x8f3C…A063 — confirmed']);
    expect(all<HTMLAnchorElement>(element, '.sent a')[0]!.href).to.equal(
      `https://explorer.example/tx/${next}`,
    );
    expect(kept()).to.deep.equal([]);
  });

  describe('and its user replaced in the wallet afterwards', () => {
    const FASTER = `0x${'cd'.repeat(32)}`;
    const CANCELS = `0x${'ef'.repeat(32)}`;

    it('is followed to the one that a block took', async () => {
      const { element, clock, connect } = await following();
      connect.replaced({ transactionHash: HASH, by: FASTER, how: 'speed-up' });
      connect.replaced({ transactionHash: `0x${'99'.repeat(32)}`, by: CANCELS, how: 'cancel' });
      // That it will never be in a block is not the end of it.
      connect.statuses[HASH] = 'failed';
      await clock.pass(3000);
      await settle(element);
      expect(lines(element)).to.deep.equal(['0.25 ETH to 0x8f3C…A063 — waiting']);
      connect.statuses[FASTER] = 'confirmed';
      await clock.pass(5000);
      await settle(element);
      expect(lines(element)).to.deep.equal(['0.25 ETH to 0x8f3C…A063 — confirmed']);
      expect(all<HTMLAnchorElement>(element, '.sent a')[0]!.href).to.equal(
        `https://explorer.example/tx/${FASTER}`,
      );
      expect(kept()).to.deep.equal([]);
    });

    it('is cancelled, or confirmed where that came too late', async () => {
      for (const [mined, word] of [
        [CANCELS, 'cancelled'],
        [HASH, 'confirmed'],
      ] as const) {
        const { element, clock, connect } = await following();
        connect.replaced({ transactionHash: HASH, by: FASTER, how: 'speed-up' });
        connect.replaced({ transactionHash: HASH, by: CANCELS, how: 'cancel' });
        connect.statuses[mined] = 'confirmed';
        await clock.pass(3000);
        await settle(element);
        expect(lines(element)).to.deep.equal([`0.25 ETH to 0x8f3C…A063 — ${word}`]);
        element.remove();
      }
    });

    it('is cancelled by the wallet’s own word, while it is open', async () => {
      const { element, connect } = await following();
      connect.replaced({ transactionHash: HASH, by: CANCELS, how: 'cancel' });
      element.dispatchEvent(new ConnectProgressEvent('transfer', 'failed', 'request-1', CANCELS));
      await settle(element);
      expect(lines(element)).to.deep.equal(['0.25 ETH to 0x8f3C…A063 — cancelled']);
    });

    it('is so after a reload, too', async () => {
      const first = await following();
      first.connect.replaced({ transactionHash: HASH, by: CANCELS, how: 'cancel' });
      first.element.remove();
      expect(JSON.parse(localStorage.getItem(SENT_ITEM)!)[0].by).to.deep.equal([
        { hash: CANCELS, cancels: true },
      ]);
      const connect = new FakeConnect();
      connect.statuses = { [CANCELS]: 'confirmed' };
      const { element } = await show('transfer-dialog', {}, [MAIN], connect);
      const own = new SentLines(element, new TestClock());
      const render = Object.getPrototypeOf(element).render as () => unknown;
      Object.assign(element, { render: () => [render.call(element), own.render()] });
      own.adopt();
      await until(element, () => text(element).includes('0.25 ETH to 0x8f3C…A063 — cancelled'));
    });
  });

  it('is there for an answer that a former load of the page is owed', async () => {
    const connect = new FakeConnect();
    const { secretType: _, ...asked } = GIVEN;
    connect.answers = [
      { requestId: 'owed-0001', action: 'transfer', asked, state: 'done', result: { transactionHash: HASH } },
    ];
    const { element } = await show('transfer-dialog', {}, [MAIN], connect);
    await until(element, () => lines(element)[0]?.includes('ETH'));
    expect(lines(element)).to.deep.equal(['0.25 ETH to 0x8f3C…A063 — waiting']);
  });

  it('keeps what is sent now apart from an answer that arrives meanwhile', async () => {
    const connect = new FakeConnect();
    const { element } = await show('transfer-dialog', { ...GIVEN }, [MAIN], connect);
    const answer = element.show();
    await settle(element);
    const old = `0x${'cd'.repeat(32)}`;
    const asked = { ...GIVEN, value: '7' };
    connect.arrive({
      requestId: 'owed-1',
      action: 'transfer',
      asked,
      state: 'done',
      result: { transactionHash: old },
    });
    await until(element, () => lines(element)[0]?.includes('ETH'));
    connect.last.resolve({ transactionHash: HASH });
    await answer;
    await until(element, () => lines(element)[1]?.includes('ETH'));
    expect(lines(element)).to.deep.equal([
      '7 ETH to 0x8f3C…A063 — waiting',
      '0.25 ETH to 0x8f3C…A063 — waiting',
    ]);
  });

  it('is there once the user has opened the wallet at a request whose answer was lost', async () => {
    const connect = new FakeConnect();
    connect.answers = [{ requestId: 'owed-0002', action: 'transfer', asked: GIVEN, state: 'unsent' }];
    const { element } = await show('transfer-dialog', {}, [MAIN], connect);
    await until(element, () => text(element).includes('Check in wallet'));
    control(element, 'Check in wallet').click();
    await settle(element);
    connect.last.resolve({ transactionHash: HASH });
    await until(element, () => lines(element)[0]?.includes('ETH'));
    expect(lines(element)).to.deep.equal(['0.25 ETH to 0x8f3C…A063 — waiting']);
  });

  it('can be hidden', async () => {
    const { element } = await sent();
    control(element, 'Hide').click();
    await settle(element);
    expect(lines(element)).to.deep.equal([]);
    expect(kept()).to.deep.equal([]);
    expect(text(element)).to.not.include('waiting');
  });

  it('leaves out what others wrote there, and what is old', async () => {
    const good = {
      hash: HASH,
      secretType: 'ETHEREUM',
      walletId: 'main',
      what: '1 ETH',
      to: RECIPIENT,
      at: Date.now(),
    };
    const list = [
      null,
      5,
      { ...good, secretType: 'toString' },
      { ...good, what: 'x'.repeat(200) },
      { ...good, at: 0 },
      { ...good, by: [{ hash: HASH }] },
    ];
    for (const item of ['{', '5', JSON.stringify(list)]) {
      localStorage.setItem(SENT_ITEM, item);
      const { element } = await show('transfer-dialog', {}, [MAIN]);
      await settle(element);
      expect(lines(element)).to.deep.equal([]);
      element.remove();
    }
    localStorage.setItem(SENT_ITEM, JSON.stringify([good]));
    const { element } = await show('transfer-dialog', {}, [MAIN]);
    await until(element, () => lines(element).length > 0);
    expect(lines(element)).to.deep.equal(['1 ETH to 0x8f3C…A063 — waiting']);
  });
});
