/** A page with a provider: the test answers for the wallet and for its nodes. */
import type { Wallet } from '../../../src/api/wallet.ts';
import type { RpcAnswer } from '../../../src/channel/messages.ts';
import type { ChainNetworks } from '../../../src/channel/node-methods.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import { lazyProvider } from '../../../src/provider/lazy-provider.ts';
import type { Notice } from '../../../src/provider/prompt.ts';
import { openProvider } from '../../../src/provider/provider.ts';
import type { EthereumProvider, ProviderChain, ProviderHost } from '../../../src/provider/types.ts';
// Lazy parts are fetched ahead, so that nothing waits for a server.
import '../../../src/provider/additions.ts';
import '../../../src/provider/calls.ts';
import { poll } from '../../waiting.ts';
import { TestClock } from '../clock.ts';
import { FakeConnect, MAIN } from '../elements/fake-connect.ts';

export const NETWORKS: ChainNetworks = {
  networks: [
    { id: 'ethereum', chainId: 1, name: 'Ethereum mainnet', kind: 'mainnet' },
    { id: 'ethereum-sepolia', chainId: 11155111, name: 'Ethereum Sepolia', kind: 'testnet' },
    { id: 'base', chainId: 8453, name: 'Base', kind: 'mainnet' },
  ],
  customNodes: false,
  portable: true,
};

/** As a wallet of 0.1.0 says it, in which each wallet is on one network. */
export const OLD_NETWORKS: ChainNetworks = { networks: NETWORKS.networks, customNodes: false };

export const HASH = `0x${'ab'.repeat(32)}`;
export const SIGNED = {
  success: true,
  result: { r: '0x1', s: '0x2', v: '0x1b', signature: '0x99' },
} as const;

export const TO = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';

const BLOCK = {
  number: '0x10',
  hash: HASH,
  parentHash: HASH,
  timestamp: '0x1',
  nonce: '0x0000000000000000',
  difficulty: '0x0',
  gasLimit: '0x1c9c380',
  gasUsed: '0x0',
  miner: TO,
  extraData: '0x',
  baseFeePerGas: '0x1',
  transactions: [],
};

const TRANSACTION = {
  hash: HASH,
  from: MAIN.address,
  to: TO,
  value: '0x1',
  input: '0x',
  nonce: '0x0',
  gas: '0x5208',
  gasPrice: '0x1',
  chainId: '0x1',
  type: '0x0',
  blockHash: null,
  blockNumber: null,
  transactionIndex: null,
  v: '0x26',
  r: HASH,
  s: `0x${'01'.repeat(32)}`,
};

const RECEIPT = {
  transactionHash: HASH,
  blockHash: HASH,
  blockNumber: '0x10',
  transactionIndex: '0x0',
  from: MAIN.address,
  to: TO,
  status: '0x1',
  gasUsed: '0x5208',
  cumulativeGasUsed: '0x5208',
  effectiveGasPrice: '0x1',
  logs: [],
  logsBloom: `0x${'00'.repeat(256)}`,
  contractAddress: null,
  type: '0x0',
};

/** Of a node, for a transaction that is in a block. */
export const ANSWERS = {
  eth_blockNumber: '0x10',
  eth_estimateGas: '0x5208',
  eth_getBlockByNumber: BLOCK,
  eth_getBlockByHash: BLOCK,
  eth_getTransactionByHash: TRANSACTION,
  eth_getTransactionReceipt: RECEIPT,
  eth_gasPrice: '0x1',
};

export interface RpcError {
  code: number;
  message: string;
  data?: { code?: string; details?: Record<string, unknown> };
}

type Answer = unknown | ((params: unknown[]) => unknown);

export class ProviderWorld {
  readonly connect = new FakeConnect();
  readonly clock = new TestClock();
  readonly ended = new AbortController();
  readonly provider: EthereumProvider;
  /** By event, what listeners were told, in order. */
  readonly heard: [event: string, value: unknown][] = [];
  /** The buttons that the page shows now. */
  readonly notices: Notice[] = [];
  /** Reads of nodes: method, and the network's id or the node's URL. */
  readonly reads: string[] = [];
  networks: ChainNetworks = NETWORKS;
  answers: Record<string, Answer> = {};

  constructor(
    readonly chain: ProviderChain = 'ETHEREUM',
    readonly origin = `https://${Math.random().toString(36).slice(2)}.example`,
  ) {
    const host: ProviderHost = Object.assign(Object.create(this.connect) as FakeConnect, {
      rpc: (params: Parameters<ProviderHost['rpc']>[0]) => this.#rpc(params),
      transactionUrl: async (hash: string, network: string) =>
        this.connect.explorer && `${this.connect.explorer}${network}/${hash}`,
      signRaw: (params: object, options: object) => this.connect.sign(params as never, options),
    });
    this.provider = lazyProvider(
      async () =>
        openProvider({
          host,
          chain,
          origin: this.origin,
          theme: undefined,
          clock: this.clock,
          ended: this.ended.signal,
          show: (notice) => {
            this.notices.push(notice);
            return () => void this.notices.splice(this.notices.indexOf(notice), 1);
          },
        }),
      (hear) => hear(),
      'example.connect',
    );
  }

  listen(): this {
    for (const event of ['connect', 'disconnect', 'chainChanged', 'accountsChanged'] as const)
      this.provider.on(event, (value: unknown) => {
        this.heard.push([event, value instanceof Error ? (value as unknown as RpcError).code : value]);
      });
    return this;
  }

  link(...wallets: Wallet[]): void {
    this.connect.setWallets(wallets);
  }

  ask<T = unknown>(method: string, ...params: unknown[]): Promise<T> {
    return this.provider.request({ method, params }) as Promise<T>;
  }

  async refusal(method: string, ...params: unknown[]): Promise<RpcError> {
    return failureOf(this.ask(method, ...params));
  }

  /** What the wallet was asked last, once it was. */
  async asked(count = 1): Promise<FakeConnect['last']> {
    await poll(() => this.connect.asked.length >= count, 'the wallet to be asked');
    return this.connect.last;
  }

  async #rpc({ method, params, network, custom }: Parameters<ProviderHost['rpc']>[0]): Promise<RpcAnswer> {
    if (method === 'carabiner_networks') return { result: this.networks };
    this.reads.push(`${method} ${custom?.nodeUrl ?? network}`);
    const answer = this.answers[method];
    const result = typeof answer === 'function' ? (answer as (all: unknown[]) => unknown)(params) : answer;
    if (result instanceof ConnectError) throw result;
    return result instanceof Error
      ? { error: { code: 3, message: result.message, data: '0x08c379a0' } }
      : { result: result ?? null };
  }
}

export async function failureOf(promise: Promise<unknown>): Promise<RpcError> {
  try {
    await promise;
  } catch (error) {
    return error as RpcError;
  }
  throw new Error('it did not fail');
}

export { idle } from '../turns.ts';
