/** `/openapi.json` and `/docs`. */
import type { FastifyInstance } from 'fastify';
import type { Route } from '../../src/api/route.ts';
import * as contract from '../../src/api/routes.ts';
import { openApi } from './openapi.ts';
import { REFERENCE_STYLE, referencePage } from './reference-page.ts';
import { PAGE_HEADERS } from './security-headers.ts';

const NAMES = new Map(Object.entries(contract).map(([name, route]) => [route as Route, name]));

export function serveReference(app: FastifyInstance, url: () => string): void {
  let made: { json: string; page: string } | undefined;
  const reference = (): { json: string; page: string } => {
    if (!made) {
      const document = openApi(app.served, NAMES, url());
      made = { json: JSON.stringify(document, null, 2), page: referencePage(document) };
    }
    return made;
  };
  app.get('/openapi.json', (_request, reply) => reply.type('application/json').send(reference().json));
  app.get('/docs', (_request, reply) =>
    reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(reference().page),
  );
  app.get('/docs/style.css', (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(REFERENCE_STYLE),
  );
}
