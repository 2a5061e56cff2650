/**
 * Lists and reads with a thousand and with a million wallets stored, in turns; memory after reading 100,000, the time of each page, and how
 * long another application waits meanwhile. The wallets are inserted by SQL.
 */
import { sql } from 'kysely';
import { table } from '../scripts/sizes.ts';
import { note } from './figures.ts';
import { type Load, load } from './load.ts';
import { median, percentile } from './median.ts';
import { type BenchService, startBenchService } from './service-process.ts';

/** Wallets per owner. */
const EACH = 10;
/** Requests of each kind in a turn. */
const ASKED = 500;
const TURNS = 5;

const walletAt = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Inserts wallets `from` to `to`, ten per owner; the first ten belong to the application itself. */
async function seed({ db }: BenchService, application: string, from: number, to: number): Promise<void> {
  const owner = sql`case when n < ${EACH} then ${application} else 'owner-' || n / ${EACH} end`;
  const id = sql`'00000000-0000-4000-8000-' || lpad(n::text, 12, '0')`;
  for (const statement of [
    sql`insert into accounts (id, issuer, subject, application)
      select distinct ${owner}, 'bench', ${owner}, false from generate_series(${from}::int, ${to - 1}::int) n
      on conflict do nothing`,
    sql`insert into wallets (id, owner_id, application_id, wallet_type, secret_type, address, is_primary)
      select ${id}, ${owner}, ${application}, 'WHITE_LABEL', 'ETHEREUM', '0x' || lpad(to_hex(n), 40, '0'), false
      from generate_series(${from}::int, ${to - 1}::int) n`,
    sql`insert into pins (id, owner_id, salt, cost, share, master_version, by_pin, by_recovery_code)
      select ${id}, ${owner}, repeat('s', 16)::bytea, '{"memory": 65536, "passes": 3, "lanes": 1}', repeat('k', 60)::bytea, 1,
        repeat('k', 60)::bytea, repeat('k', 60)::bytea
      from generate_series(${from}::int, ${to - 1}::int) n`,
    sql`insert into wallet_secrets (wallet_id, owner_id, pin_id, data_key, private_key)
      select ${id}, ${owner}, ${id}, repeat('k', 60)::bytea, repeat('k', 60)::bytea
      from generate_series(${from}::int, ${to - 1}::int) n`,
    sql`analyze wallets, wallet_secrets, pins, accounts`,
  ])
    await statement.execute(db);
}

const MIB = 2 ** 20;

/** Milliseconds of each page. */
async function readPages(
  url: string,
  token: string,
  isEnough: () => boolean = () => false,
): Promise<number[]> {
  const times: number[] = [];
  for (let query: string | undefined = ''; query !== undefined && !isEnough(); ) {
    const since = performance.now();
    const answer: Response = await fetch(url + query, { headers: { Authorization: `Bearer ${token}` } });
    // The bench waits for other answers meanwhile, so it does as little as possible with this one.
    await answer.body!.pipeTo(new WritableStream());
    times.push(performance.now() - since);
    query = /^<(\?.*)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return times;
}

const EXPORT_TURNS = 5;
const EXPORT_SECONDS = 3;

/** What another application waits for its reads, in turns: while nothing else is asked, and while 99,990 wallets are listed, again and again. */
async function duringExport(service: BenchService, exporter: string, token: string): Promise<string> {
  const { url } = service;
  const read = (): Promise<Load> =>
    load((n) => `${url}/api/wallets/${walletAt(n % EACH)}`, {
      token,
      connections: 4,
      seconds: EXPORT_SECONDS,
    });
  const [quiet, busy]: number[][] = [[], []];
  const lags: number[] = [];
  for (let turn = 0; turn < EXPORT_TURNS; turn++) {
    quiet!.push(percentile((await read()).milliseconds, 0.99));
    await service.usage();
    let exporting = true;
    const exports = (async () => {
      while (exporting) await readPages(`${url}/api/wallets`, exporter, () => !exporting);
    })();
    busy!.push(percentile((await read()).milliseconds, 0.99));
    exporting = false;
    await exports;
    lags.push((await service.usage()).lagP99 * 1000);
  }
  return table(
    [
      "another application's reads",
      'p99, ms',
      'during an export of 99,990',
      'ratio (≤ 1.5)',
      'event loop p99, ms (≤ 20)',
    ],
    [
      [
        'four at a time',
        median(quiet!).toFixed(2),
        median(busy!).toFixed(2),
        median(busy!.map((ms, turn) => ms / quiet![turn]!)).toFixed(2),
        median(lags).toFixed(0),
      ],
    ],
  );
}

interface Times {
  list: number[];
  read: number[];
}

const noTimes = (): Times => ({ list: [], read: [] });

/** Adds the times of one turn, in milliseconds, to `times`. */
async function ask(url: string, token: string, times: Times): Promise<void> {
  const asked = { token, connections: 1, count: ASKED };
  times.list.push(...(await load(`${url}/api/wallets`, asked)).milliseconds);
  times.read.push(...(await load((n) => `${url}/api/wallets/${walletAt(n % EACH)}`, asked)).milliseconds);
}

/** With a thousand wallets at another service and a million at this one, in turns, so that both are asked on an equally busy machine. */
async function compare(large: BenchService, token: string): Promise<string> {
  const small = await startBenchService();
  try {
    const own = await small.client(['view:wallets']);
    await seed(small, own.id, 0, 1000);
    const [few, many] = [noTimes(), noTimes()];
    const turn = async (ofSmall: Times, ofLarge: Times): Promise<void> => {
      await ask(small.url, own.token, ofSmall);
      await ask(large.url, token, ofLarge);
    };
    // Warm-up.
    await turn(noTimes(), noTimes());
    for (let n = 0; n < TURNS; n++) await turn(few, many);
    const cellsOf = (total: number, { list, read }: Times): string[] => [
      total.toLocaleString('en'),
      ...[list, read].flatMap((ms) => [median(ms).toFixed(2), percentile(ms, 0.99).toFixed(2)]),
    ];
    const ratio = (of: keyof Times): string => (median(many[of]) / median(few[of])).toFixed(2);
    return table(
      ['wallets in all', `list of ${EACH}, ms`, 'p99', 'read of one, ms', 'p99'],
      [cellsOf(1000, few), cellsOf(1_000_000, many), ['ratio (≤ 1.2)', ratio('list'), '', ratio('read'), '']],
    );
  } finally {
    await small.close();
  }
}

export async function serviceScale(service: BenchService): Promise<string> {
  const { db, url } = service;
  const { id, token } = await service.client(['view:wallets']);
  await seed(service, id, 0, 1000);
  // Warm-up.
  for (let turn = 0; turn < TURNS; turn++) await ask(url, token, noTimes());

  const { memory: before } = await service.usage();
  await seed(service, id, 1000, 100_000);
  const all = await service.client(['view:wallets', 'use:all-wallets']);
  await sql`update wallets set application_id = ${all.id} where owner_id <> ${id}`.execute(db);
  const reader = { token: all.token, connections: 32, count: 100_000 - EACH };
  const { seconds } = await load((n) => `${url}/api/wallets/${walletAt(n + EACH)}`, reader);
  const { memory: after } = await service.usage();

  await service.usage();
  const pages = await readPages(`${url}/api/wallets`, all.token);
  const { lag } = await service.usage();

  const exported = await duringExport(service, all.token, token);

  await seed(service, id, 100_000, 1_000_000);
  const first = await compare(service, token);
  const { rows: sizes } = await sql<{ bytes: string }>`select
    (pg_total_relation_size('wallets') + pg_total_relation_size('wallet_secrets') + pg_total_relation_size('pins')) as bytes`.execute(
    db,
  );
  note('walletBytes', Number(sizes[0]!.bytes) / 1_000_000);
  const second = table(
    ['memory of the process', 'MiB'],
    [
      ['at 1,000 wallets', (before / MIB).toFixed(0)],
      [`after 100,000 were read, in ${seconds.toFixed(0)} s`, (after / MIB).toFixed(0)],
    ],
  );
  const third = table(
    [
      'list of 99,990, page by page',
      'pages',
      'median of a page, ms',
      'p99',
      'longest block of the event loop, ms (≤ 50)',
    ],
    [
      [
        '1,000 each',
        String(pages.length),
        median(pages).toFixed(0),
        percentile(pages, 0.99).toFixed(0),
        (lag * 1000).toFixed(0),
      ],
    ],
  );
  return `${first}\n\n${second}\n\n${third}\n\n${exported}`;
}
