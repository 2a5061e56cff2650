import type { NonFungible } from '../api/non-fungible.ts';
import { CARDS } from '../chains/secret-type.ts';
import { ConnectError } from '../base/errors.ts';
import type { Context } from './context.ts';
import { whereabouts } from './linked-wallet.ts';
import { invalid } from './plain.ts';
import type { CallOptions } from './types.ts';

const MAX = 100;

/** Non-fungible tokens of a linked wallet, in the given contracts, else in those that the network lists. */
export async function nonFungibles(
  context: Context,
  id: string,
  contracts: readonly string[] | undefined,
  options: CallOptions,
): Promise<NonFungible[]> {
  const where = whereabouts(context, id);
  if (!CARDS[where.secretType].nonFungibles)
    throw new ConnectError('chain.not-supported', 'Non-fungible tokens are listed for ETHEREUM only.', {
      secretType: where.secretType,
    });
  if (contracts == null) return context.host.read('nonFungibles', where, options);
  if (!Array.isArray(contracts) || contracts.length > MAX)
    throw invalid('contracts', `must be a list of at most ${MAX} addresses`);
  const bad = contracts.findIndex((contract) => typeof contract !== 'string' || !contract);
  if (bad >= 0) throw invalid(`contracts.${bad}`, 'must be an address as text');
  return context.host.read('nonFungibles', { ...where, contracts: [...contracts] }, options);
}
