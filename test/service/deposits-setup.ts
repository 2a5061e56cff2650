/** An application that is told of what arrives at its wallets. */
import assert from 'node:assert/strict';
import type { CreatedWalletWebhook, WalletDelivery, WalletEvent, Watch } from '../../src/api/wallet-event.ts';
import type { Network } from '../../src/chains/network.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import type { ScanSettings } from '../../service/deposits/scan-settings.ts';
import type { StartOptions } from '../../service/server.ts';
import { poll } from '../waiting.ts';
import { startShop, type Shop } from './execute-setup.ts';
import {
  BASIC,
  LOOPBACK,
  PATIENT_DELIVERIES,
  startReceiver,
  verify,
  type Receiver,
} from './webhooks-setup.ts';

export const FAST_SCANS: Partial<ScanSettings> = { tickMs: 20, everyLocalMs: 20, backoffMs: 100 };

export type DepositEvent = Extract<WalletEvent, { type: 'wallet.deposit' }>;

export interface Told {
  shop: Shop;
  receiver: Receiver;
  webhook: CreatedWalletWebhook;
  /** Every event that arrived, each once, in no order. */
  events(): WalletEvent[];
  deposits(walletId?: string): DepositEvent[];
  /** A new wallet that is watched. */
  watched(secretType?: SecretType, order?: Record<string, unknown>): Promise<{ id: string; address: string }>;
  /** On the wallet's default network, or another one. */
  watch(walletId: string, network?: string): Promise<Watch>;
  unwatch(walletId: string, network?: string): Promise<void>;
  deliveries(query?: string): Promise<WalletDelivery[]>;
  /** Waits until every block up to the node's newest was read. */
  scanned(network: string, head: () => Promise<number>): Promise<void>;
  close(): Promise<void>;
}

export async function startTold(
  networks: readonly Network[],
  options: StartOptions = {},
  settings: Parameters<typeof startShop>[1] = {},
): Promise<Told> {
  const receiver = await startReceiver();
  const shop = await startShop(
    networks,
    { outboundRanges: LOOPBACK, ...settings },
    { scans: FAST_SCANS, deliveries: { everyMs: 20, ...PATIENT_DELIVERIES }, ...options },
  );
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await shop.call<T>(shop.shop, method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.outcome}`);
    return answer.body;
  };
  const webhook = await call<CreatedWalletWebhook>('POST', '/api/webhooks', {
    url: receiver.url,
    authenticationMethod: BASIC,
  });
  const told: Told = {
    shop,
    receiver,
    webhook,
    events() {
      const byId = new Map(receiver.arrived.map((one) => [one.headers['webhook-id'], one]));
      return [...byId.values()].map((arrived) => {
        verify(webhook, arrived);
        return JSON.parse(arrived.body) as WalletEvent;
      });
    },
    deposits: (walletId) =>
      told
        .events()
        .filter((event): event is DepositEvent => event.type === 'wallet.deposit')
        .filter(({ data }) => walletId === undefined || data.wallet.id === walletId),
    async watched(secretType = 'ETHEREUM', order = {}) {
      const { id, address } = await shop.wallet(secretType, order);
      await told.watch(id);
      return { id, address };
    },
    watch: (id, network) => call('PUT', watchPath(id, network)),
    unwatch: (id, network) => call('DELETE', watchPath(id, network)),
    deliveries: (query = '') => call('GET', `/api/webhooks/${webhook.id}/deliveries${query}`),
    async scanned(network, head) {
      const wanted = await head();
      await poll(async () => {
        const row = await shop.service.service.db
          .selectFrom('scan_cursors')
          .select('position')
          .where('network', '=', network)
          .executeTakeFirst();
        return Number(row?.position ?? -1) >= wanted;
      }, `block ${wanted} of ${network}`);
    },
    async close() {
      await shop.close();
      await receiver.close();
    },
  };
  return told;
}

function watchPath(id: string, network?: string): string {
  return `/api/wallets/${id}/watch${network === undefined ? '' : `?network=${network}`}`;
}

/** As `symbol value from hash`. */
export function inWords({ data: { deposit } }: DepositEvent): string {
  return `${deposit.amount.value} ${deposit.amount.symbol}`;
}
