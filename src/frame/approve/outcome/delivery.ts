/** Broadcasts signed bytes, and records the outcome in journal and activity. */
import type { Wallet } from '../../../api/wallet.ts';
import type { Clock } from '../../../base/clock.ts';
import { ConnectError } from '../../../base/errors.ts';
import type { Summary } from '../../../chains/approval/summary.ts';
import type { Chain } from '../../../chains/chain.ts';
import type { Node, Receipt, Signed } from '../../../chains/terms.ts';
import { NO_OTHER } from '../../../chains/nodes/broadcast.ts';
import type { HostRequest } from '../../../channel/link.ts';
import type { TransactionResult } from '../../../channel/messages.ts';
import type { JournalEntry, Vault } from '../../../wallets/types.ts';
import type { Reader } from '../../frame.ts';
import { servesVault } from '../../shell/place.ts';
import type { RequestEntry, Approval } from '../approval.ts';

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

/** After a first time, of which nobody knows what became of it. */
export function deliverAgain(chain: Chain, signed: Signed, node: Node): Promise<void> {
  return deliver(chain, { ...signed, given: true }, node);
}

export function pause(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((resolve) => void clock.after(milliseconds, resolve));
}

/** The user dismissed it: it is no longer offered, and stays in the activity, because the network may have it. Returns the page's error. */
export async function dismiss(vault: Vault, entry: RequestEntry): Promise<ConnectError> {
  await vault.journal.put({ ...entry, state: 'dismissed' });
  return dismissed(entry);
}

/** Nobody knows whether a node got it, so it is neither "rejected" nor "not sent". */
export function dismissed({ requestId, signed }: Pick<RequestEntry, 'requestId' | 'signed'>): ConnectError {
  return new ConnectError(
    'node.unreachable',
    `The user dismissed the transaction. It is signed, and it is not known whether the network has it. ${NO_OTHER}`,
    { requestId, transactionHash: signed.at(-1)?.hash },
  );
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

// A signed transaction on its way, and what became of it.

export interface Outgoing {
  task: Pick<HostRequest, 'id' | 'signal' | 'progress'>;
  vault: Vault;
  wallet: Wallet;
  chain: Chain;
  node: Node;
  summary: Summary | undefined;
  signed: Signed;
  /** As in `Approval`. */
  heading?: string | undefined;
  replaces?: string | undefined;
  cancels?: boolean | undefined;
  step?: Approval['step'];
  /** The user has left its views. */
  left?: boolean;
  /** Called with each receipt from the first block on. */
  onMined?: ((receipt: Receipt) => void) | undefined;
}

/** A receipt of a block, or of what expired. `first`: it is of the transaction that this one was to replace. */
export type Decided = Receipt & { state: 'confirmed' | 'failed'; first?: boolean };
