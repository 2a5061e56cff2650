/** `transfer` and `execute`: one transaction, approved, signed, stored, sent. */
import type { HostRequest } from '../../channel/link.ts';
import { type ConnectError, toWire } from '../../base/errors.ts';
import type { Frame, Task } from '../frame.ts';
import type { Screen } from '../ui/screen.ts';
import { approve, type Approved } from './approve-flow.ts';
import { type RequestEntry, type Approval, approvalOf, RequestRecord } from './approval.ts';
import { type Decided, deliverAgain, dismiss, type Outgoing, resultOf } from './outcome/delivery.ts';
import type { SendingView } from './outcome/sending-view.ts';
import { entryOf, prepare } from './prepare.ts';

/** Not needed before something is signed. */
const loadOutcome = () => import('./outcome/outcome-flow.ts');

export async function transact(frame: Frame, task: Task<'transfer' | 'execute'>): Promise<void> {
  const vault = await frame.vault();
  const before = await vault.journal.find(frame.link.origin, task.id, task.action, task.params);
  if (before) return (await import('./outcome/resume-flow.ts')).replay(frame, vault, task, before);
  const prepared = await prepare(frame, vault, task, task.params, task.action === 'transfer');
  const record = new RequestRecord(frame, vault, entryOf(frame, task, prepared));
  const shown = await approveAndShow(frame, approvalOf(frame, task, prepared, record));
  const { entry } = record;
  if (!(await ensureSent(frame, task, shown, entry))) return;
  const result = resultOf(entry);
  await vault.journal.put({ ...entry, state: 'done', result });
  task.progress('broadcast', shown.outgoing.signed.hash);
  task.resolve(result);
  await showEnd(frame, shown, await watchSending(frame, shown));
}

/** A signed transaction with its sending view. */
export interface Shown {
  approved: Approved;
  outgoing: Outgoing;
  screen: Promise<Screen<SendingView>>;
}

export async function approveAndShow(frame: Frame, approval: Approval): Promise<Shown> {
  let screen: Shown['screen'] | undefined;
  const outgoingOf = ({ summary, signed }: Approved): Outgoing => ({ ...approval, summary, signed });
  const approved = await approve(frame, approval, (signed) => {
    screen = loadOutcome().then(({ showSending }) => showSending(frame, outgoingOf(signed)));
    screen.catch(() => {});
  });
  return { approved, outgoing: outgoingOf(approved), screen: screen! };
}

/**
 * Makes sure that the network has what was approved. False if the network rejected it for good: by then the page has its answer, the
 * `asAnswer` of the rejection, and the user has seen it. Rejects as `sendAgain` does.
 */
export async function ensureSent(
  frame: Frame,
  task: HostRequest,
  { approved: { unsent }, outgoing }: Shown,
  entry: RequestEntry,
  asAnswer = (refused: ConnectError): ConnectError => refused,
): Promise<boolean> {
  if (!unsent) return true;
  const { vault, chain, node, signed } = outgoing;
  const { sendAgain, showRefused } = await loadOutcome();
  const refused = await sendAgain(
    frame,
    outgoing,
    unsent.error,
    () => deliverAgain(chain, signed, node),
    () => dismiss(vault, entry),
  );
  if (!refused) return true;
  const answer = asAnswer(refused);
  await vault.activity.setState(signed.hash, 'failed');
  await vault.journal.put({ ...entry, state: 'failed', error: toWire(answer) });
  task.reject(answer);
  await showRefused(frame, outgoing, refused);
  return false;
}

/** Shows the sending view until the transaction is confirmed or failed; undefined if the user closes it first. */
export async function watchSending(frame: Frame, { outgoing, screen }: Shown): Promise<Decided | undefined> {
  const [{ confirm }, shown] = await Promise.all([loadOutcome(), screen]);
  frame.stage.show(shown);
  return confirm(frame, outgoing, shown);
}

/** Shows the outcome, unless the user has closed the sending view. */
export async function showEnd(
  frame: Frame,
  { outgoing }: Shown,
  decided: Decided | undefined,
): Promise<void> {
  if (decided) await (await loadOutcome()).showDecided(frame, outgoing, decided);
}
