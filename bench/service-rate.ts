/** Authenticated reads per second of the service, compared with bare `node:http` that verifies the token in the same way. */
import { join } from 'node:path';
import { table } from '../scripts/sizes.ts';
import { note } from './figures.ts';
import { type Load, load } from './load.ts';
import { median, percentile } from './median.ts';
import { type BenchService, startProcess } from './service-process.ts';

const CONNECTIONS = 64;
/** Enough requests for the engine to have compiled the code. */
const WARM_UP = 8000;
/** Short alternating turns, so that other load on the machine affects all alike. */
const TURNS = 9;
const SECONDS = 1;

/** `cpu`: CPU microseconds of the process per request. `lag`: 99th percentile of the event loop's delay, in milliseconds. */
type Turn = Load & { cpu: number; lag: number };

export async function serviceRate(service: BenchService): Promise<string> {
  const bare = await startProcess('bench/bare-server.ts', join(service.folder, 'bare-log'), {
    ISSUER: service.issuer,
    DATABASE_URL: service.databaseUrl,
  });
  // A different client on each connection.
  const token: string[] = [];
  for (let n = 0; n < CONNECTIONS; n++) token.push((await service.client(['view:profile'])).token);
  try {
    const sides = [
      { name: 'bare node:http with the check', at: bare, path: '/' },
      { name: 'the same, and the query', at: bare, path: '/asks' },
      { name: 'service, GET /api/profile', at: service, path: '/api/profile' },
    ].map((side) => ({ ...side, url: side.at.url + side.path, turns: [] as Turn[] }));
    for (const { url } of sides) await load(url, { token, connections: CONNECTIONS, count: WARM_UP });
    for (let n = 0; n < TURNS; n++)
      for (const { at, url, turns } of sides) {
        const { cpu: before } = await at.usage();
        const turn = await load(url, { token, connections: CONNECTIONS, seconds: SECONDS });
        const { cpu: after, lagP99 } = await at.usage();
        turns.push({ ...turn, cpu: ((after - before) * 1e6) / turn.count, lag: lagP99 * 1000 });
      }
    const rate = ({ count, seconds }: Load): number => count / seconds;
    const beside = (turns: Turn[], other: Turn[]): string =>
      median(turns.map((turn, n) => rate(turn) / rate(other[n]!))).toFixed(2);
    const [plain, asking, served] = sides.map(({ turns }) => turns);
    note('readsASecond', median(served!.map(rate)));
    note('processBytes', (await service.usage()).memory);
    return table(
      [
        'authenticated reads',
        'a second',
        'p99, ms',
        'CPU, µs',
        'event loop p99, ms (≤ 20)',
        'of bare (≥ 0.55)',
        'of bare with the query',
      ],
      sides.map(({ name, turns }) => [
        name,
        median(turns.map(rate)).toFixed(0),
        percentile(
          turns.flatMap(({ milliseconds }) => milliseconds),
          0.99,
        ).toFixed(1),
        median(turns.map(({ cpu }) => cpu)).toFixed(0),
        // The bare server does not measure it.
        Number.isNaN(turns[0]!.lag) ? '-' : median(turns.map(({ lag }) => lag)).toFixed(0),
        beside(turns, plain!),
        beside(turns, asking!),
      ]),
    );
  } finally {
    await bare.close();
  }
}
