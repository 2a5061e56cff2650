/** Which methods a path has, and what the others answer. */
import type { FastifyInstance, FastifyReply, preHandlerAsyncHookHandler } from 'fastify';
import { ConnectError } from '../../src/base/errors.ts';

type MethodsOf = (path: string) => string[];

/** All methods, in the order in which answers list them. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The methods of every route that is registered after this call. */
export function watchMethods(app: FastifyInstance): MethodsOf {
  const routes: { path: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const path = url.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, '[^/]+');
    routes.push({ path: new RegExp(`^${path}$`), methods: [method].flat() });
  });
  return (path) => {
    const allowed = routes.filter((route) => route.path.test(path)).flatMap((route) => route.methods);
    const methods = METHODS.filter((method) => allowed.includes(method));
    return methods.length === 0 ? [] : [...methods, 'OPTIONS'];
  };
}

/**
 * Answers OPTIONS (RFC 9110 section 9.3.7), 404, and 405 when the path exists with another method. `preflight` are the headers for a
 * browser that asks before a call to another origin: it gets them for unknown paths, too, or the page could not read that there is none.
 */
export function answerOtherMethods(
  app: FastifyInstance,
  methodsOf: MethodsOf,
  { preflight, limited }: { preflight: Record<string, string>; limited: boolean },
): void {
  // Requests for unknown paths count against the rate limit, too; what browsers ask before each call does not.
  const limit = limited ? app.rateLimit() : undefined;
  const preHandler: preHandlerAsyncHookHandler = async function count(request, reply) {
    if (request.method !== 'OPTIONS') await limit?.call(this, request, reply);
  };
  app.setNotFoundHandler({ preHandler }, (request, reply) => {
    const { method, headers } = request;
    const methods = methodsOf(request.url.split('?', 1)[0]!);
    if (methods.length > 0) void reply.header('Allow', methods.join(', '));
    const isOptions = method === 'OPTIONS';
    if (isOptions && headers.origin !== undefined && headers['access-control-request-method'] !== undefined)
      return noContent(reply.headers(preflight));
    if (methods.length === 0)
      return app.answerError(
        new ConnectError('request.not-found', 'There is nothing at this path.'),
        request,
        reply,
      );
    if (isOptions) return noContent(reply);
    return app.answerError(
      new ConnectError('request.method-not-allowed', `This path has ${methods.join(', ')}.`, { methods }),
      request,
      reply,
    );
  });
}

function noContent(reply: FastifyReply): FastifyReply {
  // Safari waits for a body without the length.
  return reply.code(204).header('Content-Length', '0').send();
}
