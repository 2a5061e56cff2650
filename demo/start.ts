/** `npm start`: the whole demo. What is not built yet is built while everything else starts. */
import { pathToFileURL } from 'node:url';
import { answerHelp } from '../service/help.ts';
import { loadBundledDemo } from './bundle.ts';
import type { Demo, DemoOptions } from './demo.ts';
import { LOCAL_CHAINS, LOCAL_NETWORKS } from './networks/start-networks.ts';
import { startPagesBuild } from './pages-build.ts';

export type { Demo, DemoOptions } from './demo.ts';

/** Loads all of it only now: a build beside it starts first. */
export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const demo = await import('./demo.ts');
  return demo.startDemo(options);
}

function port(setting: string, usual: number): number {
  const given = Number(process.env[setting] ?? usual);
  if (Number.isInteger(given) && given >= 0 && given < 65_536) return given;
  throw new Error(`${setting} is ${process.env[setting]}, which is not a port.`);
}

/** For `--help`. */
export const DEMO_SETTINGS = {
  DEMO_PORT: "port of the demo's pages; 5173 without it, 0 takes any free one",
  DOCS_PORT: 'port of the docs; 5174',
  FRAME_PORT: 'port of the frame; 4000',
  SERVICE_PORT: 'port of the wallet service; 4001',
  THORCHAIN_PORT: 'port of the first of two local nodes of THORChain, the second has the next one; 1317',
  '<CHAIN>_PORT': 'port of the local network of a chain, such as ETHEREUM_PORT',
  LITECOIND: 'path of litecoind, if it is not on PATH',
  '…': 'and the settings of the service: npm run service -- --help',
};

/** Runs until a signal ends it. `load` takes seconds. */
export async function runDemo(
  load: () => Promise<Pick<typeof import('./demo.ts'), 'startDemo'>>,
  options: Pick<DemoOptions, 'live' | 'realNodes' | 'startsAll'>,
): Promise<void> {
  const ports = {
    demo: port('DEMO_PORT', 5173),
    docs: port('DOCS_PORT', 5174),
    frame: port('FRAME_PORT', 4000),
    service: port('SERVICE_PORT', 4001),
    thorchain: port('THORCHAIN_PORT', 1317),
    ...Object.fromEntries(
      LOCAL_CHAINS.map((chain) => [chain, port(`${chain}_PORT`, LOCAL_NETWORKS[chain]!.port)]),
    ),
  };
  const build = startPagesBuild();
  let stopping = false;
  const start = async (): Promise<Demo> => {
    const demo = await load();
    if (stopping) throw new Error('It was stopped before it started.');
    return demo.startDemo({
      ...options,
      ports,
      built: build.done,
      prices: true,
      service: process.env,
      onAnswer: (name, url) => console.log(`${name} ${url}`),
      onMissing: (reason) => console.log(reason),
    });
  };
  const running = start();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      // A start that waits for the build fails then, and closes what it has started.
      void build
        .stop()
        .then(() => running)
        .then(
          (demo) => demo.close(),
          () => {},
        )
        .then(() => process.exit(0));
    });
  const { service, docs } = await running.catch(async (error: unknown) => {
    await (stopping ? new Promise<never>(() => {}) : build.stop());
    throw error;
  });
  void service!.running.lost.then(async (error) => {
    if (stopping) return;
    stopping = true;
    console.error(error.message);
    await (await running).close();
    process.exit(1);
  });
  if (stopping) return;
  console.log('ready');
  // Builds them, so that nobody waits for the first page.
  void fetch(docs).catch(() => {});
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  answerHelp({
    usage: ['start', 'start -- --all', 'start -- --real-nodes'],
    does: "Builds the pages if a source is newer, and runs the demo's pages, the frame, the wallet service and a local network of each chain until Ctrl-C. It prints ready once all of them answer.",
    options: {
      '--all': 'also what else starts with its first request: the router and vaults of the local THORChain',
      '--real-nodes': 'VeChain, GoChain and Bitcoin on their own nodes, which Go builds at the first time',
    },
    environment: DEMO_SETTINGS,
    exits: { 0: 'it was stopped', 1: 'a part could not start, or the service lost its database' },
  });
  runDemo(loadBundledDemo, {
    realNodes: process.argv.includes('--real-nodes'),
    startsAll: process.argv.includes('--all'),
  }).catch((error: unknown) => {
    console.error((error as Error).message);
    process.exit(1);
  });
}
