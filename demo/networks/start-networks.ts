/** Starts the demo's local networks in parallel, one for each chain. */
import { CARDS, type SecretType } from '../../src/chains/secret-type.ts';
import type { Anvil } from './anvil.ts';
import type { LocalNetwork, LocalNetworkOptions } from './local-network.ts';
import { litecoindPath } from './litecoind-path.ts';

type Start = (options: LocalNetworkOptions) => Promise<LocalNetwork>;

interface Starter {
  /** Default port of `npm start`; `<SECRET TYPE>_PORT` sets another. */
  port: number;
  /** Loads the chain's libraries. */
  load(): Promise<Start>;
  needsLitecoind?: true;
  /** The same network on its real node, built with Go. */
  real?(onBuild: (what: string) => void): Promise<Start>;
}

/**
 * In starting order: those with the longest wait come first, and the others load meanwhile. A chain without an entry is not in the demo.
 */
export const LOCAL_NETWORKS: { [S in SecretType]?: Starter } = {
  BITCOIN: {
    port: 3002,
    load: async () => (await import('./bitcoin.ts')).startBitcoinNetwork,
    needsLitecoind: true,
    real: async (onBuild) => {
      const { startBtcdNetwork } = await import('./real/btcd.ts');
      return ({ port }) => startBtcdNetwork({ port, onBuild });
    },
  },
  LITECOIN: {
    port: 3003,
    load: async () => (await import('./litecoin.ts')).startLitecoinNetwork,
    needsLitecoind: true,
  },
  ETHEREUM: { port: 8545, load: async () => (await import('./ethereum.ts')).startEthereum },
  GOCHAIN: {
    port: 8546,
    load: async () => (await import('./gochain.ts')).startGochainNetwork,
    real: async (onBuild) => {
      const { startGochainNode } = await import('./real/gochain-node.ts');
      return ({ port }) => startGochainNode({ port, onBuild });
    },
  },
  VECHAIN: {
    port: 8669,
    load: async () => (await import('./vechain.ts')).startVechainNetwork,
    real: async (onBuild) => {
      const { startThor } = await import('./real/thor.ts');
      return ({ port }) => startThor({ port, onBuild });
    },
  },
  TRON: { port: 8090, load: async () => (await import('./tron.ts')).startTronNetwork },
  AETERNITY: { port: 3013, load: async () => (await import('./aeternity.ts')).startAeternityNetwork },
};

export const LOCAL_CHAINS = Object.keys(LOCAL_NETWORKS) as SecretType[];

export interface StartOptions {
  /** Absent and 0 take any free port. */
  ports: { [S in SecretType]?: number };
  /** All when absent. */
  chains?: readonly SecretType[] | undefined;
  onAnswer(network: LocalNetwork): void;
  /** For Ethereum. */
  anvil?: Anvil | undefined;
  /** VeChain, GoChain and Bitcoin on their real nodes. */
  realNodes?: boolean | undefined;
  /** Called with why a network does not start, or what is built first. */
  onMissing(reason: string): void;
}

/** Starts those that can run here. If one fails, none is left running. */
export async function startNetworks({
  ports,
  chains = LOCAL_CHAINS,
  anvil,
  realNodes = false,
  onAnswer,
  onMissing,
}: StartOptions): Promise<LocalNetwork[]> {
  if (realNodes) {
    const { goMissing } = await import('./real/go-nodes.ts');
    const missing = goMissing();
    if (missing) throw new Error(`${missing} Leave --real-nodes out for the local networks alone.`);
  }
  const isReal = (chain: SecretType): boolean => realNodes && LOCAL_NETWORKS[chain]?.real !== undefined;
  const wanted = chains.filter(
    (chain) => isReal(chain) || !LOCAL_NETWORKS[chain]?.needsLitecoind || litecoindPath(),
  );
  if (wanted.length < chains.length)
    onMissing(
      `${isReal('BITCOIN') ? 'Litecoin needs' : 'Bitcoin and Litecoin need'} litecoind, which is not installed: apt-get install --no-install-recommends litecoind`,
    );
  const started: Promise<PromiseSettledResult<LocalNetwork>[]>[] = [];
  for (const chain of wanted) {
    const { load, real } = LOCAL_NETWORKS[chain]!;
    const onBuild = (what: string): void => onMissing(`building ${what}, once: a minute or two`);
    const loaded = isReal(chain) ? real!(onBuild) : load();
    const network = loaded.then(async (start) => {
      const answers = await start({
        port: ports[chain] ?? 0,
        anvil: chain === 'ETHEREUM' ? anvil : undefined,
      });
      await withExchanges(answers);
      onAnswer(answers);
      return answers;
    });
    // Handled at once: nothing awaits it while the next one loads.
    started.push(Promise.allSettled([network]));
    await loaded.catch(() => {});
  }
  const outcomes = (await Promise.all(started)).flat();
  const running = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (!failed) return running;
  await closeAll(running);
  throw failed.reason;
}

async function withExchanges(network: LocalNetwork): Promise<void> {
  if (!CARDS[network.network.secretType].contracts) return;
  try {
    const { addExchanges } = await import('./exchanges/index.ts');
    await addExchanges(network);
  } catch (error) {
    await network.close();
    throw error;
  }
}

export async function closeAll(networks: readonly LocalNetwork[]): Promise<void> {
  await Promise.all(networks.map((network) => network.close()));
}
