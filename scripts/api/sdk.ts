/** `src/service-sdk/resources.ts`: a method for each call of the service that a server makes, from the contract. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { OpenApi, Operation, Parameter } from '../../service/http/openapi.ts';
import { ROUTE_NOTES } from '../../src/api/notes/route-notes.ts';
import * as contract from '../../src/api/routes.ts';
import type { Route } from '../../src/api/route.ts';
import { ROOT } from '../command.ts';

export const SDK_FILE = 'src/service-sdk/resources.ts';

interface Method {
  name: string;
  routeName: string;
  route: Route;
  path: string;
  operation: Operation;
}

/** Methods by resource, in the order of the notes. */
function methodsOf({ paths }: OpenApi): Map<string, Method[]> {
  const routes = new Map<string, Route>(Object.entries(contract));
  const all = new Map<string, Method[]>();
  for (const [routeName, { sdk }] of Object.entries(ROUTE_NOTES)) {
    if (sdk === null) continue;
    const route = routes.get(routeName)!;
    const [resource = '', name = ''] = sdk.split('.');
    const operation = paths[route.path]![route.method.toLowerCase()]!;
    all.set(resource, [
      ...(all.get(resource) ?? []),
      { name, routeName, route, path: route.path, operation },
    ]);
  }
  return all;
}

/** `Wallets` of `wallets`. */
function classOf(resource: string): string {
  return resource.charAt(0).toUpperCase() + resource.slice(1);
}

/** How the caller makes the call, and the type of what it returns. */
function callOf(queries: readonly Parameter[], type: string): { call: string; returned: string } {
  if (queries.some(({ name }) => name === 'cursor'))
    return { call: 'pages', returned: `Pages<Entry<${type}>>` };
  if (queries.some(({ name }) => name === 'partial'))
    return { call: 'balances', returned: `Promise<Balances<${type}>>` };
  return { call: 'call', returned: `Promise<Data<${type}>>` };
}

function methodText({ name, routeName, route, path, operation }: Method): string {
  const type = `typeof ${routeName}`;
  const all = operation.parameters.filter((one) => one.in === 'query');
  const { call, returned } = callOf(all, type);
  // `balances` sends it always.
  const queries = all.filter((one) => one.name !== 'partial');
  const isQueried = queries.length > 0;
  const query = queries.length < all.length ? `Omit<Query<${type}>, 'partial'>` : `Query<${type}>`;
  const isOptional = isQueried && !queries.some(({ required }) => required);
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id!);
  const taken = [
    ...ids.map((id) => `${id}: Param<${type}, '${id}'>`),
    ...(route.body ? [`body: Body<${type}>`] : []),
    ...(route.file ? ['content: Blob', 'name: string'] : []),
    ...(isQueried ? [`query: ${query}${isOptional ? ' = {}' : ''}`] : []),
    'options?: CallOptions',
  ];
  const parts = [
    ...(ids.length ? [`params: { ${ids.join(', ')} }`] : []),
    ...(isQueried ? ['query: texts(query)'] : []),
    ...(route.body ? ['body'] : []),
    ...(route.file ? ['file: { content, name }'] : []),
  ];
  const given = parts.length ? `{ ${parts.join(', ')} }` : '{}';
  return `  /**
   * ${route.summary}
   *
   * ${noteOf(route)}
   */
  ${name}(${taken.join(', ')}): ${returned} {
    return this.caller.${call}(${routeName}, ${given}, options);
  }`;
}

const code = (text: string): string => `\`${text}\``;
const either = (scopes: readonly string[]): string => scopes.map(code).join(' or ');

function noteOf({ method, path, scopes, alsoScopes = [], clientSecret, idempotencyKey }: Route): string {
  const facts = [
    code(`${method} ${path}`),
    ...(scopes ? [`scope ${[either(scopes), ...alsoScopes.map(code)].join(', and ')}`] : []),
    ...(clientSecret ? ["the client's secret"] : []),
    method === 'GET' || idempotencyKey ? 'repeated if the answer is lost' : 'never repeated',
  ];
  return `${facts.join('; ')}.`;
}

/** The whole file. */
export function sdkText(document: OpenApi): string {
  const resources = [...methodsOf(document)];
  const used = resources.flatMap(([, methods]) => methods.map(({ routeName }) => routeName)).toSorted();
  const classes = resources.map(
    ([resource, methods]) =>
      `/** \`service.${resource}\` */
export class ${classOf(resource)} extends Resource {
${methods.map(methodText).join('\n\n')}
}`,
  );
  const fields = resources.map(([resource]) => `  readonly ${resource}: ${classOf(resource)};`);
  const made = resources.map(([resource]) => `    this.${resource} = new ${classOf(resource)}(caller);`);
  const text = `/** The calls of the service, by resource. Written by \`npm run api\` from the contract: do not edit it by hand. */
import { ${used.join(', ')} } from '../api/routes.ts';
import type { Balances, Body, CallOptions, Caller, Data, Entry, Param, Query } from './caller.ts';
import { Resource, texts } from './caller.ts';
import type { Pages } from './caller.ts';

${classes.join('\n\n')}

/** Every resource of the service. */
export class Calls {
${fields.join('\n')}

  /** @internal */
  constructor(caller: Caller) {
${made.join('\n')}
  }
}
`;
  const biome = join(ROOT, 'node_modules/.bin/biome');
  return execFileSync(biome, ['format', `--stdin-file-path=${SDK_FILE}`], {
    cwd: ROOT,
    input: text,
    encoding: 'utf8',
  });
}
