/** What is refused: requests that no schema accepts, and one too many. */
import type * as z from 'zod/mini';
import { ConnectError, type Issue, RequestInvalidError } from '../base/errors.ts';
import { READS, WAITING } from './bounds.ts';

type SchemaIssue = z.core.$ZodIssue;

/** zod/mini ships no messages, which saves every frame 2 KiB. */
function words(issue: SchemaIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be of type ${issue.expected}`;
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `is too small or too short: at least ${issue.minimum}`;
    case 'too_big':
      return `is too big or too long: at most ${issue.maximum}`;
    case 'invalid_union':
      return 'has none of the accepted types';
    default:
      return 'has the wrong form';
  }
}

/** Every bad field with its path. A message of the schema's own is kept. */
export function issuesOf(error: z.core.$ZodError): Issue[] {
  return error.issues.map((issue) => ({
    path: issue.path.map(String).join('.'),
    message: issue.message === 'Invalid input' ? words(issue) : issue.message,
  }));
}

/** Throws `request.invalid` with the path of every invalid field. */
export function parsed(schema: z.ZodMiniType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new RequestInvalidError(issuesOf(result.error));
}

/** One request too many. */
export function tooMany(): ConnectError {
  return new ConnectError(
    'request.rate-limited',
    `Too many requests wait for an answer: at most ${WAITING} for the user, and ${READS} reads.`,
    { limit: WAITING },
  );
}
