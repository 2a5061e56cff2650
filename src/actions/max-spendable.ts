import type { Context } from './context.ts';
import { whereabouts } from './linked-wallet.ts';
import { invalid } from './plain.ts';
import type { CallOptions } from './types.ts';

/** The maximum amount of the coin that a transfer can send now, in coins. */
export function maxSpendable(
  context: Context,
  id: string,
  to: string | undefined,
  options: CallOptions,
): Promise<string> {
  if (to !== undefined && (typeof to !== 'string' || !to))
    throw invalid('to', 'must be an address, or absent: then what can be sent to any');
  return context.host.read('maxSpendable', { ...whereabouts(context, id), ...(to && { to }) }, options);
}
