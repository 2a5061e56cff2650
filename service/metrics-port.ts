/** `/metrics` on a port of its own, which a firewall can keep private. */
import type { Registry } from 'prom-client';
import { type Listening, listen } from './listen.ts';

/** Nothing else is answered there. */
export function listenForScrapes(
  register: Registry,
  at: { port: number; host: string | undefined },
): Promise<Listening> {
  return listen(
    (request, response) => {
      if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
      register.metrics().then(
        (text) => response.setHeader('Content-Type', register.contentType).end(text),
        () => response.writeHead(500).end(),
      );
    },
    { ...at, setting: 'METRICS_PORT' },
  );
}
