/** The wallet service: one server with every area on it. */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { CHECKOUT_SCOPES } from '../src/api/scopes.ts';
import type { Networks } from '../src/chains/network.ts';
import { auditUnder } from './audit/audit.ts';
import { AccessTokens, requireApplication, requireScope } from './auth/access-tokens.ts';
import { Accounts } from './auth/accounts.ts';
import { readClient } from './auth/basic.ts';
import { clientSecrets } from './auth/secret-calls.ts';
import { exchange } from './auth/token-exchange.ts';
import { issuer } from './auth/issuer.ts';
import { SigningKeys } from './auth/signing-keys.ts';
import { TokenIssuer } from './auth/token-issuer.ts';
import { branding } from './checkout/branding/branding.ts';
import { PROVIDERS } from './checkout/providers/providers.ts';
import { checkout } from './checkout/checkout.ts';
import type { MailTimes } from './checkout/receipts/mail-settings.ts';
import { receipts } from './checkout/receipts/receipts.ts';
import type { RefundSettings } from './checkout/refunds/refund-settings.ts';
import { refunds } from './checkout/refunds/refunds.ts';
import type { WalletPaymentSettings } from './checkout/wallet-payments/wallet-payment-settings.ts';
import { walletPayments } from './checkout/wallet-payments/wallet-payments.ts';
import { exclusiveOn } from './concurrency/exclusive.ts';
import { SharedLimits } from './concurrency/shared-limits.ts';
import type { ServiceConfig } from './service-config.ts';
import { Custody } from './custody/custody.ts';
import { Devices } from './custody/devices.ts';
import { Passkeys } from './custody/passkeys.ts';
import type { PinSettings } from './custody/pins.ts';
import type { RelyingParty } from './custody/webauthn.ts';
import { ClockWatch, isApart } from './database/clock-watch.ts';
import { deposits } from './deposits/deposits.ts';
import type { ScanSettings } from './deposits/scan-settings.ts';
import { type Database, type OpenDatabase, openDatabase, type OpenOptions } from './database/database.ts';
import { makeApp, refuseRepeatedHeaders } from './http/app.ts';
import { allowOrigins, PREFLIGHT } from './http/cors.ts';
import { serveHealth } from './http/health.ts';
import { readForms, readJsonBodies } from './http/bodies.ts';
import { logRequests } from './http/log.ts';
import { answerOtherMethods, RegisteredMethods } from './http/methods.ts';
import { collectMetrics, serveMetrics } from './http/metrics.ts';
import { answerErrors } from './http/problems.ts';
import { passkeysOn } from './auth/passkey-answers.ts';
import { proofsOn } from './auth/proofs.ts';
import { requireClock } from './http/clock.ts';
import { limitRates } from './http/rate-limits.ts';
import { serveReference } from './http/reference.ts';
import { sendSecurityHeaders } from './http/security-headers.ts';
import { prepareServing } from './http/serve.ts';
import { openKeys } from './keys/open-keys.ts';
import { type Listening, listen, listenError } from './listen.ts';
import { ServiceNetworks } from './networks/service-networks.ts';
import { Outbound } from './outbound/outbound.ts';
import { Guard } from './policies/guard.ts';
import { policies } from './policies/policy-calls.ts';
import { profile } from './profile/profile.ts';
import { refuseChanges } from './restored/read-only.ts';
import { Restored } from './restored/restored.ts';
import { Recipients, recipients } from './recipients/recipients.ts';
import type { Area, Service } from './service.ts';
import { swaps } from './swaps/swaps.ts';
import { sync } from './sync/sync.ts';
import { TokenLists } from './networks/token-lists.ts';
import { userDevices } from './users/device-calls.ts';
import { userPasskeys } from './users/passkey-calls.ts';
import { ownWallets } from './users/wallet-calls.ts';
import { links } from './users/links.ts';
import { pincodes } from './users/pincodes.ts';
import { spendingSessions } from './transactions/session-calls.ts';
import type { SwapSettings } from './transactions/cross-chain.ts';
import { transactions } from './transactions/transactions.ts';
import { build } from './wallets/build.ts';
import { nonFungibles } from './wallets/non-fungibles.ts';
import { pictures } from './wallets/pictures.ts';
import { wallets } from './wallets/wallets.ts';
import type { DeliverySettings } from './webhooks/delivery-settings.ts';
import { WalletEvents } from './webhooks/wallet-events.ts';
import { webhooks } from './webhooks/webhooks.ts';

/** Add an area by its file and its name here. */
export const AREAS: readonly Area[] = [
  issuer,
  clientSecrets,
  exchange,
  profile,
  wallets,
  nonFungibles,
  pictures,
  deposits,
  recipients,
  build,
  transactions,
  spendingSessions,
  policies,
  swaps,
  sync,
  ownWallets,
  pincodes,
  userDevices,
  userPasskeys,
  links,
  checkout,
  refunds,
  receipts,
  walletPayments,
  webhooks,
  branding,
];

export interface RunningService {
  url: string;
  app: FastifyInstance;
  service: Service;
  /** If `/metrics` has a port of its own. */
  metricsPort: number | undefined;
  /** Accepts no more connections, finishes the open requests, and closes the database. */
  close(): Promise<void>;
  /** Resolves when the service cannot go on. */
  lost: Promise<Error>;
}

export interface StartOptions extends OpenOptions {
  areas?: readonly Area[];
  /** Takes the log's lines instead of standard output. */
  logTo?: { write(line: string): void };
  /** How PINs are hashed. */
  pins?: PinSettings;
  /** This machine's clocks. */
  clocks?: ConstructorParameters<typeof ClockWatch>[1];
  /** How events are delivered. */
  deliveries?: Partial<DeliverySettings>;
  /** The times of the search for deposits. */
  scans?: Partial<ScanSettings>;
  /** The times of payments by wallet. */
  walletPayments?: Partial<WalletPaymentSettings>;
  /** The times of refunds. */
  refunds?: Partial<RefundSettings>;
  /** The times of receipts by e-mail. */
  mails?: Partial<MailTimes>;
  /** The times of following swaps between chains. */
  swaps?: Partial<SwapSettings>;
  /** In place of the settings' networks. The database opens in the meantime. */
  networks?: Promise<Networks>;
}

async function prepare(
  app: FastifyInstance,
  service: Service,
  {
    areas,
    health,
    connections,
  }: {
    areas: readonly Area[];
    health: Parameters<typeof serveHealth>[1];
    connections: OpenDatabase['connections'];
  },
): Promise<void> {
  const { config, db } = service;
  const accessTokens = new AccessTokens(
    { db, keys: service.signingKeys, accounts: service.accounts, issuer: service.tokens.url },
    config,
  );
  prepareServing(app);
  answerErrors(app, () => `${service.url()}/docs`);
  sendSecurityHeaders(app, config.url);
  logRequests(app);
  refuseRepeatedHeaders(app);
  await allowOrigins(app, config.corsOrigins);
  requireClock(app, service.clock);
  refuseChanges(app, service.restored);
  await limitRates(app, service.limits, config.rateLimit);
  const methods = new RegisteredMethods();
  methods.watch(app);
  readForms(app);
  readJsonBodies(app);
  app.decorate('authorize', async (request, { scopes = [], alsoScopes = [], application, clientSecret }) => {
    const { authorization } = request.headers;
    if (clientSecret) return readClient(db, authorization);
    const principal = await accessTokens.read(authorization);
    if (application) requireApplication(principal);
    requireScope(principal, scopes);
    for (const scope of alsoScopes) requireScope(principal, [scope]);
    return principal;
  });
  app.decorate('prove', proofsOn(service));
  app.decorate('askPasskey', passkeysOn(service));
  app.decorate('metrics', undefined);
  if (config.metrics) {
    const register = collectMetrics(app, connections);
    if (config.metricsPort === undefined) serveMetrics(app, register);
  }
  serveHealth(app, health);
  serveReference(app, service.url);
  for (const area of areas) await app.register(async (scope) => area(scope, service));
  answerOtherMethods(app, methods, {
    preflight: config.corsOrigins.length > 0 ? PREFLIGHT : {},
    limited: config.rateLimit > 0,
  });
}

/**
 * `/metrics` on a port of its own, which a firewall can keep private; nothing else is answered there. Called before the service listens, so
 * that a port in use stops the start.
 */
async function listenToScrapes(
  app: FastifyInstance,
  { metricsPort: port, metricsHost: host }: ServiceConfig,
): Promise<Listening | undefined> {
  const register = app.metrics;
  if (!register || port === undefined) return undefined;
  const listening = await listen(
    (request, response) => {
      if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
      register.metrics().then(
        (text) => response.setHeader('Content-Type', register.contentType).end(text),
        () => response.writeHead(500).end(),
      );
    },
    { port, host, setting: 'METRICS_PORT' },
  );
  app.addHook('onClose', () => listening.close());
  return listening;
}

/** The frame, where users' passkeys are made. */
function partyOf(frameUrl: string | undefined): RelyingParty | undefined {
  if (frameUrl === undefined) return undefined;
  const { origin, hostname: rpId } = new URL(frameUrl);
  return { origin, rpId };
}

/** Here it is said in the log of the start, with the measure. */
async function requireRightClock(clock: ClockWatch): Promise<void> {
  const ahead = await clock.check();
  if (!isApart(ahead)) return;
  const seconds = Math.round(Math.abs(ahead) / 1000).toLocaleString('en');
  throw new Error(
    `the clock of this machine is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} its database's. Set it (NTP), then start again`,
  );
}

async function openRestored(app: FastifyInstance, db: Database): Promise<Restored> {
  const restored = await Restored.open(db);
  app.addHook('onClose', () => restored.stop());
  if (restored.isReadOnly)
    app.log.warn(
      { backupAt: restored.backupAt },
      'the database was restored from a back-up: nothing is signed, sent or changed until npm run service:restore -- accept',
    );
  return restored;
}

/** What the areas share. */
async function assemble(
  config: ServiceConfig,
  { app, db, url, options }: { app: FastifyInstance; db: Database; url: () => string; options: StartOptions },
): Promise<Service> {
  const clock = new ClockWatch(db, options.clocks);
  await requireRightClock(clock);
  const keys = await openKeys(config, { create: !config.databaseUrl });
  const signingKeys = new SigningKeys(db, keys, {
    signingKeyDays: config.signingKeyDays,
    tokenSeconds: config.accessTokenSeconds,
  });
  const limits = new SharedLimits(db);
  const outbound = new Outbound(config.outboundRanges);
  const lists = await TokenLists.open((await options.networks) ?? config.networks, outbound, {
    warn: (message) => app.log.warn(message),
    changed: (changed) => networks.use(changed),
  });
  app.addHook('onClose', async () => lists.stop());
  const networks = new ServiceNetworks(lists.networks);
  const { payments, area } = await PROVIDERS[config.payments.provider]!.open(
    { db, url },
    config.payments.settings,
  );
  return {
    config,
    url,
    db,
    clock,
    keys,
    accounts: new Accounts(db),
    signingKeys,
    tokens: new TokenIssuer(signingKeys, {
      url: () => `${url()}/auth/realms/${config.realm}`,
      seconds: config.accessTokenSeconds,
    }),
    devices: new Devices(db),
    passkeys: new Passkeys(db, () => partyOf(config.frameUrl), options.pins?.now),
    custody: new Custody(db, keys, { warn: (line) => app.log.warn(line), ...options.pins }),
    audit: auditUnder(keys),
    guard: new Guard(db, keys),
    restored: await openRestored(app, db),
    exclusive: exclusiveOn(db, config.databaseConnections),
    networks,
    payments,
    providerRoutes: area,
    limits,
    recipients: new Recipients(db, limits, config.recipientRateLimit),
    outbound,
    events: new WalletEvents(),
    deliveries: options.deliveries ?? {},
    scans: options.scans ?? {},
    walletPayments: options.walletPayments ?? {},
    refunds: options.refunds ?? {},
    mails: options.mails ?? {},
    swaps: options.swaps ?? {},
  };
}

function warnOfLegacyCheckout(log: FastifyInstance['log'], { trustedIssuers }: ServiceConfig): void {
  for (const { issuer, legacyCheckout } of trustedIssuers)
    if (legacyCheckout)
      log.warn(
        { issuer },
        `every application's token of this issuer may do all that takes ${CHECKOUT_SCOPES.join(', ')} (legacyCheckout): let it issue these scopes, then remove the setting`,
      );
}

/** Resolves when the service accepts requests. The database is opened first, and closed again when anything fails. */
export async function startService(
  config: ServiceConfig,
  options: StartOptions = {},
): Promise<RunningService> {
  let url = config.url ?? `http://localhost:${config.port}`;
  const app = makeApp(config, () => `${url}/docs`, options.logTo);
  const { db, storage, connections, lost, limit, close } = await openDatabase(config, app.log, options);
  try {
    const service = await assemble(config, { app, db, url: () => url, options });
    const { clock, signingKeys } = service;
    await prepare(app, service, {
      connections,
      areas: options.areas ?? AREAS,
      health: { db, storage, clock },
    });
    warnOfLegacyCheckout(app.log, config);
    // A wrong master key fails here, not at the first request.
    if (config.ownIssuer) await signingKeys.current();
    const scraped = await listenToScrapes(app, config);
    await app.listen({ port: config.port, host: config.host, listenTextResolver: () => 'listening' });
    limit();
    if (!config.url) url = `http://localhost:${(app.server.address() as AddressInfo).port}`;
    return {
      url,
      app,
      service,
      metricsPort: scraped?.port,
      lost,
      async close() {
        await app.close();
        await close();
      },
    };
  } catch (error) {
    await app.close();
    await close();
    throw listenError(error, { ...config, setting: 'SERVICE_PORT' });
  }
}
