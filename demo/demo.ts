/** The demo's pages, the frame, the wallet service and a local network for each chain, each on its own origin. */
import { resolve } from 'node:path';
import { startFrameServer } from '../service/frame-server.ts';
import type { Networks } from '../src/chains/network.ts';
import type { SecretType } from '../src/chains/secret-type.ts';
import type { LiveReload } from './live-reload.ts';
import type { Anvil } from './networks/anvil.ts';
import type { LocalNetwork } from './networks/local-network.ts';
import { demoNetworks } from './networks/networks.ts';
import { closeAll, startNetworks } from './networks/start-networks.ts';
import { type LocalThorchain, startThorchain } from './networks/thorchain/index.ts';
import type { ShopClient } from './back-end.ts';
import { demoFiat, demoOracle } from './prices.ts';
import { startDocsServer } from './docs-server.ts';
import { startDemoServer } from './server.ts';
import { demoGateway } from './tickets.ts';
import { type DemoService, startDemoService } from './service.ts';

export interface Demo {
  /** Base URL of the host page's origin. It also answers on `http://127.0.0.1:<port>`, a different site from the frame's. */
  demo: string;
  frame: string;
  docs: string;
  /** The wallet service, if it was requested. */
  service: DemoService | undefined;
  /** By secret type; absent if the network cannot run. */
  local: { [S in SecretType]?: LocalNetwork };
  close(): Promise<void>;
}

export interface DemoOptions {
  /** Absent and 0 take any free port. */
  ports?: { demo?: number; docs?: number; frame?: number; service?: number; thorchain?: number } & {
    [S in SecretType]?: number;
  };
  /** Local networks to start; all when absent. */
  chains?: readonly SecretType[];
  /** For Ethereum; a new one is started if absent. */
  anvil?: Anvil | undefined;
  /** VeChain, GoChain and Bitcoin on their real nodes, built with Go. */
  realNodes?: boolean;
  /** Also what else starts with its first request: THORChain's router, vaults and their coins. */
  startsAll?: boolean;
  /** Called when a part is ready. */
  onAnswer?: (name: string, url: string) => void;
  /** Called with the reason why local networks are missing. */
  onMissing?: (reason: string) => void;
  /** Environment variables of the wallet service, which runs only if they are given. */
  service?: NodeJS.ProcessEnv;
  /** Receives the service's log instead of standard output. */
  logTo?: { write(line: string): void };
  /** Changes `networks.json` before the frame's server uses it. */
  networks?: (networks: Networks) => Networks;
  /** The wallet shows fiat values, at the demo's own prices. */
  prices?: boolean;
  /** Reloads the page. */
  live?: LiveReload | undefined;
  /** Resolves when `dist/` has been built; absent if it has. */
  built?: Promise<void> | undefined;
}

/** Milliseconds of a block of THORChain, whose own ones take 6 seconds. */
const THORCHAIN_BLOCK = 1_000;

const DIST = resolve(import.meta.dirname, '../dist');

/** A deferred promise. A rejection reaches those who await it, but is never reported as unhandled. */
function later<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((...both) => ([resolve, reject] = both));
  promise.catch(() => {});
  return { promise, resolve, reject };
}

function checkPorts({ demo, docs, frame, service }: NonNullable<DemoOptions['ports']>): void {
  const names = { DEMO_PORT: demo, DOCS_PORT: docs, FRAME_PORT: frame, SERVICE_PORT: service };
  for (const [one, port] of Object.entries(names))
    for (const [other, same] of Object.entries(names))
      if (port && port === same && one !== other)
        throw new Error(`${one} and ${other} are both ${port}: each part needs an origin of its own.`);
}

export async function startDemo({
  ports = {},
  chains,
  anvil,
  realNodes = false,
  startsAll = false,
  onAnswer = () => {},
  onMissing = () => {},
  service: settings,
  logTo,
  networks: changed = (all) => all,
  prices = false,
  live,
  built = Promise.resolve(),
}: DemoOptions = {}): Promise<Demo> {
  checkPorts(ports);
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const part of closers.splice(0).reverse()) await part();
  };
  // The parts need one another's addresses, so each listens before it can answer.
  const local = later<readonly LocalNetwork[]>();
  const networks = later<Networks>();
  const ofFrame = later<Networks>();
  const shop = later<ShopClient>();
  const thorchain = later<LocalThorchain | undefined>();
  // The service looks for its payment page at the start.
  const afterBuild = built.then(() => networks.promise);
  afterBuild.catch(() => {});
  try {
    const frame = await startFrameServer({ dist: DIST, networks: ofFrame.promise, port: ports.frame ?? 0 });
    closers.push(frame.close);
    const docs = await startDocsServer({ port: ports.docs ?? 0, frame: frame.url });
    closers.push(docs.close);
    const demo = await startDemoServer({
      dist: DIST,
      built,
      port: ports.demo ?? 0,
      frame: frame.url,
      docs: docs.url,
      local: local.promise,
      thorchain: thorchain.promise,
      shop: settings && shop.promise,
      live,
    });
    closers.push(demo.close);
    const chainsStart = startNetworks({
      ports,
      chains,
      anvil,
      realNodes,
      onMissing,
      onAnswer: ({ network }) => onAnswer(network.secretType.toLowerCase(), network.nodes[0]!),
    }).then(async (all) => {
      closers.push(() => closeAll(all));
      const port = ports.thorchain ?? 0;
      const swaps = await startThorchain({ networks: all, port, every: THORCHAIN_BLOCK });
      if (swaps) closers.push(swaps.close);
      if (startsAll) await swaps?.running();
      thorchain.resolve(swaps);
      networks.resolve(
        changed({
          ...demoNetworks(...all.map(({ network }) => withPrices(network, demo.url))),
          ...(swaps && { crossChain: [swaps.entry] }),
          ipfsGateway: demoGateway(new URL(demo.url).port),
        }),
      );
      local.resolve(all);
      return all;
    });
    chainsStart.catch(networks.reject);
    const serviceStart =
      settings &&
      startDemoService({
        settings,
        port: ports.service ?? 0,
        networks: afterBuild,
        frame: frame.url,
        provider: demo.provider!,
        ...(logTo ? { logTo } : {}),
      }).then((service) => {
        closers.push(() => service.running.close());
        return service;
      });
    // All are awaited even if one fails, so that nothing is left running.
    const [ofBuild, ofChains, ofService] = await Promise.allSettled([built, chainsStart, serviceStart]);
    if (ofBuild.status === 'rejected') throw ofBuild.reason;
    if (ofChains.status === 'rejected') throw ofChains.reason;
    if (ofService.status === 'rejected') throw ofService.reason;
    const service = ofService.value;
    if (service) shop.resolve(service.shop);
    // The demo's pages, the docs and the service's payment page show the wallet in a dialog.
    const embed = [demo.url, docs.url, ...(service ? [service.url] : [])].map((url) => new URL(url).origin);
    ofFrame.resolve({
      embed,
      ...(await networks.promise),
      ...(service && { service: service.url, pictures: `${service.url}/pictures/` }),
      ...(prices && { fiat: demoFiat(demo.url) }),
    });
    if (service) onAnswer('service', service.url);
    onAnswer('frame', frame.url);
    onAnswer('docs', docs.url);
    onAnswer('demo', demo.url);
    return {
      demo: demo.url,
      frame: frame.url,
      docs: docs.url,
      service,
      local: Object.fromEntries(ofChains.value.map((each) => [each.network.secretType, each])),
      close,
    };
  } catch (error) {
    for (const waiting of [local, networks, ofFrame, shop, thorchain]) waiting.reject(error);
    await close();
    throw error;
  }
}

/** Where no exchange of the network has prices for checkout, the demo's own do. */
function withPrices(network: LocalNetwork['network'], url: string): LocalNetwork['network'] {
  const { secretType } = network;
  const isPriced = secretType === 'TRON' || secretType === 'AETERNITY';
  return isPriced ? { ...network, prices: demoOracle(url, secretType) } : network;
}
