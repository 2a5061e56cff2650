/** Broadcasts signed bytes, and records the outcome in journal and activity. */
import type { Chain, Node, Signed } from '../../../chains/chain.ts';
import type { TransactionResult } from '../../../channel/messages.ts';
import type { Clock } from '../../../clock.ts';
import type { JournalEntry, Vault } from '../../../wallets/types.ts';
import type { Reader } from '../../frame.ts';
import { servesVault } from '../../shell/listed.ts';
import type { Entry } from '../order.ts';

/** Broadcasts. An error counts only if the node does not know the transaction: a lost reply or a repeated broadcast is not a failure. */
export async function deliver(chain: Chain, signed: Signed, node: Node): Promise<void> {
  try {
    await chain.broadcast(signed, node);
  } catch (error) {
    const { state, expired } = await chain
      .receipt(signed.hash, node, signed.raw)
      .catch(() => ({ state: 'unknown', expired: false }));
    if (state === 'unknown' || expired) throw error;
  }
}

export function pause(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((resolve) => void clock.after(milliseconds, resolve));
}

/** The user dismissed a transaction that was signed but never sent: it is no longer offered for sending. */
export async function dismiss(vault: Vault, entry: Entry): Promise<void> {
  await vault.journal.put({ ...entry, state: 'dismissed' });
  for (const { hash } of entry.signed) {
    const { state } = (await vault.activity.get(hash)) ?? {};
    if (state === 'unknown') await vault.activity.setState(hash, 'failed');
  }
}

/** The page's result for an entry's transactions. */
export function resultOf(
  entry: Pick<JournalEntry, 'action' | 'signed'>,
): TransactionResult | TransactionResult[] {
  const hashes = entry.signed.map(({ hash }) => ({ transactionHash: hash }));
  return entry.action === 'executeAll' ? hashes : hashes[0]!;
}

/** The page has the answer: `pending()` no longer returns it. */
export async function acknowledge(frame: Reader, requestId: string): Promise<void> {
  if (!servesVault(frame)) return;
  const vault = await frame.vault();
  await vault.journal.acknowledge(frame.link.origin, requestId);
}
