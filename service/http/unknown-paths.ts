/** Answers 404, or 405 when the path exists with another method. */
import type { FastifyInstance } from 'fastify';
import { ConnectError } from '../../src/errors.ts';
import { pathWith } from '../../src/api/route.ts';

export function answerUnknownPaths(app: FastifyInstance, { limited }: { limited: boolean }): void {
  let known: { path: RegExp; methods: string[] }[] | undefined;
  /** All routes are registered before the first request. */
  const routes = (): typeof known & object =>
    (known ??= app.served.map(({ path, method }) => ({
      path: new RegExp(`^${pathWith(path, () => '[^/]+').replaceAll('.', String.raw`\.`)}$`),
      methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
    })));
  // Requests for unknown paths count against the rate limit, too.
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
