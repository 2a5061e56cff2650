import { expect } from '@open-wc/testing';
import type { Network } from '../../../src/chains/network.ts';
import { currencyFor } from '../../../src/prices/currencies.ts';
import { readFiat } from '../../../src/prices/entry.ts';
import { NO_CURRENCY } from '../../../src/prices/no-currency.ts';
import { Prices } from '../../../src/prices/prices.ts';
import { writeAmountsIn } from '../../../src/ui/amount-text.ts';
import { worthText } from '../../../src/ui/worth.ts';
import { TestClock } from '../clock.ts';

const MINUTE = 60_000;
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const NETWORK: Pick<Network, 'id' | 'secretType' | 'tokens'> = {
  id: 'ethereum',
  secretType: 'ETHEREUM',
  tokens: [{ address: USDC, symbol: 'USDC', name: 'USD Coin', decimals: 6, logo: '' }],
};
const quarter = { raw: 25n * 10n ** 16n, decimals: 18, symbol: 'ETH' };
const dollars = { raw: 5_000_000n, decimals: 6, symbol: 'USDC', token: USDC.toLowerCase() };

/** A source under the test's control, and a browser's storage. */
function shop({
  entry = { source: 'http', url: 'https://prices.example/v1' } as unknown,
  language = 'en-US',
  kept = new Map<string, string>(),
  clock = new TestClock(),
} = {}) {
  const requests: { url: string; init: RequestInit }[] = [];
  const source = {
    prices: (): object => ({
      ethereum: { price: 2450, at: Math.floor(clock.date() / 1000) },
      [`ethereum/${USDC}`]: { price: 1, at: Math.floor(clock.date() / 1000) },
    }),
    answer: (url: URL): Response =>
      Response.json({ currency: url.searchParams.get('currency'), prices: source.prices() }),
  };
  const prices = new Prices({
    clock,
    entry,
    language,
    storage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => void kept.set(key, text) },
    fetch: (async (url: URL, init: RequestInit) => {
      requests.push({ url: url.href, init });
      return source.answer(url);
    }) as typeof fetch,
  });
  return { prices, requests, source, clock, kept };
}

describe('prices', () => {
  it('are there for the coin and for listed tokens, whatever the case of the address', async () => {
    const { prices, clock } = shop();
    await prices.load();
    expect(prices.worth(NETWORK, quarter)).to.deep.equal({ value: 612.5, currency: 'USD', at: clock.date() });
    expect(prices.worth(NETWORK, dollars)!.value).to.equal(5);
    expect(prices.sum(NETWORK, [quarter, dollars])!.value).to.equal(617.5);
  });

  it('are read no further than an answer can be long', async () => {
    const { prices, source } = shop();
    let pulled = 0;
    const part = new Uint8Array(1 << 18).fill(0x20);
    source.answer = () =>
      new Response(
        new ReadableStream({
          pull(stream) {
            if (++pulled > 100) stream.close();
            else stream.enqueue(part);
          },
        }),
      );
    await prices.load();
    expect(pulled).to.be.below(10);
    expect(prices.worth(NETWORK, quarter)).to.equal(undefined);
  });

  it('are asked for all at once, without saying who asks or what they have', async () => {
    const { prices, requests } = shop();
    await prices.load();
    expect(requests.map(({ url }) => url)).to.deep.equal(['https://prices.example/v1?currency=USD']);
    expect(requests[0]!.init).to.include({
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
    });
  });

  it('are not there for a token that is not listed, of whose decimals nobody knows, or on another network', async () => {
    const { prices, source, clock } = shop();
    const other = '0x000000000000000000000000000000000000dEaD';
    const at = Math.floor(clock.date() / 1000);
    source.prices = () => ({ ethereum: { price: 2450, at }, [`ethereum/${other}`]: { price: 9, at } });
    await prices.load();
    expect(prices.worth(NETWORK, { ...dollars, token: other })).to.equal(undefined);
    expect(prices.worth(NETWORK, { ...dollars, decimals: null })).to.equal(undefined);
    expect(prices.worth(NETWORK, { ...quarter, symbol: 'WETH' })).to.equal(undefined);
    expect(prices.worth({ ...NETWORK, id: 'ethereum-sepolia' }, quarter)).to.equal(undefined);
    const own = { ...NETWORK, coin: { symbol: 'POL' } };
    expect(prices.worth(own, quarter), 'a coin that it does not have').to.equal(undefined);
    expect(prices.worth(own, { ...quarter, symbol: 'POL' })!.value).to.equal(612.5);
    expect(prices.sum(NETWORK, [quarter, dollars])).to.equal(undefined);
  });

  it('go after an hour without an answer, and so do those from the future', async () => {
    const { prices, source, clock } = shop();
    await prices.load();
    source.answer = () => new Response('', { status: 503 });
    await clock.pass(59 * MINUTE);
    await prices.load();
    expect(prices.worth(NETWORK, quarter)!.value).to.equal(612.5);
    await clock.pass(2 * MINUTE);
    expect(prices.worth(NETWORK, quarter)).to.equal(undefined);
    clock.setDate(clock.date() - 200 * MINUTE);
    expect(prices.worth(NETWORK, quarter)).to.equal(undefined);
  });

  it('are asked for once a minute at most, also where the source does not answer', async () => {
    const { prices, source, requests, clock } = shop();
    source.answer = () => new Response('', { status: 503 });
    await Promise.all([prices.load(), prices.load()]);
    await prices.load();
    expect(requests).to.have.length(1);
    await clock.pass(MINUTE);
    await prices.load();
    expect(requests).to.have.length(2);
  });

  it('are kept for the next page of the wallet', async () => {
    const { prices, kept, clock } = shop();
    await prices.load();
    const next = shop({ kept, clock });
    expect(next.prices.worth(NETWORK, quarter)!.value).to.equal(612.5);
    await next.prices.load();
    expect(next.requests).to.have.length(0);
  });

  it('are asked for again where another version kept them', async () => {
    const kept = new Map([['carabiner:prices', '{"version":0,"prices":{"ethereum":1}}']]);
    const { prices, requests } = shop({ kept });
    expect(prices.worth(NETWORK, quarter)).to.equal(undefined);
    await prices.load();
    expect(requests).to.have.length(1);
  });

  it('are in the chosen currency, never in the one before', async () => {
    const { prices, requests } = shop();
    await prices.load();
    prices.currency = 'EUR';
    expect(prices.worth(NETWORK, quarter)).to.equal(undefined);
    await prices.load();
    expect(requests.at(-1)!.url).to.equal('https://prices.example/v1?currency=EUR');
    expect(prices.worth(NETWORK, quarter)!.currency).to.equal('EUR');
    prices.currency = NO_CURRENCY;
    await prices.load();
    expect(prices.worth(NETWORK, quarter)).to.equal(undefined);
    expect(requests).to.have.length(2);
  });

  it('stay when a late answer is in the currency before', async () => {
    const { prices, source } = shop();
    const { answer } = source;
    const late: (() => void)[] = [];
    const slow = (url: URL) => new Promise<Response>((resolve) => late.push(() => resolve(answer(url))));
    source.answer = slow as unknown as typeof answer;
    const first = prices.load();
    source.answer = answer;
    prices.currency = 'EUR';
    await prices.load();
    expect(late).to.have.length(1);
    late[0]!();
    await first;
    expect(prices.worth(NETWORK, quarter)?.currency).to.equal('EUR');
  });

  it('are not there for an amount with other decimals than the list has', async () => {
    const { prices } = shop();
    await prices.load();
    expect(prices.worth(NETWORK, { ...dollars, decimals: 18 })).to.equal(undefined);
  });

  it('are not taken from an answer in another currency or form', async () => {
    const { prices, source, clock } = shop();
    for (const answer of [
      { currency: 'EUR', prices: source.prices() },
      { currency: 'USD', prices: { ethereum: { price: '2450', at: 1 } } },
      { currency: 'USD', prices: [1] },
    ]) {
      source.answer = () => Response.json(answer);
      await prices.load();
      expect(prices.worth(NETWORK, quarter)).to.equal(undefined);
      await clock.pass(MINUTE);
    }
  });

  it('come from CoinGecko by its ids', async () => {
    const ids = { ethereum: 'ethereum', [`ethereum/${USDC}`]: 'usd-coin', 'vechain/VTHO': 'vethor-token' };
    const { prices, source, requests, clock } = shop({
      entry: { source: 'coingecko', ids },
      language: 'de-AT',
    });
    const at = Math.floor(clock.date() / 1000) - 120;
    source.answer = () =>
      Response.json({
        ethereum: { eur: 2250, last_updated_at: at },
        'usd-coin': { eur: null, last_updated_at: at },
      });
    await prices.load();
    expect(requests[0]!.url).to.equal(
      'https://api.coingecko.com/api/v3/simple/price?ids=ethereum%2Cusd-coin%2Cvethor-token&vs_currencies=eur&include_last_updated_at=true&precision=full',
    );
    expect(prices.worth(NETWORK, quarter)).to.deep.equal({ value: 562.5, currency: 'EUR', at: at * 1000 });
    expect(prices.worth(NETWORK, dollars)).to.equal(undefined);
  });
});

describe('the currency', () => {
  it('is that of the region, and USD where there is none', () => {
    const of = {
      'en-US': 'USD',
      'de-AT': 'EUR',
      de: 'EUR',
      'en-GB': 'GBP',
      'de-CH': 'CHF',
      ja: 'JPY',
      'en-JE': 'GBP',
    };
    for (const [language, currency] of Object.entries({ ...of, 'fa-IR': 'USD', tlh: 'USD', '': 'USD' }))
      expect(currencyFor(language), language).to.equal(currency);
    expect(currencyFor('de', ['CHF', 'JPY'])).to.equal('CHF');
  });
});

describe('a value', () => {
  it('is rounded up where it may leave, and down where it is there', () => {
    const text = (value: number, rounding: 'up' | 'down', currency = 'USD') =>
      worthText({ value, currency }, rounding);
    writeAmountsIn('en-US');
    expect(text(1.021, 'up')).to.equal('$1.03');
    expect(text(1.029, 'down')).to.equal('$1.02');
    expect(text(0.1 * 3, 'up')).to.equal('$0.30');
    expect(text(0.004, 'up')).to.equal('under $0.01');
    expect(text(3145.87, 'down')).to.equal('$3,145.87');
    expect(text(99.2, 'up', 'JPY')).to.equal('¥100');
    writeAmountsIn();
  });
});

describe('fiat of networks.json', () => {
  it('is refused with the field that is wrong', () => {
    const refused = (entry: unknown) => expect(() => readFiat(entry), JSON.stringify(entry));
    refused({ source: 'oracle' }).to.throw('fiat.source is oracle; there are coingecko and http.');
    refused({ source: 'http', url: 'prices.example' }).to.throw('fiat.url: must be');
    refused({ source: 'http', url: 'https://a.example', currencies: ['usd'] }).to.throw(
      'fiat.currencies.0: must be',
    );
    refused({ source: 'http', url: 'https://a.example', currencies: [] }).to.throw(
      'fiat.currencies: must have',
    );
    refused({ source: 'coingecko', ids: { ethereum: 'a b' } }).to.throw('fiat.ids.ethereum: must be');
    refused({ source: 'constructor' }).to.throw('fiat.source is constructor');
  });
});
