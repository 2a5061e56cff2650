/** The service's settings: environment variables, checked at the start. `docs/service.md` explains each one. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import type { Networks } from '../src/chains/network.ts';
import { IdentityProvider, TrustedIssuer } from './auth/issuer-settings.ts';
import { PROVIDERS } from './checkout/providers/providers.ts';
import { vaultToken } from './keys/vault-keys.ts';
import { readNetworks } from './networks/networks-file.ts';
import { readRange } from './outbound/addresses.ts';
import type { ServiceConfig } from './service-config.ts';
import type { CopySettings } from './sync/copies.ts';
import { BaseUrl, jsonList, list, onOff, readBy, SecureUrl, whole } from './settings/fields.ts';
import { MailSender, SmtpUrl } from './settings/mail.ts';
import { ignored, misspelt } from './settings/spelling.ts';

export type { IdentityProvider } from './auth/issuer-settings.ts';
export type { ServiceConfig } from './service-config.ts';

/** A service must not start with a setting that it does not understand. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  constructor(
    readonly problems: readonly string[],
    what = 'The service',
  ) {
    super(`${what} cannot start:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

const PROVIDER_NAMES = new Intl.ListFormat('en', { type: 'disjunction' }).format(Object.keys(PROVIDERS));

const Origin = z
  .string()
  .refine((text) => text === '*' || (URL.canParse(text) && new URL(text).origin === text), {
    error: 'must be origins such as https://connect.example, without a path, or *',
  });

/** An address, a range or a name that Fastify has for one. Answers the text. */
function readProxy(text: string): string {
  if (!['loopback', 'linklocal', 'uniquelocal'].includes(text)) readRange(text);
  return text;
}

/** Every variable, with its default. Empty counts as absent. */
const Environment = z.object({
  SERVICE_PORT: whole(0, 65_535).default(4001),
  SERVICE_HOST: z.string().default('localhost'),
  SERVICE_URL: BaseUrl.optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
    .optional(),
  DATABASE_CONNECTIONS: whole(2, 1000).default(10),
  DATA_DIR: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  MASTER_KEY_FILE: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  VAULT_ADDR: SecureUrl.optional(),
  VAULT_MOUNT: z
    .string()
    .regex(/^[\w-]+(\/[\w-]+)*$/, 'must be the path of a transit engine')
    .default('transit'),
  VAULT_KEY: z.string().default('carabiner'),
  VAULT_TOKEN: z.string().optional(),
  VAULT_TOKEN_FILE: z.string().optional(),
  REALM: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be letters, digits, - and _')
    .default('main'),
  OWN_ISSUER: onOff.default(true),
  ACCESS_TOKEN_SECONDS: whole(5, 86_400).default(1800),
  SIGNING_KEY_DAYS: whole(1, 3650).default(30),
  TRUSTED_ISSUERS: jsonList(TrustedIssuer).default([]),
  IDENTITY_PROVIDERS: jsonList(IdentityProvider).default([]),
  NETWORKS: readBy(readNetworks).optional(),
  FRAME_URL: BaseUrl.optional(),
  OUTBOUND_RANGES: list.pipe(z.array(readBy(readRange))).default([]),
  CORS_ORIGINS: list.pipe(z.array(Origin)).default([]),
  TRUST_PROXY: list.pipe(z.array(readBy(readProxy))).default([]),
  RATE_LIMIT: whole(0, 10_000_000).default(6000),
  TOKEN_RATE_LIMIT: whole(0, 10_000_000).default(300),
  RECIPIENT_RATE_LIMIT: whole(0, 10_000_000).default(60),
  COPY_YEARS: whole(1, 100).default(3),
  COPY_LIMIT: whole(0, 1_000_000_000).default(1_000_000),
  COPY_READ_LIMIT: whole(0, 10_000_000).default(120),
  COPY_WRITE_LIMIT: whole(0, 10_000_000).default(200),
  COPY_CREATION_LIMIT: whole(0, 10_000_000).default(30),
  POLICY_DELAY_HOURS: whole(0, 8760).default(24),
  PAYMENT_PROVIDER: z.enum(Object.keys(PROVIDERS), { error: `must be ${PROVIDER_NAMES}` }).default('test'),
  CHECKOUT_MINUTES: whole(1, 1439).default(30),
  SMTP_URL: SmtpUrl.optional(),
  MAIL_FROM: MailSender.optional(),
  BODY_LIMIT: whole(1024, 16_777_216).default(262_144),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  METRICS: onOff.default(true),
  METRICS_PORT: whole(0, 65_535).optional(),
  METRICS_HOST: z.string().optional(),
  STOP_SECONDS: whole(1, 600).default(30),
});

/** Those of every provider, whichever is in use: a typo shows before the provider is switched. */
const ProviderEnvironment = z.object(
  Object.assign({}, ...Object.values(PROVIDERS).map(({ variables }) => variables)) as z.ZodRawShape,
);

/** Names of the variables, without those of payment providers. */
export const VARIABLES = Object.keys(Environment.shape);

/** With those of payment providers. */
const SETTINGS = [...VARIABLES, ...Object.keys(ProviderEnvironment.shape)];
/** Of the frame's server, which may have the same environment. */
const FRAME_SETTINGS = ['FRAME_HOST', 'FRAME_PORT', 'RELEASES'];
/** No other program's variables begin like this. */
const OURS = ['CHECKOUT_', 'COPY_', 'CORS_', 'METRICS_', 'OUTBOUND_', 'POLICY_', 'RECIPIENT_', 'TRUST_'];

/** A line for each variable that looks like a setting and is none. */
export function ignoredSettings(env: NodeJS.ProcessEnv = process.env): string[] {
  return ignored(env, SETTINGS, OURS);
}

/** Each variable with its default, for `--help`. */
export function settingsHelp(): Record<string, string> {
  const ofProviders = Object.keys(ProviderEnvironment.shape).map((name) => [name, 'of a payment provider']);
  const own = Object.entries(Environment.shape).map(([name, schema]) => [name, defaultOf(schema)]);
  return Object.fromEntries([...own, ...ofProviders]) as Record<string, string>;
}

function defaultOf(schema: z.core.$ZodType): string {
  if (!(schema instanceof z.ZodDefault)) return 'no default';
  const value = schema.def.defaultValue;
  if (typeof value === 'boolean') return `default: ${value ? 'on' : 'off'}`;
  return Array.isArray(value) ? 'default: none' : `default: ${String(value)}`;
}

function defaultDataFolder(env: NodeJS.ProcessEnv): string {
  if (process.getuid?.() === 0) return '/var/lib/carabiner';
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local/share'), 'carabiner');
}

/** Settings that are right one by one, and not together. */
function conflicts(data: z.infer<typeof Environment>): string[] {
  const problems = [
    ...twice(
      'IDENTITY_PROVIDERS',
      data.IDENTITY_PROVIDERS.map(({ name }) => name),
    ),
    ...twice(
      'TRUSTED_ISSUERS',
      data.TRUSTED_ISSUERS.map(({ issuer }) => issuer),
    ),
    ...unknownNetworks(data.TRUSTED_ISSUERS, data.NETWORKS),
  ];
  if (!data.SMTP_URL !== !data.MAIL_FROM)
    problems.push('SMTP_URL and MAIL_FROM belong together: the server that sends e-mail, and who sends it.');
  if (data.VAULT_ADDR && !data.VAULT_TOKEN && !data.VAULT_TOKEN_FILE)
    problems.push('VAULT_ADDR needs VAULT_TOKEN_FILE or VAULT_TOKEN.');
  if (data.DATABASE_URL && !data.MASTER_KEY_FILE && !data.VAULT_ADDR)
    problems.push(
      'MASTER_KEY_FILE is not set. With DATABASE_URL every process of the service must be given the same file.',
    );
  if (!data.OWN_ISSUER && data.TRUSTED_ISSUERS.length === 0)
    problems.push('OWN_ISSUER is off and TRUSTED_ISSUERS names none: no token would be accepted.');
  if (
    data.FRAME_URL &&
    data.SERVICE_URL &&
    new URL(data.FRAME_URL).origin === new URL(data.SERVICE_URL).origin
  )
    problems.push('FRAME_URL must be of another origin than SERVICE_URL: the wallet keeps to its own.');
  return problems;
}

/** Throws `ConfigError`, which names every variable that is wrong. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): ServiceConfig {
  const values = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value?.trim() || undefined]),
  );
  const { data, error } = Environment.safeParse(values);
  const ofProviders = ProviderEnvironment.safeParse(values);
  const issues = [...(error?.issues ?? []), ...(ofProviders.error?.issues ?? [])];
  const spelling = misspelt(env, SETTINGS, FRAME_SETTINGS);
  if (!data || !ofProviders.data || spelling.length > 0)
    throw new ConfigError([
      ...spelling,
      ...issues.map(({ path, message }) => `${path.join('.')} ${message}`),
    ]);
  const dataFolder = data.DATA_DIR ?? defaultDataFolder(env);
  const problems = conflicts(data);
  const payments = PROVIDERS[data.PAYMENT_PROVIDER]!.readSettings(ofProviders.data, {
    sessionMinutes: data.CHECKOUT_MINUTES,
  });
  if ('problems' in payments) problems.push(...payments.problems);
  if (problems.length || 'problems' in payments) throw new ConfigError(problems);
  return {
    port: data.SERVICE_PORT,
    host: data.SERVICE_HOST,
    url: data.SERVICE_URL,
    databaseUrl: data.DATABASE_URL,
    databaseConnections: data.DATABASE_CONNECTIONS,
    dataFolder,
    masterKeyFile: data.MASTER_KEY_FILE ?? join(dataFolder, 'master-key.json'),
    vault: data.VAULT_ADDR
      ? { url: data.VAULT_ADDR, mount: data.VAULT_MOUNT, key: data.VAULT_KEY, token: vaultToken(data) }
      : undefined,
    realm: data.REALM,
    ownIssuer: data.OWN_ISSUER,
    accessTokenSeconds: data.ACCESS_TOKEN_SECONDS,
    signingKeyDays: data.SIGNING_KEY_DAYS,
    trustedIssuers: data.TRUSTED_ISSUERS,
    identityProviders: data.IDENTITY_PROVIDERS,
    frameUrl: data.FRAME_URL,
    networks: data.NETWORKS ?? { customNodes: false, networks: [], reported: [] },
    outboundRanges: data.OUTBOUND_RANGES,
    corsOrigins: data.CORS_ORIGINS,
    trustProxy: data.TRUST_PROXY,
    rateLimit: data.RATE_LIMIT,
    tokenRateLimit: data.TOKEN_RATE_LIMIT,
    recipientRateLimit: data.RECIPIENT_RATE_LIMIT,
    policyDelayHours: data.POLICY_DELAY_HOURS,
    copies: copySettings(data),
    payments: {
      provider: data.PAYMENT_PROVIDER,
      sessionMinutes: data.CHECKOUT_MINUTES,
      settings: payments.settings,
    },
    mail: data.SMTP_URL && data.MAIL_FROM ? { server: data.SMTP_URL, from: data.MAIL_FROM } : undefined,
    bodyLimit: data.BODY_LIMIT,
    logLevel: data.LOG_LEVEL,
    metrics: data.METRICS,
    metricsPort: data.METRICS_PORT,
    metricsHost: data.METRICS_HOST,
    stopSeconds: data.STOP_SECONDS,
  };
}

function copySettings(data: z.infer<typeof Environment>): CopySettings {
  return {
    most: data.COPY_LIMIT,
    years: data.COPY_YEARS,
    readsPerHour: data.COPY_READ_LIMIT,
    writesPerDay: data.COPY_WRITE_LIMIT,
    newPerHour: data.COPY_CREATION_LIMIT,
  };
}

function unknownNetworks(issuers: readonly TrustedIssuer[], file: Networks | undefined): string[] {
  const ids = file?.networks.map(({ id }) => id) ?? [];
  return issuers
    .flatMap(({ networks = [] }) => networks)
    .filter((id) => !ids.includes(id))
    .map((id) => `TRUSTED_ISSUERS names the network ${id}, which NETWORKS does not have.`);
}

function twice(variable: string, names: string[]): string[] {
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  return repeated.map((name) => `${variable} names ${name} more than once.`);
}
