/** `transfer` and `execute`: one transaction, approved, signed, kept, sent. */
import type { HostRequest } from '../../channel/link.ts';
import { toWire } from '../../errors.ts';
import type { JournalEntry } from '../../wallets/types.ts';
import { approve, type Approved, type Order } from './approval.ts';
import { deliver, dismiss, resultOf } from './delivery.ts';
import type { Frame } from './frame.ts';
import { confirm, type Outgoing, sendAgain, showDecided, showRefused, showSending } from './outcome.ts';
import { assertNew, assertSingle, entryOf, orderOf, prepare, type TransactionParams } from './prepare.ts';

export async function transact(frame: Frame, task: HostRequest): Promise<void> {
  const vault = await frame.vault();
  const params = task.params as TransactionParams;
  const before = await vault.journal.find(frame.link.origin, task.id, task.action, params);
  if (before) return (await import('./resume.ts')).replay(frame, vault, task, before);
  const prepared = await prepare(frame, vault, params, task.action === 'transfer');
  let entry: Omit<JournalEntry, 'at' | 'acknowledged'> = entryOf(frame, task, prepared);
  const order: Order = {
    ...orderOf(frame, task, prepared),
    async keep(signed) {
      await assertNew(frame, vault, task);
      await assertSingle(vault, signed);
      entry = { ...entry, signed: [signed] };
      await vault.journal.put(entry);
    },
  };
  const { approved, outgoing, screen } = await approveAndShow(frame, order);
  if (approved.unsent) {
    const refused = await sendAgain(
      frame,
      outgoing,
      approved.unsent.error,
      () => deliver(order.chain, approved.signed, order.node),
      () => dismiss(vault, entry),
    );
    if (refused) {
      await vault.activity.setState(outgoing.hash, 'failed');
      await vault.journal.put({ ...entry, state: 'failed', error: toWire(refused) });
      task.reject(refused);
      return showRefused(frame, outgoing, refused);
    }
  }
  const result = resultOf(entry);
  await vault.journal.put({ ...entry, state: 'done', result });
  task.progress('broadcast', outgoing.hash);
  task.resolve(result);
  await seeThrough(frame, outgoing, await screen);
}

/** An approval that is followed by the view of its sending. */
export async function approveAndShow(
  frame: Frame,
  order: Order,
): Promise<{ approved: Approved; outgoing: Outgoing; screen: ReturnType<typeof showSending> }> {
  let screen: ReturnType<typeof showSending> | undefined;
  const outgoingOf = ({ summary, signed }: Approved): Outgoing => ({ ...order, summary, hash: signed.hash });
  const approved = await approve(frame, order, (signed) => {
    screen = showSending(frame, outgoingOf(signed));
  });
  return { approved, outgoing: outgoingOf(approved), screen: screen! };
}

/** Confirmation, and the end of the request's view. */
export async function seeThrough(
  frame: Frame,
  outgoing: Outgoing,
  screen: Awaited<ReturnType<typeof showSending>>,
): Promise<void> {
  frame.stage.show(screen);
  const state = await confirm(outgoing, screen);
  if (state) await showDecided(frame, outgoing, state);
}
