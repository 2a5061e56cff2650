/** The schemas of one chain, apart from its signers: a host page loads them to refuse a bad request before anything opens. */
import type * as z from 'zod/mini';
import { ConnectError, type Issue, RequestInvalidError } from '../../base/errors.ts';
import { BUILD_TYPES, notOneOf } from '../transaction-types.ts';
import type { ParsedRequest, ParsedSigning } from '../terms.ts';

/** Schemas by the `type` of what they parse. */
type ByType<T = unknown> = Readonly<Record<string, z.ZodMiniType<T>>>;
/** The input and output types of such schemas. */
export type InputOf<T extends ByType> = z.input<T[keyof T]>;
export type OutputOf<T extends ByType> = z.output<T[keyof T]>;

/** `R` and `S`: a chain's transaction and signature requests, parsed. */
export interface Payloads<R = ParsedRequest, S = ParsedSigning> {
  /** Native transactions and the build bodies of the API. */
  transactions: ByType;
  signatures: ByType;
  /**
   * Validates a native request or a build body and returns it with exact amounts, addresses in checksum form
   * and without `pincode`. Idempotent. Throws `request.invalid`.
   */
  parse(request: unknown): R;
  /** The transfer action's parameters, as the TRANSFER or TOKEN_TRANSFER body they mean. Throws `request.invalid`. */
  parseTransfer(params: unknown): R;
  parseSigning(request: unknown): S;
}

/** Makes `Payloads` of a chain's two schema tables. */
export function payloadsOf<R, S = never>(transactions: ByType<R>, signatures: ByType<S>): Payloads<R, S> {
  return {
    transactions,
    signatures,
    parse: (request) => plainly(() => parseByType(transactions, request)),
    parseTransfer: (params) => plainly(() => parseByType(transactions, transferOf(params))),
    parseSigning: (request) => plainly(() => parseByType(signatures, request)),
  };
}

function transferOf(params: unknown): Record<string, unknown> {
  // A signed order is about the transaction, not part of it.
  const { secretType, tokenAddress, order: _, ...rest } = isObject(params) ? params : {};
  return tokenAddress == null || tokenAddress === ''
    ? { ...rest, type: 'TRANSFER', secretType }
    : { ...rest, type: 'TOKEN_TRANSFER', secretType, tokenAddress };
}

/** A caller's getter or proxy may throw anything. */
function plainly<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof ConnectError) throw cause;
    throw new RequestInvalidError([{ path: '', message: 'must be plain data; it cannot be read' }], {
      cause,
    });
  }
}

/** Runs a schema; every zod issue becomes an issue with the field's path. */
function parseWith<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new RequestInvalidError(result.error.issues.flatMap((issue) => issuesOf(issue, schema)));
}

export function invalid(path: string, message: string): RequestInvalidError {
  return new RequestInvalidError([{ path, message }]);
}

function parseByType<T>(table: ByType<T>, request: unknown): T {
  if (!isObject(request)) throw invalid('', 'must be an object');
  const type = Object.hasOwn(request, 'type') ? request['type'] : undefined;
  if (typeof type !== 'string' || !Object.hasOwn(table, type)) {
    if (BUILD_TYPES.includes(type as string)) throw notSupported(type as string, request['secretType']);
    throw invalid('type', notOneOf(Object.keys(table), type));
  }
  // Undefined fields count as absent: spreading optional values creates many of them.
  const fields = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
  return parseWith(table[type]!, fields);
}

function notSupported(type: string, secretType: unknown): ConnectError {
  if (secretType === undefined || secretType === null)
    return invalid('secretType', `is required: ${type} exists on several chains`);
  const chain = typeof secretType === 'string' ? secretType : typeof secretType;
  return new ConnectError('chain.not-supported', `${type} is not supported for ${chain}.`, {
    type,
    secretType: chain,
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A zod issue in this project's format: the path with dots, a message that follows the field's name. */
export function toIssues(issue: z.core.$ZodIssue): Issue[] {
  return issuesOf(issue);
}

/** With the field that was probably meant, if the schema is given. */
function issuesOf(issue: z.core.$ZodIssue, schema?: z.ZodMiniType): Issue[] {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const fields = schema ? fieldsAt(schema, issue.path) : [];
    return issue.keys.map((key) => {
      const meant = fields.find(
        (field) =>
          // The data of a token transfer has no effect: named instead, a memo would be lost.
          (field === MEANT[key] && !(key === 'memo' && fields.includes('tokenAddress'))) ||
          field.toLowerCase() === key.toLowerCase(),
      );
      return {
        path: path ? `${path}.${key}` : key,
        message: `is not a field of this request; ${meant ? `did you mean ${meant}?` : 'leave it out'}`,
      };
    });
  }
  if (issue.code === 'invalid_type')
    return [{ path, message: `must be ${EXPECTED[issue.expected] ?? `a ${issue.expected}`}` }];
  return [{ path, message: issue.message }];
}

const EXPECTED: Record<string, string> = { object: 'an object', array: 'a list', int: 'a whole number' };

/** Names of fields elsewhere: in libraries, and in other requests. */
const MEANT: Record<string, string> = {
  gasLimit: 'gas',
  value: 'amount',
  amount: 'value',
  recipient: 'to',
  input: 'data',
  memo: 'data',
  payload: 'data',
  token: 'tokenAddress',
  fee_limit: 'feeLimit',
};

interface Definition {
  in?: Schema;
  innerType?: Schema;
  element?: Schema;
  shape?: Record<string, Schema>;
}
interface Schema {
  _zod: { def: Definition };
}

/** The fields of the object at a path of a schema. */
function fieldsAt(schema: unknown, [first, ...rest]: readonly PropertyKey[]): string[] {
  let { def } = (schema as Schema)._zod;
  for (let inner = def.in ?? def.innerType; inner; inner = def.in ?? def.innerType) def = inner._zod.def;
  if (first === undefined) return Object.keys(def.shape ?? {});
  const next = def.element ?? def.shape?.[String(first)];
  return next ? fieldsAt(next, rest) : [];
}
