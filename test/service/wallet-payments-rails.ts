/** Chains with one address for all payments, as a shop's customers use them: each payment is in a block when the promise resolves, and blocks come by hand. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toBeHex } from 'ethers';
import { utils } from 'tronweb';
import { demoOracle, tickers } from '../../demo/prices.ts';
import { bodyOf } from '../../demo/requests.ts';
import { startAeternityNetwork, type LocalAeternity } from '../../demo/networks/aeternity.ts';
import { startTronNetwork, type LocalTron } from '../../demo/networks/tron.ts';
import { startEthereum } from '../../demo/networks/ethereum.ts';
import type { LocalEvm } from '../../demo/networks/evm.ts';
import { GAS_PRICE, startGochainNetwork } from '../../demo/networks/gochain.ts';
import { startVechainNetwork, type LocalVechain } from '../../demo/networks/vechain.ts';
import type { PutReceivingWallet } from '../../src/api/receiving-wallet.ts';
import type { Network } from '../../src/chains/network.ts';
import { fromEvm, toEvm } from '../../src/chains/tron/address.ts';
import { listen } from '../../service/listen.ts';
import { poll } from '../waiting.ts';
import { ERC20, RECEIVER } from './wallet-payments-setup.ts';

/** A coin or token of a chain. Amounts are in smallest units. */
export interface Rail {
  name: string;
  network: Network;
  decimals: number;
  receiving: PutReceivingWallet;
  /** Resolves with the hash. */
  pay(amount: bigint): Promise<string>;
  /** Mines blocks with nothing in them. */
  mine(blocks?: number): void | Promise<void>;
  /** Removes the block of the last payment, which no other has; the payment is gone. */
  remove(hash: string): void | Promise<void>;
  /** What the receiving wallet has. */
  balance(): Promise<bigint>;
}

/** What coins cost, as the demo's exchanges say. `prices` is for `networks.json`. */
export async function startMarket(): Promise<{
  prices(network: Network): Network['prices'];
  close(): Promise<void>;
}> {
  const part = tickers();
  const { port, close } = await listen((request, response) => void part(request.url!, request, response), {
    port: 0,
    setting: 'MARKET_PORT',
  });
  return { prices: ({ secretType }) => demoOracle(`http://127.0.0.1:${port}`, secretType), close };
}

export interface FaultyNode {
  url: string;
  /** Of a request by its path: the status, or the body, of the answer in place of the node's. */
  fault: (path: string) => number | string | undefined;
  close(): Promise<void>;
}

/** Stands before a node of one chain's HTTP API. */
export async function startFaultyNode(target: string): Promise<FaultyNode> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/' } = request;
    const body = await bodyOf(request);
    const fault = node.fault(url);
    if (typeof fault === 'number') return void response.writeHead(fault, { 'Retry-After': '1' }).end();
    if (fault !== undefined) return void response.end(fault);
    const headers = { 'Content-Type': 'application/json' };
    const real = await fetch(target + url, { method, ...(method === 'POST' && { headers, body }) });
    // Blocks of Bitcoin are no text.
    response.writeHead(real.status, headers).end(Buffer.from(await real.arrayBuffer()));
  };
  const { port, close } = await listen(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
    { port: 0, setting: 'NODE_PORT' },
  );
  const node: FaultyNode = { url: `http://127.0.0.1:${port}`, fault: () => undefined, close };
  return node;
}

/** Nobody has its key. */
export const TRON_RECEIVER = fromEvm('0x00000000000000000000000000000000C0FFEE01');
export const AE_RECEIVER = 'ak_2swhLkgBPeeADxVTAVCJnZLY5NZtCFiM93JxsEaMuC59euuFRQ';

/** Makes the two calls that follow the address of a token in its calldata. */
const BATCH = '366000600037600060006044602060006000355af150600060006044606460006000355af15000';
/** Sends as many coins as its calldata says to the receiving wallet. */
const SENDER = `600060006000600060003573${toEvm(TRON_RECEIVER).slice(2)}5af100`;
const SENDER_ADDRESS = fromEvm('0x000000000000000000000000000000005E4DE400');
const BATCH_ADDRESS = fromEvm('0x00000000000000000000000000000000BA7C4000');

export class TronRails {
  private constructor(readonly local: LocalTron) {
    local.automine = false;
  }

  static async start(): Promise<TronRails> {
    const rails = new TronRails(await startTronNetwork({ port: 0 }));
    await rails.local.ledger.machine.ask('anvil_setCode', toEvm(BATCH_ADDRESS), `0x${BATCH}`);
    await rails.sendToken(BATCH_ADDRESS, 10n ** 24n);
    return rails;
  }

  get dollar(): string {
    return this.local.contracts['DUSD']!;
  }

  async mined(sent: Promise<string>): Promise<string> {
    const { ledger } = this.local;
    await poll(() => ledger.hasPending, 'the transaction');
    ledger.mine();
    return sent;
  }

  sendToken(to: string, amount: bigint): Promise<string> {
    return this.mined(this.local.call(this.dollar, transferOf(to, amount)));
  }

  /** Two transfers to the receiving wallet in one transaction. */
  sendTwice(token: string, first: bigint, second: bigint): Promise<string> {
    const calls = [first, second].map((amount) => transferOf(TRON_RECEIVER, amount)).join('');
    return this.mined(this.local.call(BATCH_ADDRESS, toEvm(token).slice(2).padStart(64, '0') + calls));
  }

  /** TRX to the receiving wallet from a contract, which is no transaction of its own. Resolves with the hash of the call. */
  async sendByContract(amount: bigint): Promise<string> {
    const { machine } = this.local.ledger;
    await machine.ask('anvil_setCode', toEvm(SENDER_ADDRESS), `0x${SENDER}`);
    await machine.ask('anvil_setBalance', toEvm(SENDER_ADDRESS), toBeHex(2n * amount));
    return this.mined(this.local.call(SENDER_ADDRESS, toBeHex(amount, 32).slice(2)));
  }

  /** A token of the same name and symbol, of which `sendTwice` has enough. */
  async fakeDollar(): Promise<string> {
    const { machine } = this.local.ledger;
    const types = ['string', 'string', 'uint256', 'address'];
    const values = ['Demo Dollar', 'DUSD', (10n ** 27n).toString(), BATCH_ADDRESS];
    const data = utils.abi.encodeParams(types, values).slice(2);
    return fromEvm(await machine.deploy('ERC20PresetFixedSupply', toEvm(BATCH_ADDRESS), data));
  }

  /** `token`: the Demo Dollar, else TRX. */
  rail(token: boolean): Rail {
    const { local } = this;
    const { ledger, network } = local;
    const evm = toEvm(TRON_RECEIVER);
    const mine = (blocks = 1): void => {
      for (let i = 0; i < blocks; i++) ledger.mine();
    };
    return {
      name: token ? 'DUSD on Tron' : 'TRX',
      network,
      decimals: token ? 18 : 6,
      receiving: {
        secretType: 'TRON',
        address: TRON_RECEIVER,
        ...(token && { tokenAddress: this.dollar }),
      },
      pay: (amount) =>
        token ? this.sendToken(TRON_RECEIVER, amount) : this.mined(local.fund(TRON_RECEIVER, amount)),
      mine,
      remove(hash) {
        const { number } = ledger.executed.get(hash)!.block!;
        const above = ledger.head.number - number;
        ledger.removeAfter(number - 1, [hash]);
        mine(above + 1);
      },
      balance: async () =>
        token
          ? BigInt(
              await ledger.machine.ask<string>(
                'eth_call',
                { to: toEvm(local.contracts['DUSD']!), data: `0x70a08231${evm.slice(2).padStart(64, '0')}` },
                'latest',
              ),
            )
          : ledger.machine.balance(evm),
    };
  }

  close(): Promise<void> {
    return this.local.close();
  }
}

function transferOf(to: string, amount: bigint): string {
  return ERC20.encodeFunctionData('transfer', [toEvm(to), amount]).slice(2);
}

export async function startAeternityRail(): Promise<
  Rail & { local: LocalAeternity; close(): Promise<void> }
> {
  const local = await startAeternityNetwork({ port: 0 });
  const { ledger } = local;
  const mine = (blocks = 1): void => {
    for (let i = 0; i < blocks; i++) ledger.mineKeyBlock();
  };
  return {
    name: 'AE',
    local,
    network: local.network,
    decimals: 18,
    receiving: { secretType: 'AETERNITY', address: AE_RECEIVER },
    async pay(amount) {
      const hash = await local.fund(AE_RECEIVER, amount);
      ledger.mineKeyBlock();
      return hash;
    },
    mine,
    remove(hash) {
      const { height } = ledger.transactions.get(hash)!.block!;
      const above = ledger.height - height;
      ledger.removeKeyBlocks(height);
      ledger.transactions.delete(hash);
      mine(above);
    },
    balance: async () => ledger.accounts.get(AE_RECEIVER)?.balance ?? 0n,
    close: () => local.close(),
  };
}

/** Customers of Ethereum or GoChain. */
export class EvmRails {
  private constructor(
    readonly local: LocalEvm<'ETH'> | LocalEvm<'GO'>,
    private readonly payer: string,
  ) {}

  static async start(secretType: 'ETHEREUM' | 'GOCHAIN'): Promise<EvmRails> {
    const local = await (secretType === 'ETHEREUM' ? startEthereum : startGochainNetwork)({ port: 0 });
    const accounts = await ask<string[]>(local, 'eth_accounts');
    const rails = new EvmRails(local, accounts[5]!);
    await ask(local, 'anvil_setBalance', rails.payer, toBeHex(10n ** 27n));
    for (let gifts = 0; gifts < 5; gifts++) await local.give('DUSD', rails.payer);
    return rails;
  }

  rail(token: boolean): Rail {
    const { local } = this;
    const { DUSD } = local.contracts;
    const { secretType } = local.network;
    const coin = secretType === 'ETHEREUM' ? 'ETH' : 'GO';
    let snapshot = '';
    const mine = async (blocks = 1): Promise<void> => {
      await ask(local, 'anvil_mine', toBeHex(blocks));
    };
    return {
      name: token ? `DUSD for ${coin}` : coin,
      network: local.network,
      decimals: 18,
      receiving: {
        secretType: secretType as 'ETHEREUM' | 'GOCHAIN',
        address: RECEIVER,
        ...(token && { tokenAddress: DUSD }),
      },
      pay: async (amount) => {
        snapshot = await ask<string>(local, 'evm_snapshot');
        return this.#send(
          token
            ? { to: DUSD, data: ERC20.encodeFunctionData('transfer', [RECEIVER, amount]) }
            : { to: RECEIVER, value: toBeHex(amount) },
        );
      },
      mine,
      async remove(hash) {
        const { blockNumber } = await ask<{ blockNumber: string }>(local, 'eth_getTransactionReceipt', hash);
        const above = Number(await ask(local, 'eth_blockNumber')) - Number(blockNumber);
        await ask(local, 'evm_revert', snapshot);
        await mine(above + 2);
      },
      balance: async () => {
        const data = ERC20.encodeFunctionData('balanceOf', [RECEIVER]);
        return BigInt(
          token
            ? await ask<string>(local, 'eth_call', { to: DUSD, data }, 'latest')
            : await ask<string>(local, 'eth_getBalance', RECEIVER, 'latest'),
        );
      },
    };
  }

  async #send(fields: object): Promise<string> {
    const { local } = this;
    const prices = local.network.secretType === 'GOCHAIN' && { gasPrice: toBeHex(GAS_PRICE) };
    const send = () => ask<string>(local, 'eth_sendTransaction', { from: this.payer, ...fields, ...prices });
    const hash = await send();
    await poll(() => ask(local, 'eth_getTransactionReceipt', hash), 'its block');
    return hash;
  }

  close(): Promise<void> {
    return this.local.close();
  }
}

/** Asks a local node of Ethereum or GoChain. */
async function ask<T>({ url }: { url: string }, method: string, ...params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const { result, error } = (await answer.json()) as { result: T; error?: { message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

export class VechainRails {
  private constructor(readonly local: LocalVechain) {
    local.automine = false;
  }

  static async start(): Promise<VechainRails> {
    return new VechainRails(await startVechainNetwork({ port: 0 }));
  }

  rail(token: boolean): Rail {
    const { local } = this;
    const { ledger } = local;
    const { DUSD } = local.contracts as { DUSD: string };
    let undo: (() => Promise<void>) | undefined;
    const mine = async (blocks = 1): Promise<void> => {
      for (let i = 0; i < blocks; i++) await ledger.mine();
    };
    return {
      name: token ? 'DUSD on VeChain' : 'VET',
      network: local.network,
      decimals: 18,
      receiving: { secretType: 'VECHAIN', address: RECEIVER, ...(token && { tokenAddress: DUSD }) },
      async pay(amount) {
        undo = await ledger.mark();
        const hash = await (token ? local.transfer(RECEIVER, amount) : local.fund(RECEIVER, amount));
        await ledger.mine();
        return hash;
      },
      mine,
      async remove(hash) {
        const above = ledger.best.number - ledger.transactions.get(hash)!.block!.number;
        await undo!();
        ledger.pool.splice(ledger.pool.indexOf(hash), 1);
        ledger.transactions.delete(hash);
        await mine(above + 2);
      },
      async balance() {
        if (!token) return (await ledger.account(RECEIVER.toLowerCase())).balance;
        const data = ERC20.encodeFunctionData('balanceOf', [RECEIVER]);
        const [output] = await ledger.simulate(RECEIVER.toLowerCase(), [{ to: DUSD, value: 0n, data }]);
        return BigInt(output!.data);
      },
    };
  }

  close(): Promise<void> {
    return this.local.close();
  }
}
