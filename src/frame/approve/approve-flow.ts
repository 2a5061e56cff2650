/** One transaction from draft to network: shown, refreshed, approved, signed, stored, sent. */
import { UserRejectedError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import type { Summary, Warning } from '../../chains/approval/summary.ts';
import type { Draft, Signed } from '../../chains/terms.ts';
import type { ActivityStore, Holder, Signer, Unsaved } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions, Screen } from '../ui/screen.ts';
import { intentToSend, unlock, unlockOrLeave, waitOutLock } from '../unlock/unlock.ts';
import { type Approval, optionsOf } from './approval.ts';
import { ApproveView } from './approve-view.ts';
import { type Broken, Drafts, type Drawn, type News } from './drafts.ts';
import { ApprovalDrawing, hasCalls, hasMemo } from './drawing/approve-drawing.ts';
import { deliver } from './outcome/delivery.ts';
import { loadSignedOrder, networkNoteOf } from './prepare.ts';
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
  approval: Approval,
  onSigned: (approved: Approved) => void,
): Promise<Approved> {
  const { vault, wallet, node } = approval;
  const holder = vault.holder(wallet);
  const [{ passkey, pin }, missingBackUps] = await Promise.all([holder.state(), vault.unsaved()]);
  const drafts = draftsOf(frame, approval, missingBackUps.get(wallet.id));
  // The node is queried while the user types the PIN.
  drafts.start();
  let worth: ApprovalWorth | undefined;
  try {
    const [own, networkNote, worthModule] = await Promise.all([
      vault.wallets({ now: true }),
      approval.heading === undefined ? networkNoteOf(frame, vault, wallet, node.network) : undefined,
      // Before the first draft is drawn, to reserve room for values that arrive later.
      frame.networks.fiat ? import('./worth.ts') : undefined,
      waitOutLock(frame, holder, optionsOf(approval)),
    ]);
    const view = Object.assign(approval.view ?? frame.stage.take(ApproveView) ?? new ApproveView(), {
      wallet,
      own,
      clock: frame.clock,
      passkey,
      pin,
      secretType: wallet.secretType,
      step: approval.step,
      networkNote,
      email: approval.email ?? '',
      heading: approval.heading ?? '',
    });
    worth = view.worthDrawing = worthModule?.worthOnApproval(frame, node.network, view);
    return await new Consent(frame, approval, holder, drafts, view, onSigned).approved();
  } finally {
    drafts.stop();
    worth?.stop();
  }
}

function draftsOf(frame: Frame, approval: Approval, unsaved: Unsaved | undefined): Drafts<ApprovalDrawing> {
  const { vault, chain, node, source, email } = approval;
  return new Drafts({
    chain,
    node,
    clock: frame.clock,
    make: () => source.draft(),
    async describe(draft) {
      let summary = await summaryOf(frame, approval, draft);
      if (email || (await vault.recipients()).length)
        summary = await (await import('./known-recipient.ts')).named(frame, approval, summary);
      if (!unsaved) return summary;
      const mark: Warning = { code: 'not-backed-up', level: 'caution', params: { unsaved } };
      return { ...summary, warnings: [...summary.warnings, mark] };
    },
    draw: ApprovalDrawing.load,
  });
}

/** One transaction on screen, up to its signature: drafts come in, and the user's answers. */
class Consent {
  readonly #frame: Frame;
  readonly #approval: Approval;
  readonly #holder: Holder;
  readonly #options: OpenOptions;
  readonly #drafts: Drafts<ApprovalDrawing>;
  readonly #view: ApproveView;
  readonly #onSigned: (approved: Approved) => void;
  /** While the user's own limit takes effect: the new amount needs no message. */
  #isLimiting = false;

  constructor(
    frame: Frame,
    approval: Approval,
    holder: Holder,
    drafts: Drafts<ApprovalDrawing>,
    view: ApproveView,
    onSigned: (approved: Approved) => void,
  ) {
    this.#frame = frame;
    this.#approval = approval;
    this.#holder = holder;
    this.#options = optionsOf(approval);
    this.#drafts = drafts;
    this.#view = view;
    this.#onSigned = onSigned;
    drafts.onDrawn = (drawn, changed, news) => this.#draw(drawn, changed, news);
  }

  async approved(): Promise<Approved> {
    this.#drafts.redraw();
    const screen = this.#frame.stage.open(this.#view, this.#options);
    this.#approval.task.progress('approval');
    for (;;) {
      // Nobody heard what was pressed while a draft was renewed.
      this.#view.busy = false;
      const event = await Promise.race([
        screen.next('cbf-approve', 'cbf-passkey-approve', 'cbf-limit'),
        this.#drafts.broken,
      ]);
      if (event.type === 'unreachable') await this.#retryNode(screen, event);
      else if (event.type === 'cbf-limit') await this.#limit(event.detail);
      else {
        const pin = event.type === 'cbf-approve' ? this.#view.takePin() : undefined;
        const approved = await this.#approve(screen, pin);
        if (approved) return approved;
      }
    }
  }

  #draw({ drawing }: Drawn<ApprovalDrawing>, changed: ApproveView['changed'], news: News | undefined): void {
    const { summary } = drawing;
    this.#view.changed = changed;
    this.#view.drawing = drawing;
    if (news) this.#view.startOver(this.#isLimiting ? '' : wordsFor(news));
    if ((summary.parts ?? [summary]).some(({ kind }) => kind === 'approval')) void this.#offerLimit(summary);
  }

  async #offerLimit(summary: Summary): Promise<void> {
    const { limitOf } = await import('./limit.ts');
    this.#view.limit = await limitOf(this.#approval, summary);
  }

  async #retryNode(screen: Screen, broken: Broken): Promise<void> {
    const { retryNode } = await import('../shell/obstacles-flow.ts');
    await retryNode(this.#frame, this.#approval.wallet, this.#options, broken);
    this.#drafts.start();
    this.#frame.stage.show(screen);
  }

  async #limit(amount: bigint): Promise<void> {
    const { limit } = this.#view;
    if (limit) await this.#approval.source.limit?.(limit, amount);
    this.#isLimiting = true;
    await this.#drafts.renew();
    this.#isLimiting = false;
  }

  /** Of what is on screen; without `pin` by passkey. Undefined if the user has to decide again. */
  async #approve(screen: Screen, pin: string | undefined): Promise<Approved | undefined> {
    const drawn = this.#drafts.current!;
    this.#drafts.freeze();
    this.#approval.order?.ask();
    const signer = await this.#unlock(screen, drawn.draft, pin);
    this.#view.final = !!signer;
    const approved =
      signer &&
      (await unlock(this.#frame, this.#holder, screen, this.#tell, () =>
        this.#carryOut(screen, drawn, signer),
      ));
    if (approved && approved !== 'stale') return approved;
    this.#view.final = false;
    this.#drafts.thaw();
    if (approved) {
      await this.#drafts.renew();
      this.#tell(
        pin === undefined
          ? msg('The transaction changed meanwhile. Check it and approve it again.')
          : msg('The transaction changed meanwhile. Check it and enter your PIN again.'),
      );
    }
    return undefined;
  }

  #unlock(screen: Screen, draft: Draft, pin: string | undefined): Promise<Signer | undefined> {
    const opening = (signal: AbortSignal) =>
      pin === undefined
        ? this.#holder.unlockWithPasskey(
            intentToSend(this.#frame, this.#approval.wallet, draft, this.#options),
            signal,
          )
        : this.#holder.unlock(pin);
    return unlockOrLeave(this.#frame, this.#holder, screen, this.#tell, opening, (late) => late.close());
  }

  readonly #tell = (text: string): void => {
    this.#view.pinError = text;
  };

  /**
   * Signs and sends what was drawn, under the wallet's lock, so that no other tab signs with it meanwhile. Returns `stale` if the draft is
   * too old or its nonce may have been taken since: it has to be redrawn.
   */
  async #carryOut(
    screen: Screen,
    drawn: Drawn<ApprovalDrawing>,
    signer: Signer,
  ): Promise<Approved | 'stale'> {
    const { vault, wallet, node } = this.#approval;
    try {
      return await vault.exclusive(wallet, node.network.id, async () => {
        const signed = await this.#sign(screen, drawn, signer);
        return signed ? await this.#send(drawn, signed) : 'stale';
      });
    } finally {
      signer.close();
    }
  }

  /** Undefined if what was drawn is stale. After `signing` the request cannot be cancelled, unless the signer refuses. */
  async #sign(
    screen: Screen,
    { draft, at, since }: Drawn<ApprovalDrawing>,
    signer: Signer,
  ): Promise<Signed | undefined> {
    const { task, vault, wallet, chain, node, order, assertBefore } = this.#approval;
    const fresh = (): boolean => this.#frame.clock.now() - since <= FRESH;
    if (!fresh() || (await usedSince(vault, wallet.id, node.network.id, at))) return undefined;
    if (task.signal.aborted) throw new UserRejectedError();
    await assertBefore?.();
    await order?.assertOpen();
    task.progress('signing');
    return signer.sign(wallet, chain, draft, async () => ({
      ...(await (await import('./asking.ts')).askingFor(this.#frame, this.#approval, screen)),
      fresh,
    }));
  }

  /** Stores what was signed before a node gets it. */
  async #send({ draft, drawing }: Drawn<ApprovalDrawing>, signed: Signed): Promise<Approved> {
    const { vault, wallet, chain, node, source, heading } = this.#approval;
    const { summary } = drawing;
    await source.keep(signed);
    await vault.activity.put({
      hash: signed.hash,
      walletId: wallet.id,
      secretType: wallet.secretType,
      network: node.network.id,
      origin: heading === undefined ? this.#frame.link.origin : location.origin,
      at: this.#frame.clock.date(),
      state: 'unknown',
      summary,
      draft,
      raw: signed.raw,
    });
    const approved: Approved = { draft, summary, signed };
    this.#onSigned(approved);
    try {
      await deliver(chain, signed, node);
      await vault.activity.setState(signed.hash, 'pending');
      return approved;
    } catch (error) {
      return { ...approved, unsent: { error } };
    }
  }
}

/** Describes the draft, with its signed order if it has one. Loads what reads the terms of calls, and of data beside a payment. */
export async function summaryOf(
  frame: Frame,
  approval: Pick<Approval, 'chain' | 'vault' | 'wallet' | 'node' | 'order' | 'orderCheck'>,
  draft: Draft,
): Promise<Summary> {
  const { chain, orderCheck } = approval;
  const described = await chain.describe(draft);
  const summary =
    hasCalls(described) || hasMemo(described)
      ? await (await import('./call-terms.ts')).withTerms(frame, approval, draft, described)
      : described;
  if (!orderCheck) return summary;
  return (await loadSignedOrder()).withOrder(summary, await orderCheck, draft, {
    origin: frame.link.origin,
    now: frame.clock.date(),
  });
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
      return msg('There is a new danger. Read about it and enter your PIN again.');
  }
}

/** Whether the wallet has signed anything there since the draft was requested, in another tab for example: its nonce may be taken. */
async function usedSince(
  vault: ActivityStore,
  walletId: string,
  networkId: string,
  at: number,
): Promise<boolean> {
  const records = await vault.activity.list(walletId);
  return records.some((record) => record.at >= at && (record.network ?? networkId) === networkId);
}
