import type { Context } from './context.ts';
import { invalid } from './plain.ts';
import type { CallOptions } from './types.ts';

/** Opens the wallet at a request whose answer was lost, and resolves to that answer. Needs a user gesture. */
export async function resume({ host }: Context, requestId: string, options: CallOptions): Promise<unknown> {
  if (typeof requestId !== 'string' || !/^[A-Za-z0-9_-]{8,64}$/.test(requestId))
    throw invalid('requestId', 'is required: the id of a request from pending()');
  const result = await host.approve('resume', { requestId }, options);
  host.delivered(requestId);
  return result;
}
