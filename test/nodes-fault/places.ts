/** A chain's local network, a wallet of the service on it, and the nodes through which the service reaches it. */
import { randomBytes } from 'node:crypto';
import { JsonRpcProvider } from 'ethers';
import type { LocalAeternity } from '../../demo/networks/aeternity.ts';
import type { LocalUtxo } from '../../demo/networks/esplora.ts';
import type { LocalEvm } from '../../demo/networks/evm.ts';
import type { LocalNetwork } from '../../demo/networks/local-network.ts';
import { closeAll, startNetworks } from '../../demo/networks/start-networks.ts';
import type { LocalTron } from '../../demo/networks/tron.ts';
import type { LocalVechain } from '../../demo/networks/vechain.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import type { Chain } from '../../src/chains/chain.ts';
import type { Node } from '../../src/chains/terms.ts';
import { loadChain } from '../../src/chains/load.ts';
import type { Network, Token } from '../../src/chains/network.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { startTold, type Told } from '../service/deposits-setup.ts';
import { poll } from '../waiting.ts';
import { type Api, APIS } from './apis.ts';
import { FaultProxy } from './proxy.ts';

/** What the wallets get, in smallest units. */
const GIFT = 10n ** 18n;
/** Of the network with the calls: a block can be removed before. */
const CONFIRMATIONS = 3;

/** What one payment sends, and a deposit brings at least. */
const AMOUNTS: Record<SecretType, bigint> = {
  ETHEREUM: 1000n,
  GOCHAIN: 1000n,
  VECHAIN: 1000n,
  TRON: 1000n,
  AETERNITY: 1000n,
  BITCOIN: 20_000n,
  LITECOIN: 20_000n,
};

type Fund = { fund(address: string, amount: bigint): Promise<string> };

/** A network that the service knows twice: with the calls of an application, and with the search for deposits. */
export type Role = 'calls' | 'deposits';

export class Place {
  readonly api: Api;
  readonly amount: bigint;
  /** What was paid to whom, by the tests so far. */
  readonly paid = new Map<string, bigint>();
  #count = 0;

  private constructor(
    readonly told: Told,
    readonly local: LocalNetwork,
    readonly chain: Chain,
    readonly wallet: CreatedWallet,
    readonly watched: { id: string; address: string },
  ) {
    this.api = APIS[this.secretType];
    this.amount = AMOUNTS[this.secretType];
  }

  static async at(told: Told, local: LocalNetwork): Promise<Place> {
    const { secretType, id } = local.network;
    const wallet = await told.shop.wallet(secretType, { network: id });
    const watched = await told.watched(secretType, { network: `${id}-deposits` });
    const place = new Place(told, local, await loadChain(secretType), wallet, watched);
    if (secretType === 'BITCOIN' || secretType === 'LITECOIN') (local as LocalUtxo).mining = false;
    for (const asset of place.gifts) await local.give(asset, wallet.address);
    await place.fund(wallet.address, GIFTS[secretType]);
    return place;
  }

  get secretType(): SecretType {
    return this.local.network.secretType;
  }

  /** The coin that pays fees, and the tokens. */
  get gifts(): readonly string[] {
    const { assets } = this.local;
    return assets.filter((asset) => !['NFT', 'ITEM'].includes(asset));
  }

  get shop(): Told['shop'] {
    return this.told.shop;
  }

  get url(): string {
    return this.local.network.nodes[0]!;
  }

  /** A new client of the honest node. */
  get good(): Node {
    return this.chain.node(
      { ...this.local.network, nodes: [this.url] },
      { fetch: (...asked) => fetch(...asked) },
    );
  }

  get tokens(): readonly Token[] {
    const { network } = this.local;
    // Some chains have a token of their own.
    return this.chain.node({ ...network, tokens: tokensOf(network) }).network.tokens;
  }

  /** The token that is paid with. */
  get dollars(): Token | undefined {
    return this.tokens.find(({ symbol }) => symbol === 'DUSD');
  }

  /** A token that the service does not list. */
  get unlisted(): Token | undefined {
    return this.local.network.tokens.at(-1);
  }

  /** A number that no other cell has. */
  next(): number {
    return ++this.#count;
  }

  async stranger(): Promise<string> {
    return this.chain.address(new Uint8Array(randomBytes(32)), 'local');
  }

  fund(address: string, amount: bigint): Promise<string> {
    return (this.local as unknown as Fund).fund(address, amount);
  }

  async raw(address: string, token?: string): Promise<bigint> {
    if (token === undefined) return BigInt((await this.chain.balance(address, this.good)).rawBalance);
    const found = this.local.network.tokens.find((one) => one.address === token)!;
    const [balance] = await this.chain.tokenBalances(address, [found], this.good);
    return BigInt(balance!.rawBalance);
  }

  /** The nodes of the service from now on. */
  through(nodes: readonly string[], role: Role = 'calls'): void {
    const { networks } = this.shop.service.service;
    const id = idOf(this.local.network, role);
    networks.use({
      ...networks.file,
      networks: networks.file.networks.map((one) => (one.id === id ? { ...one, nodes: [...nodes] } : one)),
    });
  }

  /** Puts what waits into a block, and that one below another. */
  async mine(): Promise<void> {
    switch (this.secretType) {
      case 'ETHEREUM':
      case 'GOCHAIN':
        return void (await this.evm('anvil_mine', '0x1'));
      case 'BITCOIN':
      case 'LITECOIN':
        return (this.local as LocalUtxo).mine();
      case 'AETERNITY':
        (this.local as LocalAeternity).ledger.mineMicroBlock();
        return (this.local as LocalAeternity).ledger.mineKeyBlock();
      case 'TRON':
        return (this.local as LocalTron).ledger.mine();
      case 'VECHAIN':
        return void (await (this.local as LocalVechain).ledger.mine());
    }
  }

  /** As many blocks as make a transaction final. */
  async settle(): Promise<void> {
    for (let i = 0; i < CONFIRMATIONS; i++) await this.mine();
  }

  /** What is returned removes the blocks that came since. */
  async mark(): Promise<() => Promise<unknown>> {
    switch (this.secretType) {
      case 'ETHEREUM':
      case 'GOCHAIN': {
        const snapshot = await this.evm('evm_snapshot');
        return async () => {
          await this.evm('evm_revert', snapshot);
          await this.evm('anvil_dropAllTransactions');
        };
      }
      case 'BITCOIN':
      case 'LITECOIN': {
        const { node } = this.local as LocalUtxo;
        const height = await node.rpc<number>('getblockcount');
        return async () => node.rpc('invalidateblock', await node.rpc('getblockhash', height + 1));
      }
      case 'AETERNITY': {
        const { ledger } = this.local as LocalAeternity;
        const { height } = ledger;
        return async () => ledger.removeMicroBlock(height);
      }
      case 'TRON': {
        const { ledger } = this.local as LocalTron;
        const { number } = ledger.head;
        return async () => ledger.removeAfter(number);
      }
      case 'VECHAIN':
        return (this.local as LocalVechain).ledger.mark();
    }
  }

  /** Asks anvil behind an EVM network. */
  async evm(method: string, ...params: unknown[]): Promise<unknown> {
    const provider = new JsonRpcProvider((this.local as LocalEvm<string>).url, undefined, {
      staticNetwork: true,
      cacheTimeout: -1,
    });
    try {
      return await provider.send(method, params);
    } finally {
      provider.destroy();
    }
  }

  /** Waits until the address has as much, and fails if it gets more. */
  async arrived(address: string, amount: bigint, token?: string): Promise<bigint> {
    return poll(async () => {
      await this.mine();
      const raw = await this.raw(address, token);
      return raw >= amount ? raw : undefined;
    }, `a payment on ${this.secretType}`);
  }
}

const GIFTS: Record<SecretType, bigint> = {
  ETHEREUM: 20n * GIFT,
  GOCHAIN: 200n * GIFT,
  VECHAIN: GIFT,
  TRON: 20_000_000_000n,
  AETERNITY: GIFT,
  BITCOIN: 10n ** 8n,
  LITECOIN: 10n ** 8n,
};

function tokensOf({ tokens }: Network): Token[] {
  return tokens.slice(0, -1);
}

export function idOf({ id }: Network, role: Role): string {
  return role === 'calls' ? id : `${id}-deposits`;
}

export interface Places {
  proxy: FaultProxy;
  places: Place[];
  close(): Promise<void>;
}

export async function startPlaces(chains?: readonly SecretType[]): Promise<Places> {
  const running = await startNetworks({ ports: {}, chains, onAnswer: () => {}, onMissing: () => {} });
  const proxy = await FaultProxy.start();
  const networks = running.map(({ network }) => ({ ...network, tokens: tokensOf(network) }));
  const told = await startTold(
    [
      ...networks.map((network) => ({ ...network, confirmations: CONFIRMATIONS })),
      ...networks.map((network) => ({ ...network, id: idOf(network, 'deposits') })),
    ],
    { scans: { tickMs: 20, everyLocalMs: 100, backoffMs: 100 } },
  );
  const close = async (): Promise<void> => {
    await told.close();
    await proxy.close();
    await closeAll(running);
  };
  try {
    const places = await Promise.all(running.map((local) => Place.at(told, local)));
    return { proxy, places, close };
  } catch (error) {
    await close();
    throw error;
  }
}
