/** `/openapi.json` and `/docs`. */
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Route } from '../../src/api/route.ts';
import * as contract from '../../src/api/routes.ts';
import { nativeRequests } from './native-requests.ts';
import { openApi } from './openapi.ts';
import { REFERENCE_STYLE, referencePage } from './reference-page.ts';
import { REFERENCE_HEADERS } from './security-headers.ts';

const NAMES = new Map(Object.entries(contract).map(([name, route]) => [route as Route, name]));

const TRY_IT = readFileSync(new URL('./try-it.js', import.meta.url), 'utf8');

export function serveReference(app: FastifyInstance, url: () => string): void {
  let made: Promise<{ json: string; page: string }> | undefined;
  const make = async (): Promise<{ json: string; page: string }> => {
    const document = openApi(app.served, NAMES, url(), await nativeRequests(), app.documented);
    return { json: JSON.stringify(document, null, 2), page: referencePage(document) };
  };
  const reference = () => (made ??= make());
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json').send((await reference()).json),
  );
  app.get('/docs', async (_request, reply) =>
    reply
      .headers(REFERENCE_HEADERS)
      .type('text/html; charset=utf-8')
      .send((await reference()).page),
  );
  app.get('/docs/style.css', (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(REFERENCE_STYLE),
  );
  app.get('/docs/try-it.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(TRY_IT));
}
