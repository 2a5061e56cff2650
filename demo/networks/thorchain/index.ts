/**
 * The demo's THORChain, on its local Bitcoin, Litecoin, Ethereum and Tron: one process with the keys of the vaults instead of validators, and
 * two nodes in front of it. It takes and refuses what THORChain does, and knows nothing of the wallet.
 */
import { networks as encodings } from 'bitcoinjs-lib';
import type { SecretType } from '../../../src/chains/secret-type.ts';
import type { ThorchainEntry } from '../../../src/swaps/cross-chain/thorchain/entry.ts';
import type { LocalUtxo } from '../esplora.ts';
import { LITECOIN_REGTEST } from '../litecoind.ts';
import type { LocalNetwork } from '../local-network.ts';
import type { LocalTron } from '../tron.ts';
import { Books, CHAINS, type Pool } from './books.ts';
import { Engine, type LocalSide } from './engine.ts';
import { type LocalThorNode, startThorNode } from './nodes.ts';
import { type EthereumSide, ethereumSide } from './sides/ethereum.ts';
import { tronSide } from './sides/tron.ts';
import { utxoSide } from './sides/utxo.ts';

export interface LocalThorchain {
  books: Books;
  engine: Engine;
  sides: readonly LocalSide[];
  /** At `localhost` and `127.0.0.1`, which count as two. */
  nodes: readonly [LocalThorNode, LocalThorNode];
  /** The entry of `crossChain` in `networks.json`. */
  entry: ThorchainEntry;
  /** A new vault takes over, with what it needs to pay. */
  churn(): Promise<void>;
  close(): Promise<void>;
}

export interface ThorchainOptions {
  /** Those of its chains that run. */
  networks: readonly LocalNetwork[];
  /** Of the first node; 0 takes any free ones. */
  port: number;
  /** Milliseconds of a block, in which deposits that wait get a block of their chain, too. Absent: blocks come by `engine.tick`. */
  every?: number;
}

/** What an asset's pool holds, in whole coins and RUNE of about $5, and what a vault has to pay with. */
const DEPTHS: Readonly<Record<string, { coins: bigint; rune: bigint; funds: bigint }>> = {
  'BTC.BTC': { coins: 800n, rune: 16_000_000n, funds: 5n },
  'LTC.LTC': { coins: 200_000n, rune: 4_000_000n, funds: 100n },
  'ETH.ETH': { coins: 20_000n, rune: 12_000_000n, funds: 200n },
  'TRON.TRX': { coins: 60_000_000n, rune: 3_600_000n, funds: 1_000_000n },
};
const TOKEN_DEPTH = { coins: 10_000_000n, rune: 2_000_000n, funds: 100_000n };
const COIN = 100_000_000n;
const MIN_SLIP_BPS = 5;

export async function startThorchain({ networks, port, every }: ThorchainOptions): Promise<LocalThorchain> {
  const started: LocalSide[] = [];
  const pools: Pool[] = [];
  const assets: ThorchainEntry['assets'] = [];
  const add = (asset: string, network: string, token?: { address: string; decimals: number }): void => {
    const { coins, rune } = DEPTHS[asset] ?? TOKEN_DEPTH;
    pools.push({
      asset,
      balanceAsset: coins * COIN,
      balanceRune: rune * COIN,
      decimals: token && token.decimals < 8 ? token.decimals : asset === 'TRON.TRX' ? 6 : 0,
      status: 'Available',
    });
    assets.push({ network, name: asset, ...(token && { token: token.address }) });
  };
  let ethereum: EthereumSide | undefined;
  let ethereumId = '';

  for (const local of networks) {
    const { id, secretType, tokens, nodes } = local.network;
    const chain = CHAIN_OF[secretType];
    if (!chain) continue;
    add(CHAINS.find(({ name }) => name === chain)!.gasAsset, id);
    const listed = tokens
      .filter(({ symbol }) => TOKENS[chain]?.includes(symbol))
      .map(({ symbol, address, decimals }) => ({
        asset: `${chain}.${symbol}-${address.toUpperCase()}`,
        address,
        decimals,
      }));
    for (const token of listed) add(token.asset, id, token);
    if (chain === 'BTC') started.push(await utxoSide(chain, local as LocalUtxo, encodings.regtest));
    if (chain === 'LTC') started.push(await utxoSide(chain, local as LocalUtxo, LITECOIN_REGTEST));
    if (chain === 'TRON') started.push(tronSide(local as LocalTron, listed));
    if (chain === 'ETH') {
      ethereum = await ethereumSide(nodes[0]!, listed);
      ethereumId = id;
      started.push(ethereum);
    }
  }

  const books = new Books(pools, Date.now());
  books.mimir.set('L1SLIPMINBPS', MIN_SLIP_BPS).set('STREAMINGSWAPPAUSE', 1);
  const fund = async (): Promise<void> => {
    for (const { asset } of pools) {
      const side = started.find(({ name }) => asset.startsWith(`${name}.`))!;
      await side.fund(books.active.number, asset, (DEPTHS[asset] ?? TOKEN_DEPTH).funds * COIN);
    }
  };
  await fund();
  const engine = new Engine(books, started);
  const nodes = [
    await startThorNode(engine, { port, host: 'localhost' }),
    await startThorNode(engine, { port: port && port + 1, host: '127.0.0.1' }),
  ] as const;

  /** The chains of the demo have a block when somebody pays: what waits for another one would wait for long. */
  async function round(): Promise<void> {
    await engine.tick();
    const waiting = new Set(
      [...engine.swaps.values()].filter(({ isDone }) => !isDone).map(({ chain }) => chain),
    );
    for (const side of started) if (waiting.has(side.name)) await side.mine();
  }
  let isBusy = false;
  const regular =
    every &&
    setInterval(() => {
      if (isBusy) return;
      isBusy = true;
      // A chain that is down now may be up in the next round.
      round()
        .catch(() => {})
        .finally(() => (isBusy = false));
    }, every).unref();

  return {
    books,
    engine,
    sides: started,
    nodes,
    entry: {
      kind: 'thorchain',
      name: 'THORChain',
      nodes: nodes.map(({ url }, i) => ({ url, operator: `Demo ${i + 1}` })),
      routers: ethereum
        ? [{ network: ethereumId, address: ethereum.router, codeHash: ethereum.codeHash }]
        : [],
      assets,
    },
    async churn() {
      books.churn();
      await fund();
    },
    async close() {
      if (regular) clearInterval(regular);
      await Promise.all([...nodes, ...started].map((part) => part.close()));
    },
  };
}

const CHAIN_OF: { [S in SecretType]?: string } = {
  BITCOIN: 'BTC',
  LITECOIN: 'LTC',
  ETHEREUM: 'ETH',
  TRON: 'TRON',
};
/** By symbol, those of the demo that have a pool. */
const TOKENS: Readonly<Record<string, readonly string[]>> = { ETH: ['DUSD', 'DCENT'], TRON: ['DUSD'] };
