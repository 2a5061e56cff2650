/** Connections to the built-in PostgreSQL, which may be slow to answer while the machine is busy. */
import pg from 'pg';
import { isLate } from '../outage.ts';

/** A server that accepts and then says nothing is asked anew. */
const ATTEMPT_MS = 10_000;
const PATIENCE_MS = 60_000;

export interface Patience {
  attemptMs?: number;
  patienceMs?: number;
}

/** Throws what the server says, or that it did not answer in time. */
export async function connect(
  config: pg.ClientConfig,
  { attemptMs = ATTEMPT_MS, patienceMs = PATIENCE_MS }: Patience = {},
): Promise<pg.Client> {
  for (const until = Date.now() + patienceMs; ; ) {
    const client = new pg.Client({
      ...config,
      connectionTimeoutMillis: attemptMs,
      application_name: `service ${process.pid}`,
    });
    // Whatever uses the connection notices when it breaks later.
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (!isLate(error)) throw error;
      if (Date.now() < until) continue;
      throw new Error(
        `the built-in PostgreSQL accepts connections and does not answer (port ${config.port}): is the machine too busy?`,
        { cause: error },
      );
    }
  }
}
