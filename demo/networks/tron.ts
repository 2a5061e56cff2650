/**
 * The demo's local Tron: a ledger in memory behind the HTTP API of a node. On top of the limits of ledger and machine, it has only the
 * calls that wallets make, and none that builds a transaction. A block comes soon after each transaction, and every three seconds.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { utils } from 'tronweb';
import type { Network } from '../../src/chains/network.ts';
import { listen } from '../../service/listen.ts';
import { type Account, tronAccount } from './exchanges/account.ts';
import { type LocalNetwork, type LocalNetworkOptions, secondOf } from './local-network.ts';
import { type Body, exceptionOf, HANDLERS, hexAddress, SOLID_HANDLERS, written } from './tron-api.ts';
import { SLOT, TronLedger } from './tron-ledger.ts';
import { Machine } from './tron-machine.ts';
import { evm, hexText } from './tron-records.ts';
import { base58 } from './tron-rules.ts';
import { encodeTransaction, type TronTransaction } from './tron-transaction.ts';

const BLOCK_AFTER = 300;
/** Demo keys: of the faucet and of the tokens' deployer. */
const FAUCET_KEY = createHash('sha256').update('Carabiner demo: Tron faucet').digest('hex');
const ASSET = '1000001';

export interface LocalTron extends LocalNetwork {
  url: string;
  /** The id of the TRC-10 token. */
  asset: string;
  ledger: TronLedger;
  /** Of the demo's tokens: it has all of them. */
  deployer(): Account;
  /** Transfers any amount, in sun. Resolves with the transaction id once it is in a block. */
  fund(address: string, amount: bigint): Promise<string>;
  /** Calls a contract as the faucet, which has the tokens; `data` as hex without 0x. Resolves as `fund`. */
  call(contract: string, data: string): Promise<string>;
  /** If false, blocks come only from `ledger.mine()`. */
  automine: boolean;
  /** Paths of the requests, in order. */
  readonly requests: string[];
}

export async function startTronNetwork({ port, second }: LocalNetworkOptions): Promise<LocalTron> {
  const machine = await Machine.start();
  const ledger = new TronLedger(machine, second ? '02'.repeat(32) : undefined);
  const faucet = utils.address.toHex(utils.crypto.pkToAddress(FAUCET_KEY) as string).toLowerCase();
  await ledger.mint(faucet, 1_000_000_000_000_000n);
  ledger.stake(faucet, { bandwidth: 1e12, energy: 1e12 });
  ledger.issue({
    id: ASSET,
    owner: faucet,
    name: 'DemoPoint',
    abbr: 'DPT',
    precision: 4,
    supply: 1_000_000_000_000_000,
  });
  const constructor = utils.abi.encodeParams(
    ['string', 'string', 'uint256', 'address'],
    ['Demo Dollar', 'DUSD', (10n ** 27n).toString(), base58(faucet)],
  );
  const token = await machine.deploy('ERC20PresetFixedSupply', evm(faucet), constructor.slice(2));
  const DUSD = base58(`41${token.slice(2).toLowerCase()}`);
  ledger.deployers.set(hexAddress(DUSD), {
    origin: faucet,
    name: 'Demo Dollar',
    callerShare: 100,
    limit: 10_000_000,
  });

  const requests: string[] = [];
  const local = { down: false, automine: true };
  let soon: NodeJS.Timeout | undefined;
  const regular = setInterval(() => local.automine && ledger.mine(), SLOT).unref();

  async function broadcast(wire: Uint8Array): Promise<TronTransaction> {
    const transaction = await ledger.broadcast(wire);
    if (local.automine)
      soon ??= setTimeout(() => {
        soon = undefined;
        ledger.mine();
      }, BLOCK_AFTER).unref();
    return transaction;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (local.down) return void request.socket.destroy();
    if (request.method === 'OPTIONS') return void response.writeHead(204, CORS).end();
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const [, area, call] = /^\/(wallet|walletsolidity)\/(\w+)$/.exec(path) ?? [];
    const handler = (area === 'wallet' ? HANDLERS : SOLID_HANDLERS)[call ?? ''];
    if (!handler) return void response.writeHead(405, CORS).end();
    requests.push(path);
    let body: unknown;
    try {
      body = await handler({ ledger, broadcast }, JSON.parse((await textOf(request)) || '{}') as Body);
    } catch (error) {
      body = { Error: `class ${exceptionOf(error)} : ${(error as Error).message}` };
    }
    if (local.down) return void request.socket.destroy();
    response.writeHead(200, { ...CORS, 'Content-Type': 'application/json' }).end(written(body));
  }

  const server = await listen(
    (request, response) => {
      answer(request, response).catch(() => response.destroy());
    },
    { port, setting: 'TRON_PORT' },
  ).catch(async (error: unknown) => {
    clearInterval(regular);
    await machine.close();
    throw error;
  });

  /** Sends a transaction of the faucet, built by the SDK. Resolves with its id once it is in a block. */
  async function send(type: string, value: object, feeLimit = 0): Promise<string> {
    const { id, time } = ledger.head;
    const json = {
      visible: false,
      raw_data: {
        contract: [
          {
            parameter: {
              value: { owner_address: faucet, ...value },
              type_url: `type.googleapis.com/protocol.${type}`,
            },
            type,
          },
        ],
        ref_block_bytes: id.slice(12, 16),
        ref_block_hash: id.slice(16, 32),
        expiration: time + 10 * 60_000,
        // Keeps gifts of the same amount from having the same id.
        timestamp: Date.now() + gifts++,
        ...(feeLimit && { fee_limit: feeLimit }),
      },
    };
    const txID = utils.transaction.txPbToTxID(utils.transaction.txJsonToPb(json)).replace(/^0x/, '');
    const signed = utils.crypto.signTransaction(FAUCET_KEY, { ...json, txID });
    await broadcast(encodeTransaction(signed));
    while (!ledger.executed.get(txID)?.block) await new Promise((resolve) => setTimeout(resolve, 30));
    return txID;
  }
  let gifts = 0;

  const fund = (address: string, amount: bigint) =>
    send('TransferContract', { to_address: hexAddress(address), amount: Number(amount) });
  const call = (contract: string, data: string) =>
    send(
      'TriggerSmartContract',
      { contract_address: hexAddress(contract), call_value: 0, data },
      1_000_000_000,
    );
  const give: Record<string, (address: string) => Promise<string>> = {
    TRX: (address) => fund(address, 1_000_000_000n),
    DUSD: (address) =>
      call(
        DUSD,
        `a9059cbb${utils.abi.encodeParams(['address', 'uint256'], [address, (10n ** 21n).toString()]).slice(2)}`,
      ),
    DPT: (address) =>
      send('TransferAssetContract', {
        to_address: hexAddress(address),
        asset_name: hexText(ASSET),
        amount: 1000 * 10_000,
      }),
  };

  const url = `http://127.0.0.1:${server.port}`;
  const network: Network = {
    id: 'tron-local',
    secretType: 'TRON',
    name: 'Local Tron',
    kind: 'local',
    genesis: ledger.blocks[0]!.id,
    nodes: [url],
    tokens: [
      { address: DUSD, symbol: 'DUSD', name: 'Demo Dollar', decimals: 18, logo: '' },
      { address: ASSET, symbol: 'DPT', name: 'Demo Point', decimals: 4, logo: '' },
    ],
    feeCeiling: '100000000',
  };
  return Object.assign(local, {
    url,
    network: second ? secondOf(network) : network,
    asset: ASSET,
    assets: Object.keys(give),
    contracts: { DUSD },
    ledger,
    deployer: () => tronAccount(ledger, evm(faucet)),
    requests,
    fund,
    call,
    async give(asset: string, address: string) {
      const gift = give[asset];
      if (!gift) throw new Error(`The Tron faucet has no ${asset}.`);
      return gift(address);
    },
    async close() {
      clearInterval(regular);
      clearTimeout(soon);
      await server.close();
      await machine.close();
    },
  });
}

/** Like public nodes, which allow any origin. */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'content-type,tron-pro-api-key',
  'Access-Control-Allow-Methods': 'GET,POST',
};

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
