import type { TransactionState } from '../chains/chain.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { Context } from './context.ts';
import { invalid } from './plain.ts';
import type { CallOptions } from './types.ts';

/** What the network's node says of a transaction. */
export function transactionStatus(
  { host }: Context,
  hash: string,
  secretType: SecretType,
  options: CallOptions,
): Promise<TransactionState> {
  if (typeof hash !== 'string' || !hash) throw invalid('hash', 'is required');
  if (typeof secretType !== 'string') throw invalid('secretType', 'is required');
  return host.read('transactionStatus', { hash, secretType }, options);
}
