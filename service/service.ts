/** What the areas of the service share. Each area is a plugin that puts its routes on the server. */
import type { FastifyInstance } from 'fastify';
import type { Accounts } from './auth/accounts.ts';
import type { SigningKeys } from './auth/signing-keys.ts';
import type { TokenIssuer } from './auth/token-issuer.ts';
import type { ServiceConfig } from './config.ts';
import type { Custody } from './custody/custody.ts';
import type { Database } from './database/database.ts';
import type { KeyProvider } from './keys/key-provider.ts';
import type { ServiceNetworks } from './networks.ts';
import type { Outbound } from './outbound/outbound.ts';

export interface Service {
  config: ServiceConfig;
  /** How others reach the service; known once it listens. */
  url: () => string;
  db: Database;
  keys: KeyProvider;
  accounts: Accounts;
  signingKeys: SigningKeys;
  tokens: TokenIssuer;
  custody: Custody;
  networks: ServiceNetworks;
  /** For URLs that came from a request or a contract. */
  outbound: Outbound;
}

/** One area: `serve(app, route, …)` for each of its routes. */
export type Area = (app: FastifyInstance, service: Service) => void | Promise<void>;
