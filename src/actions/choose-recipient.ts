import type { ParamsOf } from '../channel/schema.ts';
import { approve } from './approve.ts';
import { record } from './arguments.ts';
import type { Context } from './context.ts';
import { linkedWallet } from './linked-wallet.ts';
import type { CallOptions } from './types.ts';

/** The user picks a known recipient in the wallet, and the page learns its address. */
export async function chooseRecipient(
  context: Context,
  params: ParamsOf<'chooseRecipient'>,
  options: CallOptions,
): Promise<string> {
  const body = record(params, ['walletId']) as ParamsOf<'chooseRecipient'>;
  linkedWallet(context, body.walletId);
  return approve(context, 'chooseRecipient', body, options);
}
