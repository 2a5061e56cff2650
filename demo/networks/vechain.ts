/**
 * The demo's local VeChain: a ledger in memory behind the HTTP API of a node (https://github.com/vechain/thor, api/doc/thor.yaml), and a
 * fee delegation service (VIP-201). On top of the limits of ledger and machine, it has only the calls that wallets make, and
 * `/fees/history` has no rewards. A block comes soon after each transaction, and every 10 s.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Address, Secp256k1, Transaction, type TransactionClause } from '@vechain/sdk-core';
import { getAddress, parseEther, toBeHex } from 'ethers';
import { listen } from '../../service/listen.ts';
import { machineAccount } from './exchanges/account.ts';
import { answer } from './vechain-api.ts';
import { secondOf } from './local-network.ts';
import { SECOND_GENESIS, VechainLedger } from './vechain-ledger.ts';
import { ASSETS, gift, type VechainOptions, vechainNetwork, type VechainPlace } from './vechain-place.ts';
import { startSponsor } from './vechain-sponsor.ts';

const MINE_AFTER = 100;
const BLOCK_TIME = 10_000;
/** An address without a key: the EVM requires no signature. */
const DEPLOYER = '0x0000000000000000000000000000000000de9107';

export interface LocalVechainOptions extends VechainOptions {
  /** Transactions with max fee and priority fee; true by default. */
  galactica?: boolean;
  /** Block gas limit: a small one makes the base fee move. */
  gasLimit?: bigint;
}

export interface LocalVechain extends VechainPlace {
  ledger: VechainLedger;
  /** If false, blocks come only from `ledger`. */
  automine: boolean;
  /** Transfers any amount of the Demo Dollar, in its smallest units. */
  transfer(to: string, amount: bigint): Promise<string>;
}

export async function startVechainNetwork({
  port,
  galactica = true,
  gasLimit,
  delegator = false,
  second,
}: LocalVechainOptions): Promise<LocalVechain> {
  const ledger = await VechainLedger.start(galactica, gasLimit, second ? SECOND_GENESIS : undefined);
  const { genesis } = ledger;
  const faucet = await newKey();
  const rich = parseEther('1000000000000');
  await ledger.mint(faucet.address, rich, rich);
  const dusd = getAddress(
    await ledger.machine.deployToken('Demo Dollar', 'DUSD', parseEther('1000000000'), faucet.address),
  );
  const sponsor = delegator ? await startSponsor((...coins) => ledger.mint(...coins)) : undefined;
  const local = { down: false, automine: true };
  let soon: NodeJS.Timeout | undefined;
  const clock = setInterval(() => local.automine && void ledger.mine(), BLOCK_TIME).unref();

  function mineSoon(): void {
    if (!local.automine) return;
    soon ??= setTimeout(() => {
      soon = undefined;
      void ledger.mine();
    }, MINE_AFTER).unref();
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (local.down) return void request.socket.destroy();
    const headers = {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Headers': 'content-type, x-genesis-id',
      'Access-Control-Expose-Headers': 'x-genesis-id, x-thorest-ver',
      'x-genesis-id': genesis,
      'x-thorest-ver': '2.4.4',
    };
    if (request.method === 'OPTIONS') return void response.writeHead(200, headers).end();
    const asked = request.headers['x-genesis-id'];
    const answered =
      asked !== undefined && asked !== genesis
        ? { status: 403, text: 'genesis id mismatch' }
        : await answer(ledger, request, mineSoon);
    if (local.down) return void request.socket.destroy();
    if ('json' in answered)
      response
        .writeHead(200, { ...headers, 'Content-Type': 'application/json; charset=utf-8' })
        .end(JSON.stringify(answered.json));
    else
      response
        .writeHead(answered.status, { ...headers, 'Content-Type': 'text/plain; charset=utf-8' })
        .end(`${answered.text}\n`);
  }

  const server = await listen(
    (request, response) => {
      handle(request, response).catch(() => response.destroy());
    },
    { port, setting: 'VECHAIN_PORT' },
  ).catch(async (error: unknown) => {
    clearInterval(clock);
    await sponsor?.close();
    await ledger.machine.close();
    throw error;
  });

  /** As a wallet would. */
  async function pay(clause: TransactionClause): Promise<string> {
    const { best } = ledger;
    const body = {
      chainTag: ledger.chainTag,
      blockRef: best.id.slice(0, 18),
      expiration: 32,
      clauses: [clause],
      gas: 200_000,
      dependsOn: null,
      nonce: toBeHex(BigInt(`0x${Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')}`)),
      ...(galactica
        ? { maxFeePerGas: toBeHex(ledger.nextBaseFee * 2n), maxPriorityFeePerGas: '0x0' }
        : { gasPriceCoef: 0 }),
    };
    const { encoded } = Transaction.of(body).sign(faucet.key);
    const { id } = await ledger.post(`0x${Buffer.from(encoded).toString('hex')}`);
    if (local.automine) await ledger.mine();
    return id;
  }

  const fund = (to: string, amount: bigint) =>
    pay({ to: to.toLowerCase(), value: toBeHex(amount), data: '0x' });
  const url = `http://127.0.0.1:${server.port}`;
  const network = vechainNetwork(url, genesis, dusd, sponsor);
  return Object.assign(local, {
    url,
    network: second ? secondOf(network) : network,
    ledger,
    sponsor,
    assets: ASSETS,
    contracts: { DUSD: dusd },
    mint: (...coins: [address: string, vet: bigint, vtho: bigint]) => ledger.mint(...coins),
    fund,
    transfer: (to: string, amount: bigint) => pay(gift('DUSD', to, amount, dusd)),
    give(asset: string, to: string) {
      if (asset === 'VET') return fund(to, parseEther('1000'));
      return pay(gift(asset, to, parseEther('1000'), dusd));
    },
    async advance(blocks: number) {
      for (let i = 0; i < blocks; i++) await ledger.mine();
    },
    async deployer() {
      const account = machineAccount(ledger.machine, DEPLOYER);
      await ledger.mint(account.address, parseEther('100000000'), 0n);
      await pay(gift('DUSD', account.address, parseEther('5000'), dusd));
      return account;
    },
    async close() {
      clearInterval(clock);
      clearTimeout(soon);
      await Promise.all([server.close(), sponsor?.close()]);
      await ledger.machine.close();
    },
  });
}

async function newKey(): Promise<{ key: Uint8Array; address: string }> {
  const key = await Secp256k1.generatePrivateKey();
  return { key, address: Address.ofPrivateKey(key).toString() };
}
