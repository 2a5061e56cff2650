/** The HTTP server before it has any route: its limits, the ids of requests, and answers to what is not HTTP. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { PROBLEM_TYPE } from '../../src/api/problem.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import { loggerOptions } from './log.ts';
import { connectErrorOf, problemOf } from './problems.ts';
import { ERROR_HEADERS } from './security-headers.ts';

const REQUEST_ID = /^[\w-]{8,64}$/;

/** Time limits for a request's headers, and for the whole request. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 60_000;
/** Between two looks for connections that are over one of them. */
const LOOK_MS = 5000;

export interface AppSettings {
  logLevel: string;
  /** In bytes. */
  bodyLimit: number;
  /** Addresses of proxies whose `X-Forwarded-*` counts. */
  trustProxy: readonly string[];
}

/** `reference()` returns the URL of the page that explains the codes. `logTo` takes the log's lines instead of standard output. */
export function makeApp(
  { logLevel, bodyLimit, trustProxy }: AppSettings,
  reference: () => string,
  logTo: { write(line: string): void } | undefined,
): FastifyInstance {
  const app = fastify({
    ...loggerOptions(logLevel, logTo),
    bodyLimit,
    requestTimeout: REQUEST_MS,
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: LOOK_MS },
    trustProxy: trustProxy.length ? [...trustProxy] : false,
    forceCloseConnections: 'idle',
    // Requests that came before the stop are answered as usual.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512 },
    genReqId(request) {
      const id = request.headers['x-request-id'];
      return typeof id === 'string' && REQUEST_ID.test(id) ? id : randomUUID();
    },
    // A path that cannot be decoded does not reach the error handler.
    frameworkErrors(error, request, reply) {
      const problem = problemOf(connectErrorOf(error), String(request.id), reference());
      const headers = { ...ERROR_HEADERS, 'Content-Type': PROBLEM_TYPE, 'X-Request-Id': problem.instance };
      reply.raw.writeHead(problem.status, headers).end(JSON.stringify(problem));
    },
    clientErrorHandler: (error, socket) => refuse(error, socket, reference()),
  });
  // Node would close the connection without an answer.
  app.server.on('connect', (_request, socket) => answerBare(socket as Socket, 501, reference()));
  closeAfterStop(app);
  return app;
}

/** A connection that stays open after its last answer would delay the stop. */
function closeAfterStop(app: FastifyInstance): void {
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping) void reply.header('Connection', 'close');
    done(null, payload);
  });
}

/** Headers of which Node takes the first, and a proxy before it perhaps the last. */
const SINGLE = ['host', 'authorization'];

/** RFC 9112 section 3.2, and RFC 9110 section 5.3. */
export function refuseRepeatedHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { rawHeaders } = request.raw;
    const counts = SINGLE.map(() => 0);
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const index = SINGLE.indexOf(rawHeaders[at]!.toLowerCase());
      if (index >= 0 && ++counts[index]! > 1)
        return done(invalid(SINGLE[index]!, 'is a header that a request has once'));
    }
    return done();
  });
}

/** A request line as it should be, of which the parser knows no method. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/;

/** What is not HTTP never becomes a request, and is answered on the bare connection. */
function refuse(
  error: NodeJS.ErrnoException & { rawPacket?: unknown },
  socket: Socket,
  reference: string,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const unknownMethod =
    error.code === 'HPE_INVALID_METHOD' &&
    Buffer.isBuffer(error.rawPacket) &&
    REQUEST_LINE.test(error.rawPacket.toString('latin1'));
  const status = unknownMethod
    ? 501
    : ({ HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400);
  answerBare(socket, status, reference);
}

function answerBare(socket: Socket, status: number, reference: string): void {
  const problem = problemOf(
    connectErrorOf(Object.assign(new Error(), { statusCode: status })),
    randomUUID(),
    reference,
  );
  const body = JSON.stringify({ ...problem, status, title: STATUS_CODES[status] });
  const headers = {
    ...ERROR_HEADERS,
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`);
}
