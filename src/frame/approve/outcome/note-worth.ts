/** Records the value of what was sent at the time. Loaded after signing, if `networks.json` names a price source. */
import { isCustom } from '../../../chains/nodes/networks.ts';
import { pricesOf } from '../../ui/worth.ts';
import type { Frame } from '../../frame.ts';
import type { Outgoing } from './outcome-flow.ts';

export async function noteWorth(frame: Frame, { vault, node, summary, signed }: Outgoing): Promise<void> {
  const prices = pricesOf(frame);
  // A node chosen by the site can claim to be any chain; its coin may be worthless.
  if (!prices || !summary || isCustom(node.network)) return;
  const { kind, amount, swap } = summary;
  const sent = swap?.input ?? amount;
  if (kind === 'approval' || !sent.raw) return;
  await prices.load();
  const worth = prices.worth(node.network, sent);
  if (!worth) return;
  const { value, currency } = worth;
  await vault.activity.setReceipt(signed.hash, { worth: { value, currency } });
}
