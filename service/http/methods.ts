/** Which methods a path has, and what the others answer. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ConnectError } from '../../src/base/errors.ts';

/** All methods, in the order in which answers list them. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

interface PathMethods {
  path: string;
  methods: string[];
}

/** Of the routes that are registered while it watches. */
export class RegisteredMethods {
  #watches = true;
  /** Of paths without a parameter. */
  readonly #fixed: PathMethods[] = [];
  readonly #withParameters: (PathMethods & { pattern: RegExp })[] = [];

  watch(app: FastifyInstance): void {
    app.addHook('onRoute', ({ url, method }) => {
      if (!this.#watches) return;
      const route = { path: url, methods: [method].flat() };
      if (!url.includes(':')) return void this.#fixed.push(route);
      const text = url.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, '[^/]+');
      this.#withParameters.push({ ...route, pattern: new RegExp(`^${text}$`) });
    });
  }

  /** With OPTIONS, which every path has; empty where there is nothing. `import` in `/api/wallets/import` is no wallet's id. */
  of(path: string): string[] {
    const fixed = this.#fixed.filter((route) => route.path === path);
    const routes =
      fixed.length > 0 ? fixed : this.#withParameters.filter(({ pattern }) => pattern.test(path));
    const methods = METHODS.filter((method) => routes.some((route) => route.methods.includes(method)));
    return methods.length === 0 ? [] : [...methods, 'OPTIONS'];
  }

  /** It watches no more. Returns what the router takes for a parameter: paths without one, with the methods of those with one alone. */
  close(): PathMethods[] {
    this.#watches = false;
    return [...new Set(this.#fixed.map(({ path }) => path))].flatMap((path) => {
      const own = this.of(path);
      const others = this.#withParameters
        .filter(({ pattern }) => pattern.test(path))
        .flatMap(({ methods }) => methods.filter((method) => !own.includes(method)));
      // A route for GET takes HEAD, too.
      const methods = [...new Set(others)].filter((method) => method !== 'HEAD' || !others.includes('GET'));
      return methods.length === 0 ? [] : [{ path, methods }];
    });
  }
}

/**
 * Answers OPTIONS (RFC 9110 section 9.3.7), 404, and 405 when the path exists with another method; before a body is read. `preflight` are
 * the headers for a browser that asks before a call to another origin: it gets them for unknown paths, too, or the page could not read that
 * there is none.
 */
export function answerOtherMethods(
  app: FastifyInstance,
  registered: RegisteredMethods,
  { preflight, limited }: { preflight: Record<string, string>; limited: boolean },
): void {
  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { method, headers, url } = request;
    const methods = registered.of(url.split('?', 1)[0]!);
    if (methods.length > 0) void reply.header('Allow', methods.join(', '));
    const isOptions = method === 'OPTIONS';
    if (isOptions && headers.origin !== undefined && headers['access-control-request-method'] !== undefined)
      return noContent(reply.headers(preflight));
    // `*`: of the server as a whole.
    if (isOptions && (methods.length > 0 || url === '*')) return noContent(reply);
    const error =
      methods.length > 0
        ? new ConnectError('request.method-not-allowed', `This path has ${methods.join(', ')}.`, { methods })
        : new ConnectError('request.not-found', 'There is nothing at this path.');
    return app.answerError(error, request, reply);
  }
  for (const { path: url, methods } of registered.close())
    app.route({ url, method: methods, preParsing: answer, handler: () => undefined });
  // Requests for unknown paths count against the rate limit, too; what browsers ask before each call does not.
  const limit = limited ? app.rateLimit() : undefined;
  const answerCounted = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (request.method !== 'OPTIONS') await limit?.call(app, request, reply);
    return answer(request, reply);
  };
  app.addHook('preParsing', async (request, reply) =>
    request.is404 ? answerCounted(request, reply) : undefined,
  );
  // What the CORS plugin passes on.
  app.setNotFoundHandler(answerCounted);
}

function noContent(reply: FastifyReply): FastifyReply {
  // Safari waits for a body without the length.
  return reply.code(204).header('Content-Length', '0').send();
}
