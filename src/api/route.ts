/** One call of the service, as data: the server's registration, `/openapi.json` and the typed client derive from it. */
import * as z from 'zod/mini';
import type { Scope } from './scopes.ts';

/** Who may make the call. With nothing here, everybody: a call for applications alone has scopes, too. */
type Permission =
  | {
      /** One of these is enough. */
      scopes: readonly [Scope, ...Scope[]];
      /** Each of these is needed, too. */
      alsoScopes?: readonly Scope[];
      /** Accepts only an application's own token, not a user's. */
      application?: true;
      clientSecret?: never;
    }
  | {
      scopes?: never;
      alsoScopes?: never;
      application?: never;
      /** It takes the client's id and one of its secrets, by HTTP Basic: what no token must be enough for. */
      clientSecret?: true;
    };

export type Route = Permission & {
  /** Its name in the reference; absent: the name of the route's constant. */
  name?: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Has `{name}` for each parameter. */
  path: string;
  /** One line for the reference. */
  summary: string;
  /** Its place in the reference. */
  area: string;
  params?: z.ZodMiniType;
  query?: z.ZodMiniType;
  body?: z.ZodMiniType;
  /**
   * A user's token alone is not enough, because the host page holds it, too: the request also needs a DPoP proof (RFC 9449), of a device
   * that is enrolled for the account, or of a `new` one that is about to be. `optional`: it can do more with one. An application's own
   * token needs none.
   */
  proof?: 'enrolled' | 'new' | 'optional';
  /**
   * If the account has a passkey, the request needs its answer in addition to the proof, in the field `passkey` of the body. `optional`: or
   * another proof in its place.
   */
  passkey?: 'required' | 'optional';
  /** The body is `multipart/form-data` with one file, in the part of this name. */
  file?: string;
  /** The body may also come as a form. */
  form?: true;
  /** Takes `Idempotency-Key`: repeated with the same body, it returns the same answer and does nothing again. `required`: it must be sent. */
  idempotencyKey?: true | 'required';
  /** Errors have the form of RFC 6749 instead of problem+json. */
  oauth?: true;
  status: 200 | 201;
  answer: z.ZodMiniType;
};

type Parts = 'params' | 'query' | 'body';
type Sent<R extends Route, K extends Parts> = R[K] extends z.ZodMiniType
  ? { [P in K]: z.core.input<R[K]> }
  : unknown;
type Parsed<R extends Route, K extends Parts> = R[K] extends z.ZodMiniType
  ? { [P in K]: z.core.output<R[K]> }
  : unknown;

/** What a caller passes: `params`, `query` and `body`, each where the route has one. */
export type Input<R extends Route> = Sent<R, 'params'> & Sent<R, 'query'> & Sent<R, 'body'>;

/** What the handler gets after the check. */
export type Checked<R extends Route> = Parsed<R, 'params'> & Parsed<R, 'query'> & Parsed<R, 'body'>;

export type Answer<R extends Route> = z.core.output<R['answer']>;

/** What `Idempotency-Key` may be. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;
export const NOT_A_KEY = 'must be 1 to 128 printable characters without spaces';

/** `/api/wallets/{id}` in the form that a router or a URL needs. */
export function pathWith(path: string, part: (name: string) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => part(name));
}

/**
 * The schema of a body in which null means the same as leaving the field out: the interface writes unset fields as null. They are dropped
 * first, unknown ones included.
 */
export function withoutNulls<O, I>(schema: z.ZodMiniType<O, I>): z.ZodMiniType<O, I> {
  return z.pipe(z.transform(dropNulls), schema as z.ZodMiniType) as z.ZodMiniType<O, I>;
}

function dropNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
}
