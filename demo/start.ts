/** `npm start`: the QA page, the frame and a local network for each chain, each on an origin of its own. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale } from '../scripts/build.ts';
import { startFrameServer } from '../service/frame-server.ts';
import type { Networks } from '../src/chains/network.ts';
import type { SecretType } from '../src/chains/secret-type.ts';
import type { LocalNetwork } from './networks/local-network.ts';
import { demoNetworks } from './networks/networks.ts';
import { closeAll, LOCAL_CHAINS, LOCAL_NETWORKS, startNetworks } from './networks/start-networks.ts';
import { startDemoServer } from './server.ts';

export interface Demo {
  /** Base URL of the host page's origin. It answers on `http://127.0.0.1:<port>` too, which is another site than the frame's. */
  demo: string;
  frame: string;
  /** By secret type; absent where it cannot run. */
  local: { [S in SecretType]?: LocalNetwork };
  close(): Promise<void>;
}

export interface DemoOptions {
  /** Absent and 0 take any free port. */
  ports?: { demo?: number; frame?: number } & { [S in SecretType]?: number };
  /** Local networks to start; all when absent. */
  chains?: readonly SecretType[];
  /** Called as each part answers. */
  onAnswer?: (name: string, url: string) => void;
  /** Called with the reason why local networks are missing. */
  onMissing?: (reason: string) => void;
  /** Changes `networks.json` before the frame's server takes it. */
  networks?: (networks: Networks) => Networks;
}

const DIST = resolve(import.meta.dirname, '../dist');

/** `dist/` must have been built. */
export async function startDemo({
  ports = {},
  chains,
  onAnswer = () => {},
  onMissing = () => {},
  networks: changed = (all) => all,
}: DemoOptions = {}): Promise<Demo> {
  if (ports.demo && ports.demo === ports.frame)
    throw new Error(
      `DEMO_PORT and FRAME_PORT are both ${ports.demo}: the host page and the frame need two origins.`,
    );
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const part of closers.splice(0).reverse()) await part();
  };
  try {
    const local = await startNetworks({
      ports,
      chains,
      onMissing,
      onAnswer: ({ network }) => onAnswer(network.secretType.toLowerCase(), network.nodes[0]!),
    });
    closers.push(() => closeAll(local));
    const networks = changed(demoNetworks(...local.map(({ network }) => network)));
    const frame = await startFrameServer({ dist: DIST, networks, port: ports.frame ?? 0 });
    closers.push(frame.close);
    onAnswer('frame', frame.url);
    const demo = await startDemoServer({ dist: DIST, port: ports.demo ?? 0, frame: frame.url, local });
    closers.push(demo.close);
    onAnswer('demo', demo.url);
    return {
      demo: demo.url,
      frame: frame.url,
      local: Object.fromEntries(local.map((each) => [each.network.secretType, each])),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function port(setting: string, usual: number): number {
  const given = Number(process.env[setting] ?? usual);
  if (Number.isInteger(given) && given >= 0 && given < 65_536) return given;
  throw new Error(`${setting} is ${process.env[setting]}, which is not a port.`);
}

async function main(): Promise<void> {
  const ports = {
    demo: port('DEMO_PORT', 5173),
    frame: port('FRAME_PORT', 4000),
    ...Object.fromEntries(
      LOCAL_CHAINS.map((chain) => [chain, port(`${chain}_PORT`, LOCAL_NETWORKS[chain].port)]),
    ),
  };
  await buildIfStale();
  const running = startDemo({
    ports,
    onAnswer: (name, url) => console.log(`${name} ${url}`),
    onMissing: (reason) => console.log(reason),
  });
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      void running.then((demo) => demo.close()).then(() => process.exit(0));
    });
  await running;
  if (!stopping) console.log('ready');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  main().catch((error: unknown) => {
    console.error((error as Error).message);
    process.exit(1);
  });
