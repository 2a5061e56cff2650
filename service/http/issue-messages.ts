/** Messages of zod's issues for schemas without their own: they follow the field's name, as those of the chains do. */
import * as z from 'zod';

function bounds(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const [side, limit] =
    issue.code === 'too_small'
      ? (['at least', issue.minimum] as const)
      : (['at most', issue.maximum] as const);
  if (issue.origin === 'string')
    return limit === 1 && side === 'at least' ? 'must not be empty' : `must have ${side} ${limit} characters`;
  if (issue.origin === 'array') return `must have ${side} ${limit} items`;
  return `must be ${side} ${limit}`;
}

function message(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return issue.discriminator
        ? `must be one of ${((issue['options'] as unknown[] | undefined) ?? []).map(String).join(', ')}`
        : 'does not fit';
    case 'too_small':
    case 'too_big':
      return bounds(issue as z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig);
    // The issue is of a key that the caller chose.
    case 'invalid_key':
      return `its name ${issue.issues.map((one) => one.message).join(', and ')}`;
    case 'invalid_format':
      return 'is not in the right form';
    default:
      return undefined;
  }
}

z.config({ localeError: message });
