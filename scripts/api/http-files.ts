/**
 * `docs/http/`: the calls of the service for Postman and for HTTPie Desktop, from the same document as `/openapi.json`. Base URL, client and
 * token are variables; no secret has a value.
 */
import type { OpenApi, Operation, Parameter } from '../../service/http/openapi.ts';

interface Call {
  area: string;
  method: string;
  path: string;
  operation: Operation;
  /** JSON text, with a variable in place of each secret. */
  body: string | undefined;
  /** The part of a form that takes a file. */
  file: string | undefined;
}

/** A variable that the user sets, and whether it is secret. */
const VARIABLES: readonly { name: string; value: string; secret: boolean }[] = [
  { name: 'service', value: 'http://localhost:4001', secret: false },
  { name: 'client_id', value: '', secret: false },
  { name: 'client_secret', value: '', secret: true },
  { name: 'token', value: '', secret: true },
  { name: 'pincode', value: '', secret: true },
  { name: 'next', value: '', secret: true },
  { name: 'recoveryCode', value: '', secret: true },
  { name: 'key', value: '', secret: true },
  { name: 'idpToken', value: '', secret: true },
  { name: 'password', value: '', secret: true },
  { name: 'secret', value: '', secret: true },
  { name: 'securityCode', value: '', secret: true },
];

/** A device creates a new one for each request. */
const isSendable = ({ name }: Parameter): boolean => name !== 'DPoP';

function callsOf({ paths }: OpenApi): Call[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { 'application/json': json, 'multipart/form-data': form } = operation.requestBody?.content ?? {};
      return {
        area: operation.tags[0]!,
        method: method.toUpperCase(),
        path,
        operation,
        body: json && JSON.stringify(withVariables(json.example), null, 2),
        file: form && Object.keys(form.schema.properties ?? {})[0],
      };
    }),
  );
}

/** `{{pincode}}` for a PIN. */
function withVariables(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withVariables);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      VARIABLES.some((one) => one.name === name) && typeof inner === 'string'
        ? `{{${name}}}`
        : withVariables(inner),
    ]),
  );
}

/** Those in the example are sent; the others are listed, but disabled. */
function fieldsOf({ operation }: Call, place: Parameter['in']) {
  return operation.parameters
    .filter((one) => one.in === place && isSendable(one))
    .map(({ name, example, required }) => ({
      name,
      value: name === 'realm' ? 'main' : (example ?? ''),
      isOn: required || example !== undefined,
    }));
}

/** On one line: programs read it, and every application that installs the package has it. */
const text = (value: object): string => `${JSON.stringify(value)}\n`;

/** Collection Format 2.1.0 (https://schema.postman.com). */
export function postmanText(document: OpenApi): string {
  const calls = callsOf(document);
  const areas = [...new Set(calls.map(({ area }) => area))];
  return text({
    info: {
      name: document.info.title,
      description: `${document.info.description} Set client_id and client_secret, and send “${tokenCall(calls).operation.summary}” first: it keeps the token.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: VARIABLES.map(({ name, value, secret }) => ({
      key: name,
      value,
      type: secret ? 'secret' : 'string',
    })),
    item: areas.map((name) => ({ name, item: calls.filter(({ area }) => area === name).map(postmanItem) })),
  });
}

function takesSecret({ security }: Operation): boolean {
  return security.some(({ client }) => client !== undefined);
}

/** Nothing where the collection's own fits, which is the token. */
function postmanAuth(operation: Operation): object {
  if (operation.security.length === 0) return { auth: { type: 'noauth' } };
  if (!takesSecret(operation)) return {};
  const basic = [
    { key: 'username', value: '{{client_id}}', type: 'string' },
    { key: 'password', value: '{{client_secret}}', type: 'string' },
  ];
  return { auth: { type: 'basic', basic } };
}

function httpieAuth(operation: Operation): object {
  if (!takesSecret(operation)) return { type: operation.security.length > 0 ? 'inherited' : 'none' };
  const credentials = { username: '{{client_id}}', password: '{{client_secret}}' };
  return { type: 'basic', target: 'headers', credentials };
}

function postmanItem(call: Call): object {
  const { method, path, operation, body, file } = call;
  const headers = fieldsOf(call, 'header').map(({ name, isOn }) => ({
    key: name,
    value: '{{$guid}}',
    ...(isOn ? {} : { disabled: true }),
  }));
  const query = fieldsOf(call, 'query').map(({ name, value, isOn }) => ({
    key: name,
    value,
    ...(isOn ? {} : { disabled: true }),
  }));
  const segments = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .split('/');
  return {
    name: operation.summary,
    ...(operation.operationId === 'issueToken' ? { event: [KEEP_TOKEN] } : {}),
    request: {
      ...postmanAuth(operation),
      method,
      header: [
        ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ...headers,
      ],
      url: {
        raw: `{{service}}/${segments.join('/')}`,
        host: ['{{service}}'],
        path: segments,
        ...(query.length ? { query } : {}),
        variable: fieldsOf(call, 'path').map(({ name, value }) => ({ key: name, value })),
      },
      ...(body === undefined
        ? {}
        : { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
      ...(file === undefined
        ? {}
        : { body: { mode: 'formdata', formdata: [{ key: file, type: 'file', src: [] }] } }),
    },
    response: [],
  };
}

/** Of the current value, which Postman does not write into the collection. */
const KEEP_TOKEN = {
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: [
      "if (pm.response.code === 200) pm.collectionVariables.set('token', pm.response.json().access_token);",
    ],
  },
};

function tokenCall(calls: readonly Call[]): Call {
  return calls.find(({ operation }) => operation.operationId === 'issueToken')!;
}

/** HTTPie Desktop's export of a workspace, version 1.0.0 (https://schema.httpie.io/1.0.0.json). */
export function httpieText(document: OpenApi): string {
  const calls = callsOf(document);
  return text({
    meta: {
      format: 'httpie',
      version: '1.0.0',
      contentType: 'workspace',
      schema: 'https://schema.httpie.io/1.0.0.json',
      docs: 'https://httpie.io/r/help/export-from-httpie',
      source: document.info.title,
    },
    entry: {
      name: document.info.title,
      icon: { name: 'default', color: 'gray' },
      collections: [...new Set(calls.map(({ area }) => area))].map((name) => ({
        name,
        icon: { name: 'default', color: 'gray' },
        auth: { type: 'bearer', target: 'headers', credentials: { username: '', password: '{{token}}' } },
        requests: calls.filter(({ area }) => area === name).map(httpieRequest),
      })),
      environments: [
        {
          name: 'Local',
          color: 'gray',
          isDefault: true,
          isLocalOnly: true,
          variables: VARIABLES.map(({ name, value, secret }) => ({ name, value, isSecret: secret })),
        },
      ],
      drafts: [],
    },
  });
}

function httpieRequest(call: Call): object {
  const { method, path, operation, body, file } = call;
  const fields = (place: Parameter['in']) =>
    fieldsOf(call, place).map(({ name, value, isOn }) => ({ name, value, enabled: isOn }));
  return {
    name: operation.summary,
    url: `{{service}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    method,
    headers: fields('header').map((one) => ({ ...one, enabled: false })),
    queryParams: fields('query'),
    pathParams: fields('path'),
    auth: httpieAuth(operation),
    body: {
      type: body !== undefined ? 'text' : file !== undefined ? 'form' : 'none',
      file: { name: '' },
      text: { value: body ?? '', format: 'application/json' },
      form: {
        isMultipart: file !== undefined,
        fields:
          file === undefined
            ? []
            : [{ enabled: true, name: file, type: 'file', value: '', file: { name: '' } }],
      },
      graphql: { query: '', variables: '' },
    },
  };
}
