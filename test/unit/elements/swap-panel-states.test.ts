import { expect } from '@open-wc/testing';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { SwapPanel } from '../../../src/elements/swap-panel/swap-panel.ts';
import { pictures } from '../gallery.ts';
import { COLD, MAIN, SAVINGS, TOKEN, TRAVEL, VAULT } from './fake-connect.ts';
import { all, control, settle, type Shown, type } from './page.ts';
import {
  choose,
  crossMarket,
  enter,
  market,
  panel,
  press,
  quoted,
  ratesOf,
  requestsOf,
} from './swap-page.ts';

const HASH = `0x${'5e'.repeat(32)}`;

async function review(): Promise<Shown<SwapPanel>> {
  const connect = market();
  connect.requests = (body) => requestsOf(body, [500_000_000n]);
  const shown = await panel({ fromToken: TOKEN, toToken: '', amount: '500' }, connect, [MAIN, VAULT]);
  await quoted(shown.element);
  await press(shown.element, 'Review');
  return shown;
}

async function steps(end: 'waiting' | 'failed' | 'done'): Promise<Shown<SwapPanel>> {
  const shown = await review();
  const { element, connect } = shown;
  await press(element, 'Swap');
  const { options } = connect.last;
  const requestId = options.requestId!;
  const other = `0x${'91'.repeat(32)}`;
  options.onProgress?.({ requestId, stage: 'broadcast', transactionHash: HASH });
  options.onProgress?.({ requestId, stage: 'broadcast', transactionHash: other });
  if (end === 'waiting') return shown;
  connect.last.resolve([{ transactionHash: HASH }, { transactionHash: other }]);
  await settle(element);
  const stage = end === 'done' ? 'confirmed' : 'failed';
  options.onProgress?.({ requestId, stage, transactionHash: other });
  await settle(element);
  return shown;
}

/** To another chain, up to its offer. */
async function across(wallets: Wallet[], connect = crossMarket()): Promise<Shown<SwapPanel>> {
  const shown = await panel({}, connect, wallets);
  await choose(shown.element, 'Buy', 'bitcoin');
  await enter(shown.element, 'Sell', '1');
  return shown;
}

const STATES: Record<string, () => Promise<Shown<SwapPanel>>> = {
  empty: () => panel(),
  'nothing linked': async () => {
    const shown = await panel({}, market(), []);
    shown.element.swap().catch(() => {});
    await settle(shown.element);
    return shown;
  },
  rates: async () => {
    const shown = await panel({}, market(), [MAIN, VAULT, TRAVEL]);
    await enter(shown.element, 'Sell', '0.5');
    return shown;
  },
  'waiting for rates': async () => {
    const connect = market();
    connect.swapRates = () => new Promise(() => {});
    const shown = await panel({}, connect);
    type(control(shown.element, 'Sell'), '0.5');
    await settle(shown.element);
    await press(shown.element, 'Review');
    return shown;
  },
  'a picker': async () => {
    const shown = await panel();
    await press(shown.element, 'Buy token: USDX');
    return shown;
  },
  errors: async () => {
    const connect = market();
    connect.rates = (query) => ratesOf(query, [3000], 12);
    const shown = await panel({}, connect);
    await enter(shown.element, 'Sell', '5');
    await press(shown.element, 'Review');
    return shown;
  },
  review,
  steps: () => steps('waiting'),
  'to another chain': () => across([MAIN, SAVINGS, COLD]),
  'to another chain, without a wallet there': () => across([MAIN]),
  'all chains to choose from': async () => {
    const shown = await panel({}, crossMarket(), [MAIN, SAVINGS, COLD]);
    await press(shown.element, 'Sell token: ETH');
    return shown;
  },
  'to another chain, not available now': async () => {
    const connect = crossMarket();
    const details = { reason: 'halted' };
    const reason = { exchange: 'THORChain', code: 'swap.thorchain.unavailable', message: 'Halted.', details };
    connect.rates = () => ({ exchangeRates: [], bestRate: null, noRates: [reason] });
    return across([MAIN, SAVINGS], connect);
  },
  'to another chain, review': async () => {
    const shown = await across([MAIN, SAVINGS]);
    await press(shown.element, 'Review');
    return shown;
  },
  'to another chain, on its way': async () => {
    const shown = await across([MAIN, SAVINGS]);
    await press(shown.element, 'Review');
    await press(shown.element, 'Swap');
    shown.connect.last.resolve([{ transactionHash: HASH }]);
    await settle(shown.element);
    return shown;
  },
  failed: () => steps('failed'),
  done: () => steps('done'),
};

// The tests' page has no title of its own.
const RULES = { ignoredRules: ['region', 'landmark-one-main', 'page-has-heading-one', 'heading-order'] };

pictures('swap-panel', 'page', Object.keys(STATES), async (name, { theme }) => {
  sessionStorage.clear();
  const { element } = await STATES[name]!();
  element.parentElement!.className = theme;
  element.theme = theme;
  await settle(element);
  return element;
});

for (const [name, state] of Object.entries(STATES))
  describe(`swap-panel, ${name}`, () => {
    beforeEach(() => sessionStorage.clear());
    for (const look of ['light', 'dark', 'rtl'] as const)
      it(`has nothing for axe to say: ${look}`, async () => {
        if (look === 'rtl') document.documentElement.dir = 'rtl';
        try {
          const { element } = await state();
          const theme = look === 'dark' ? 'dark' : 'light';
          element.parentElement!.style.background = theme === 'dark' ? '#0d1015' : '#ffffff';
          element.theme = theme;
          await settle(element);
          await expect(element).to.be.accessible(RULES);
          expect(all(element, 'style, [style], script').length).to.equal(0);
        } finally {
          document.documentElement.dir = '';
        }
      });

    it('fits a column of 320 pixels', async () => {
      const { element } = await state();
      element.parentElement!.style.inlineSize = '320px';
      await settle(element);
      const edge = element.parentElement!.getBoundingClientRect().right + 1;
      const wide = all(element, '*:not(.sr)').filter((each) => each.getBoundingClientRect().right > edge);
      expect(wide.map((each) => each.outerHTML.slice(0, 80))).to.deep.equal([]);
    });
  });
