/** Refuses requests while this machine's clock is wrong. */
import type { FastifyInstance } from 'fastify';
import type { ClockWatch } from '../database/clock-watch.ts';

/** Probes say it themselves, and operators look at the rest. */
const UNTIMED = /^\/(?:health|metrics|docs|openapi\.json)\b/;

export function requireClock(app: FastifyInstance, clock: ClockWatch): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const doubt = UNTIMED.test(request.url) ? undefined : clock.doubt();
    if (!doubt) return done();
    doubt.then(() => done(), done);
  });
}
