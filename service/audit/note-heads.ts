/** Writes the head of the audit log to the process log: whoever cuts off the end of the table would have to change that log, too. */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../database/database.ts';
import { auditHead } from './audit-log.ts';

const EVERY_MS = 60_000;

/** Writes it every minute, and once more when stopped. */
export function noteHeads(
  db: Database,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  everyMs = EVERY_MS,
): { stop(): Promise<void> } {
  const note = async (): Promise<void> => {
    try {
      const head = await auditHead(db);
      if (head) log.info({ position: head.position, mac: head.mac }, 'head of the audit log');
    } catch (error) {
      log.warn({ err: error }, 'the head of the audit log could not be read');
    }
  };
  let noting = Promise.resolve();
  const timer = setInterval(() => (noting = note()), everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await noting;
      await note();
    },
  };
}
