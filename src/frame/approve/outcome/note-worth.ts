/** The value of what was sent, for its end and for the activity. Loaded after signing, if `networks.json` names a price source. */
import type { Amount } from '../../../chains/coin.ts';
import type { Network } from '../../../chains/network.ts';
import { isCustom } from '../../../chains/nodes/networks.ts';
import type { PastWorth } from '../../../wallets/types.ts';
import { type DrawWorth, drawWorth, pricesOf } from '../../ui/worth.ts';
import type { Frame } from '../../frame.ts';
import type { Outgoing } from './delivery.ts';

/** Undefined without prices; a node chosen by the site can claim to be any chain, and its coin may be worthless. */
export function worthAtEnd(frame: Frame, network: Network): DrawWorth | undefined {
  return isCustom(network) ? undefined : drawWorth(frame);
}

/** Records the values at the time. */
export async function noteWorth(frame: Frame, { vault, node, summary, signed }: Outgoing): Promise<void> {
  const prices = pricesOf(frame);
  if (!prices || !summary || isCustom(node.network)) return;
  await prices.load();
  const past = (amount: Amount): PastWorth | undefined => {
    const found = amount.raw ? prices.worth(node.network, amount) : undefined;
    return found && { value: found.value, currency: found.currency };
  };
  const { kind, amount, swap, fee } = summary;
  const worth = kind === 'approval' ? undefined : past(swap?.input ?? amount);
  const feeWorth = past(fee.maximum);
  if (!worth && !feeWorth) return;
  await vault.activity.setReceipt(signed.hash, { ...(worth && { worth }), ...(feeWorth && { feeWorth }) });
}
