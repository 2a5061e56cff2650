import { expect } from '@open-wc/testing';
import { writeAmountsIn } from '../../../../src/ui/amount-text.ts';
import { deepAll, named } from '../scene.ts';
import { NETWORKS, until, world } from '../world.ts';

const SOURCE = 'https://prices.invalid/v1';
const real = window.fetch;

/** The source answers with what `price` and `at` say; other addresses are left alone. */
function sell(at: () => number, price = 2450) {
  const asked: string[] = [];
  window.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    if (!url.startsWith(SOURCE)) return real(input, init);
    asked.push(url);
    const currency = new URL(url).searchParams.get('currency');
    return Response.json({ currency, prices: { local: { price, at: Math.floor(at() / 1000) } } });
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
    expect(w.text()).to.include('price of 12 minutes ago');
    await w.clock.pass(49 * 60_000);
    await until(() => !deepAll(w.shell, '.sum .total .faint')[0], 'no price');
    expect(w.text()).not.to.include('minutes ago');
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
