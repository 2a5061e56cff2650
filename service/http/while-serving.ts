/** Work beside the requests of an area. */
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** On a database that was restored from a back-up: resolves once its operator has accepted it. */
    accepted?: Promise<void> | undefined;
  }
}

/** Starts the work once the server is ready, and its database accepted if that was restored, and stops it when the server closes. Returns what was started, as soon as it is. */
export function whileServing<Work extends { stop(): Promise<void> }>(
  app: FastifyInstance,
  start: () => Work,
): () => Work | undefined {
  let work: Work | undefined;
  let isClosed = false;
  app.addHook('onReady', async () => {
    if (!app.accepted) work = start();
    else
      void app.accepted.then(() => {
        if (!isClosed) work = start();
      });
  });
  app.addHook('onClose', () => {
    isClosed = true;
    return work?.stop();
  });
  return () => work;
}
