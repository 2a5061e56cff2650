/** Who is asked: our wallet, or the wallet of others that the request names. */
import type { ParamsOf } from '../channel/schema.ts';
import type { Results } from '../channel/messages.ts';
import type { Context } from './context.ts';
import { newId } from '../channel/host-call.ts';
import type { CallOptions } from './types.ts';

export type Approved = 'transfer' | 'execute' | 'executeAll' | 'sign' | 'chooseRecipient';

/** At once where it is ours: a window opens in the user's click alone. */
export function approve<A extends Approved>(
  context: Context,
  action: A,
  params: ParamsOf<A>,
  options: CallOptions,
): Promise<Results[A]> {
  const { external } = context.record.read();
  const requests = action === 'executeAll' ? (params as ParamsOf<'executeAll'>).requests : [params];
  const isExternal = requests.some((each) =>
    Object.hasOwn(external, (each as { walletId: string }).walletId),
  );
  return isExternal
    ? import('./others.ts').then((it) =>
        it.approveExternally(context, action, params, {
          ...options,
          requestId: options.requestId ?? newId(),
        }),
      )
    : context.host.approve(action, params, options);
}
