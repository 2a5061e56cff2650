import { ConnectError } from '../../src/base/errors.ts';
import type { RuleName } from './check-spend.ts';

/** `details`: what the error has besides the rule. */
export function refusal(
  rule: RuleName,
  message: string,
  details: Record<string, string | undefined> = {},
): ConnectError<'policy.refused'> {
  return new ConnectError('policy.refused', `${message} Nothing was signed.`, { ...details, rule });
}
