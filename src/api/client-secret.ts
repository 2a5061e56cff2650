/** The secrets of an application that has its client here. It changes them with one of them, never with a token. */
import * as z from 'zod/mini';
import { Nothing } from './account.ts';
import { PageQuery } from './paging.ts';
import type { Route } from './route.ts';
import { line } from './text.ts';

export const ClientSecret = z.object({
  id: z.string(),
  /** ISO 8601. */
  createdAt: z.string(),
  /** When the client last used it, to the minute; null: never. */
  lastUsedAt: z.nullable(z.string()),
  /** Null while it is valid. */
  revokedAt: z.nullable(z.string()),
});
export type ClientSecret = z.infer<typeof ClientSecret>;

/** The secret is shown once. */
export const CreatedClientSecret = z.object({ id: z.string(), secret: z.string(), createdAt: z.string() });
export type CreatedClientSecret = z.infer<typeof CreatedClientSecret>;

export const ClientSecretParams = z.strictObject({ id: line(64) });

export const createClientSecret = {
  method: 'POST',
  path: '/api/client/secrets',
  summary: 'Create a second client secret. Both are valid until one is revoked.',
  area: 'Client secrets',
  clientSecret: true,
  status: 201,
  answer: CreatedClientSecret,
} as const satisfies Route;

export const listClientSecrets = {
  method: 'GET',
  path: '/api/client/secrets',
  summary: 'List the client secrets, oldest first, with their last use.',
  area: 'Client secrets',
  clientSecret: true,
  query: PageQuery,
  status: 200,
  answer: z.array(ClientSecret),
} as const satisfies Route;

export const revokeClientSecret = {
  method: 'DELETE',
  path: '/api/client/secrets/{id}',
  summary: 'Revoke a client secret, and the tokens issued for it. The last valid one cannot be revoked.',
  area: 'Client secrets',
  clientSecret: true,
  params: ClientSecretParams,
  status: 200,
  answer: Nothing,
} as const satisfies Route;
