/** Ten thousand queued deliveries, drained by two workers on one database. The receiver answers at once, in a separate process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { table } from '../scripts/sizes.ts';
import { createReceiver } from '../service/webhooks/receivers.ts';
import { fileKeys } from '../service/keys/file-keys.ts';
import { readRange } from '../service/outbound/addresses.ts';
import { Outbound } from '../service/outbound/outbound.ts';
import { type BenchService, startBenchService, startProcess } from './service-process.ts';

const COUNT = 10_000;
const RECEIVERS = 4;

/** Counts requests, and ids by `webhook-id`; `GET` returns both counts. */
const RECEIVER = `
  const ids = new Set();
  let requests = 0;
  const server = require('node:http').createServer((request, response) => {
    if (request.method === 'GET') return response.end(JSON.stringify({ requests, ids: ids.size }));
    requests++;
    ids.add(request.headers['webhook-id'] + request.url);
    request.resume().on('end', () => response.end());
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

async function seed({ db }: BenchService, application: string): Promise<void> {
  for (const statement of [
    sql`insert into checkout_sessions (id, page_id, application_id, provider, livemode, url, line_items, currency,
        amount_subtotal, amount_total, success_url, cancel_url, status, payment_status, expires_at)
      values ('bench', 'bench', ${application}, 'test', false, '', '[]', 'EUR', 1, 1, '', '', 'open', 'unpaid', 'infinity')`,
    sql`insert into events (id, session_id, application_id, type, sequence, body)
      select 'evt_' || n, 'bench', ${application}, 'payment.declined', n, repeat('x', 1500)
      from generate_series(1, ${COUNT / RECEIVERS}::int) n`,
    sql`insert into deliveries (id, event_id, webhook_id, next_attempt_at)
      select gen_random_uuid()::text, e.id, w.id, 'infinity' from events e, webhooks w
      where e.application_id = ${application} and w.application_id = ${application}`,
  ])
    await statement.execute(db);
}

export async function webhooks(): Promise<string> {
  const receiver = spawn(process.execPath, ['-e', RECEIVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ranges = { OUTBOUND_RANGES: '127.0.0.0/8' };
  const service = await startBenchService(ranges);
  try {
    const [port] = (await once(receiver.stdout, 'data')) as [Buffer];
    const url = `http://127.0.0.1:${String(port).trim()}`;
    const { id } = await service.client(['view:profile']);
    const masterKeyFile = join(service.folder, 'data/master-key.json');
    const keys = await fileKeys(masterKeyFile, { create: false });
    const outbound = new Outbound([readRange(ranges.OUTBOUND_RANGES)]);
    for (let n = 0; n < RECEIVERS; n++)
      await createReceiver({ db: service.db, keys, outbound }, id, {
        url: `${url}/${n}`,
        authenticationMethod: { type: 'API_KEY', headerName: 'X-Key', apiKey: 'bench' },
      });
    await seed(service, id);
    const second = await startProcess('service/main.ts', join(service.folder, 'second.log'), {
      SERVICE_PORT: '0',
      DATABASE_URL: service.databaseUrl,
      MASTER_KEY_FILE: masterKeyFile,
      ...ranges,
    });
    await sql`update deliveries set next_attempt_at = now()`.execute(service.db);
    const started = performance.now();
    while (await hasWaiting(service)) await sleep(50);
    const seconds = (performance.now() - started) / 1000;
    await second.close();
    const { requests, ids } = (await (await fetch(url)).json()) as { requests: number; ids: number };
    if (requests !== COUNT || ids !== COUNT)
      throw new Error(`${requests} requests for ${COUNT} deliveries, ${ids} of them different`);
    return table(
      ['deliveries', 'workers', 'a second', 'more than once'],
      [[COUNT.toLocaleString('en'), '2', (COUNT / seconds).toFixed(0), String(requests - ids)]],
    );
  } finally {
    receiver.kill();
    await service.close();
  }
}

async function hasWaiting({ db }: BenchService): Promise<boolean> {
  const found = await db
    .selectFrom('deliveries')
    .select('id')
    .where('state', '<>', 'delivered')
    .limit(1)
    .execute();
  return found.length > 0;
}
