/** One transaction from draft to network: shown, refreshed, approved, signed, stored, sent. */
import { UserRejectedError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import type { Summary, Warning } from '../../chains/approval/summary.ts';
import { CHAIN_NAMES, type SecretType } from '../../chains/secret-type.ts';
import type { Draft, Signed } from '../../chains/terms.ts';
import type { ActivityStore, Signer } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions, Screen } from '../ui/screen.ts';
import { intentToSend, unlock, unlockOrLeave, waitOutLock } from '../unlock/unlock.ts';
import { ApproveView } from './approve-view.ts';
import { Drafts, type Drawn, type News } from './drafts.ts';
import { ApprovalDrawing } from './drawing/approve-drawing.ts';
import type { LimitOffer } from './drawing/limit-field.ts';
import { deliver } from './outcome/delivery.ts';
import { loadOrders } from './prepare.ts';
import { optionsOf, type Order } from './site-request.ts';
import type { ApprovalWorth } from './worth.ts';

/** A draft older than this is not signed. */
const FRESH = 90_000;

export interface Approved {
  draft: Draft;
  summary: Summary;
  signed: Signed;
  /** Why broadcasting failed. The signed bytes are stored. */
  unsent?: { error: unknown } | undefined;
}

/**
 * Shows the approval until the user decides, then signs and sends. Rejects with `user.rejected`, or with the chain's error if the request
 * cannot be carried out. `onSigned` is called between signing and sending.
 */
export async function approve(
  frame: Frame,
  order: Order,
  onSigned: (approved: Approved) => void,
): Promise<Approved> {
  const { task, vault, wallet, chain, node } = order;
  const holder = vault.holder(wallet);
  const options = optionsOf(order);
  const [{ passkey, pin: hasPin }, missingBackUps] = await Promise.all([holder.state(), vault.unsaved()]);
  const unsaved = missingBackUps.get(wallet.id);
  const drafts = new Drafts({
    chain,
    node,
    clock: frame.clock,
    make: () => order.source.draft(),
    async describe(draft) {
      let summary = await summaryOf(frame, order, draft);
      if (order.email || (await vault.recipients()).length)
        summary = await (await import('./known-recipient.ts')).named(frame, order, summary);
      if (!unsaved) return summary;
      const mark: Warning = { code: 'not-backed-up', level: 'caution', params: { unsaved } };
      return { ...summary, warnings: [...summary.warnings, mark] };
    },
    draw: ApprovalDrawing.load,
  });
  // The node is queried while the user types the PIN.
  drafts.start();
  let worth: ApprovalWorth | undefined;
  try {
    const [own, worthModule] = await Promise.all([
      vault.wallets({ now: true }),
      // Before the first draft is drawn, to reserve room for values that arrive later.
      frame.networks.fiat ? import('./worth.ts') : undefined,
      waitOutLock(frame, holder, options),
    ]);
    const { secretType } = wallet;
    const view = Object.assign(order.view ?? frame.stage.take(ApproveView) ?? new ApproveView(), {
      wallet,
      own,
      clock: frame.clock,
      passkey,
      pin: hasPin,
      secretType,
      step: order.step,
      email: order.email ?? '',
      heading: order.heading ?? '',
    });
    // While the user's own limit takes effect: the new amount needs no message.
    let limited = false;
    drafts.onDrawn = ({ drawing }, changed, news) => {
      const { summary } = drawing;
      view.changed = changed;
      view.drawing = drawing;
      if (news) view.startOver(limited ? '' : wordsFor(news));
      if ((summary.parts ?? [summary]).some(({ kind }) => kind === 'approval'))
        void offerLimit(order, summary).then((offer) => (view.limit = offer));
    };
    worth = view.worthDrawing = worthModule?.worthOnApproval(frame, node.network, view);
    drafts.redraw();
    const screen = frame.stage.open(view, options);
    task.progress('approval');
    for (;;) {
      // Nobody heard what was pressed while a draft was renewed.
      view.busy = false;
      const event = await Promise.race([
        screen.next('cbf-approve', 'cbf-passkey-approve', 'cbf-limit'),
        drafts.broken,
      ]);
      const { type } = event;
      if (type === 'unreachable') {
        await retryNode(frame, wallet.secretType, options);
        drafts.start();
        frame.stage.show(screen);
        continue;
      }
      if (type === 'cbf-limit') {
        if (view.limit) await order.source.limit?.(view.limit, event.detail);
        limited = true;
        await drafts.renew();
        limited = false;
        continue;
      }
      const pin = type === 'cbf-approve' ? view.takePin() : undefined;
      const drawn = drafts.current!;
      drafts.freeze();
      const tell = (text: string): void => {
        view.pinError = text;
      };
      const opening = (signal: AbortSignal) =>
        pin === undefined
          ? holder.unlockWithPasskey(intentToSend(frame, wallet, drawn.draft, options), signal)
          : holder.unlock(pin);
      const signer = await unlockOrLeave(frame, holder, screen, tell, opening, (late) => late.close());
      view.final = !!signer;
      const approved =
        signer &&
        (await unlock(frame, holder, screen, tell, () =>
          carryOut(frame, order, drawn, signer, screen, onSigned),
        ));
      if (approved && approved !== 'stale') return approved;
      view.final = false;
      drafts.thaw();
      if (approved) {
        await drafts.renew();
        view.pinError =
          pin === undefined
            ? msg('The transaction changed meanwhile. Check it and approve it again.')
            : msg('The transaction changed meanwhile. Check it and enter your PIN again.');
      }
    }
  } finally {
    drafts.stop();
    worth?.stop();
  }
}

/**
 * Signs and sends what was drawn, under the wallet's lock, so that no other tab signs with it meanwhile. Returns `stale` if the draft is
 * too old or its nonce may have been taken since: it has to be redrawn. After `signing` the request cannot be cancelled, unless the signer
 * refuses.
 */
async function carryOut(
  frame: Frame,
  order: Order,
  { draft, drawing: { summary }, at, since }: Drawn<ApprovalDrawing>,
  signer: Signer,
  screen: Screen,
  onSigned: (approved: Approved) => void,
): Promise<Approved | 'stale'> {
  const { task, vault, wallet, chain, node } = order;
  try {
    return await vault.exclusive(wallet.id, async () => {
      const fresh = (): boolean => frame.clock.now() - since <= FRESH;
      if (!fresh() || (await usedSince(vault, wallet.id, at))) return 'stale';
      if (task.signal.aborted) throw new UserRejectedError();
      await order.assertBefore?.();
      task.progress('signing');
      const signed = await signer.sign(wallet, chain, draft, async () => ({
        ...(await (await import('./asking.ts')).askingFor(frame, order, screen)),
        fresh,
      }));
      if (!signed) return 'stale';
      await order.source.keep(signed);
      await vault.activity.put({
        hash: signed.hash,
        walletId: wallet.id,
        secretType: wallet.secretType,
        origin: order.heading === undefined ? frame.link.origin : location.origin,
        at: frame.clock.date(),
        state: 'unknown',
        summary,
        draft,
        raw: signed.raw,
      });
      const approved: Approved = { draft, summary, signed };
      onSigned(approved);
      try {
        await deliver(chain, signed, node);
        await vault.activity.setState(signed.hash, 'pending');
        return approved;
      } catch (error) {
        return { ...approved, unsent: { error } };
      }
    });
  } finally {
    signer.close();
  }
}

/** Describes the draft, with its signed order if it has one. If it may be a swap, loads the code that reads swap terms. */
export async function summaryOf(
  frame: Frame,
  { chain, vault, wallet, paid }: Pick<Order, 'chain' | 'vault' | 'wallet' | 'paid'>,
  draft: Draft,
): Promise<Summary> {
  const described = await chain.describe(draft);
  const mayBeSwap = draft.network.exchanges && (described.call ?? described.parts);
  const summary = mayBeSwap
    ? await (await import('./swap-terms.ts')).withTerms(frame, vault, wallet, draft, described)
    : described;
  if (!paid) return summary;
  return (await loadOrders()).withOrder(summary, await paid, draft, {
    origin: frame.link.origin,
    now: frame.clock.date(),
  });
}

async function offerLimit(order: Order, summary: Summary): Promise<LimitOffer | undefined> {
  const { limitOf } = await import('./limit.ts');
  return limitOf(order, summary);
}

function wordsFor(news: News): string {
  switch (news) {
    case 'total':
      return msg('The fee went up. Check it and enter your PIN again.');
    case 'amount':
      return msg('The amount changed. Check it and enter your PIN again.');
    case 'recipient':
      return msg('The recipient changed. Check it and enter your PIN again.');
    case 'danger':
      return msg('There is a new danger. Read it and enter your PIN again.');
  }
}

/** Whether the wallet has signed anything since the draft was requested, in another tab for example: its nonce may be taken. */
async function usedSince(vault: ActivityStore, walletId: string, at: number): Promise<boolean> {
  const [latest] = await vault.activity.list(walletId);
  return latest !== undefined && latest.at >= at;
}

const RETRY = 10_000;

/** No node answers: waits for Retry or 10 seconds. Rejects with `user.rejected`. */
export async function retryNode(frame: Frame, secretType: SecretType, options: OpenOptions): Promise<void> {
  const { NodeDownView } = await import('./node-down-view.ts');
  const view = Object.assign(new NodeDownView(), {
    clock: frame.clock,
    network: CHAIN_NAMES[secretType],
    retryAt: frame.clock.date() + RETRY,
  });
  await frame.stage.open(view, options).next('cbf-retry');
}
