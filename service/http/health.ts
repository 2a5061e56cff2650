/** `/health`: 200 while the service and its database work, else 503. */
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

const PATIENCE_MS = 2000;

async function answers(db: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  const asked = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

export function serveHealth(app: FastifyInstance, db: Database): void {
  app.get('/health', async (_request, reply) => {
    const database = await answers(db);
    return reply
      .code(database ? 200 : 503)
      .header('Cache-Control', 'no-store')
      .send({ status: database ? 'ok' : 'unavailable', database: database ? 'ok' : 'unavailable' });
  });
}
