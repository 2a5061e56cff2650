import type { NativeBalance } from '../api/wallet.ts';
import type { Context } from './context.ts';
import { whereabouts } from './linked-wallet.ts';
import type { CallOptions } from './types.ts';

/** Native balance of a linked wallet, from the network's node. */
export function balance(context: Context, id: string, options: CallOptions): Promise<NativeBalance> {
  return context.host.read('balance', whereabouts(context, id), options);
}
