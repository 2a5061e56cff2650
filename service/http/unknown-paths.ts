/** 404, and 405 where the path is known with another method. */
import type { FastifyInstance } from 'fastify';
import { ConnectError } from '../../src/errors.ts';
import { pathWith } from '../../src/api/route.ts';

export function answerUnknownPaths(app: FastifyInstance, { limited }: { limited: boolean }): void {
  let known: { path: RegExp; methods: string[] }[] | undefined;
  /** The routes are all there when the first request is. */
  const routes = (): typeof known & object =>
    (known ??= app.served.map(({ path, method }) => ({
      path: new RegExp(`^${pathWith(path, () => '[^/]+').replaceAll('.', String.raw`\.`)}$`),
      methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
    })));
  // Asking for what is not there counts like any request.
  app.setNotFoundHandler(limited ? { preHandler: app.rateLimit() } : {}, (request, reply) => {
    const path = request.url.split('?', 1)[0]!;
    const methods = routes()
      .filter((route) => route.path.test(path))
      .flatMap((route) => route.methods);
    if (methods.length === 0)
      return app.answerError(
        new ConnectError('request.not-found', 'There is nothing at this path.'),
        request,
        reply,
      );
    void reply.header('Allow', methods.join(', '));
    return app.answerError(
      new ConnectError('request.method-not-allowed', `This path has ${methods.join(', ')}.`, { methods }),
      request,
      reply,
    );
  });
}
