/** The local networks between which the demo's THORChain swaps: a shop with wallets on them, or two of them for orders of a test's own. */
import assert from 'node:assert/strict';
import { parseEther } from 'ethers';
import type { LocalUtxo } from '../../demo/networks/esplora.ts';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import type { LocalNetwork } from '../../demo/networks/local-network.ts';
import { closeAll, startNetworks } from '../../demo/networks/start-networks.ts';
import type { Swap } from '../../demo/networks/thorchain/engine.ts';
import {
  type LocalThorchain,
  type RunningThorchain,
  startThorchain,
} from '../../demo/networks/thorchain/index.ts';
import { type LocalTron, startTronNetwork } from '../../demo/networks/tron.ts';
import type { ExchangeRate, ExchangeRates, TradingPair } from '../../src/api/swap.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import type { Network } from '../../src/chains/network.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { poll } from '../waiting.ts';
import { type Shop, startShop } from './execute-setup.ts';
import type { Answered } from './users-setup.ts';

export type Native = Record<string, unknown> & { type: string };

interface Locals {
  BITCOIN: LocalUtxo;
  LITECOIN: LocalUtxo;
  ETHEREUM: LocalEthereum;
  TRON: LocalTron;
}
export type BorderChain = keyof Locals;

/** What is swapped for what. Tokens by symbol; absent for the coin. */
export interface Crossing {
  from: BorderChain;
  fromToken?: string;
  to: BorderChain;
  toToken?: string;
  amount: string;
}

export interface Border extends Shop {
  local: Locals;
  front: LocalThorchain;
  thorchain: RunningThorchain;
  /** One of each chain, with coins and tokens. */
  wallets: Record<BorderChain, CreatedWallet>;
  pairs(walletId: string): Promise<Answered<TradingPair[]>>;
  /** `more`: other fields of the query. */
  rates(crossing: Crossing, more?: Record<string, string>): Promise<Answered<ExchangeRates>>;
  /** `more`: other fields of the body. */
  create(crossing: Crossing, more?: object): Promise<Answered<Native[]>>;
  /** Of a wallet, in smallest units. */
  holds(chain: BorderChain, token?: string): Promise<bigint>;
  /** Until every deposit has its confirmations and every output is in a block. */
  settle(): Promise<void>;
  /** By the rate: created, executed request by request, and settled. */
  cross(crossing: Crossing): Promise<{ rate: ExchangeRate; types: string[]; swap: Swap }>;
}

/** Tokens that the first wallet of a chain has. */
const TOKENS: { [S in BorderChain]?: readonly string[] } = { ETHEREUM: ['DCENT'], TRON: ['DUSD'] };

/** `more`: further networks, after the local ones. */
export async function startBorder(
  chains: readonly BorderChain[],
  more: (local: Locals) => Network[] = () => [],
): Promise<Border> {
  const running = await startNetworks({ ports: {}, chains, onAnswer: () => {}, onMissing: () => {} });
  const local = Object.fromEntries(
    running.map((each) => [each.network.secretType, each]),
  ) as unknown as Locals;
  if (local.TRON) mineDeep(local.TRON);
  const front = (await startThorchain({ networks: running, port: 0 }))!;
  const thorchain = await front.running();
  thorchain.dropLeastFee();
  const networks = [...running.map(({ network }) => network), ...more(local)];
  const shop = await startShop(networks, {
    networks: { customNodes: false, reported: [], networks, crossChain: [front.entry] },
  });
  const wallets = {} as Border['wallets'];
  for (const chain of chains) {
    wallets[chain] = await shop.wallet(chain);
    await fund(local, chain, wallets[chain].address);
  }
  const tokenOf = (chain: BorderChain, symbol: string | undefined): string =>
    symbol === undefined ? '' : local[chain].network.tokens.find((token) => token.symbol === symbol)!.address;
  const sidesOf = ({ from, fromToken, to, toToken }: Crossing) => ({
    fromSecretType: from,
    toSecretType: to,
    fromToken: tokenOf(from, fromToken),
    toToken: tokenOf(to, toToken),
    orderType: 'SELL',
  });
  const border: Border = {
    ...shop,
    local,
    front,
    thorchain,
    wallets,
    pairs: (id) => shop.call(shop.shop, 'GET', `/api/wallets/${id}/swaps/pairs`),
    async rates(crossing, more) {
      await thorchain.engine.tick();
      const query = new URLSearchParams({ ...sidesOf(crossing), amount: crossing.amount, ...more });
      return shop.call(shop.shop, 'GET', `/api/swaps/rates?${query}`);
    },
    create({ from, to, amount, ...tokens }, more) {
      const { id } = wallets[from];
      return shop.call(shop.shop, 'POST', `/api/wallets/${id}/swaps`, {
        walletId: id,
        destinationWalletId: wallets[to].id,
        ...sidesOf({ from, to, amount, ...tokens }),
        inputAmount: amount,
        exchange: 'THORChain',
        ...more,
      });
    },
    async holds(chain, symbol) {
      const token = tokenOf(chain, symbol);
      const path = `/api/wallets/${wallets[chain].id}/balance${token && `/tokens/${token}`}`;
      const { body } = await shop.call<{ rawBalance: string }>(shop.shop, 'GET', path);
      return BigInt(body.rawBalance);
    },
    async settle() {
      for (let i = 0; i < 4; i++) {
        await thorchain.engine.tick();
        await Promise.all(thorchain.sides.filter(({ name }) => name !== 'TRON').map((side) => side.mine()));
        if (local.TRON) mineDeep(local.TRON);
      }
      assert.deepEqual(thorchain.engine.queue, []);
    },
    async cross(crossing) {
      const { body: rates } = await border.rates(crossing);
      const rate = rates.bestRate;
      if (!rate) throw new Error(JSON.stringify(rates));
      const made = await border.create(crossing, { outputAmount: rate.outputAmount });
      if (made.outcome !== '200') throw new Error(JSON.stringify(made.body));
      let hash = '';
      for (const request of made.body) hash = await sent(shop, request, crossing.from);
      await border.settle();
      const swap = thorchain.engine.swaps.get(hash.replace(/^0x/, '').toUpperCase());
      if (!swap) throw new Error(`${hash} was not noticed: ${JSON.stringify(thorchain.engine.ignored)}`);
      return { rate, types: made.body.map(({ type }) => type), swap };
    },
    async close() {
      await shop.close();
      await front.close();
      await closeAll(running as LocalNetwork[]);
    },
  };
  return border;
}

/** As many blocks as the scanner of Tron stays behind, and a deposit there waits for. */
function mineDeep({ ledger }: LocalTron): void {
  for (let block = 0; block < 22; block++) ledger.mine();
}

/** Whom orders of `TronOrders` pay. Nobody has its key. */
export const ALICE = '0x5615E8AB93b9d695b6d4d6545f7792aA59e1069a';

/** Orders from Tron to Ethereum by a test's own memos, on two networks with the demo's THORChain between them. */
export class TronOrders {
  private constructor(
    readonly tron: LocalTron,
    readonly ethereum: LocalEthereum,
    readonly front: LocalThorchain,
    readonly thorchain: RunningThorchain,
  ) {}

  static async start(): Promise<TronOrders> {
    const [tron, ethereum] = await Promise.all([startTronNetwork({ port: 0 }), startEthereum({ port: 0 })]);
    mineDeep(tron);
    const front = (await startThorchain({ networks: [ethereum, tron], port: 0 }))!;
    return new TronOrders(tron, ethereum, front, await front.running());
  }

  /** Of `networks.json`. */
  get file(): { networks: Network[]; crossChain: [LocalThorchain['entry']] } {
    return { networks: [this.ethereum.network, this.tron.network], crossChain: [this.front.entry] };
  }

  /** Sends `sun` to the vault with an order for ETH to Alice, `limit` hundred-millionths at least. `parts`: `/1/4`. */
  request(walletId: string, sun: bigint, limit = 1n, parts = ''): Native {
    return {
      walletId,
      type: 'TRX_TRANSACTION',
      to: this.thorchain.vaultOn('TRON'),
      value: Number(sun),
      data: `0x${Buffer.from(`=:e:${ALICE}:${limit}${parts}`).toString('hex')}`,
    };
  }

  /** Until deposits have their confirmations and THORChain has seen them. */
  async mine(): Promise<void> {
    mineDeep(this.tron);
    await this.thorchain.engine.tick();
  }

  async close(): Promise<void> {
    await this.front.close();
    await closeAll([this.ethereum, this.tron]);
  }
}

async function fund(local: Locals, chain: BorderChain, address: string): Promise<void> {
  if (chain === 'ETHEREUM') await local.ETHEREUM.fund(address, parseEther('100'));
  else if (chain === 'TRON') await local.TRON.fund(address, 10n ** 12n);
  else await local[chain].fund(address, 10n ** 10n);
  const { give }: LocalNetwork = local[chain];
  for (const token of TOKENS[chain] ?? []) await give(token, address);
}

/** Resolves with the hash once it is confirmed. */
export async function sent(
  { execute, status }: Shop,
  request: Native,
  secretType: SecretType,
): Promise<string> {
  const { outcome, body } = await execute(request);
  if (outcome !== '200') throw new Error(JSON.stringify(body));
  const { transactionHash } = body;
  await poll(async () => (await status(transactionHash, secretType)) !== 'pending', 'block');
  assert.equal(await status(transactionHash, secretType), 'confirmed');
  return transactionHash;
}
