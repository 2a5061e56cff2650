import { expect } from '@open-wc/testing';
import type { Summary } from '../../../../src/chains/approval/summary.ts';
import { writeAmountsIn } from '../../../../src/ui/amount-text.ts';
import { deepAll, named } from '../scene.ts';
import { ether, NETWORKS, settled, until, world, type World } from '../world.ts';

const SOURCE = 'https://prices.invalid/v1';
const real = window.fetch;
const USDC = `0x${'c3'.repeat(20)}`;
const TOKENS = [{ address: USDC, symbol: 'USDC', name: 'USD Coin', decimals: 6, logo: '' }];
/** The highest of the chain under test. */
const FEE = { ...ether(0), raw: 420_000_000_000_000n };
const dollars = (whole: bigint) => ({ raw: whole * 1_000_000n, decimals: 6, symbol: 'USDC', token: USDC });

/** The source answers with what `price` and `at` say; other addresses are left alone. */
function sell(at: () => number, price = 2450) {
  const asked: string[] = [];
  window.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    if (!url.startsWith(SOURCE)) return real(input, init);
    asked.push(url);
    const currency = new URL(url).searchParams.get('currency');
    const when = Math.floor(at() / 1000);
    return Response.json({
      currency,
      prices: { local: { price, at: when }, [`local/${USDC}`]: { price: 1, at: when } },
    });
  };
  return asked;
}

const networks = () => ({ ...NETWORKS, fiat: { source: 'http', url: SOURCE } });

describe('with a source of prices', () => {
  beforeEach(() => {
    writeAmountsIn('en-US');
    localStorage.setItem('carabiner:currency', 'USD');
  });
  afterEach(() => {
    writeAmountsIn();
    window.fetch = real;
    localStorage.removeItem('carabiner:currency');
    localStorage.removeItem('carabiner:prices');
  });

  it('an approval has the value of the amount, of both fees and of the total beside them', async () => {
    const w = await world({ networks: networks() });
    sell(w.clock.date);
    w.transfer();
    await w.approval();
    await until(() => deepAll(w.shell, '.effect .sub')[0]?.textContent?.includes('$'), 'a price');
    const text = (selector: string) => deepAll(w.shell, selector).map((e) => e.textContent!.trim());
    expect(text('.effect .sub')[0]).to.equal('$490.00');
    expect(text('.kv .faint').length).to.equal(2);
    expect(text('.sum .total .faint')[0]).to.equal('$491.03');
  });

  describe('of several assets', () => {
    const two = () => ({ ...networks(), networks: [{ ...NETWORKS.networks[0]!, tokens: TOKENS }] });
    const lines = (w: World) =>
      deepAll(w.shell, '.sum > div').map((line) =>
        [...line.children].map((part) => part.textContent!.replace(/\s+/g, ' ').trim()).join(' '),
      );

    /** An approval of `summary`, once its values are there. */
    async function approving(summary: Partial<Summary>): Promise<World> {
      const w = await world({ networks: two() });
      sell(w.clock.date);
      w.chain.summary = summary;
      w.transfer();
      await w.approval();
      await until(() => deepAll(w.shell, '.kv .faint').length === 2, 'the values');
      return w;
    }

    it('the first line says what they are worth together, for the second is full', async () => {
      const w = await approving({ amount: dollars(250n), contract: USDC, total: FEE });
      const [effect, total] = lines(w);
      expect(effect).to.match(/^Send 250 USDC \$251\.03 with the fee$/);
      expect(total).to.match(/^Total at most 250 USDC \+ [\d.]+ ETH$/);
    });

    it('a limit that is given away stays at risk there', async () => {
      const w = await approving({ kind: 'approval', amount: dollars(250n), contract: USDC, total: FEE });
      expect(lines(w)[0]).to.equal('At risk 250 USDC');
      expect(lines(w)[1]).to.match(/^Total at most fee [\d.]+ ETH \$1\.03$/);
    });

    const deadline = 1_800_000_000n;
    const recipient = `0x${'b2'.repeat(20)}`;

    it('a swap of coins is worth what leaves at most, and says what it brings at least', async () => {
      const swap = {
        orderType: 'SELL',
        input: ether(2),
        output: dollars(480n),
        recipient,
        deadline,
      } as const;
      const w = await approving({ kind: 'call', amount: ether(2), swap, exchange: 'Uniswap V2' });
      expect(lines(w)[0]).to.equal('Swap 0.2 ETH get at least 480 USDC');
      expect(lines(w)[1]).to.match(/^Total at most [\d.]+ ETH \$491\.03$/);
    });

    it('a swap of tokens keeps what it brings at least, with the value of its fees beside them', async () => {
      const swap = {
        orderType: 'SELL',
        input: dollars(480n),
        output: ether(1),
        recipient,
        deadline,
      } as const;
      const w = await approving({
        kind: 'call',
        amount: dollars(480n),
        swap,
        leaving: [swap.input],
        exchange: 'Uniswap V2',
        total: FEE,
      });
      expect(lines(w)[0]).to.equal('Swap 480 USDC get at least 0.1 ETH');
      expect(lines(w)[1]).to.match(/^Total at most 480 USDC \+ [\d.]+ ETH$/);
    });
  });

  it('keeps the room for the value, so that nothing moves when it comes', async () => {
    const w = await world({ networks: networks() });
    let answer!: () => void;
    const wait = new Promise<void>((resolve) => (answer = resolve));
    sell(w.clock.date);
    const now = window.fetch;
    window.fetch = async (...request) => (await wait, now(...request));
    w.transfer();
    await w.approval();
    const heading = await until(() => deepAll(w.shell, '.effect h1')[0]);
    const before = heading.getBoundingClientRect().top;
    const party = () => deepAll(w.shell, '.party')[0]!.getBoundingClientRect().top;
    const below = party();
    answer();
    await until(() => deepAll(w.shell, '.sum .total .faint')[0], 'the price');
    expect(heading.getBoundingClientRect().top).to.equal(before);
    expect(party()).to.equal(below);
  });

  it('says how old a price is, and leaves it out after an hour', async () => {
    const w = await world({ networks: networks() });
    const start = w.clock.date();
    sell(() => start - 12 * 60_000);
    w.transfer();
    await w.approval();
    await until(() => deepAll(w.shell, '.sum .total .faint')[0], 'the price');
    expect(deepAll(w.shell, '.effect .sub')[0]!.textContent).to.include('price of 12 minutes ago');
    expect(deepAll(w.shell, '.kv .faint')[0]!.textContent, 'of the fee').to.include('12 min old');
    await w.clock.pass(49 * 60_000);
    await until(() => !deepAll(w.shell, '.sum .total .faint')[0], 'no price');
    for (const line of deepAll(w.shell, '.effect .sub, .kv'))
      expect(line.textContent).not.to.match(/minutes ago|min old/);
  });

  it('the end of a payment has the value of the amount and of the fee, and the activity that of the day', async () => {
    const w = await world({ networks: networks() });
    sell(w.clock.date);
    w.transfer();
    await w.approval();
    await until(() => deepAll(w.shell, '.sum .total .faint')[0], 'the price');
    await w.approve();
    await w.title('Sent');
    const rows = () =>
      deepAll(w.shell, '.kv > div').map((row) => row.textContent!.replace(/\s+/g, ' ').trim());
    await until(() => rows().some((row) => row.includes('$')), 'the values');
    expect(rows().find((row) => row.startsWith('Amount'))).to.match(/0\.2 ETH\s*\$490\.00$/);
    expect(rows().find((row) => row.startsWith('Fee paid'))).to.match(/ETH\s*under \$0\.01$/);
    const [record] = await w.vault.activity.list(w.wallet.id);
    expect(record!.worth).to.deep.equal({ value: 490, currency: 'USD' });
    expect(record!.feeWorth!.value).to.be.closeTo(1.029, 1e-9);
  });

  it('the balances on consent and what arrives have their value', async () => {
    const w = await world({ networks: networks() });
    sell(w.clock.date);
    const asked = w.ask('linkWallets');
    const values = () => deepAll(w.shell, '.held').map((one) => one.textContent!.trim());
    await until(() => values().some((one) => one.includes('$2,940.00')), 'the value on consent');
    await w.press('Link wallets');
    await settled(asked);
    w.ask('manageWallets', { chain: 'ETHEREUM' });
    await w.press(`More for ${w.wallet.alias}`);
    await w.press('Receive');
    await w.title('Receive ETH');
    const { balance } = w.chain.chain;
    w.chain.chain.balance = async (...of) => ({
      ...(await balance(...of)),
      rawBalance: `${13n * 10n ** 17n}`,
    });
    await until(() => {
      void w.clock.pass(1000);
      return w.text().includes('Received 0.1 ETH $245.00');
    }, 'what arrived');
  });

  it('asks again for nobody once the approval is over', async () => {
    const w = await world({ networks: networks() });
    const asked = sell(w.clock.date);
    w.transfer();
    await w.approval();
    await until(() => asked.length);
    await w.press('Reject');
    await w.closed();
    const times = asked.length;
    await w.clock.pass(5 * 60_000);
    expect(asked.length).to.equal(times);
  });

  it('balances of the wallets have their value, in the currency of the settings', async () => {
    const w = await world({ networks: networks() });
    const asked = sell(w.clock.date);
    w.ask('manageWallets', { chain: 'ETHEREUM' });
    await until(
      () => deepAll(w.shell, '.held').some((e) => e.textContent!.includes('2,940.00')),
      'the value',
    );
    await w.press('Settings');
    const select = await w.find<HTMLSelectElement>('Currency');
    select.value = 'JPY';
    select.dispatchEvent(new Event('change'));
    expect(named(w.shell, 'Currency')).to.equal(select);
    await w.press('Back');
    await until(() => asked.some((url) => url.endsWith('currency=JPY')), 'the other currency');
    await until(() => deepAll(w.shell, '.held').some((e) => e.textContent!.includes('¥2,940')), 'yen');
  });
});

it('without a source, an approval has no value and settings no currency', async () => {
  const w = await world();
  const asked = sell(w.clock.date);
  w.transfer();
  await w.approval();
  await until(() => deepAll(w.shell, '.effect h1')[0]);
  expect(deepAll(w.shell, '.effect .sub, .kv .faint')).to.have.length(0);
  await w.press('Reject');
  expect(asked).to.have.length(0);
  window.fetch = real;
});
