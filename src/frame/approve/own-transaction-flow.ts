/** A transaction that the user started in the wallet: approved and sent like any other, but reported to no site. */
import type { Wallet } from '../../api/wallet.ts';
import type { Chain } from '../../chains/chain.ts';
import type { Draft, Node, Receipt, Signed } from '../../chains/terms.ts';
import { ConnectError } from '../../base/errors.ts';
import type { Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import type { Approval } from './approval.ts';
import { deliverAgain, dismissed } from './outcome/delivery.ts';
import { approveAndShow, showEnd, type Shown, watchSending } from './transact-flow.ts';

export interface OwnTransaction {
  vault: Vault;
  wallet: Wallet;
  chain: Chain;
  node: Node;
  heading: string;
  replaces?: string | undefined;
  /** As in `Approval`. */
  cancels?: boolean;
  /** The e-mail address or name by which the recipient was found. */
  email?: string | undefined;
  /** As in `Approval`, like those below. */
  view?: Approval['view'];
  step?: Approval['step'];
  ahead?: Approval['ahead'];
  assertBefore?: Approval['assertBefore'];
  make(): Promise<Draft>;
}

/**
 * Resolves once the user has seen the outcome. `onSent` gets the hash once the network has the transaction. Rejects with `user.rejected`,
 * or with the reason it was not sent; the activity then keeps the signed bytes and offers to send them again.
 */
export async function sendOwn(
  frame: Frame,
  transaction: OwnTransaction,
  options: OpenOptions,
  onSent: (hash: string) => Promise<void> = async () => {},
): Promise<void> {
  const shown = await approveOwn(frame, transaction, options);
  const { approved, outgoing } = shown;
  if (approved.unsent) {
    const { error } = approved.unsent;
    if (error instanceof ConnectError && error.code !== 'node.unreachable')
      await outgoing.vault.activity.setState(outgoing.signed.hash, 'failed');
    throw error;
  }
  await onSent(outgoing.signed.hash);
  await showEnd(frame, shown, await watchSending(frame, shown));
}

/**
 * Whether a node has accepted it, after as many attempts as the user wants. False once they have seen that it was refused, or have left it
 * unsent: it stays in the activity, which can send it again.
 */
export async function ensureOwnSent(
  frame: Frame,
  { approved, outgoing }: Shown,
  { signal }: OpenOptions,
): Promise<boolean> {
  if (!approved.unsent) return true;
  const { vault, chain, node, signed } = outgoing;
  const { sendAgain, showRefused } = await import('./outcome/outcome-flow.ts');
  let refused: ConnectError | undefined;
  try {
    const again = () => deliverAgain(chain, signed, node);
    const leave = async () => dismissed({ requestId: outgoing.task.id, signed: [signed] });
    refused = await sendAgain(frame, outgoing, approved.unsent.error, again, leave);
  } catch (error) {
    if (signal.aborted) throw error;
    return false;
  }
  await vault.activity.setState(signed.hash, refused ? 'failed' : 'pending');
  if (refused) await showRefused(frame, outgoing, refused);
  return !refused;
}

/** Throws if a reorganisation removed the block of one that was sent: what comes next may rest on it. */
export async function assertIncluded(
  { chain, node }: Pick<Approval, 'chain' | 'node'>,
  sent: readonly Signed[],
): Promise<void> {
  const receipts = await Promise.all(sent.map(({ hash, raw }) => chain.receipt(hash, node, raw))).catch(
    (): Receipt[] => [],
  );
  if (receipts.some(({ state }) => state !== 'confirmed'))
    throw new ConnectError(
      'transaction.refused',
      'The network removed the block of an earlier transaction of the list. What comes after it was not sent.',
      { reason: 'reorganised' },
    );
}

/** Approves and signs it, and sends it if a node accepts it. Rejects with `user.rejected`. */
export async function approveOwn(
  frame: Frame,
  transaction: OwnTransaction,
  options: OpenOptions,
): Promise<Shown> {
  const { make, ...what } = transaction;
  const turn = await frame.stage.asks('send', options);
  const approval: Approval = {
    ...what,
    // No progress is reported: the page's own request is a different one.
    task: { id: options.requestId, signal: turn.signal, progress: () => {} },
    // The activity stores the signed bytes.
    source: { draft: make, keep: async () => {} },
  };
  try {
    return await approveAndShow(frame, approval);
  } finally {
    turn.end();
  }
}
