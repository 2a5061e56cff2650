/** A shop that takes payments by wallet on a local Ethereum, and customers with accounts there. */
import assert from 'node:assert/strict';
import { Interface, parseEther, parseUnits } from 'ethers';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { PayPage, WalletPayment } from '../../src/api/pay.ts';
import type {
  PutReceivingKey,
  ReceivedPayment,
  ReceivingWallet,
  ReceivingWallets,
} from '../../src/api/receiving-wallet.ts';
import type { Network } from '../../src/chains/network.ts';
import type { Scope } from '../../src/api/scopes.ts';
import type { StartOptions } from '../../service/server.ts';
import type { ServiceConfig } from '../../service/config.ts';
import type { WalletPaymentSettings } from '../../service/checkout/wallet-payments/wallet-payment-settings.ts';
import { addExchanges } from '../../demo/networks/exchanges/index.ts';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import { type NodeProxy, type NodeProxyOptions, startNodeProxy } from '../../demo/networks/node-proxy.ts';
import { poll } from '../waiting.ts';
import { openShop, order, pagePath, type Shop } from './checkout-setup.ts';
import { basic, startTested, type Tested } from './harness.ts';

export const ERC20 = new Interface([
  'function transfer(address,uint256)',
  'function approve(address,uint256)',
  'function transferFrom(address,address,uint256)',
  'function balanceOf(address) view returns (uint256)',
]);
/** Nobody has its key. */
export const RECEIVER = '0x00000000000000000000000000000000C0FFEE01';

/** After so many looks, a transaction that is in no block may be gone. */
const DROPPED = 50;

export const FAST: Partial<WalletPaymentSettings> = {
  everyLocalMs: 100,
  everyMs: 100,
  tickMs: 100,
  backoffMs: 100,
};

export interface Chain {
  local: LocalEthereum;
  network: Network;
  /** The service's node: `node.down` cuts off only the service. */
  node: NodeProxy;
  /** Alters the node's replies to the service. */
  alter: NodeProxyOptions['alter'];
  /** Funded accounts whose keys anvil holds; others deployed the demo's contracts. */
  accounts: string[];
  rpc<T>(method: string, ...params: unknown[]): Promise<T>;
  /** Returns the hash of what is in a block, unless automining is off. */
  send(from: string, to: string, value?: bigint, data?: string, more?: object): Promise<string>;
  sendToken(from: string, token: string, to: string, amount: bigint): Promise<string>;
  mine(blocks?: number): Promise<void>;
  token(symbol: string): string;
  close(): Promise<void>;
}

/** `EUR` is paid in DUSD. */
export async function startChain(): Promise<Chain> {
  const local = await startEthereum({ port: 0 });
  let chain: Chain | undefined;
  const node = await startNodeProxy({
    target: local.url,
    port: 0,
    alter: (call, reply) => chain?.alter?.(call, reply) ?? reply,
  });
  const close = async (): Promise<void> => {
    await node.close();
    await local.close();
  };
  try {
    await addExchanges(local);
    const network = { ...local.network, nodes: [node.url] };
    const made: Chain = {
      local,
      network,
      node,
      alter: undefined,
      accounts: [],
      async rpc<T>(method: string, ...params: unknown[]) {
        const response = await fetch(local.url, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        });
        const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
        if (error) throw new Error(`${method}: ${error.message}`);
        return result;
      },
      async send(from, to, value = 0n, data = '0x', more = {}) {
        const fields = { from, to, value: `0x${value.toString(16)}`, data, ...more };
        let hash = await made.rpc<string>('eth_sendTransaction', fields);
        if (!(await made.rpc<boolean>('anvil_getAutomine'))) return hash;
        // anvil answers before its block is mined.
        let looks = 0;
        await poll(async () => {
          if (await made.rpc('eth_getTransactionReceipt', hash)) return true;
          // After `evm_revert`, a busy anvil may drop a transaction that is like one of a reverted block.
          if (++looks % DROPPED === 0 && !(await made.rpc('eth_getTransactionByHash', hash)))
            hash = await made.rpc('eth_sendTransaction', fields);
          return false;
        }, 'its block');
        return hash;
      },
      sendToken: (from, token, to, amount) =>
        made.send(from, token, 0n, ERC20.encodeFunctionData('transfer', [to, amount])),
      async mine(blocks = 1) {
        await made.rpc('anvil_mine', `0x${blocks.toString(16)}`);
      },
      token: (symbol) => network.tokens.find((token) => token.symbol === symbol)!.address,
      close,
    };
    const all = await made.rpc<string[]>('eth_accounts');
    made.accounts = all.slice(4, 8);
    for (const account of made.accounts)
      for (const asset of ['DUSD', 'DCENT'] as const) await local.give(asset, account);
    return (chain = made);
  } catch (error) {
    await close();
    throw error;
  }
}

export interface Till {
  tested: Tested;
  shop: Shop;
  receive(changes?: Record<string, unknown>): Promise<ReceivingWallet>;
  put(body: unknown): Promise<Response>;
  receiveAtKey(body: PutReceivingKey): Promise<ReceivingWallet>;
  /** Removes all receiving wallets. */
  receiveNowhere(): Promise<void>;
  session(total?: number, currency?: string, more?: Record<string, unknown>): Promise<CheckoutSession>;
  page(session: CheckoutSession): Promise<PayPage>;
  quote(session: CheckoutSession): Promise<WalletPayment>;
  /** Status and code of the refusal: `409 checkout.session.complete`. */
  refused(session: CheckoutSession, what: 'quote' | 'payments' | 'cancel', body?: unknown): Promise<string>;
  report(session: CheckoutSession, transactionHash: string): Promise<WalletPayment>;
  received(query?: string): Promise<ReceivedPayment[]>;
  paid(session: CheckoutSession): Promise<void>;
  /** Status and payment status: `open unpaid`. */
  stateOf(session: CheckoutSession): Promise<string>;
  /** Moves the expiry of a session's quotes. */
  endQuotes(session: CheckoutSession, minutesAgo: number): Promise<void>;
  /** Polls until `is` holds for the page's payment. */
  until(
    session: CheckoutSession,
    what: string,
    is: (payment: WalletPayment) => boolean,
  ): Promise<WalletPayment>;
  close(): Promise<void>;
}

export async function openTill(
  networks: readonly Network[],
  settings: Partial<WalletPaymentSettings> = {},
  config: Partial<ServiceConfig> = {},
  { scopes, ...options }: StartOptions & { scopes?: Scope[] } = {},
): Promise<Till> {
  const tested = await startTested(
    {
      networks: { customNodes: false, reported: [], networks: [...networks] },
      frameUrl: 'http://localhost:4000',
      ...config,
    },
    { walletPayments: { ...FAST, ...settings }, ...options },
  );
  return tillOf(tested, await openShop(tested, scopes));
}

export function tillOf(tested: Tested, shop: Shop): Till {
  const json = async <T>(response: Response): Promise<T> => {
    assert.equal(response.status, 200, await response.clone().text());
    return (await response.json()) as T;
  };
  const post = (session: CheckoutSession, path: string, body: unknown = {}) =>
    path === 'payments'
      ? tested.post(`${pagePath(session)}/wallet/payments`, body)
      : fetch(`${tested.url}${pagePath(session)}/${path === 'quote' ? 'wallet/quote' : path}`, {
          method: 'POST',
        });
  const till: Till = {
    tested,
    shop,
    put: (body) =>
      fetch(`${tested.url}/account/settings/receiving-wallet`, {
        method: 'PUT',
        headers: { ...shop.headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    receive: async (changes = {}) =>
      json(await till.put({ secretType: 'ETHEREUM', address: RECEIVER, ...changes })),
    async receiveNowhere() {
      const { wallets } = await json<ReceivingWallets>(
        await tested.get('/account/settings/receiving-wallets', shop.headers),
      );
      const remove = (path: string, headers: Record<string, string>) =>
        fetch(tested.url + path, { method: 'DELETE', headers });
      const answers = [
        await remove('/account/settings/receiving-wallet', shop.headers),
        ...(await Promise.all(
          wallets.flatMap(({ key }) =>
            key ? [remove(`/api/client/receiving-key/${key.id}`, basic(shop.client))] : [],
          ),
        )),
      ];
      for (const answer of answers) assert.equal(answer.status, 200, await answer.text());
    },
    receiveAtKey: async (body) =>
      json(
        await fetch(`${tested.url}/api/client/receiving-key`, {
          method: 'PUT',
          headers: { ...basic(shop.client), 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    session: (total = 2999, currency = 'EUR', more = {}) =>
      shop.create(
        order({
          ...more,
          line_items: [
            { price_data: { product_data: { name: 'Mug' }, unit_amount: total, currency }, quantity: 1 },
          ],
        }),
      ),
    page: async (session) => json(await tested.get(`${pagePath(session)}/session`)),
    quote: async (session) => json(await post(session, 'quote')),
    report: async (session, transactionHash) => json(await post(session, 'payments', { transactionHash })),
    async refused(session, what, body) {
      const response = await post(session, what, body);
      const { code } = (await response.json()) as { code?: string };
      return `${response.status} ${code ?? ''}`;
    },
    received: async (query = '') => json(await tested.get(`/checkout/wallet-payments${query}`, shop.headers)),
    async paid(session) {
      await poll(async () => (await shop.read(session.id)).payment_status === 'paid', 'the payment');
    },
    async stateOf({ id }) {
      const { status, payment_status } = await shop.read(id);
      return `${status} ${payment_status}`;
    },
    async endQuotes({ id }, minutesAgo) {
      await tested.service.db
        .updateTable('wallet_quotes')
        .set({ expires_at: new Date(Date.now() - minutesAgo * 60_000) })
        .where('session_id', '=', id)
        .execute();
    },
    async until(session, what, is) {
      let payment: WalletPayment | null | undefined;
      await poll(async () => {
        payment = (await till.page(session)).wallet?.payment;
        return payment != null && is(payment);
      }, what).catch((error: unknown) => {
        throw new Error(`${(error as Error).message}: ${JSON.stringify(payment)}`);
      });
      return payment!;
    },
    close: () => tested.close(),
  };
  return till;
}

export function coins(payment: WalletPayment): bigint {
  return parseEther(payment.amount);
}

export function dollars(payment: WalletPayment): bigint {
  return parseUnits(payment.amount, 18);
}
