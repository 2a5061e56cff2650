/** A request that was approved before: repeats its answer, or offers to send its transaction. Nothing new is signed. */
import type { HostRequest } from '../../../channel/link.ts';
import { ConnectError, fromWire } from '../../../base/errors.ts';
import type { JournalEntry, Vault } from '../../../wallets/types.ts';
import type { Frame, Task } from '../../frame.ts';
import { deliverAgain, dismiss, dismissed, type Outgoing } from './delivery.ts';
import { sendAgain } from './outcome-flow.ts';
import { answered, nodeOfEntry, receiptsOf } from './settle.ts';

export async function resume(frame: Frame, task: Task<'resume'>): Promise<void> {
  const vault = await frame.vault();
  const { requestId } = task.params;
  const entry = await vault.journal.get(frame.link.origin, requestId);
  if (!entry)
    throw new ConnectError('user.rejected', 'This request was never approved. Ask again.', { requestId });
  return replay(frame, vault, task, entry);
}

export async function replay(
  frame: Frame,
  vault: Vault,
  task: HostRequest,
  entry: JournalEntry,
): Promise<void> {
  if (entry.state === 'dismissed') {
    const receipts = await receiptsOf(frame, vault, entry);
    return answer(task, receipts ? await answered(vault, entry, receipts) : entry);
  }
  if (entry.state !== 'signed') return answer(task, entry);
  if (entry.asked)
    return replay(
      frame,
      vault,
      task,
      await (await import('../asking.ts')).askAgain(frame, vault, task, entry),
    );
  const receipts = await receiptsOf(frame, vault, entry);
  if (receipts) return answer(task, await answered(vault, entry, receipts));
  const { chain, node } = await nodeOfEntry(frame, vault, entry);
  const wallet = (await vault.wallet(entry.walletId))!;
  const last = entry.signed.at(-1)!;
  const { summary } = (await vault.activity.get(last.hash)) ?? {};
  const outgoing: Outgoing = { task, vault, wallet, chain, node, summary, signed: last };
  const refused = await sendAgain(
    frame,
    outgoing,
    undefined,
    async () => {
      for (const signed of entry.signed) await deliverAgain(chain, signed, node);
    },
    () => dismiss(vault, entry),
  );
  if (refused) {
    await vault.activity.setState(last.hash, 'failed');
    const error = { code: refused.code, message: refused.shortMessage, details: refused.details };
    await vault.journal.put({ ...entry, state: 'failed', error });
    throw refused;
  }
  for (const { hash } of entry.signed) await vault.activity.setState(hash, 'pending');
  task.progress('broadcast', last.hash);
  answer(task, await answered(vault, entry));
}

function answer(task: HostRequest, entry: JournalEntry): void {
  const { state, result, error } = entry;
  if (state === 'done') task.resolve(result);
  else task.reject(state === 'failed' && error ? fromWire(error) : dismissed(entry));
}

// Errors for a request that conflicts with one approved before, or in another window.

export function waiting(): ConnectError {
  return new ConnectError(
    'request.conflict',
    'The same transaction was approved for another request and is not sent yet. Send or dismiss that one first.',
  );
}

export function approvedElsewhere(requestId: string): ConnectError {
  return new ConnectError('request.conflict', 'This request was approved in another window.', { requestId });
}
