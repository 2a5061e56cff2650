/** The calls of encrypted copies in `/openapi.json` and `/docs`. Their bodies are bytes, so they are no routes of the contract. */
import { MAX_OBJECT_BYTES } from '../../src/api/copy-object.ts';
import { PROBLEM_TYPE } from '../../src/api/problem.ts';
import type { OpenApi, Operation, Parameter } from '../http/openapi.ts';

type Responses = Operation['responses'];

const OBJECT = {
  'application/octet-stream': {
    schema: { type: 'string', format: 'binary', maxLength: MAX_OBJECT_BYTES },
  },
} as const;
const PROBLEM = { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/ProblemDetails' } } };
const ETAG = {
  ETag: { description: '`"<counter>.<SHA-256 of the object in base64url>"`', schema: { type: 'string' } },
} as const;

const PATH: Parameter[] = [
  { name: 'kind', in: 'path', required: true, schema: { enum: ['slot', 'vault'] } },
  { name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' } },
];

function condition(name: string, description: string, required = false): Parameter {
  return { name, in: 'header', required, description, schema: { type: 'string' } };
}

const IF_MATCH = condition('If-Match', 'The `ETag` of the state before.');
const LIMITED = { 429: { description: 'Too many; `Retry-After` in seconds.', content: PROBLEM } };
const WRITES: Responses = {
  401: {
    description: '`copy.signature`: not signed by a key that may write here, or by a wrong clock.',
    content: PROBLEM,
  },
  410: { description: '`copy.removed`', content: PROBLEM },
  412: {
    description: '`copy.changed`: there is one already, or another state than the condition says.',
    content: PROBLEM,
  },
  422: {
    description: '`copy.refused`: counter, hash of the state before, or a header that is not of this path.',
    content: PROBLEM,
  },
};

const common = { tags: ['Encrypted copies'], security: [{ copy: [] }] };

const OPERATIONS: OpenApi['paths'][string] = {
  get: {
    ...common,
    operationId: 'readCopy',
    summary: 'Reads an object of an encrypted copy.',
    parameters: PATH,
    responses: {
      200: { description: 'The object.', headers: ETAG, content: OBJECT },
      404: { description: 'Unknown, or not signed by its key.', content: PROBLEM },
      410: { description: 'Its tombstone.', headers: ETAG, content: OBJECT },
      ...LIMITED,
    },
  },
  put: {
    ...common,
    operationId: 'writeCopy',
    summary: 'Writes the first or the next state of an object.',
    parameters: [...PATH, IF_MATCH, condition('If-None-Match', '`*` for the first state.')],
    requestBody: { required: true, content: OBJECT },
    responses: {
      201: { description: 'It is the first state.', headers: ETAG, content: {} },
      204: { description: 'It took the place of the state before.', headers: ETAG, content: {} },
      ...WRITES,
      413: { description: `More than ${MAX_OBJECT_BYTES} bytes.`, content: PROBLEM },
      ...LIMITED,
      507: { description: '`copy.full`: the operator takes no more.', content: PROBLEM },
    },
  },
  delete: {
    ...common,
    operationId: 'removeCopy',
    summary: 'Erases an object; its signed tombstone stays for 400 days.',
    parameters: [...PATH, { ...IF_MATCH, required: true }],
    requestBody: { required: true, content: OBJECT },
    responses: { 204: { description: 'It is erased.', content: {} }, ...WRITES },
  },
};

const TERMS: Operation = {
  tags: common.tags,
  security: [],
  operationId: 'readCopyTerms',
  summary: 'Whether this service keeps encrypted copies, and for how long.',
  parameters: [],
  responses: {
    200: {
      description: 'A copy is deleted when nobody has read or written it for so many years.',
      content: {
        'application/json': {
          schema: { type: 'object', properties: { years: { type: 'integer' } }, required: ['years'] },
          example: { years: 3 },
        },
      },
    },
  },
};

export const COPY_PATHS: OpenApi['paths'] = { '/sync': { get: TERMS }, '/sync/{kind}/{id}': OPERATIONS };
