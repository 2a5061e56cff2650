/**
 * The demo's THORChain, on its local Bitcoin, Litecoin, Ethereum and Tron: one process with the keys of the vaults instead of validators, and
 * two nodes in front of it. It takes and refuses what THORChain does, and knows nothing of the wallet. It starts with the first request.
 */
import type { SecretType } from '../../../src/chains/secret-type.ts';
import type { ThorchainEntry } from '../../../src/swaps/cross-chain/thorchain/entry.ts';
import type { LocalUtxo } from '../esplora.ts';
import type { LocalNetwork } from '../local-network.ts';
import type { LocalTron } from '../tron.ts';
import { Books, CHAINS, type Pool } from './books.ts';
import { Engine, type LocalSide } from './engine.ts';
import { type LocalThorNode, startThorNode } from './nodes.ts';

export interface LocalThorchain {
  /** At `localhost` and `127.0.0.1`, which count as two. */
  nodes: readonly [LocalThorNode, LocalThorNode];
  /** The entry of `crossChain` in `networks.json`. */
  entry: ThorchainEntry;
  /** What the nodes answer for, started now if it was not yet: router, vaults and their coins. Takes seconds. */
  running(): Promise<RunningThorchain>;
  close(): Promise<void>;
}

export interface RunningThorchain {
  books: Books;
  engine: Engine;
  sides: readonly LocalSide[];
  /** The address on a chain, by THORChain's name of it, that takes coins now. */
  vaultOn(chain: string): string;
  /** Of outputs. It follows the price of the pool, which a swap moves: with it, an offer is right to 0.1 % only. */
  dropLeastFee(): void;
  /** A new vault takes over, with what it needs to pay. */
  churn(): Promise<void>;
}

export interface ThorchainOptions {
  /** Those of its chains that run. */
  networks: readonly LocalNetwork[];
  /** Of the first node, the second has the next one; 0 takes any free ones. */
  port: number;
  /** Milliseconds of a block, in which deposits that wait get a block of their chain, too. Absent: blocks come by `engine.tick`. */
  every?: number;
}

interface PooledAsset {
  /** THORChain's name. */
  name: string;
  chain: string;
  network: string;
  token: { address: string; decimals: number } | undefined;
}

/**
 * What an asset's pool holds, in whole coins and RUNE of about $5, and what a vault has to pay with. Coins have the prices of the demo
 * (`demo/prices.ts`): a swap must not look like a loss.
 */
const DEPTHS: Readonly<Record<string, { coins: bigint; rune: bigint; funds: bigint }>> = {
  'BTC.BTC': { coins: 800n, rune: 10_240_000n, funds: 5n },
  'LTC.LTC': { coins: 200_000n, rune: 3_340_000n, funds: 100n },
  'ETH.ETH': { coins: 20_000n, rune: 8_000_000n, funds: 200n },
  'TRON.TRX': { coins: 60_000_000n, rune: 1_920_000n, funds: 1_000_000n },
};
const TOKEN_DEPTH = { coins: 10_000_000n, rune: 2_000_000n, funds: 100_000n };
const COIN = 100_000_000n;
const MIN_SLIP_BPS = 5;

const CHAIN_OF: { [S in SecretType]?: string } = {
  BITCOIN: 'BTC',
  LITECOIN: 'LTC',
  ETHEREUM: 'ETH',
  TRON: 'TRON',
};
/** By symbol, those of the demo that have a pool. */
const TOKENS: Readonly<Record<string, readonly string[]>> = { ETH: ['DUSD', 'DCENT'], TRON: ['DUSD'] };

/** Undefined with fewer than two of its chains. */
export async function startThorchain({
  networks,
  port,
  every,
}: ThorchainOptions): Promise<LocalThorchain | undefined> {
  const own = networks.filter(({ network }) => CHAIN_OF[network.secretType]);
  if (own.length < 2) return undefined;
  const assets = own.flatMap(assetsOf);
  let start: Promise<RunningThorchain> | undefined;
  let regular: NodeJS.Timeout | undefined;
  const running = (): Promise<RunningThorchain> => {
    start ??= startSides(own, assets).then((thorchain) => {
      if (every !== undefined) regular = keepTicking(thorchain, every);
      return thorchain;
    });
    return start;
  };
  const engine = async (): Promise<Engine> => (await running()).engine;
  const nodes = [
    await startThorNode(engine, { port, host: 'localhost' }),
    await startThorNode(engine, { port: port && port + 1, host: '127.0.0.1' }),
  ] as const;
  const routers = own
    .filter(({ network }) => network.secretType === 'ETHEREUM')
    .map(async ({ network }) => {
      const { routerOf } = await import('./sides/ethereum.ts');
      return { network: network.id, ...(await routerOf(network.nodes[0]!)) };
    });
  return {
    nodes,
    entry: {
      kind: 'thorchain',
      name: 'THORChain',
      nodes: nodes.map(({ url }, i) => ({ url, operator: `Demo ${i + 1}` })),
      routers: await Promise.all(routers),
      assets: assets.map(({ network, name, token }) => ({
        network,
        name,
        ...(token && { token: token.address }),
      })),
    },
    running,
    async close() {
      clearInterval(regular);
      await Promise.all(nodes.map((node) => node.close()));
      const { sides = [] } = (await start?.catch(() => undefined)) ?? {};
      await Promise.all(sides.map((side) => side.close()));
    },
  };
}

/** A chain's coin, and those of its tokens that have a pool. */
function assetsOf({ network: { id, secretType, tokens } }: LocalNetwork): PooledAsset[] {
  const chain = CHAIN_OF[secretType]!;
  const coin = CHAINS.find(({ name }) => name === chain)!.gasAsset;
  const listed = tokens.filter(({ symbol }) => TOKENS[chain]?.includes(symbol));
  return [
    { name: coin, chain, network: id, token: undefined },
    ...listed.map((token) => ({
      name: `${chain}.${token.symbol}-${token.address.toUpperCase()}`,
      chain,
      network: id,
      token,
    })),
  ];
}

async function sideOf(local: LocalNetwork, assets: readonly PooledAsset[]): Promise<LocalSide> {
  const { id, secretType, nodes } = local.network;
  const tokens = assets.flatMap(({ name, network, token }) =>
    token && network === id ? [{ asset: name, ...token }] : [],
  );
  switch (secretType) {
    case 'BITCOIN':
      return (await import('./sides/utxo.ts')).UtxoSide.start('BTC', local as LocalUtxo);
    case 'LITECOIN':
      return (await import('./sides/utxo.ts')).UtxoSide.start('LTC', local as LocalUtxo);
    case 'TRON':
      return new (await import('./sides/tron.ts')).TronSide(local as LocalTron, tokens);
    default:
      return (await import('./sides/ethereum.ts')).EthereumSide.start(nodes[0]!, tokens);
  }
}

async function startSides(
  networks: readonly LocalNetwork[],
  assets: readonly PooledAsset[],
): Promise<RunningThorchain> {
  const sides: LocalSide[] = [];
  for (const local of networks) sides.push(await sideOf(local, assets));
  const books = new Books(assets.map(poolOf), Date.now());
  books.mimir.set('L1SLIPMINBPS', MIN_SLIP_BPS).set('STREAMINGSWAPPAUSE', 1);
  const fund = async (): Promise<void> => {
    for (const { name, chain } of assets) {
      const side = sides.find((each) => each.name === chain)!;
      await side.fund(books.active.number, name, (DEPTHS[name] ?? TOKEN_DEPTH).funds * COIN);
    }
  };
  await fund();
  return {
    books,
    engine: new Engine(books, sides),
    sides,
    vaultOn: (chain) => sides.find(({ name }) => name === chain)!.addressOf(books.active.number),
    dropLeastFee: () => void books.mimir.set('MINIMUML1OUTBOUNDFEEUSD', 0),
    async churn() {
      books.churn();
      await fund();
    },
  };
}

function poolOf({ name, token }: PooledAsset): Pool {
  const { coins, rune } = DEPTHS[name] ?? TOKEN_DEPTH;
  const fewer = token ? token.decimals : name === 'TRON.TRX' ? 6 : 8;
  return {
    asset: name,
    balanceAsset: coins * COIN,
    balanceRune: rune * COIN,
    decimals: fewer < 8 ? fewer : 0,
    status: 'Available',
  };
}

/** The chains of the demo have a block when somebody pays: what waits for another one would wait for long. */
function keepTicking({ engine, sides }: RunningThorchain, every: number): NodeJS.Timeout {
  let isBusy = false;
  const round = async (): Promise<void> => {
    await engine.tick();
    const unconfirmed = [...engine.swaps.values()].filter(({ finalisedAt }) => finalisedAt === undefined);
    const waiting = new Set(unconfirmed.map(({ chain }) => chain));
    for (const side of sides) if (waiting.has(side.name)) await side.mine();
  };
  return setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    // A chain that is down now may be up in the next round.
    round()
      .catch(() => {})
      .finally(() => (isBusy = false));
  }, every).unref();
}
