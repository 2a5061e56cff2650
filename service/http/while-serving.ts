/** Work beside the requests of an area. */
import type { FastifyInstance } from 'fastify';

/** Starts the work once the server is ready, and stops it when the server closes. Returns what was started, as soon as it is. */
export function whileServing<Work extends { stop(): Promise<void> }>(
  app: FastifyInstance,
  start: () => Work,
): () => Work | undefined {
  let work: Work | undefined;
  app.addHook('onReady', async () => {
    work = start();
  });
  app.addHook('onClose', () => work?.stop());
  return () => work;
}
