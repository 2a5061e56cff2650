/** Refuses requests while this machine's clock is wrong. */
import type { FastifyInstance } from 'fastify';
import type { ClockWatch } from '../database/clock-watch.ts';

/** Probes report it themselves, and operators need the rest. */
const UNTIMED = /^\/(?:health|metrics|docs|openapi\.json)\b/;

export function requireClock(app: FastifyInstance, clock: ClockWatch): void {
  app.addHook('onRequest', async ({ url }) => {
    if (!UNTIMED.test(url)) await clock.doubt();
  });
}
