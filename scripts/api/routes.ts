/** The service's contract as lines of text, from the same data as `/openapi.json`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativeRequests } from '../../service/http/native-requests.ts';
import { type OpenApi, openApi, type Operation } from '../../service/http/openapi.ts';
import { COPY_PATHS } from '../../service/sync/copy-reference.ts';
import type { Route } from '../../src/api/route.ts';
import * as contract from '../../src/api/routes.ts';
import { ROOT } from '../command.ts';

type JsonSchema = NonNullable<Operation['parameters'][number]['schema']>;

const BY_NAME = new Map<string, Route>(Object.entries(contract));

export interface Routes {
  /** A few lines for each route of the contract, sorted by path. */
  routes: string[];
  /** Named types that they mention. */
  types: string[];
  /** Routes outside the contract, such as `GET /health`. */
  others: string[];
}

/** The whole contract as OpenAPI. */
export async function contractDocument(): Promise<OpenApi> {
  return openApi(
    [...BY_NAME.values()],
    new Map([...BY_NAME].map(([name, route]) => [route, name])),
    '',
    await nativeRequests(),
  );
}

export function readRoutes(document: OpenApi): Routes {
  const byPath = Object.entries(document.paths).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const routes = byPath.flatMap(([path, methods]) =>
    Object.entries(methods)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([method, operation]) => linesOf(method, path, operation)),
  );
  const types = Object.entries(document.components.schemas).map(
    ([name, schema]) => `type ${name} = ${typeOf(schema, '  ')};`,
  );
  return { routes, types: types.toSorted(), others: otherRoutes() };
}

/** Indentation of a type's fields within the lines of a route. */
const IN = '    ';

function linesOf(method: string, path: string, operation: Operation): string {
  const { operationId, parameters, requestBody, responses, security } = operation;
  const { proof } = BY_NAME.get(operationId)!;
  const scopes = security.flatMap(({ token }) => (token ? [token.join(' and ')] : []));
  const body = Object.entries(requestBody?.content ?? {});
  const answers = Object.entries(responses).filter(([status]) => status !== 'default');
  return [
    `${method.toUpperCase()} ${path}  (${operationId})`,
    ...(scopes.length ? [`  token: ${scopes.toSorted().join(' or ')}`] : []),
    ...(security.some(({ client }) => client) ? ["  the client's id and secret"] : []),
    ...parameters.map(
      ({ name, in: place, required, schema }) =>
        `  ${place}: ${name}${required ? '' : '?'}: ${typeOf(schema, IN)}${name === 'DPoP' ? ` (${proof})` : ''}`,
    ),
    ...(body.length
      ? [`  body: ${typeOf(body[0]![1].schema, IN)} (${body.map(([type]) => type).join(', ')})`]
      : []),
    ...answers.map(
      ([status, { content }]) => `  ${status}: ${typeOf(Object.values(content)[0]!.schema, IN)}`,
    ),
  ].join('\n');
}

/** A JSON schema in TypeScript's syntax, on one line if it is short. Limits and patterns are in `/openapi.json`. */
function typeOf(schema: JsonSchema, indent: string): string {
  const { $ref, type, properties, items, additionalProperties } = schema;
  const anyOf = schema.anyOf ?? schema.oneOf;
  if ($ref) return $ref.split('/').at(-1)!;
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).toSorted().join(' | ');
  if (anyOf) return joined(anyOf, ' | ', indent);
  if (schema.allOf) return joined(schema.allOf, ' & ', indent);
  if (Array.isArray(type)) return type.join(' | ');
  if (type === 'array') {
    const text = typeOf((items ?? {}) as JsonSchema, indent);
    return text.includes('|') ? `(${text})[]` : `${text}[]`;
  }
  if (type !== 'object') return type ?? 'unknown';
  const fields = Object.entries(properties ?? {}).map(
    ([name, of]) =>
      `${name}${schema.required?.includes(name) ? '' : '?'}: ${typeOf(of as JsonSchema, `${indent}  `)};`,
  );
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length)
    fields.push(`[name: string]: ${typeOf(additionalProperties as JsonSchema, indent)};`);
  if (!fields.length) return 'object';
  return `{\n${fields.map((field) => `${indent}${field}\n`).join('')}${indent.slice(2)}}`;
}

/** Sorted, so that the order of chains or scopes in the code does not matter. */
function joined(schemas: readonly unknown[], by: string, indent: string): string {
  return [...new Set(schemas.map((one) => typeOf(one as JsonSchema, indent)))].toSorted().join(by);
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

/** Pages and machine-readable files are registered by path. */
function otherRoutes(): string[] {
  const folder = join(ROOT, 'service');
  const ofCopies = Object.entries(COPY_PATHS).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [
      ...readFileSync(join(folder, name), 'utf8').matchAll(
        /\b(?:app|scope)\.(get|post|put|delete)\(\s*'([^']+)'/g,
      ),
    ])
    .map(([, method, path]) => `${method!.toUpperCase()} ${path!.replaceAll(/:(\w+)/g, '{$1}')}`)
    .concat(ofCopies)
    .toSorted();
}
