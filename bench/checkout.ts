/** How many checkout sessions per second the service creates, compared with the same insert alone. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { table } from '../scripts/sizes.ts';
import { type Load, load } from './load.ts';
import { median, percentile } from './median.ts';
import { startBenchService } from './service-process.ts';

const CONNECTIONS = 32;
const WARM_UP = 2000;
const TURNS = 5;
const SECONDS = 2;
/** The size of the service's own connection pool. */
const POOL = 10;

const ORDER = {
  line_items: [
    {
      price_data: { product_data: { name: 'Mug' }, unit_amount: 1250, currency: 'EUR' },
      quantity: 2,
    },
    {
      price_data: { product_data: { name: 'Shipping' }, unit_amount: 499, currency: 'EUR' },
      quantity: 1,
    },
  ],
  success_url: 'https://shop.example/thanks',
  cancel_url: 'https://shop.example/cart',
  mode: 'payment',
};

const INSERT = `insert into checkout_sessions (id, page_id, application_id, provider, livemode, url, line_items,
  currency, amount_subtotal, amount_total, success_url, cancel_url, status, payment_status, expires_at)
  values ($1, $2, $3, 'test', false, $4, $5, 'EUR', 2999, 2999, $6, $7, 'open', 'unpaid', $8) returning *`;

async function insertAlone(pool: pg.Pool, application: string, seconds: number): Promise<Load> {
  const milliseconds: number[] = [];
  const started = performance.now();
  const one = async (): Promise<void> => {
    while (performance.now() - started < seconds * 1000) {
      const sent = performance.now();
      const page = randomBytes(32).toString('base64url');
      await pool.query({
        name: 'insert',
        text: INSERT,
        values: [
          `cs_test_${randomBytes(32).toString('base64url')}`,
          page,
          application,
          `http://localhost/pay/${page}`,
          JSON.stringify(ORDER.line_items),
          ORDER.success_url,
          ORDER.cancel_url,
          new Date(Date.now() + 1_800_000),
        ],
      });
      milliseconds.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  return { count: milliseconds.length, seconds: (performance.now() - started) / 1000, milliseconds };
}

export async function checkoutRate(): Promise<string> {
  const service = await startBenchService();
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: POOL });
  try {
    const { id, token } = await service.client(['checkout']);
    const asked = { token, connections: CONNECTIONS, body: JSON.stringify(ORDER) };
    const create = (end: { seconds?: number; count?: number }): Promise<Load> =>
      load(`${service.url}/checkout/sessions`, { ...asked, ...end });
    await create({ count: WARM_UP });
    await insertAlone(pool, id, 1);
    const [alone, whole]: Load[][] = [[], []];
    for (let turn = 0; turn < TURNS; turn++) {
      alone!.push(await insertAlone(pool, id, SECONDS));
      whole!.push(await create({ seconds: SECONDS }));
    }
    const rate = ({ count, seconds }: Load): number => count / seconds;
    const row = (name: string, turns: Load[]): string[] => [
      name,
      median(turns.map(rate)).toFixed(0),
      percentile(
        turns.flatMap(({ milliseconds }) => milliseconds),
        0.99,
      ).toFixed(1),
      // The ratio within each turn, so that both sides run under the same load.
      median(turns.map((turn, n) => rate(turn) / rate(alone![n]!))).toFixed(2),
    ];
    return table(
      ['checkout sessions', 'a second', 'p99, ms', 'of the insert (≥ 0.55)'],
      [row('the insert alone', alone!), row('service, POST /checkout/sessions', whole!)],
    );
  } finally {
    await pool.end();
    await service.close();
  }
}
