/** The wallet service in the demo: the settings of `npm run service`, plus what the demo's own parts need. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, isActive, verifyMerchant } from '../service/auth/clients.ts';
import { type IdentityProvider, readConfig } from '../service/config.ts';
import { writeOnce } from '../service/keys/write-once.ts';
import { readRange } from '../service/outbound/addresses.ts';
import { AREAS, type RunningService, type StartOptions, startService } from '../service/server.ts';
import type { Area } from '../service/service.ts';
import { CHECKOUT_SCOPES, type Scope } from '../src/api/scopes.ts';
import type { Networks } from '../src/chains/network.ts';
import type { ShopClient } from './back-end.ts';

export interface DemoServiceOptions {
  /** Environment variables as `docs/service.md` explains them; `NETWORKS` and `SERVICE_PORT` come from the demo. */
  settings: NodeJS.ProcessEnv;
  /** 0 takes any free port. */
  port: number;
  /** The frame's networks. The database starts meanwhile. */
  networks: Promise<Networks>;
  /** Origin of the frame, whose page calls the service and whose wallets pay on the service's payment page. */
  frame: string;
  provider: IdentityProvider;
  logTo?: StartOptions['logTo'];
}

export interface DemoService {
  url: string;
  running: RunningService;
  /** The client credentials of the demo's own server. */
  shop: ShopClient;
}

const SCOPES: readonly Scope[] = [
  'view:wallets',
  'whitelabel',
  'sign:wallets',
  'view:profile',
  'save:transaction',
  ...CHECKOUT_SCOPES,
];

export async function startDemoService(options: DemoServiceOptions): Promise<DemoService> {
  const { NETWORKS: _networks, ...settings } = options.settings;
  // Everybody who tries the demo comes from this machine's one address.
  const ofDemo = { LOG_LEVEL: 'warn', COPY_CREATION_LIMIT: '0' };
  const config = readConfig({ ...ofDemo, ...settings, SERVICE_PORT: String(options.port) });
  const running = await startService(
    {
      ...config,
      corsOrigins: [...config.corsOrigins, options.frame],
      frameUrl: options.frame,
      // The shop's webhook receiver runs on this machine.
      outboundRanges: [...config.outboundRanges, readRange('127.0.0.1/32')],
      identityProviders: [...config.identityProviders, options.provider],
    },
    {
      networks: options.networks,
      areas: [forgetTransactions, ...AREAS],
      ...(options.logTo ? { logTo: options.logTo } : {}),
    },
  );
  try {
    const client = await shopClient(running, join(config.dataFolder, 'demo-client.json'));
    return { url: running.url, running, shop: { url: running.url, realm: config.realm, ...client } };
  } catch (error) {
    await running.close();
    throw error;
  }
}

/**
 * The local networks are new at every start, but wallets are kept. Transactions of the previous networks must not count or be resent, and
 * no payment may be watched there, so this runs before the areas that track transactions and payments.
 */
const forgetTransactions: Area = async (_app, { db, networks }) => {
  const ids = networks.file.networks.filter(({ kind }) => kind === 'local').map(({ id }) => id);
  if (ids.length === 0) return;
  await db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('request_keys')
      .where('transaction_id', 'in', (from) =>
        from.selectFrom('transactions').select('id').where('network', 'in', ids),
      )
      .execute();
    await tx.deleteFrom('transactions').where('network', 'in', ids).execute();
    for (const table of ['wallet_transfers', 'wallet_quotes', 'wallet_lanes'] as const)
      await tx.deleteFrom(table).where('network', 'in', ids).execute();
    await tx.updateTable('checkout_sessions').set({ wallet_pending: false, held_until: null }).execute();
  });
};

type Client = Pick<ShopClient, 'clientId' | 'clientSecret'>;

/** Keeps the same client across starts, so that the shop keeps its wallets; a new one if the database is new. */
async function shopClient({ service: { db } }: RunningService, path: string): Promise<Client> {
  const kept = await readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as Client,
    () => undefined,
  );
  if (kept && (await isActive(db, kept.clientId))) return verified(kept);
  const { id, secret } = await createClient(db, { name: 'Fernhill Outfitters', scopes: SCOPES });
  const client: Client = { clientId: id, clientSecret: secret };
  await rm(path, { force: true });
  await writeOnce(path, `${JSON.stringify(client)}\n`);
  return verified(client);

  async function verified(found: Client): Promise<Client> {
    await verifyMerchant(db, found.clientId, { merchant: 'Fernhill Outfitters', origins: [] });
    return found;
  }
}
