/** The prices of the oracle: medians of tickers, conversion, pegs, and when there is none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectError } from '../../src/base/errors.ts';
import type { Network } from '../../src/chains/network.ts';
import { Oracle, oracle } from '../../service/prices/oracle.ts';
import { token, tokenSource } from '../../service/prices/token-prices.ts';
import { findPrice, wrongPrices } from '../../service/prices/prices.ts';
import type { PriceBasis, PriceQuestion } from '../../service/prices/price-source.ts';
import { TestClock } from '../unit/clock.ts';

const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const NETWORK: Network = {
  id: 'tron',
  secretType: 'TRON',
  name: 'Tron',
  kind: 'local',
  nodes: ['http://127.0.0.1:9'],
  tokens: [{ address: USDT, symbol: 'USDT', name: 'Tether', decimals: 6, logo: '' }],
};

/** What an exchange answers for a pair: a price, an age in milliseconds, or an HTTP status. */
type Answer = { price: string | number; age?: number } | number;

class Market {
  readonly clock = new TestClock();
  readonly asked: string[] = [];
  readonly answers = new Map<string, Answer>();
  readonly oracle = new Oracle({ clock: this.clock, fetch: async (url) => this.#answer(String(url)) });

  set(pair: string, ...answers: Answer[]): this {
    for (const [i, answer] of answers.entries()) this.answers.set(`http://x${i}.test/${pair}`, answer);
    return this;
  }

  /** `plain` tickers of so many exchanges for each pair. */
  entry(pairs: readonly string[], more: object = {}, count = 3) {
    const rates = Object.fromEntries(
      pairs.map((pair) => [
        pair,
        Array.from({ length: count }, (_, i) => ({ shape: 'plain', url: `http://x${i}.test/${pair}` })),
      ]),
    );
    return oracle.entry.parse({ source: 'oracle', rates, ...more });
  }

  #answer(url: string): Response {
    this.asked.push(url);
    const answer = this.answers.get(url) ?? 503;
    if (typeof answer === 'number') return new Response('', { status: answer });
    const { price, age = 0 } = answer;
    return Response.json({ price, at: this.clock.date() - age });
  }
}

const of = (price: string | number): Answer => ({ price });

function question(currency: string, minorUnits: bigint, token = ''): PriceQuestion & { basis: PriceBasis[] } {
  const basis: PriceBasis[] = [];
  return {
    network: NETWORK,
    secretType: 'TRON',
    token,
    decimals: 6,
    currency,
    minorUnits,
    basis,
    note: (given: PriceBasis) => void basis.push(given),
  } as never;
}

async function refusal(price: Promise<bigint>): Promise<string> {
  const error = (await price.then(
    () => assert.fail('there is a price'),
    (error: unknown) => error,
  )) as ConnectError;
  return `${error.code} ${error.details['reason']}`;
}

test('the price is the median of at least three tickers, rounded up, and kept with its tickers', async () => {
  const market = new Market().set('TRX/USD', of('0.31'), of(0.302), of('3.05e-1'));
  const asked = question('USD', 1000n);
  // 10 / 0.305 = 32.786885…
  assert.equal(await market.oracle.price(market.entry(['TRX/USD']), asked), 32_786_886n);
  assert.deepEqual(asked.basis, [
    {
      source: 'oracle',
      spread: 0,
      rates: [
        {
          pair: 'TRX/USD',
          rate: '0.305',
          tickers: ['0.31', '0.302', '0.305'].map((price, i) => ({
            host: `x${i}.test`,
            price,
            at: market.clock.date(),
          })),
        },
      ],
    },
  ]);
});

test('an even number of tickers has the middle of the two middle ones', async () => {
  const market = new Market().set('TRX/USD', of('0.300'), of('0.301'), of('0.303'), of('0.304'));
  const price = market.oracle.price(market.entry(['TRX/USD'], {}, 4), question('USD', 302n));
  assert.equal(await price, 10_000_000n);
});

test('tickers older than a minute do not count, and two are too few', async () => {
  const market = new Market().set('TRX/USD', of('0.3'), of('0.3'), { price: '0.3', age: 60_000 });
  const entry = market.entry(['TRX/USD']);
  assert.equal(await market.oracle.price(entry, question('USD', 300n)), 10_000_000n);
  for (const answer of [
    { price: '0.3', age: 60_001 },
    { price: '0.3', age: -60_001 },
    503,
    of('-1'),
    of('x'),
  ]) {
    await market.clock.pass(6000);
    market.set('TRX/USD', of('0.3'), of('0.3'), answer);
    assert.equal(
      await refusal(market.oracle.price(entry, question('USD', 300n))),
      'checkout.wallet.no-price unreachable',
    );
  }
});

test('an answer that was kept grows old, too', async () => {
  const market = new Market().set('TRX/USD', of('0.3'), of('0.3'), { price: '0.3', age: 58_000 });
  const entry = market.entry(['TRX/USD']);
  await market.oracle.price(entry, question('USD', 300n));
  await market.clock.pass(3000);
  assert.match(await refusal(market.oracle.price(entry, question('USD', 300n))), /unreachable/);
  assert.equal(market.asked.length, 3);
});

test('a ticker that does not answer within four seconds, or sends too much, does not count', async () => {
  const clock = new TestClock();
  const answers: Record<string, (signal: AbortSignal) => Promise<Response>> = {
    hangs: (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    floods: async () => new Response(' '.repeat(70_000) + JSON.stringify({ price: 1, at: clock.date() })),
  };
  const made = new Oracle({
    clock,
    fetch: async (url, init) =>
      answers[new URL(String(url)).pathname.slice(1)]?.(init!.signal!) ??
      Response.json({ price: 2, at: clock.date() }),
  });
  const rate = (...names: string[]) =>
    made.rate(
      'TRX/USD',
      names.map((name) => ({ shape: 'plain', url: `http://x.test/${name}` })),
    );
  const slow = rate('a', 'b', 'c', 'hangs');
  await clock.pass(4000);
  assert.equal((await slow).tickers.length, 3);
  await assert.rejects(rate('a', 'b', 'floods'), /2 of 3 exchanges/);
});

test('exchanges are asked at most every five seconds', async () => {
  const market = new Market().set('TRX/USD', of('0.3'), of('0.3'), of('0.3'));
  const entry = market.entry(['TRX/USD']);
  const price = () => market.oracle.price(entry, question('USD', 300n));
  await Promise.all([price(), price(), price()]);
  await market.clock.pass(4999);
  await price();
  assert.equal(market.asked.length, 3);
  await market.clock.pass(1);
  await price();
  assert.equal(market.asked.length, 6);
});

test('if one is more than 2 % away from the median, there is no price', async () => {
  const market = new Market().set('TRX/USD', of('100'), of('100'), of('102'));
  const entry = market.entry(['TRX/USD']);
  assert.equal(await market.oracle.price(entry, question('USD', 10_000n)), 1_000_000n);
  for (const far of ['102.0001', '97.9999']) {
    await market.clock.pass(6000);
    market.set('TRX/USD', of('100'), of('100'), of(far));
    assert.equal(
      await refusal(market.oracle.price(entry, question('USD', 10_000n))),
      'checkout.wallet.no-price none',
    );
  }
});

test('any currency is reached through rates in either direction, with its own digits', async () => {
  const market = new Market()
    .set('TRX/USD', of('0.25'), of('0.25'), of('0.25'))
    .set('EUR/USD', of('1.25'), of('1.25'), of('1.25'))
    .set('USD/JPY', of('150'), of('150'), of('150'))
    .set('KWD/USD', of('3.2'), of('3.2'), of('3.2'));
  const entry = market.entry(['TRX/USD', 'EUR/USD', 'USD/JPY', 'KWD/USD']);
  const price = (currency: string, minorUnits: bigint) =>
    market.oracle.price(entry, question(currency, minorUnits));
  assert.equal(await price('USD', 100n), 4_000_000n);
  assert.equal(await price('EUR', 100n), 5_000_000n);
  assert.equal(await price('JPY', 150n), 4_000_000n);
  assert.equal(await price('KWD', 1000n), 12_800_000n);
  assert.match(await refusal(price('CHF', 100n)), /none/);
  const network = { ...NETWORK, prices: { '*': entry } };
  assert.ok(findPrice(network, '', 'JPY'));
  assert.equal(findPrice(network, '', 'CHF'), undefined);
  assert.equal(findPrice(network, USDT, 'USD'), undefined);
});

test('a pegged coin counts as one unit, unless its market says otherwise', async () => {
  const market = new Market().set('USDT/USD', of('0.9995'), of('0.9991'), of('0.99'));
  const entry = market.entry(['USDT/USD'], { pegs: { USDT: 'USD' } });
  const price = () => market.oracle.price(entry, question('USD', 1999n, USDT));
  assert.equal(await price(), 19_990_000n);
  for (const off of ['0.9899', '1.0101']) {
    await market.clock.pass(6000);
    market.set('USDT/USD', of(off), of(off), of(off));
    assert.equal(await refusal(price()), 'checkout.wallet.no-price none');
  }
});

test('the spread is added to the price', async () => {
  const market = new Market().set('TRX/USD', of('0.5'), of('0.5'), of('0.5'));
  const entry = market.entry(['TRX/USD'], { spread: 0.75 });
  assert.equal(await market.oracle.price(entry, question('USD', 1000n)), 20_150_000n);
});

test('each public shape of answers is read', async () => {
  const clock = new TestClock();
  const answers: Record<string, unknown> = {
    '/kraken': {
      error: [],
      result: { TRXUSD: { a: ['0.3012', '1', '1.0'], b: ['0.2988', '1', '1.0'], c: ['1'] } },
    },
    '/coinbase': {
      trade_id: 1,
      price: '0.301',
      size: '1',
      time: new Date(clock.date() - 1000).toISOString(),
    },
    '/plain': { price: 0.299, at: clock.date() },
  };
  const made = new Oracle({
    clock,
    fetch: async (url) => Response.json(answers[new URL(String(url)).pathname]),
  });
  const tickers = ['kraken', 'coinbase', 'plain'].map((shape) => ({ shape, url: `http://x.test/${shape}` }));
  const { median, tickers: read } = await made.rate('TRX/USD', tickers as never);
  assert.equal(median, 3n * 10n ** 23n);
  assert.deepEqual(
    read.map(({ at }) => clock.date() - at),
    [0, 1000, 0],
  );
});

test('wrong entries are named by field', () => {
  const tickers = Array.from({ length: 3 }, (_, i) => ({ shape: 'plain', url: `http://x${i}.test/` }));
  const wrong = (entry: object, currency = 'USD') =>
    wrongPrices({ ...NETWORK, prices: { [currency]: { source: 'oracle', ...entry } } }).map(
      ({ path }) => path,
    );
  assert.deepEqual(wrong({ rates: { 'TRX/USD': tickers } }), []);
  assert.deepEqual(wrong({ rates: { 'TRX/USD': tickers } }, '*'), []);
  assert.deepEqual(wrong({ rates: { 'TRX/USD': tickers } }, 'EUR'), ['prices.EUR']);
  assert.deepEqual(wrong({ rates: { 'AE/USD': tickers } }, '*'), ['prices.*']);
  assert.deepEqual(wrong({ rates: { 'TRX/USD': tickers.slice(1) } }), ['prices.USD.rates.TRX/USD']);
  const twice = [...tickers, tickers[0]];
  assert.deepEqual(wrong({ rates: { 'TRX/USD': twice } }), ['prices.USD.rates.TRX/USD']);
  assert.deepEqual(wrong({ rates: { TRXUSD: tickers } }), ['prices.USD.rates.TRXUSD']);
  assert.deepEqual(wrong({ rates: { 'TRX/USD': tickers }, spread: 11 }), ['prices.USD.spread']);
  assert.deepEqual(wrong({ rates: { 'TRX/USD': tickers }, pegs: { USDT: 'USD' } }), ['prices.USD.pegs.USDT']);
  const ftp = [...tickers.slice(1), { shape: 'plain', url: 'ftp://x.test' }];
  assert.deepEqual(wrong({ rates: { 'TRX/USD': ftp } }), ['prices.USD.rates.TRX/USD.2.url']);
});

test('a token that stands for a currency has no price while it is off its peg by more than the deviation', async () => {
  const market = new Market();
  const { price: priceOf } = tokenSource(market.oracle);
  const peg = (deviation?: number) =>
    token.entry.parse({
      source: 'token',
      token: USDT,
      peg: {
        tickers: market.entry(['USDT/USD']).rates['USDT/USD'],
        ...(deviation !== undefined && { deviation }),
      },
    });
  const ask = async (entry: ReturnType<typeof peg>, ...answers: Answer[]) => {
    await market.clock.pass(6000);
    market.set('USDT/USD', ...answers);
    return priceOf(entry, question('USD', 2999n, USDT));
  };
  const three = (price: string) => [of(price), of(price), of(price)];
  for (const [price, deviation] of [
    ['0.99', undefined],
    ['1.01', undefined],
    ['0.95', 5],
  ] as const)
    assert.equal(await ask(peg(deviation), ...three(price)), 29_990_000n, price);
  for (const [price, deviation] of [
    ['0.98999', undefined],
    ['1.01001', undefined],
    ['0.94999', 5],
    ['0.998', 0.1],
  ] as const)
    assert.equal(await refusal(ask(peg(deviation), ...three(price))), 'checkout.wallet.no-price none', price);
  assert.equal(await refusal(ask(peg(), of('1'), of('1'), 503)), 'checkout.wallet.no-price unreachable');
  // Nobody watches an address alone.
  assert.equal(await ask(token.entry.parse(USDT), 503, 503, 503), 29_990_000n);
  const asked = question('USD', 100n, USDT);
  await market.clock.pass(6000);
  market.set('USDT/USD', ...three('1.002'));
  await priceOf(peg(), asked);
  assert.deepEqual(
    asked.basis.map(({ source, rates }) => [source, (rates as { pair: string; rate: string }[])[0]!.pair]),
    [['token', 'USDT/USD']],
  );
});

test('an entry of a token names what is wrong with it', () => {
  const tickers = Array.from({ length: 3 }, (_, i) => ({ shape: 'plain', url: `http://x${i}.test/` }));
  const wrong = (entry: unknown, currency = 'USD') =>
    wrongPrices({ ...NETWORK, prices: { [currency]: entry } }).map(({ path }) => path);
  const good = { source: 'token', token: USDT, peg: { tickers } };
  assert.deepEqual(wrong(good), []);
  assert.deepEqual(wrong(USDT), []);
  assert.deepEqual(wrong(USDT, '*'), []);
  assert.deepEqual(wrong(good, '*'), ['prices.*']);
  assert.deepEqual(wrong({ ...good, token: 'x' }), ['prices.USD.token']);
  assert.deepEqual(wrong({ ...good, peg: undefined }), ['prices.USD.peg']);
  assert.deepEqual(wrong({ ...good, peg: { tickers: tickers.slice(1) } }), ['prices.USD.peg.tickers']);
  assert.deepEqual(wrong({ ...good, peg: { tickers, deviation: 0 } }), ['prices.USD.peg.deviation']);
  assert.deepEqual(wrong({ ...good, peg: { tickers, deviation: 11 } }), ['prices.USD.peg.deviation']);
});
