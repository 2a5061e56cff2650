/** Requests for every operation: valid by its schemas, nearly valid, and nonsense. */
import fc from 'fast-check';
import type { OpenApi, Operation } from '../../service/http/openapi.ts';
import { bearer, TOKEN_PATH } from './harness.ts';
import { ANY_CHARACTER } from '../any-character.ts';

/** What a call takes in place of `pincode`, and refuses beside it. */
const IN_PLACE_OF_PIN = ['session', 'passkey'];

/** By field: values that get past validation into the service, and to the node. */
export type Known = Record<string, readonly unknown[]>;

export interface Caller {
  token: string;
  known: Known;
}

export interface Sent {
  /** Path and query. */
  path: string;
  init: RequestInit & { headers: Headers };
  /** With a user's token, and the proof that the call may need; else with the application's. */
  byUser: boolean;
  /** Overrides the valid proof. */
  proof: string | undefined;
}

export interface Target {
  method: string;
  /** With parameter names in braces. */
  path: string;
  is: Operation;
}

/** Requests by a user with a device, or by the application. */
export function requests(
  document: OpenApi,
  callers: { user: Caller; shop: Caller },
  target: Target,
): fc.Arbitrary<Sent> {
  return fc
    .boolean()
    .chain((byUser) => requestsOf(document, target, callers[byUser ? 'user' : 'shop'], byUser));
}

const strange = fc.oneof(
  fc.constantFrom(
    null,
    '',
    '\0',
    '\ud800',
    'ｅ𝔵𝕒‮',
    '__proto__',
    '../../etc/passwd',
    "'; drop table accounts; --",
    'a'.repeat(9000),
    -1,
    1e308,
    2 ** 53,
    0.1,
    true,
    [],
    {},
    Array.from({ length: 300 }, () => 'x'),
  ),
  fc.jsonValue({ maxDepth: 6 }),
  fc.string({ unit: ANY_CHARACTER }),
);

/** JSON leaves it out. */
const nothing = fc.constant(undefined);

type JsonSchema = Record<string, unknown>;

/** For one document and one caller. */
class Suggestions {
  constructor(
    readonly document: OpenApi,
    readonly known: Known,
  ) {}

  #resolve(schema: JsonSchema): JsonSchema {
    const name = (schema['$ref'] as string | undefined)?.split('/').at(-1);
    return name ? (this.document.components.schemas[name] as JsonSchema) : schema;
  }

  /** Nearly valid values; for known fields, mostly valid ones. */
  near(given: JsonSchema, name = ''): fc.Arbitrary<unknown> {
    const { known } = this;
    const schema = this.#resolve(given);
    const rest = this.#nearType(schema);
    // A signature's `hash` is a flag.
    const fits = !('const' in schema) && !JSON.stringify(schema).includes('"boolean"');
    return fits && Object.hasOwn(known, name)
      ? fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...known[name]!) }, { weight: 1, arbitrary: rest })
      : rest;
  }

  /** Of several variants, prefers those for an Ethereum wallet. */
  #weightOf(option: JsonSchema): number {
    const { type } = (this.#resolve(option)['properties'] ?? {}) as Record<string, JsonSchema>;
    return /^ETH|^[A-Z]+_?TRANSFER$|^CONTRACT/.test(String(type?.['const'])) ? 10 : 1;
  }

  #nearType(schema: JsonSchema): fc.Arbitrary<unknown> {
    const options = (schema['oneOf'] ?? schema['anyOf']) as JsonSchema[] | undefined;
    if (options)
      return fc.oneof(
        ...options.map((option) => ({ weight: this.#weightOf(option), arbitrary: this.near(option) })),
      );
    if ('const' in schema) return fc.constant(schema['const']);
    if (schema['enum']) return fc.constantFrom(...(schema['enum'] as unknown[]));
    const { type } = schema;
    if (Array.isArray(type))
      return fc.oneof(...type.map((each) => this.#nearType({ ...schema, type: each })));
    switch (type) {
      case 'object': {
        const fields = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
        const values = Object.fromEntries(
          fields.map(([name, of]) => [
            name,
            fc.oneof(
              { weight: 24, arbitrary: IN_PLACE_OF_PIN.includes(name) ? nothing : this.near(of, name) },
              { weight: 1, arbitrary: this.near(of, name) },
              { weight: 1, arbitrary: strange },
            ),
          ]),
        );
        const required = (schema['required'] ?? []) as string[];
        const requiredKeys = [...new Set([...required, ...('pincode' in values ? ['pincode'] : [])])];
        const usual = fc.oneof(
          { weight: 6, arbitrary: fc.record(values, { requiredKeys }) },
          { weight: 1, arbitrary: fc.record(values, { requiredKeys: [] }) },
        );
        const more = fc.dictionary(fc.string({ unit: ANY_CHARACTER, maxLength: 12 }), strange, {
          maxKeys: 2,
        });
        return fc
          .tuple(usual, fc.oneof({ weight: 12, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: more }))
          .map(([one, other]) => ({ ...other, ...one }));
      }
      case 'array':
        return fc.array(this.near((schema['items'] ?? {}) as JsonSchema), { maxLength: 4 });
      case 'string':
        return fc.oneof(
          fc.constantFrom('1', 'abc', '0x00', 'a@b.example', 'https://shop.example'),
          fc.string({ unit: 'grapheme', maxLength: 80 }),
        );
      case 'number':
      case 'integer':
        return fc.oneof(fc.integer(), fc.double());
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      default:
        return strange;
    }
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll(/\p{Surrogate}/gu, '?') : JSON.stringify(value);
}

function requestsOf(
  document: OpenApi,
  { method, path, is: operation }: Target,
  { token, known }: Caller,
  byUser: boolean,
): fc.Arbitrary<Sent> {
  const suggest = new Suggestions(document, known);
  const parameters = fc.record(
    Object.fromEntries(
      operation.parameters.map(({ name, schema }) => [
        name,
        name === 'realm'
          ? fc.constantFrom('main', 'main', 'x\0')
          : fc.oneof(
              { weight: 12, arbitrary: suggest.near(schema as JsonSchema, name) },
              { weight: 1, arbitrary: strange },
            ),
      ]),
    ),
  );
  const schema = operation.requestBody?.content['application/json']?.schema as JsonSchema | undefined;
  const body = schema
    ? fc.oneof({ weight: 9, arbitrary: suggest.near(schema) }, { weight: 1, arbitrary: strange })
    : fc.constant(undefined);
  const header = (good: fc.Arbitrary<string | undefined>) =>
    fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: fc.string({ maxLength: 200 }) });
  const proof = header(fc.constant(undefined));
  const key = header(fc.option(fc.uuid(), { nil: undefined }));
  return fc.tuple(parameters, body, proof, key).map(([values, sent, junk, idempotencyKey]) => {
    const places = (place: string) =>
      operation.parameters.filter((each) => each.in === place).map(({ name }) => name);
    const filled = path.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => encodeURIComponent(text(values[name])) || '%20',
    );
    const query = new URLSearchParams(places('query').map((name) => [name, text(values[name])]));
    const headers = new Headers(bearer(token));
    if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey);
    if (sent !== undefined) headers.set('Content-Type', 'application/json');
    if (path === TOKEN_PATH.replace('main', '{realm}')) headers.delete('Authorization');
    return {
      path: `${filled}?${query}`,
      init: { method, headers, ...(sent === undefined ? {} : { body: JSON.stringify(sent) }) },
      byUser,
      proof: junk,
    };
  });
}
