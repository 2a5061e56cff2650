import type { Wallet } from '../api/wallet.ts';
import { ConnectError } from '../base/errors.ts';
import { balance } from './balance.ts';
import type { Context } from './context.ts';
import { linkedWallet } from './linked-wallet.ts';
import type { CallOptions } from './types.ts';

/** A linked wallet with its native balance; `UNAVAILABLE` and without a balance while no node of its network answers. */
export async function wallet(context: Context, id: string, options: CallOptions): Promise<Wallet> {
  const found = linkedWallet(context, id);
  try {
    return { ...found, balance: await balance(context, id, options) };
  } catch (error) {
    if (error instanceof ConnectError && error.code === 'node.unreachable')
      return { ...found, status: 'UNAVAILABLE' };
    throw error;
  }
}
