import { ConnectError } from '../../src/errors.ts';
import type { RuleName } from './check-spend.ts';

/** `details`: beside the rule, what it is about. */
export function refusal(
  rule: RuleName,
  message: string,
  details: Record<string, string | undefined> = {},
): ConnectError<'policy.refused'> {
  return new ConnectError('policy.refused', `${message} Nothing was signed.`, { ...details, rule });
}
