/** Signing at the wallet service: what is stored while the answer is pending, and how the request is retried. */
import { draftFromJson } from '../../api/draft-json.ts';
import type { Summary } from '../../chains/approval/summary.ts';
import type { Draft, Signed } from '../../chains/terms.ts';
import type { HostRequest } from '../../channel/link.ts';
import { ConnectError, FrameUnreachableError, toWire } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import type { Asking, HeldWallet, JournalEntry, Signer, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { untilAsked, untilServed } from '../service/service-down-flow.ts';
import type { OpenOptions, Screen } from '../ui/screen.ts';
import { usePin } from '../unlock/ask-pin-flow.ts';
import { intentToSend } from '../unlock/unlock.ts';
import { type Approval, optionsOf } from './approval.ts';
import { deliverAgain } from './outcome/delivery.ts';
import { assertNew } from './prepare.ts';

/** `screen` is the approval, shown again before each retry. */
export async function askingFor(frame: Frame, approval: Approval, screen: Screen): Promise<Asking> {
  const { task, vault, wallet, step, replaces } = approval;
  const { entry } = approval.source;
  // Each transaction of a list has its own idempotency key.
  const key = entry ? `${task.id}${step?.index ? `.${step.index}` : ''}` : crypto.randomUUID();
  return {
    id: key,
    replaces,
    signal: task.signal,
    async begin(draft) {
      if (!entry) return;
      if (!entry.signed.length) await assertNew(frame, vault, task.id);
      await vault.journal.put({ ...entry, asked: { walletId: wallet.id, key, draft } });
    },
    async drop() {
      if (entry?.signed.length) await vault.journal.put(entry);
      else if (entry) await vault.journal.forget(entry.origin, entry.requestId);
      task.progress('approval');
    },
    async lost() {
      await untilAsked(frame, optionsOf(approval), task.id);
      frame.stage.show(screen);
    },
  };
}

/**
 * Retries, under the same idempotency key, a signing request whose answer was lost. Returns the journal entry with the outcome: the
 * transaction, or why there is none. Rejects with `frame.unreachable` while the outcome is unknown.
 */
export async function askAgain(
  frame: Frame,
  vault: Vault,
  task: HostRequest,
  { asked, ...entry }: JournalEntry,
): Promise<JournalEntry> {
  const { walletId, key, draft: text } = asked!;
  const options: OpenOptions = { signal: task.signal, requestId: task.id };
  const draft = draftFromJson(text) as Draft;
  let signed: Signed | undefined;
  try {
    const wallet = await walletOf(frame, vault, walletId, options);
    const chain = await frame.chain(wallet.secretType);
    const holder = vault.holder(wallet);
    const asking: Asking = {
      id: key,
      signal: task.signal,
      begin: async () => {},
      drop: async () => {},
      lost: () => untilAsked(frame, options, entry.requestId),
    };
    const why = msg(
      'To ask the wallet service what became of a payment that you approved. It is never sent twice.',
    );
    const answerBy = async (opening: Promise<Signer>): Promise<Signed> => {
      const signer = await opening;
      try {
        const answer = await signer.sign(wallet, chain, draft, async () => asking);
        if (answer) return answer;
        throw new ConnectError(
          'transaction.refused',
          'The transaction was not sent: the wallet has made another one since.',
          { reason: 'overtaken' },
        );
      } finally {
        signer.close();
      }
    };
    signed = await usePin(
      frame,
      holder,
      why,
      options,
      (pin) => answerBy(holder.unlock(pin)),
      () => answerBy(holder.unlockWithPasskey(intentToSend(frame, wallet, draft, options))),
    );
    if (signed) {
      const { hash, raw } = signed;
      await vault.journal.put({ ...entry, signed: [...entry.signed, signed] });
      await vault.activity.put({
        hash,
        walletId,
        secretType: wallet.secretType,
        network: entry.networkId,
        origin: entry.origin,
        at: frame.clock.date(),
        state: 'unknown',
        summary: await summaryNow(frame, { chain, vault, wallet }, draft),
        draft,
        raw,
      });
      // The service has already sent it, but this node may not know it yet.
      await deliverAgain(chain, signed, chain.node(draft.network)).catch(() => {});
    }
  } catch (error) {
    if (
      !(error instanceof ConnectError) ||
      !/^(transaction|wallet|policy)\.|^request\.invalid$/.test(error.code)
    )
      throw unknown(entry, error);
    await vault.journal.put({ ...entry, state: 'failed', error: toWire(error) });
  }
  const now = await vault.journal.get(entry.origin, entry.requestId);
  if (!now || now.asked) throw unknown(entry);
  return now;
}

/** With the terms of a swap, as it was approved; without them, if those whom that takes do not answer. */
async function summaryNow(
  frame: Frame,
  { chain, vault, wallet }: Pick<Approval, 'chain' | 'vault' | 'wallet'>,
  draft: Draft,
): Promise<Summary> {
  const { summaryOf } = await import('./approve-flow.ts');
  const node = chain.node(draft.network);
  return summaryOf(frame, { chain, vault, wallet, node }, draft).catch(() => chain.describe(draft));
}

async function walletOf(frame: Frame, vault: Vault, id: string, options: OpenOptions): Promise<HeldWallet> {
  for (;;) {
    const wallet = await vault.wallet(id);
    if (wallet) return wallet;
    const trouble = await vault.service?.trouble();
    if (!trouble) throw new ConnectError('token.missing', 'The site no longer gives access to this wallet.');
    await untilServed(frame, vault, trouble, options);
  }
}

function unknown({ requestId }: Pick<JournalEntry, 'requestId'>, cause?: unknown): ConnectError {
  return new FrameUnreachableError(
    'It is not known yet whether the transaction was sent. Look the request up with connect.pending().',
    { requestId, ...(cause instanceof ConnectError && { reason: cause.code }) },
  );
}
