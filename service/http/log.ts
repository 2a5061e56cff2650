/** One line of JSON for each request and event. Nothing that a request carries is logged: no header, no body, no query. */
import { type FastifyInstance, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify';

/** A second line of defence: fields that a careless log line might contain. */
const SECRET_FIELDS = [
  'authorization',
  'pincode',
  'client_secret',
  'clientSecret',
  'access_token',
  'refresh_token',
  'idpToken',
  'secret',
  'password',
  'privateKey',
  'recoveryCode',
  'apiKey',
  'signingSecret',
  'credentials',
  'next',
  'key',
];

interface Failure {
  name?: unknown;
  message?: unknown;
  code?: unknown;
  stack?: unknown;
  cause?: unknown;
}

/** PostgreSQL's `detail`, `where` and `parameters` contain values, so only these fields are logged. */
function failure(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return String(error);
  const { name, message, code, stack, cause } = error as Failure;
  return { type: name, message, code, stack, ...(cause === undefined ? {} : { cause: failure(cause) }) };
}

/** `stream` receives the lines in place of standard output. */
export function loggerOptions(level: string, stream?: { write(line: string): void }): FastifyServerOptions {
  return {
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    logger: {
      level,
      redact: {
        paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[redacted]',
      },
      serializers: {
        err: failure as never,
        req: (request) => ({ method: request.method }),
        res: (reply) => ({ statusCode: reply.statusCode }),
      },
      ...(stream ? { stream } : {}),
    },
  };
}

/** Paths that give access to anyone who knows them, or that name a person's copy: the rest of such a path is not logged. */
const KEYED = /^\/(?:pay|sync|[\w-]+-dashboard)\//;

function pathOf({ url, routeOptions }: FastifyRequest): string | undefined {
  const [beginning] = KEYED.exec(url) ?? [];
  return beginning === undefined ? url.split('?', 1)[0] : (routeOptions.url ?? `${beginning}…`);
}

export function logRequests(app: FastifyInstance): void {
  // The line of a request has nothing to redact, and redacting costs more than writing it.
  const log = app.log.child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    log.info(
      {
        request: request.id,
        method: request.method,
        path: pathOf(request),
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        application: request.principal?.applicationId,
      },
      'request',
    );
    done();
  });
}
