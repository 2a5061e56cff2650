/** Coins that an imported Bitcoin or Litecoin key holds on its other address. */
import type { Amount } from '../../chains/chain.ts';
import { networkOf } from '../../chains/nodes/networks.ts';
import { ConnectError, UserRejectedError } from '../../errors.ts';
import { inertText } from '../../inert-text.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import type { Frame, Reader } from '../frame.ts';
import type { OpenOptions } from '../shell/stage.ts';

export interface Sweepable {
  /** The other address. */
  source: string;
  amount: Amount;
}

/** Undefined where there is nothing, or nobody to ask: it can be offered another time. */
export async function findSweepable(frame: Reader, wallet: HeldWallet): Promise<Sweepable | undefined> {
  if (!wallet.imported) return undefined;
  try {
    const chain = await frame.chain(wallet.secretType);
    const node = chain.node(networkOf(frame.networks, wallet));
    const found = await chain.sweep?.find(wallet.address, node);
    return found?.amount.raw ? { source: found.address, amount: found.amount } : undefined;
  } catch {
    return undefined;
  }
}

/** Until the coins are moved, or the user says not now. */
export async function offerSweep(
  frame: Frame,
  vault: Vault,
  wallet: HeldWallet,
  found: Sweepable,
  options: OpenOptions,
): Promise<void> {
  const [{ SweepOfferView }, { sweep }, chain] = await Promise.all([
    import('./sweep-offer-view.ts'),
    import('./sweep-flow.ts'),
    frame.chain(wallet.secretType),
  ]);
  const view = Object.assign(new SweepOfferView(), { wallet, ...found });
  for (;;) {
    const { type } = await frame.stage.open(view, options).next('cbf-sweep', 'cbf-back', 'cbf-close');
    if (type !== 'cbf-sweep') return;
    view.error = '';
    try {
      return await sweep(frame, vault, wallet, chain, options);
    } catch (error) {
      if (!(error instanceof ConnectError) || options.signal.aborted) throw error;
      // Rejected there: the offer stands.
      if (!(error instanceof UserRejectedError)) view.error = inertText(error.shortMessage, 300);
    }
  }
}
