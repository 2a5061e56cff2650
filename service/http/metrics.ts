/** `/metrics` in the text form of Prometheus. */
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Connections } from '../database/database.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The registry of `/metrics`; undefined if metrics are switched off. */
    metrics: Registry | undefined;
  }
}

/** `connections`: those of this process to its database. */
export function collectMetrics(app: FastifyInstance, connections: () => Connections): Registry {
  const register = new Registry();
  app.metrics = register;
  collectDefaultMetrics({ register });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the answer was sent, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [register],
  });
  app.addHook('onResponse', (request, reply, done) => {
    // Labelled with the route's pattern: paths would make a series for every wallet.
    const route = request.routeOptions.url ?? 'none';
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
  new Gauge({
    name: 'database_connections',
    help: 'Connections of this process to its database, in use or idle.',
    labelNames: ['state'],
    registers: [register],
    collect() {
      const { used, idle } = connections();
      this.set({ state: 'used' }, used);
      this.set({ state: 'idle' }, idle);
    },
  });
  new Gauge({
    name: 'database_connections_awaited',
    help: 'Queries of this process that wait for a connection.',
    registers: [register],
    collect() {
      this.set(connections().awaited);
    },
  });
  return register;
}

/** Serves them on the service's own port. */
export function serveMetrics(app: FastifyInstance, register: Registry): void {
  app.get('/metrics', async (_request, reply) =>
    reply.type(register.contentType).send(await register.metrics()),
  );
}
