/** `/openapi.json` (OpenAPI 3.1), from the routes that the server answers. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { PROBLEM_TYPE, Problem } from '../../src/api/problem.ts';
import type { Route } from '../../src/api/route.ts';
import { OAuthError } from '../../src/api/token.ts';
import { CODES } from './codes.ts';
import { commonErrors, OAUTH_EXAMPLES, problemExample } from './error-examples.ts';
import { byType } from './native-requests.ts';
import type { RouteNote } from '../../src/api/notes/samples.ts';
import { noteOf } from '../../src/api/notes/route-notes.ts';
import { NAMED_ANSWERS, NAMED_BODIES } from './named-schemas.ts';
import {
  describeChecks,
  type JsonSchema,
  meaningOf,
  withMeanings,
  withNamedOptions,
  withPortablePatterns,
} from './published-schemas.ts';

const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

type Schema = z.core.$ZodType;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: string;
}

type Example = { value: unknown } | { $ref: string };

interface Content {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, Example>;
}

interface RequestBody {
  required: true;
  content: Record<string, Content>;
}

interface Response {
  description: string;
  headers?: Record<string, { description: string; schema: JsonSchema }>;
  /** Empty for an answer without a body. */
  content: Record<string, Content>;
}

export interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, Response>;
  security: Record<string, string[]>[];
}

export interface OpenApi {
  openapi: '3.1.0';
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    examples: Record<string, Example>;
    securitySchemes: Record<string, unknown>;
  };
}

function withoutIdentity(schema: JsonSchema): JsonSchema {
  const { $id: _id, $schema: _schema, id: _name, ...rest } = schema;
  return rest;
}

/** JSON schemas of one direction: the named ones, and those of `used`, which refer to them. */
function convert(named: Record<string, Schema>, used: readonly Schema[], io: 'input' | 'output') {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  for (const [index, schema] of used.entries())
    if (!registry.has(schema)) registry.add(schema, { id: `#${index}` });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ zodSchema, jsonSchema }) => describeChecks(zodSchema, jsonSchema),
  });
  const published = (id: string): JsonSchema => {
    const schema = withPortablePatterns(withoutIdentity(schemas[id]!));
    return io === 'input' ? withMeanings(schema) : schema;
  };
  return {
    components: Object.fromEntries(Object.keys(named).map((name) => [name, published(name)])) as Record<
      string,
      JsonSchema
    >,
    of(schema: Schema): JsonSchema {
      const { id } = registry.get(schema)!;
      return id.startsWith('#') ? published(id) : { $ref: `#/components/schemas/${id}` };
    },
  };
}

/** The components that a document refers to, directly or through others. */
function mentioned(document: unknown, components: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const names = new Set<string>();
  const look = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      if (!names.has(name!)) {
        names.add(name!);
        look(components[name!]);
      }
  };
  look(document);
  return Object.fromEntries(Object.entries(components).filter(([name]) => names.has(name)));
}

const KEY_HEADER: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeated request with the same key and body gets the same answer and does nothing again.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$' },
};

const LINK = {
  description: 'If there is more: the URL of the next page, `<?limit=…&cursor=…>; rel="next"`.',
  schema: { type: 'string' },
} as const;

const ARRIVALS_READ_AT = {
  description:
    'With `direction` `in` or `all`: when a node last reported incoming transfers, ISO 8601. Absent if none has yet, or none can.',
  schema: { type: 'string' },
} as const;

const CARABINER_PARTIAL = {
  description:
    'With `partial`: the addresses of the tokens that no node answered for, with commas. Absent if all were read.',
  schema: { type: 'string' },
} as const;

const PROOF_HEADER: Parameter = {
  name: 'DPoP',
  in: 'header',
  // An application's own token needs none.
  required: false,
  schema: { type: 'string' },
};

const PROOFS = {
  enrolled:
    "A proof (RFC 9449, ES256) by a device that is enrolled for the account. Required with users' tokens.",
  new: "A proof (RFC 9449, ES256) by the device that is enrolled with it. Required with users' tokens.",
  optional: "A proof (RFC 9449, ES256). Optional with users' tokens.",
};

function fileBody(part: string, description: string): RequestBody {
  const schema: JsonSchema = {
    type: 'object',
    properties: { [part]: { type: 'string', format: 'binary', description } },
    required: [part],
    additionalProperties: false,
  };
  return { required: true, content: { 'multipart/form-data': { schema, example: { [part]: 'icon.png' } } } };
}

/** Fields of bodies that nobody else may see. Forms hide what is typed into them. */
const SECRETS: ReadonlySet<string> = new Set([
  'pincode',
  'next',
  'recoveryCode',
  'session',
  'key',
  'client_secret',
  'idpToken',
  'password',
  'apiKey',
  'secret',
  'securityCode',
]);

/** With `format: password` at each of them (OpenAPI 3.1, section 4.7.24.2). */
function withSecrets(schema: JsonSchema): JsonSchema {
  const inside = (list: unknown): object =>
    Array.isArray(list) ? list.map((one) => withSecrets(one as JsonSchema)) : [];
  return {
    ...schema,
    ...(schema.properties
      ? {
          properties: Object.fromEntries(
            Object.entries(schema.properties).map(([name, of]) => {
              const property = withSecrets(of as JsonSchema);
              const isText =
                JSON.stringify(property).includes('"type":"string"') && property.type !== 'object';
              return [name, SECRETS.has(name) && isText ? { ...property, format: 'password' } : property];
            }),
          ),
        }
      : {}),
    ...(schema.oneOf ? { oneOf: inside(schema.oneOf) } : {}),
    ...(schema.anyOf ? { anyOf: inside(schema.anyOf) } : {}),
    ...(schema.items ? { items: withSecrets(schema.items as JsonSchema) } : {}),
  } as JsonSchema;
}

function parametersOf(
  place: 'path' | 'query',
  schema: JsonSchema | undefined,
  examples: Readonly<Record<string, string>> = {},
): Parameter[] {
  return Object.entries((schema?.properties ?? {}) as Record<string, JsonSchema>).map(([name, of]) => ({
    name,
    in: place,
    required: place === 'path' || (schema?.required?.includes(name) ?? false),
    ...(of.description === undefined ? meaningOf(name) : { description: of.description }),
    schema: of,
    ...(name in examples ? { example: examples[name]! } : {}),
  }));
}

function errorExamples(route: Route, own: readonly string[]): Record<string, Example> {
  const codes = [...new Set([...own, ...commonErrors(route)])];
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}

function oauthExamples(): Record<string, Example> {
  return Object.fromEntries(Object.entries(OAUTH_EXAMPLES).map(([error, value]) => [error, { value }]));
}

/** Empty for a call that everybody may make. */
function securityOf({ scopes, alsoScopes = [], clientSecret }: Route): Operation['security'] {
  if (clientSecret) return [{ client: [] }];
  return (scopes ?? []).map((scope) => ({ token: [scope, ...alsoScopes] }));
}

/** Names operations after the contract's constants: `readTransactionStatus` for `GET /api/transactions/{hash}/status`. */
export type RouteNames = ReadonlyMap<Route, string>;

/** The operations of a document, and the named schemas that they refer to. */
class Operations {
  readonly schemas: Record<string, JsonSchema>;
  readonly #names: RouteNames;
  readonly #inputs: ReturnType<typeof convert>;
  readonly #outputs: ReturnType<typeof convert>;

  constructor(routes: readonly Route[], names: RouteNames, natives: readonly JsonSchema[]) {
    this.#names = names;
    const inputs = convert(
      NAMED_BODIES,
      routes.flatMap(({ params, query, body }) => [params, query, body].filter((part) => part !== undefined)),
      'input',
    );
    const outputs = convert(
      NAMED_ANSWERS,
      [Problem, OAuthError, ...routes.map(({ answer }) => answer)],
      'output',
    );
    for (const [name, { components }] of [
      ['NativeRequest', outputs],
      ['ExecuteRequest', inputs],
      ['EstimateRequest', inputs],
      ['BatchTransaction', inputs],
    ] as const)
      components[name] = byType(natives, components[name]!);
    inputs.components = withNamedOptions(
      Object.fromEntries(
        Object.entries(inputs.components).map(([name, schema]) => [name, withSecrets(schema)]),
      ),
    );
    outputs.components = withNamedOptions(outputs.components);
    this.#inputs = inputs;
    this.#outputs = outputs;
    this.schemas = { ...inputs.components, ...outputs.components };
  }

  of(route: Route): Operation {
    const name = route.name ?? this.#names.get(route) ?? `${route.method} ${route.path}`;
    const note: Partial<RouteNote> = noteOf(name) ?? {};
    const [params, query] = [route.params, route.query].map((part) => part && this.#inputs.of(part));
    return {
      operationId: name,
      summary: route.summary,
      tags: [route.area],
      parameters: [
        ...parametersOf('path', params, note.params),
        ...parametersOf('query', query, note.query),
        ...(route.idempotencyKey ? [{ ...KEY_HEADER, required: route.idempotencyKey === 'required' }] : []),
        ...(route.proof ? [{ ...PROOF_HEADER, description: PROOFS[route.proof] }] : []),
      ],
      ...(route.file ? { requestBody: fileBody(route.file, route.summary) } : {}),
      ...(route.body ? { requestBody: this.#bodyOf(route, this.#inputs.of(route.body), note) } : {}),
      responses: {
        [route.status]: this.#successOf(route, query, note),
        default: this.#failureOf(route, note.errors ?? []),
      },
      // One of them is enough.
      security: securityOf(route),
    };
  }

  #bodyOf({ form }: Route, body: JsonSchema, note: Partial<RouteNote>): RequestBody {
    const types = ['application/json', ...(form ? ['application/x-www-form-urlencoded'] : [])];
    const content = { schema: withSecrets(body), ...('body' in note ? { example: note.body } : {}) };
    return { required: true, content: Object.fromEntries(types.map((type) => [type, content])) };
  }

  #successOf({ answer }: Route, query: JsonSchema | undefined, note: Partial<RouteNote>): Response {
    const { partial, cursor, direction } = query?.properties ?? {};
    return {
      description: 'It worked.',
      ...(partial ? { headers: { 'Carabiner-Partial': CARABINER_PARTIAL } } : {}),
      ...(cursor
        ? { headers: { Link: LINK, ...(direction ? { 'Arrivals-Read-At': ARRIVALS_READ_AT } : {}) } }
        : {}),
      content: {
        'application/json': {
          schema: this.#outputs.of(answer),
          ...('answer' in note ? { example: note.answer } : {}),
        },
      },
    };
  }

  #failureOf(route: Route, errors: readonly string[]): Response {
    const list = errors.length
      ? `: ${errors.map((code) => `\`${code}\``).join(', ')}, or what any call may answer`
      : '';
    return {
      description: `The call failed; \`code\` says why${list}.`,
      content: route.oauth
        ? { 'application/json': { schema: this.#outputs.of(OAuthError), examples: oauthExamples() } }
        : { [PROBLEM_TYPE]: { schema: this.#outputs.of(Problem), examples: errorExamples(route, errors) } },
    };
  }
}

/** `natives`: native requests by `type`. `others`: calls that are not of the contract. */
export function openApi(
  routes: readonly Route[],
  names: RouteNames,
  url: string,
  natives: readonly JsonSchema[],
  others: OpenApi['paths'] = {},
): OpenApi {
  const operations = new Operations(routes, names, natives);
  const paths: OpenApi['paths'] = { ...others };
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operations.of(route);
  const calls = JSON.stringify(paths);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Carabiner wallet service',
      version: VERSION,
      description:
        'Tokens, wallets, balances, transactions and checkout. Text is Unicode without half characters (surrogates); its length is in UTF-16 code units. A number is taken if JSON keeps its digits.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url }],
    paths,
    components: {
      schemas: mentioned(paths, operations.schemas),
      examples: Object.fromEntries(
        Object.keys(CODES)
          .filter((code) => calls.includes(`"#/components/examples/${code}"`))
          .map((code) => [code, { value: problemExample(code, `${url}/docs`) }]),
      ),
      securitySchemes: Object.fromEntries(
        Object.entries(SECURITY_SCHEMES).filter(([name]) => calls.includes(`"security":[{"${name}":`)),
      ),
    },
  };
}

const SECURITY_SCHEMES = {
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An access token. Each call lists its alternatives: the token needs the scopes of one of them.',
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description: 'The id and a secret of a client made here. No token is accepted in their place.',
  },
  copy: {
    type: 'http',
    scheme: 'Sync',
    description:
      'A signature over method, path, time, body and condition, by the Ed25519 key whose hash is the id: docs/encrypted-copy.md.',
  },
};
