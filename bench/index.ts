/** `npm run bench`: the figures that this project promises, measured in this run. Tests hold the sizes to budgets; times never fail. */
import { closeAll, startNetworks } from '../demo/networks/start-networks.ts';
import type { LocalNetwork } from '../demo/networks/local-network.ts';
import { buildIfStale } from '../scripts/build.ts';
import { answerHelp } from '../service/help.ts';
import { bytes } from './bytes.ts';
import { checkoutRate } from './checkout.ts';
import { equalExecutes } from './equal-executes.ts';
import { record } from './figures.ts';
import { longText } from './long-text.ts';
import { deposits } from './deposits.ts';
import { inPage } from './page.ts';
import { pin } from './pin.ts';
import { rounds } from './rounds.ts';
import { serviceCreate } from './service-create.ts';
import { startBenchService } from './service-process.ts';
import { serviceRate } from './service-rate.ts';
import { serviceScale } from './service-scale.ts';
import { serviceSessions } from './service-sessions.ts';
import { signing } from './signing.ts';
import { slowPhone } from './slow-phone.ts';
import { swaps } from './swaps.ts';
import { tokenReads } from './token-reads.ts';
import { webhooks } from './webhooks.ts';

/** On every chain of the demo. */
const ON_NETWORKS = {
  rounds,
  tokens: tokenReads,
  signing,
  async page(networks: LocalNetwork[]): Promise<string> {
    const ethereum = networks.find(({ network }) => network.secretType === 'ETHEREUM')!;
    const tables: string[] = [];
    await inPage(async (page) => void tables.push(await pin(page, ethereum), await longText(page)));
    return tables.join('\n\n');
  },
};

const OTHERS = {
  sizes: bytes,
  swaps,
  phone: slowPhone,
  reads: () => onService(serviceRate),
  create: () => onService(serviceCreate),
  scale: () => onService(serviceScale),
  spends: serviceSessions,
  equal: equalExecutes,
  checkout: checkoutRate,
  webhooks,
  deposits,
};

async function onService(
  measure: (service: Awaited<ReturnType<typeof startBenchService>>) => Promise<string>,
): Promise<string> {
  const service = await startBenchService();
  return measure(service).finally(() => service.close());
}

const names = [...Object.keys(ON_NETWORKS), ...Object.keys(OTHERS)];

answerHelp({
  usage: ['bench', 'bench -- [<part> …] [--record]'],
  does: `Measures what this project promises, beside peers: all of it, in 10 minutes, or the parts that are named, of ${names.join(', ')}. Builds what is stale.`,
  options: { '--record': 'writes what bench/scale-simulation.ts computes from into bench/figures.json' },
  environment: { CHROME_PATH: 'the browser, if it is not installed in a usual place' },
});

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`There is no part ${unknown}. There are: ${names.join(', ')}.`);
  process.exit(1);
}
const partsOf = <Part>(all: Record<string, Part>): Part[] =>
  Object.entries(all).flatMap(([name, part]) => (wanted.length === 0 || wanted.includes(name) ? [part] : []));

await buildIfStale();
const onNetworks = partsOf(ON_NETWORKS);
if (onNetworks.length > 0) {
  const missing: string[] = [];
  const networks = await startNetworks({
    ports: {},
    onAnswer: () => {},
    onMissing: (reason) => missing.push(reason),
  });
  try {
    for (const part of onNetworks) console.log(`${await part(networks)}\n`);
    for (const reason of missing) console.log(`Left out: ${reason}\n`);
  } finally {
    await closeAll(networks);
  }
}
for (const part of partsOf<() => string | Promise<string>>(OTHERS)) {
  console.log(`${await part()}\n`);
  if (process.argv.includes('--record')) record();
}
