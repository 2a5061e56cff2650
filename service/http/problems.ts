/** Sends every error of the service: as problem+json, or in the form of RFC 6749 on routes that ask for it. */
import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEM_TYPE, type Problem } from '../../src/api/problem.ts';
import { ConnectError, type ErrorCode, type Issue, RequestInvalidError } from '../../src/base/errors.ts';
import { entryOf, statusOf } from './codes.ts';
import { BASIC_CHALLENGE, OAuthRefusal, oauthError } from './oauth-errors.ts';

/** Internal errors reveal nothing to the caller; the log has them under the request's id. */
const INTERNAL = new ConnectError(
  'internal.error',
  'Something went wrong in the service. Its operator finds it in the logs by the id of this request.',
);

const BY_STATUS: Record<number, [ErrorCode, string]> = {
  400: ['request.invalid', 'The request cannot be read.'],
  408: ['request.invalid', 'The request did not arrive in time.'],
  413: ['request.too-large', 'The body is too large.'],
  414: ['request.invalid', 'The path is too long.'],
  415: ['request.media-type', 'Send the body as application/json.'],
  431: ['request.too-large', 'The headers are too large.'],
  501: ['request.method-not-allowed', 'The service does not know this method.'],
};

/** Fastify's messages mention internals, so none is sent. */
export function connectErrorOf(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  const { statusCode = 500, code = '' } = error as Partial<FastifyError>;
  if (code.startsWith('FST_ERR_CTP_') && statusCode === 400)
    return new RequestInvalidError([{ path: '', message: jsonProblem(code) }]);
  const problem = BY_STATUS[statusCode];
  if (!problem) return INTERNAL;
  return problem[0] === 'request.invalid'
    ? new RequestInvalidError([{ path: '', message: problem[1] }])
    : new ConnectError(...problem);
}

function jsonProblem(code: string): string {
  if (code === 'FST_ERR_CTP_EMPTY_JSON_BODY') return 'The body is empty. Send JSON, or no Content-Type.';
  return 'The body is not the JSON that its Content-Type says.';
}

export function problemOf(error: ConnectError, id: string, reference: string): Problem {
  const status = statusOf(error.code);
  const { issues, ...details } = error.details as { issues?: Issue[] };
  return {
    type: `${reference}#${entryOf(error.code)}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: error.shortMessage,
    instance: id,
    code: error.code,
    ...(issues ? { issues } : {}),
    ...(Object.keys(details).length ? { details } : {}),
  };
}

/** Headers that go with an error (RFC 6750 section 3, RFC 9449 section 7.1, RFC 9110). */
function headersOf({ code, details }: ConnectError): Record<string, string> {
  if (code === 'token.invalid' && details['reason'] === 'invalid_client') return BASIC_CHALLENGE;
  if (code === 'device.proof.invalid') return { 'WWW-Authenticate': 'DPoP algs="ES256"' };
  if (code === 'token.missing') return { 'WWW-Authenticate': 'Bearer' };
  if (code === 'token.scope')
    return {
      'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${(details['scopes'] as string[]).join(' ')}"`,
    };
  if (code.startsWith('token.')) return { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
  if (typeof details['retryAfter'] === 'number') return { 'Retry-After': String(details['retryAfter']) };
  return {};
}

/** `reference()` returns the URL of the page that explains the codes. */
export function answerErrors(app: FastifyInstance, reference: () => string): void {
  function answer(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (thrown instanceof OAuthRefusal) {
      if (thrown.headers) void reply.headers(thrown.headers);
      return reply.code(thrown.status).type('application/json').send(thrown.body());
    }
    const error = connectErrorOf(thrown);
    const status = statusOf(error.code);
    // 502 is the answer of somebody else: a node, a provider.
    if (status >= 500)
      request.log[status === 502 ? 'warn' : 'error']({ err: thrown, code: error.code }, 'request failed');
    void reply.code(status).headers(headersOf(error));
    // No other request can follow a body that was not read to its end.
    if (status === 413) void reply.header('Connection', 'close');
    if (request.routeOptions.config?.oauth)
      return reply.type('application/json').send(oauthError(error, status));
    return reply
      .type(PROBLEM_TYPE)
      .serializer(JSON.stringify)
      .send(problemOf(error, request.id, reference()));
  }
  app.setErrorHandler(answer);
  app.decorate('answerError', answer);
}

declare module 'fastify' {
  interface FastifyInstance {
    answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply;
  }
  interface FastifyContextConfig {
    /** Errors have the form of RFC 6749. */
    oauth?: boolean;
  }
}
