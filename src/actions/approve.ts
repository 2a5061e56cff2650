/** Sends a request to our wallet, or to the external wallet that it names. */
import type { ParamsOf } from '../channel/schema.ts';
import type { Results } from '../channel/messages.ts';
import type { Context } from './context.ts';
import { loadOthers } from './load-others.ts';
import type { CallOptions } from './types.ts';

export type Approved = 'transfer' | 'execute' | 'executeAll' | 'sign' | 'chooseRecipient';

/** Synchronous for our wallet, because a window opens only within the user's click. */
export function approve<A extends Approved>(
  context: Context,
  action: A,
  params: ParamsOf<A>,
  options: CallOptions,
): Promise<Results[A]> {
  const { external } = context.record.read();
  const requests = [(params as Partial<ParamsOf<'executeAll'>>).requests ?? params].flat();
  return requests.some((each) => Object.hasOwn(external, (each as { walletId: string }).walletId))
    ? loadOthers(context).then((it) => it.approveExternally(context, action, params, options))
    : context.host.approve(action, params, options);
}
