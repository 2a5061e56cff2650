/** `npm run bench`: the figures that this project promises, measured in this run. Tests hold the sizes to budgets; times never fail. */
import type { LocalNetwork } from '../demo/networks/local-network.ts';
import { buildIfStale } from '../scripts/build.ts';
import { answerHelp } from '../service/help.ts';
import { record } from './figures.ts';
import type { BenchService } from './service-process.ts';

/** On every chain of the demo. */
const ON_NETWORKS = {
  rounds: async (networks: LocalNetwork[]) => (await import('./rounds.ts')).rounds(networks),
  tokens: async (networks: LocalNetwork[]) => (await import('./token-reads.ts')).tokenReads(networks),
  signing: async (networks: LocalNetwork[]) => (await import('./signing.ts')).signing(networks),
  async page(networks: LocalNetwork[]): Promise<string> {
    const { inPage } = await import('./page.ts');
    const { pin } = await import('./pin.ts');
    const { longText } = await import('./long-text.ts');
    const ethereum = networks.find(({ network }) => network.secretType === 'ETHEREUM')!;
    const tables: string[] = [];
    await inPage(async (page) => void tables.push(await pin(page, ethereum), await longText(page)));
    return tables.join('\n\n');
  },
};

const OTHERS = {
  sizes: async () => (await import('./bytes.ts')).bytes(),
  weights: async () => (await import('./weights.ts')).weights(),
  swaps: async () => (await import('./swaps.ts')).swaps(),
  restore: async () => (await import('./restore.ts')).restoring(),
  phone: async () => (await import('./slow-phone.ts')).slowPhone(),
  reads: async () => onService((await import('./service-rate.ts')).serviceRate),
  create: async () => onService((await import('./service-create.ts')).serviceCreate),
  scale: async () => onService((await import('./service-scale.ts')).serviceScale),
  spends: async () => (await import('./service-sessions.ts')).serviceSessions(),
  audit: async () => (await import('./audit-rows.ts')).auditRows(),
  equal: async () => (await import('./equal-executes.ts')).equalExecutes(),
  checkout: async () => (await import('./checkout.ts')).checkoutRate(),
  webhooks: async () => (await import('./webhooks.ts')).webhooks(),
  networks: async () => (await import('./many-networks.ts')).manyNetworks(),
  deposits: async () => (await import('./deposits.ts')).deposits(),
  addresses: async () => (await import('./session-addresses.ts')).sessionAddresses(),
};

async function onService(measure: (service: BenchService) => Promise<string>): Promise<string> {
  const { startBenchService } = await import('./service-process.ts');
  const service = await startBenchService();
  return measure(service).finally(() => service.close());
}

const names = [...Object.keys(ON_NETWORKS), ...Object.keys(OTHERS)];

answerHelp({
  usage: ['bench', 'bench -- [<part> …] [--record]'],
  does: `Measures what this project promises, beside peers: all of it, or the parts that are named, of ${names.join(', ')}. Builds what is stale.`,
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
  const { closeAll, startNetworks } = await import('../demo/networks/start-networks.ts');
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
