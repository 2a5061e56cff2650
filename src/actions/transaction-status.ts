import type { TransactionState } from '../chains/chain.ts';
import type { SecretType } from '../chains/secret-type.ts';
import { FrameBlockedError } from '../base/errors.ts';
import type { Context } from './context.ts';
import { invalid } from './plain.ts';
import type { CallOptions } from './types.ts';

/** A transaction's state according to the network's nodes. About those sent from here, the wallet knows more than the hash. */
export async function transactionStatus(
  { host, reachesVault }: Context,
  hash: string,
  secretType: SecretType,
  options: CallOptions,
): Promise<TransactionState> {
  if (typeof hash !== 'string' || !hash) throw invalid('hash', 'is required');
  if (typeof secretType !== 'string') throw invalid('secretType', 'is required');
  const params = { hash, secretType };
  try {
    if (await reachesVault()) return await host.readOwn('transactionStatus', params, options);
  } catch (error) {
    if (!(error instanceof FrameBlockedError)) throw error;
  }
  return host.read('transactionStatus', params, options);
}
