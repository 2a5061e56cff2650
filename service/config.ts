/** The service's settings: environment variables, checked at the start. `docs/service.md` explains each one. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { type VaultSettings, vaultToken } from './keys/vault-keys.ts';
import type { Networks } from '../src/chains/network.ts';
import { readNetworks } from './networks-file.ts';
import { type Range, readRange } from './outbound/addresses.ts';

/** A misspelt setting must not start a service that does something else. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  constructor(readonly problems: readonly string[]) {
    super(`The service cannot start:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** Only keys that others cannot guess from a public one. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

const SecureUrl = z.string().refine(
  (text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, hostname } = new URL(text);
    return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  },
  { error: 'must be an https URL (http only on this machine)' },
);

const issuerFields = {
  /** As the `iss` claim has it, to the letter. */
  issuer: SecureUrl,
  /** Found by OpenID discovery when absent. */
  jwksUri: SecureUrl.optional(),
  audience: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  algorithms: z.array(z.enum(ALGORITHMS)).min(1).default(['RS256', 'PS256', 'ES256', 'EdDSA']),
};

const TrustedIssuer = z.strictObject({
  ...issuerFields,
  /** Claim with the scopes: text with spaces, or a list. Dots go into objects. */
  scopeClaim: z.string().default('scope'),
  /** Claim with the id of the application. */
  clientClaim: z.string().default('azp'),
  /** Claim that only tokens of an application itself have. Absent: such a token's `sub` is its client id. */
  applicationClaim: z.string().optional(),
  /** The header's `typ`, where the issuer sets one. */
  type: z.string().optional(),
});
export type TrustedIssuer = z.infer<typeof TrustedIssuer>;

const IdentityProvider = z.strictObject({
  ...issuerFields,
  name: z.string().min(1).max(128),
  /** Client ids that may exchange its tokens; every client when absent. */
  clients: z.array(z.string()).optional(),
  /** A verified e-mail of this provider proves whose it is. */
  trustEmail: z.boolean().default(false),
  /** Seconds after which a token is too old to exchange, whatever it says itself. */
  maxAge: z.int().min(1).max(86_400).default(3600),
});
export type IdentityProvider = z.infer<typeof IdentityProvider>;

/** JSON in the variable itself, or the path of a file with it. */
function jsonList<T extends z.ZodType>(item: T) {
  return z.string().transform((text, context): z.infer<T>[] => {
    let value: unknown;
    try {
      value = JSON.parse(/^\s*\[/.test(text) ? text : readFileSync(text, 'utf8'));
    } catch (error) {
      context.addIssue({
        code: 'custom',
        message: `is neither a JSON list nor a file with one: ${(error as Error).message}`,
      });
      return z.NEVER;
    }
    const { data, error } = z.array(item).safeParse(value);
    if (data) return data;
    for (const { path, message } of error.issues)
      context.addIssue({ code: 'custom', message: `[${path.join('.')}]: ${message}` });
    return z.NEVER;
  });
}

/** Text that `read` makes something of. */
function readBy<T>(read: (text: string) => T) {
  return z.string().transform((text, context): T => {
    try {
      return read(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: `cannot be used: ${(error as Error).message}` });
      return z.NEVER;
    }
  });
}

function whole(min: number, max: number) {
  return z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => n >= min && n <= max, { error: `must be ${min} to ${max}` });
}

const onOff = z.enum(['on', 'off'], { error: 'must be on or off' }).transform((text) => text === 'on');
const list = z.string().transform((text) => text.split(/[\s,]+/).filter(Boolean));
const Origin = z
  .string()
  .refine((text) => text === '*' || (URL.canParse(text) && new URL(text).origin === text), {
    error: 'must be origins such as https://connect.example, without a path, or *',
  });

const STRIPE_MS = 10_000;

/** What the file has, without the space around it. */
const secretFile = readBy((path) => {
  const text = readFileSync(path, 'utf8').trim();
  if (!text) throw new Error('the file is empty');
  return text;
});

/** Client ids and accounts of the payment provider: `<client id>=acct_…`, with commas or spaces between. */
const accountMap = list.transform((pairs, context): Readonly<Record<string, string>> => {
  const read = pairs.map((pair) => /^([^=]+)=(acct_\w+)$/.exec(pair));
  if (read.includes(null)) context.addIssue({ code: 'custom', message: 'must be <client id>=acct_…, …' });
  return Object.fromEntries(read.flatMap((match) => (match ? [[match[1]!, match[2]!]] : [])));
});

/** Every variable, with its default. Empty counts as absent. */
const Environment = z.object({
  SERVICE_PORT: whole(0, 65_535).default(4001),
  SERVICE_HOST: z.string().default('localhost'),
  SERVICE_URL: SecureUrl.transform((text) => text.replace(/\/+$/, '')).optional(),
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
  FRAME_URL: SecureUrl.transform((text) => text.replace(/\/+$/, '')).optional(),
  OUTBOUND_RANGES: list.pipe(z.array(readBy(readRange))).default([]),
  CORS_ORIGINS: list.pipe(z.array(Origin)).default([]),
  TRUST_PROXY: list.default([]),
  RATE_LIMIT: whole(0, 10_000_000).default(6000),
  TOKEN_RATE_LIMIT: whole(0, 10_000_000).default(300),
  RECIPIENT_RATE_LIMIT: whole(0, 10_000_000).default(60),
  PAYMENT_PROVIDER: z.enum(['test', 'stripe'], { error: 'must be test or stripe' }).default('test'),
  CHECKOUT_MINUTES: whole(1, 1439).default(30),
  STRIPE_SECRET_KEY_FILE: secretFile.optional(),
  STRIPE_WEBHOOK_SECRET_FILE: secretFile.optional(),
  STRIPE_ACCOUNTS: accountMap.default({}),
  STRIPE_API_URL: SecureUrl.optional(),
  BODY_LIMIT: whole(1024, 16_777_216).default(262_144),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  METRICS: onOff.default(true),
  STOP_SECONDS: whole(1, 600).default(30),
});

/** Names of the variables. */
export const VARIABLES = Object.keys(Environment.shape);

export interface PaymentSettings {
  provider: 'test' | 'stripe';
  /** How long a customer has to pay. */
  sessionMinutes: number;
  stripe:
    | {
        secretKey: string;
        /** What its webhooks are signed with. */
        webhookSecret: string;
        /** Connected accounts that applications are paid to, by client id; the others are paid to the key's own account. */
        accounts: Readonly<Record<string, string>>;
        /** Instead of Stripe's own. */
        apiUrl: string | undefined;
        /** For each try of a request. */
        timeoutMs: number;
      }
    | undefined;
}

export interface ServiceConfig {
  /** 0 takes any free port. */
  port: number;
  host: string;
  /** How others reach the service, without a slash at the end; `http://localhost:<port>` when absent. */
  url: string | undefined;
  /** Absent: an own PostgreSQL in `dataFolder`. */
  databaseUrl: string | undefined;
  databaseConnections: number;
  dataFolder: string;
  masterKeyFile: string;
  /** Absent: the master key is in `masterKeyFile`. */
  vault: VaultSettings | undefined;
  realm: string;
  /** The service's own tokens are accepted. */
  ownIssuer: boolean;
  accessTokenSeconds: number;
  signingKeyDays: number;
  trustedIssuers: readonly TrustedIssuer[];
  identityProviders: readonly IdentityProvider[];
  /** What the service works on; none when no file is set. */
  networks: Networks;
  /** Base URL of the wallet's frame, without a slash at the end. Absent: payment pages offer no payment by wallet. */
  frameUrl: string | undefined;
  /** Addresses that URLs of others may lead to, beside public ones. */
  outboundRanges: readonly Range[];
  corsOrigins: readonly string[];
  /** Addresses of proxies whose `X-Forwarded-*` counts. */
  trustProxy: readonly string[];
  /** Requests a minute from one address; 0 for any number. */
  rateLimit: number;
  /** The same for the calls that answer tokens. */
  tokenRateLimit: number;
  /** E-mail recipients that one account may look up a minute. */
  recipientRateLimit: number;
  payments: PaymentSettings;
  /** Bytes. */
  bodyLimit: number;
  logLevel: string;
  metrics: boolean;
  stopSeconds: number;
}

function usualDataFolder(env: NodeJS.ProcessEnv): string {
  if (process.getuid?.() === 0) return '/var/lib/carabiner';
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local/share'), 'carabiner');
}

/** Throws `ConfigError`, which names every variable that is wrong. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): ServiceConfig {
  const given = Object.fromEntries(VARIABLES.map((name) => [name, env[name]?.trim() || undefined]));
  const { data, error } = Environment.safeParse(given);
  if (error) throw new ConfigError(error.issues.map(({ path, message }) => `${path.join('.')} ${message}`));
  const dataFolder = data.DATA_DIR ?? usualDataFolder(env);
  const problems = [
    ...twice(
      'IDENTITY_PROVIDERS',
      data.IDENTITY_PROVIDERS.map(({ name }) => name),
    ),
    ...twice(
      'TRUSTED_ISSUERS',
      data.TRUSTED_ISSUERS.map(({ issuer }) => issuer),
    ),
  ];
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
  if (data.PAYMENT_PROVIDER === 'stripe') {
    if (!data.STRIPE_SECRET_KEY_FILE || !data.STRIPE_WEBHOOK_SECRET_FILE)
      problems.push('PAYMENT_PROVIDER=stripe needs STRIPE_SECRET_KEY_FILE and STRIPE_WEBHOOK_SECRET_FILE.');
    if (data.CHECKOUT_MINUTES < 30)
      problems.push(
        'CHECKOUT_MINUTES must be at least 30 with PAYMENT_PROVIDER=stripe: Stripe takes no less.',
      );
  }
  if (problems.length) throw new ConfigError(problems);
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
    payments: {
      provider: data.PAYMENT_PROVIDER,
      sessionMinutes: data.CHECKOUT_MINUTES,
      stripe:
        data.STRIPE_SECRET_KEY_FILE && data.STRIPE_WEBHOOK_SECRET_FILE
          ? {
              secretKey: data.STRIPE_SECRET_KEY_FILE,
              webhookSecret: data.STRIPE_WEBHOOK_SECRET_FILE,
              accounts: data.STRIPE_ACCOUNTS,
              apiUrl: data.STRIPE_API_URL,
              timeoutMs: STRIPE_MS,
            }
          : undefined,
    },
    bodyLimit: data.BODY_LIMIT,
    logLevel: data.LOG_LEVEL,
    metrics: data.METRICS,
    stopSeconds: data.STOP_SECONDS,
  };
}

function twice(variable: string, names: string[]): string[] {
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  return repeated.map((name) => `${variable} names ${name} more than once.`);
}
