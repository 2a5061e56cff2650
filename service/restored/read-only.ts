/** Refuses what would change something while a restored database is not accepted. Reads go on. */
import type { FastifyInstance } from 'fastify';
import * as routes from '../../src/api/routes.ts';
import { pathWith, type Route } from '../../src/api/route.ts';
import type { Restored } from './restored.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Calls that have a body, and only read; and those that get the tokens with which to read. */
const READING: readonly Route[] = [
  routes.issueToken,
  routes.exchangeToken,
  routes.buildTransaction,
  routes.estimateTransaction,
  routes.createSwap,
  routes.findRecipient,
];

export function refuseChanges(app: FastifyInstance, restored: Restored): void {
  app.decorate('accepted', restored.accepted);
  if (!restored.isReadOnly) return;
  const allowed = new Set(
    READING.map(({ method, path }) => `${method} ${pathWith(path, (name) => `:${name}`)}`),
  );
  app.addHook('onRequest', async ({ method, routeOptions: { url } }) => {
    // Of no route: 404.
    if (READS.has(method) || url === undefined || allowed.has(`${method} ${url}`)) return;
    restored.requireAccepted();
  });
}
