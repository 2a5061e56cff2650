/** `executeAll`: shows the list once; then each transaction is approved and sent after the previous one is in a block. */
import type { HostRequest } from '../../channel/link.ts';
import type { Summary } from '../../chains/approval/summary.ts';
import type { TransactionResult } from '../../channel/messages.ts';
import { ConnectError, RequestInvalidError, toWire } from '../../base/errors.ts';
import type { Frame, Task } from '../frame.ts';
import { siteName } from '../shell/origin.ts';
import { summaryOf } from './approve-flow.ts';
import { type Approval, approvalOf, RequestRecord } from './approval.ts';
import { resultOf } from './outcome/delivery.ts';
import { assertIncluded } from './own-transaction-flow.ts';
import { entryOf, prepare, type Prepared } from './prepare.ts';
import { approveAndShow, ensureSent, showEnd, type Shown, watchSending } from './transact-flow.ts';

export async function executeAll(frame: Frame, task: Task<'executeAll'>): Promise<void> {
  const vault = await frame.vault();
  const before = await vault.journal.find(frame.link.origin, task.id, task.action, task.params);
  if (before) return (await import('./outcome/resume-flow.ts')).replay(frame, vault, task, before);
  const all = await prepareAll(frame, vault, task);
  const record = new RequestRecord(frame, vault, entryOf(frame, task, all[0]!));
  const completed = (): TransactionResult[] => resultOf(record.entry) as TransactionResult[];

  // For a single transaction the approval says everything.
  if (all.length > 1) await showList(frame, task, all, record);
  for (const [index, prepared] of all.entries()) {
    const approval: Approval = {
      ...approvalOf(frame, task, prepared, record),
      ...(all.length > 1 && { step: { index, of: all.length } }),
      ahead: () => summariesOf(frame, task, all.slice(index + 1), record),
      ...(index > 0 && { assertBefore: () => assertIncluded(prepared, record.entry.signed) }),
    };
    const sent = completed();
    const last = index === all.length - 1;
    let shown: Shown;
    try {
      shown = await approveAndShow(frame, approval);
      if (!(await ensureSent(frame, task, shown, record.entry, (refused) => withCompleted(refused, sent))))
        return;
    } catch (error) {
      // Tells the page what was sent before the error. If it is unknown whether this one was sent, that is settled later.
      if (error instanceof ConnectError && sent.length && !/^(node|frame)\.unreachable$/.test(error.code)) {
        const cut = withCompleted(error, sent);
        await vault.journal.put({ ...record.entry, state: 'failed', error: toWire(cut) });
        throw cut;
      }
      throw error;
    }
    task.progress('broadcast', shown.outgoing.signed.hash);
    if (last) {
      const result = completed();
      await vault.journal.put({ ...record.entry, state: 'done', result });
      task.resolve(result);
    }
    const decided = await watchSending(frame, shown);
    if (decided?.state === 'confirmed' && !last) continue;
    if (!last) {
      const error = withCompleted(
        decided
          ? new ConnectError('transaction.refused', 'A transaction of the list failed on the network.')
          : new ConnectError('user.rejected', 'The wallet was closed before the list was through.'),
        completed(),
      );
      await vault.journal.put({ ...record.entry, state: 'failed', error: toWire(error) });
      task.reject(error);
    }
    return showEnd(frame, shown, decided);
  }
}

/** Checks the whole list before any of it is shown. `requests.2.to` in an error is a field of the third request. */
async function prepareAll(
  frame: Frame,
  vault: Prepared['vault'],
  task: Task<'executeAll'>,
): Promise<Prepared[]> {
  const all: Prepared[] = [];
  let noWallet: unknown;
  for (const [index, request] of task.params.requests.entries())
    try {
      all.push(await prepare(frame, vault, task, request, false));
    } catch (error) {
      if (error instanceof ConnectError && error.code.startsWith('wallet.')) {
        // What is wrong with the fields of later ones is said first.
        noWallet ??= error;
        continue;
      }
      if (!(error instanceof RequestInvalidError)) throw error;
      throw new RequestInvalidError(
        error.issues.map(({ path, message }) => ({
          path: `requests.${index}${path && `.${path}`}`,
          message,
        })),
      );
    }
  if (noWallet) throw noWallet;
  return all;
}

async function showList(
  frame: Frame,
  task: HostRequest,
  all: Prepared[],
  record: RequestRecord,
): Promise<void> {
  const { ListView } = await import('./list-view.ts');
  const view = Object.assign(new ListView(), {
    site: siteName(frame.link.origin),
    items: all.map(({ wallet }) => ({ wallet, summary: undefined })),
  });
  const screen = frame.stage.open(view, { signal: task.signal, requestId: task.id });
  task.progress('approval');
  // Later ones may depend on earlier ones. One that cannot be described yet is described at its own approval.
  all.forEach((prepared, index) => {
    approvalOf(frame, task, prepared, record)
      .source.draft()
      .then((draft) => summaryOf(frame, prepared, draft))
      .then((summary) => view.describe(index, summary))
      .catch(() => {});
  });
  await screen.next('cbf-continue');
}

/** None if one of them cannot be told before those before it are sent. */
async function summariesOf(
  frame: Frame,
  task: HostRequest,
  all: readonly Prepared[],
  record: RequestRecord,
): Promise<Summary[]> {
  const each = all.map(async (prepared) =>
    prepared.chain.describe(await approvalOf(frame, task, prepared, record).source.draft()),
  );
  return Promise.all(each).catch(() => []);
}

function withCompleted(error: ConnectError, completed: TransactionResult[]): ConnectError {
  return new ConnectError(error.code, error.shortMessage, { ...error.details, completed });
}
