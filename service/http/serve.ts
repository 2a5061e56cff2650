/** Registers a route of the contract: authorization, validation, handler, shape of the answer. */
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RouteHandlerMethod,
} from 'fastify';
import { Readable } from 'node:stream';
import * as z from 'zod/mini';
import {
  type Answer,
  type Checked,
  IDEMPOTENCY_KEY,
  NOT_A_KEY,
  pathWith,
  type Route,
} from '../../src/api/route.ts';
import { invalid, toIssues } from '../../src/chains/requests/payloads.ts';
import { RequestInvalidError } from '../../src/base/errors.ts';
import { SharedWork } from '../concurrency/shared-work.ts';
import { acrossAccounts, inAccount } from '../database/account-scope.ts';
import { isRead } from './rate-limits.ts';
import type { OpenApi } from './openapi.ts';
import { type Principal, seesUsersWallets } from './principal.ts';
import { WholeList } from './paging.ts';
import { inSlices, SLICE } from './slices.ts';
import './issue-messages.ts';

export type Call<R extends Route> = Checked<R> & {
  /** The caller, on routes that need a token or a client's secret. */
  principal: R extends { scopes: readonly unknown[] } | { clientSecret: true } ? Principal : undefined;
  /** Thumbprint of the device that proved the request; on routes with `proof`, never for an application's own token. */
  device: string | undefined;
  /** The verified answer of the account's passkey, on routes with `passkey` and if the account has one. */
  passkey: CheckedPasskey | undefined;
  /** On routes that take one, if the caller sent it. */
  idempotencyKey: string | undefined;
  request: FastifyRequest;
  reply: FastifyReply;
};

export interface CheckedPasskey {
  /** Opens what the master PIN opens. */
  secret: Buffer | undefined;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Checks the token and its scopes, or the client's secret, as the route says. Throws `token.*`. */
    authorize(request: FastifyRequest, route: Route): Promise<Principal>;
    /** Checks the proof that a route needs of a user's request. Throws `device.*`. */
    prove(request: FastifyRequest, principal: Principal, proof: Route['proof']): Promise<string | undefined>;
    /** Checks the passkey's answer that a route needs of a user's request, if the account has a passkey. Throws `passkey.*`. */
    askPasskey(
      request: FastifyRequest,
      principal: Principal,
      route: Route,
    ): Promise<CheckedPasskey | undefined>;
    /** The routes that this server answers. */
    served: Route[];
    /** Calls for the reference whose bodies are not JSON. */
    documented: OpenApi['paths'];
  }
  interface FastifyRequest {
    principal: Principal | null;
    device: string | undefined;
    passkey: CheckedPasskey | undefined;
  }
}

/** Prepares a server for `serve`. */
export function prepareServing(app: FastifyInstance): void {
  app.decorate('served', []);
  app.decorate('documented', {});
  app.decorateRequest('principal', null);
  app.decorateRequest('device', undefined);
  app.decorateRequest('passkey', undefined);
  app.setValidatorCompiler<z.ZodMiniType>(({ schema }) => (value) => {
    const { success, data, error } = schema.safeParse(value);
    return success ? { value: data } : { error: new RequestInvalidError(error.issues.flatMap(toIssues)) };
  });
  app.setSerializerCompiler<z.core.$ZodType>(({ schema, method, url }) =>
    serializerOf(schema, `${method} ${url}`),
  );
}

/** As JSON, what the schema has of an answer: no field leaves that is not in the contract. An answer that breaks it is a fault of the service. */
function serializerOf(schema: z.core.$ZodType, call: string): (answer: unknown) => string {
  return (answer) => {
    const { success, data, error } = z.safeEncode(schema, answer);
    if (!success) throw new Error(`the answer of ${call} breaks its contract`, { cause: error });
    return JSON.stringify(data);
  };
}

function idempotencyKey(request: FastifyRequest, needed: boolean): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) {
    if (needed) throw invalid('Idempotency-Key', 'is required, so that the request can be repeated');
    return undefined;
  }
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  throw invalid('Idempotency-Key', NOT_A_KEY);
}

const JSON_TYPE = 'application/json; charset=utf-8';

async function listText(list: unknown[], textOf: (slice: unknown[]) => string): Promise<string> {
  return `[${(await inSlices(list, (slice) => textOf(slice).slice(1, -1))).join(',')}]`;
}

/** The text of a list, piece by piece: no more is made than the receiver takes. */
async function* wholeText(
  { pieces }: WholeList<unknown>,
  textOf: (slice: unknown[]) => string,
): AsyncGenerator<string, void, undefined> {
  let before = '[';
  for await (const piece of pieces) {
    if (piece.length === 0) continue;
    yield before + (await listText(piece, textOf)).slice(1, -1);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** What a handler may return: a list also as one that is too long to hold. */
type Handled<R extends Route> = Answer<R> | (Answer<R> extends (infer Entry)[] ? WholeList<Entry> : never);

/** A route's own limit, or the common one, which counts writes exactly. */
function rateLimitOf(method: Route['method'], own: number | undefined, all: number) {
  if (own) return { rateLimit: { max: own } };
  return all > 0 && !isRead(method) ? { rateLimit: {} } : {};
}

/** A token sees its account's rows; that of an application with `use:all-wallets` may read those of its users, too. */
function asCaller<T>(principal: Principal, method: Route['method'], work: () => T): T {
  return seesUsersWallets(principal) && isRead(method)
    ? acrossAccounts('wallets-of-users', work)
    : inAccount(principal.accountId, work);
}

export function serve<R extends Route>(
  app: FastifyInstance,
  route: R,
  handle: (call: Call<R>) => Handled<R> | Promise<Handled<R>>,
  limits: { perMinute?: number } = {},
): void {
  app.served.push(route);
  const url = pathWith(route.path, (name) => `:${name}`);
  app.route({
    method: route.method,
    url,
    config: {
      oauth: route.oauth ?? false,
      ...rateLimitOf(route.method, limits.perMinute, app.perMinute),
    },
    schema: {
      ...(route.params ? { params: route.params } : {}),
      ...(route.query ? { querystring: route.query } : {}),
      ...(route.body ? { body: route.body } : {}),
      response: { [route.status]: route.answer },
    } as FastifySchema,
    ...checksOf(app, route),
    handler: handlerOf(route, url, handle),
  });
}

/** What is checked before the handler runs. */
function checksOf(app: FastifyInstance, route: Route) {
  const { scopes, clientSecret, proof, passkey } = route;
  return {
    // After the rate limit, which is an onRequest hook, and before the body is read: a caller without permission learns nothing about what
    // is wrong with the body.
    ...(scopes || clientSecret
      ? {
          preParsing: async (request: FastifyRequest) => {
            request.principal = await app.authorize(request, route);
            await app.countAccount(request.principal, route.method);
            request.device = await inAccount(request.principal.accountId, () =>
              app.prove(request, request.principal!, proof),
            );
          },
        }
      : {}),
    // Before the schema changes the body, to which the answer is bound.
    ...(passkey
      ? {
          preValidation: async (request: FastifyRequest) => {
            request.passkey = await inAccount(request.principal!.accountId, () =>
              app.askPasskey(request, request.principal!, route),
            );
          },
        }
      : {}),
  };
}

/** Runs a repeated request once, and sends a long list without blocking others. */
function handlerOf<R extends Route>(
  route: R,
  url: string,
  handle: (call: Call<R>) => Handled<R> | Promise<Handled<R>>,
): RouteHandlerMethod {
  const repeated = new SharedWork();
  const textOf = serializerOf(route.answer, `${route.method} ${url}`);
  return async (request, reply) => {
    const key = route.idempotencyKey && idempotencyKey(request, route.idempotencyKey === 'required');
    const { params, query, body, device, passkey } = request;
    const principal = request.principal ?? undefined;
    const call = { params, query, body, principal, device, passkey, idempotencyKey: key, request, reply };
    const answerIt = async (): Promise<Handled<R>> => handle(call as unknown as Call<R>);
    const work = () => (principal ? asCaller(principal, route.method, answerIt) : answerIt());
    const answer = await (key === undefined
      ? work()
      : repeated.run(
          {
            key,
            // Fastify's own are of a class.
            params: { ...(params as object) },
            query: { ...(query as object) },
            body,
            device,
            principal: principal && { ...principal, scopes: [...principal.scopes] },
          },
          work,
        ));
    void reply.code(route.status);
    if (answer instanceof WholeList)
      return reply.type(JSON_TYPE).send(Readable.from(wholeText(answer, textOf), { objectMode: false }));
    if (!Array.isArray(answer) || answer.length <= SLICE) return reply.send(answer);
    return reply
      .type(JSON_TYPE)
      .serializer((text: string) => text)
      .send(await listText(answer, textOf));
  };
}
