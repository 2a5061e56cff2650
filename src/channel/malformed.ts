/** Loaded when a page sends something that no page of ours does. */
import type * as z from 'zod/mini';
import { RequestInvalidError } from '../base/errors.ts';
import { issuesOf } from './issues.ts';

export const malformed = (error: z.core.$ZodError): RequestInvalidError =>
  new RequestInvalidError(issuesOf(error));
