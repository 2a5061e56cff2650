import type { TransactionRequest } from '../chains/requests.ts';
import type { TransactionResult } from '../channel/messages.ts';
import { RequestInvalidError } from '../base/errors.ts';
import { approve } from './approve.ts';
import type { Context } from './context.ts';
import { chainRequest } from './execute.ts';
import { invalid } from './plain.ts';
import { checked, payloadsOf } from './preload.ts';
import type { CallOptions } from './types.ts';

/**
 * Up to 20 transactions in one list, each approved and sent once the previous one is confirmed. A failure has
 * what was sent in `details.completed`.
 */
export function executeAll(
  context: Context,
  requests: readonly TransactionRequest[],
  options: CallOptions,
): Promise<TransactionResult[]> {
  if (!Array.isArray(requests) || !requests.length || requests.length > 20)
    throw invalid('requests', 'must be a list of 1 to 20 transactions');
  const bodies = requests.map((request, index) => at(index, () => chainRequest(context, request)));
  return checked(
    context,
    bodies.map(({ type, secretType }, index) => ({ type, secretType, path: `requests.${index}.` })),
    () => bodies.forEach((body, index) => at(index, () => payloadsOf(context, body)?.parse(body))),
    () => approve(context, 'executeAll', { requests: bodies }, options),
  );
}

/** Prefixes the error of `check` with the request it concerns. */
function at<T>(index: number, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof RequestInvalidError)) throw error;
    throw new RequestInvalidError(
      error.issues.map(({ path, message }) => ({
        path: `requests.${index}${path && `.${path}`}`,
        message,
      })),
    );
  }
}
