/** What the user sees of a signed transaction: sending, sent, not sent, approved but not sent. */
import type { Wallet } from '../../../api/wallet.ts';
import type { Receipt } from '../../../chains/terms.ts';
import type { Summary } from '../../../chains/approval/summary.ts';
import type { Network } from '../../../chains/network.ts';
import { NO_OTHER } from '../../../chains/nodes/broadcast.ts';
import { confirmationsOn, stateOn } from '../../../chains/nodes/confirmations.ts';
import { CARDS } from '../../../chains/secret-type.ts';
import { ConnectError, UserRejectedError } from '../../../base/errors.ts';
import { shortText } from '../../../ui/address.ts';
import { msg } from '../../../base/localize.ts';
import type { Replacing, Vault } from '../../../wallets/types.ts';
import type { Frame } from '../../frame.ts';
import type { Stage } from '../../shell/stage.ts';
import type { Screen } from '../../ui/screen.ts';
import type { LeaveEvents } from '../../ui/view.ts';
import { amountText, feeText } from '../../ui/amount.ts';
import { optionsOf } from '../approval.ts';
import type { PaidWords } from '../drawing/order-drawing.ts';
import { finalState, recordUntilFinal, watch } from './follow.ts';
import type { NotSentView } from './not-sent-view.ts';
import type { Decided, Outgoing } from './delivery.ts';
import type { SendingView } from './sending-view.ts';
import type { SentView } from './sent-view.ts';
import { swapMoved } from './settle.ts';

/** Bounds in milliseconds of what counts as a long wait, for fast and for slow chains. */
const LONG = [30_000, 600_000] as const;

export async function showSending(frame: Frame, outgoing: Outgoing): Promise<Screen<SendingView>> {
  const { SendingView } = await import('./sending-view.ts');
  const { signed, summary, wallet } = outgoing;
  const { secretType } = wallet;
  if (frame.networks.fiat !== undefined)
    void import('../worth.ts').then(({ noteWorth }) => noteWorth(frame, outgoing)).catch(() => {});
  return frame.stage.open(
    Object.assign(new SendingView(), {
      hash: signed.hash,
      amount: amountOf(summary),
      cancels: outgoing.cancels,
      secretType,
      site: sessionOf(frame, outgoing)?.site ?? '',
    }),
    optionsOf(outgoing),
  );
}

/**
 * Polls until a block has the transaction. Undefined if the user closes the view first, or has replaced the transaction from it and seen
 * that outcome. Polling continues for the life of the frame: at the network's confirmations the page is told.
 */
export async function confirm(
  frame: Frame,
  outgoing: Outgoing,
  screen: Screen<SendingView>,
): Promise<Decided | undefined> {
  const { replaces } = outgoing;
  const { clock } = frame;
  screen.view.stage = 'confirming';
  const ended = new AbortController();
  const decided = watch(clock, outgoing).then(async (receipt) => {
    await recordUntilFinal(clock, outgoing, receipt);
    ended.abort(new UserRejectedError());
    return receipt;
  });
  const isOffered = outgoing.chain.replace && !replaces && !outgoing.step;
  const offer = isOffered && clock.after(longWait(outgoing.wallet), () => (screen.view.replaceable = true));
  let replacing: Promise<boolean> | undefined;
  const left = async (): Promise<undefined> => {
    for (;;) {
      const { type, detail } = await screen.next('cbf-close', 'cbf-done', 'cbf-back', 'cbf-replace');
      if (type === 'cbf-back') frame.stage.session?.back();
      else if (type !== 'cbf-replace') return void leave(frame, outgoing, type);
      else if (!ended.signal.aborted) {
        replacing = replaceSent(frame, outgoing, detail.how, ended.signal);
        if (await replacing) return;
        if (ended.signal.aborted) await decided;
        frame.stage.show(screen);
      }
    }
  };
  try {
    // The replacement shows its own outcome.
    const end = decided.then(async (receipt) => ((await replacing) ? undefined : receipt));
    return await Promise.race([end, left()]);
  } finally {
    if (offer) offer();
  }
}

/** Whether it was replaced, and the user has seen that outcome. */
async function replaceSent(
  frame: Frame,
  outgoing: Outgoing,
  how: Replacing,
  over: AbortSignal,
): Promise<boolean> {
  const { vault, wallet, chain, signed, task } = outgoing;
  const record = await vault.activity.get(signed.hash);
  if (!record) return false;
  const { replace } = await import('../../wallets/replace-flow.ts');
  const options = { ...optionsOf(outgoing), own: true, signal: AbortSignal.any([task.signal, over]) };
  try {
    const end = await replace(frame, { vault, wallet, chain, record }, how, options);
    // A cancelled transaction has failed, unless the cancellation came too late.
    const isCancelled = how === 'cancel' && end?.hash !== signed.hash;
    if (end)
      void finalState(frame.clock, outgoing, end.hash).then((state) =>
        task.progress(isCancelled ? 'failed' : state, end.hash),
      );
    return true;
  } catch (error) {
    if (task.signal.aborted) throw error;
    return false;
  }
}

function longWait({ secretType }: Wallet): number {
  const { to, unit } = CARDS[secretType].confirmation ?? { to: 0, unit: 'seconds' };
  const usual = to * (unit === 'minutes' ? 60_000 : 1000);
  return Math.min(Math.max(usual, LONG[0]), LONG[1]);
}

/** `1 / 12`: the confirmations that it has, of those that it needs. Empty once it has them. */
function waitOn(network: Network, receipt: Receipt): string {
  const { confirmations } = receipt.mined ?? {};
  return stateOn(network, receipt) === 'pending' ? `${confirmations} / ${confirmationsOn(network)}` : '';
}

/** Shows the outcome until Done or Close; not to a user who has left the sending view, which is on screen until then. */
export async function showDecided(
  frame: Frame,
  outgoing: Outgoing,
  { first, ...receipt }: Decided,
): Promise<void> {
  const { state, fee: paid, expired, arrivals } = receipt;
  const { summary, signed, node, replaces } = outgoing;
  const hash = first ? replaces! : signed.hash;
  const explorer = node.network.explorer ? node.network.explorer + hash : '';
  const spent = summary && paid ? { ...summary.fee.expected, raw: paid } : undefined;
  const fee = spent && feeText(spent);
  if (first) {
    const { FirstView } = await import('./first-view.ts');
    const view = Object.assign(new FirstView(), { hash, explorer, fee });
    await frame.stage.open(view, optionsOf(outgoing)).next('cbf-done', 'cbf-close');
    return;
  }
  if (state === 'failed') {
    // An expired transaction was in no block, so no explorer has it.
    const page = expired ? '' : explorer;
    return showNotSent(frame, outgoing, { fee, hash, explorer: page, expired: !!expired });
  }
  const { SentView } = await import('./sent-view.ts');
  const parties = await partiesOf(outgoing);
  // Between chains nothing is swapped yet.
  const swap = summary?.crossChain ? undefined : summary?.swap;
  const moved = swap && (await swapMoved(node.network, summary!, arrivals));
  const { vault, wallet, task } = outgoing;
  const session = sessionOf(frame, outgoing);
  const worth =
    frame.networks.fiat === undefined
      ? undefined
      : (await import('../worth.ts')).worthAtEnd(frame, node.network);
  const order = await paidOrder(outgoing);
  const view = Object.assign(new SentView(), {
    ...parties,
    order,
    swap,
    ...moved,
    fee,
    worth: worth && {
      // The order's own price says it, and another rate would say otherwise.
      amount: () => !order && summary && worth(node.network, summary.amount, 'up'),
      paid: () => moved?.paid && worth(node.network, moved.paid, 'up'),
      got: () => moved?.got && worth(node.network, moved.got),
      fee: () => spent && worth(node.network, spent, 'up'),
    },
    hash,
    explorer,
    cancels: outgoing.cancels,
  });
  if (session) Object.assign(view, { site: session.site, since: session.since });
  const showMined = (now: Receipt): void => void (view.waits = waitOn(node.network, now));
  showMined(receipt);
  outgoing.onMined = showMined;
  view.untold = frame.link.undelivered;
  const unfollow = summary?.crossChain && (await followSwap(frame, outgoing, view));
  const to = summary?.kind === 'transfer' && !summary.order ? parties.to : '';
  try {
    for (;;) {
      view.unnamed = !!to && (await isUnnamed(vault, wallet.secretType, to));
      if (outgoing.left) return;
      const screen = frame.stage.open(view, optionsOf(outgoing));
      const { type } = await screen.next('cbf-save', 'cbf-done', 'cbf-back', 'cbf-close');
      if (type !== 'cbf-save') return leave(frame, outgoing, type);
      const { editRecipient } = await import('../../recipients/recipients-flow.ts');
      const options = { signal: task.signal, requestId: task.id };
      await editRecipient(frame, vault, wallet.secretType, options, { address: to, name: '' });
      Object.assign(view, await partiesOf(outgoing));
    }
  } finally {
    unfollow?.();
  }
}

/** Undefined unless it paid a signed order. */
async function paidOrder({ summary, cancels }: Outgoing): Promise<PaidWords | undefined> {
  const order = cancels ? undefined : summary?.order;
  if (order?.state !== 'signed') return undefined;
  return (await import('../drawing/order-drawing.ts')).paidWords(order);
}

/** Shows in the view how far a swap between chains is, until the returned function is called. */
async function followSwap(frame: Frame, { vault, signed }: Outgoing, view: SentView): Promise<() => void> {
  const { followOne } = await import('../../wallets/cross-chain-updates.ts');
  return followOne(frame, vault, signed.hash, (news) => Object.assign(view, news));
}

/** Neither one of the user's wallets nor in the address book. */
async function isUnnamed(vault: Vault, secretType: Wallet['secretType'], to: string): Promise<boolean> {
  const [named, own] = await Promise.all([vault.recipients(), vault.wallets({ secretType, now: true })]);
  return ![...named.filter((one) => one.secretType === secretType), ...own].some(
    ({ address }) => address.toLowerCase() === to.toLowerCase(),
  );
}

/** The network rejected it for good: nothing was spent. */
export async function showRefused(frame: Frame, outgoing: Outgoing, error: ConnectError): Promise<void> {
  const { reason } = error.details;
  await showNotSent(frame, outgoing, { reason: typeof reason === 'string' ? reason : '' });
}

async function showNotSent(
  frame: Frame,
  outgoing: Outgoing,
  what: Partial<Pick<NotSentView, 'fee' | 'hash' | 'explorer' | 'expired' | 'reason'>>,
): Promise<void> {
  const { NotSentView } = await import('./not-sent-view.ts');
  if (outgoing.left) return;
  const { site = '' } = sessionOf(frame, outgoing) ?? {};
  const order = outgoing.summary?.crossChain;
  const view = Object.assign(new NotSentView(), {
    ...what,
    site,
    retry: false,
    left: order?.router ? order.input.token && order.input : undefined,
  });
  for (;;) {
    const screen = frame.stage.open(view, optionsOf(outgoing));
    const { type } = await screen.next('cbf-close', 'cbf-done', 'cbf-back', 'cbf-take-back');
    if (type !== 'cbf-take-back') return leave(frame, outgoing, type);
    const { takeBack } = await import('./take-back-flow.ts');
    try {
      await takeBack(frame, outgoing, order!, { ...optionsOf(outgoing), own: true });
      return leave(frame, outgoing, 'cbf-done');
    } catch (error) {
      if (outgoing.task.signal.aborted) throw error;
    }
  }
}

/** The session of a window that waits for the site's next request. None for actions started in the wallet, which return to it. */
function sessionOf({ stage }: Frame, { heading }: Outgoing): Stage['session'] {
  return heading === undefined ? stage.session : undefined;
}

/** "Close window" closes the window, and "Back to the site" returns there; otherwise it stays open, waiting. */
function leave(frame: Frame, outgoing: Outgoing, by: keyof LeaveEvents): void {
  outgoing.left = true;
  const session = sessionOf(frame, outgoing);
  if (!session) return;
  if (by === 'cbf-back') session.back();
  if (by === 'cbf-close') frame.stage.left = true;
}

/**
 * Approved, but not known to have reached a node. `failure`: the reason; undefined if the wallet was closed in between. Resolves with
 * undefined once a node has it, or with the error with which the network rejected it for good. Rejects with `node.unreachable` if the user
 * postpones it, and with what `dismiss` returns if they dismiss it.
 */
export async function sendAgain(
  frame: Frame,
  outgoing: Outgoing,
  failure: unknown,
  send: () => Promise<void>,
  dismiss: () => Promise<ConnectError>,
): Promise<ConnectError | undefined> {
  if (!isUnreachable(failure)) return asConnectError(failure);
  const { UnsentView } = await import('./unsent-view.ts');
  const view = Object.assign(new UnsentView(), {
    ...(await partiesOf(outgoing)),
    hash: outgoing.signed.hash,
    reason: failure === undefined ? 'closed' : 'unreachable',
  });
  const screen = frame.stage.open(view, optionsOf(outgoing));
  for (;;) {
    const { type } = await screen.next('cbf-send', 'cbf-dismiss', 'cbf-close');
    if (type === 'cbf-dismiss') throw await dismiss();
    if (type === 'cbf-close')
      throw new ConnectError(
        'node.unreachable',
        `The transaction is signed, and it is not known whether the network has it. ${NO_OTHER}`,
        { requestId: outgoing.task.id, transactionHash: outgoing.signed.hash },
      );
    view.busy = true;
    view.error = '';
    try {
      await send();
      return undefined;
    } catch (error) {
      if (!isUnreachable(error)) return asConnectError(error);
      view.busy = false;
      view.error = msg('Still no answer. Try again in a while.');
    }
  }
}

function isUnreachable(error: unknown): boolean {
  return !(error instanceof ConnectError) || error.code === 'node.unreachable';
}

function asConnectError(error: unknown): ConnectError {
  return error instanceof ConnectError
    ? error
    : new ConnectError('transaction.refused', 'The transaction was refused.');
}

/** `0.25 ETH`; empty for a call that moves no coins, for clauses without a common sum, and for an allowance. */
function amountOf(summary: Summary | undefined): string {
  if (!summary || summary.kind === 'approval' || summary.amount.raw === 0n) return '';
  return amountText(summary.amount);
}

async function partiesOf({ vault, summary, wallet: { secretType } }: Outgoing) {
  const to = (!summary?.parts && summary?.to) || '';
  const isTo = ({ address }: { address: string }) => !!to && address.toLowerCase() === to.toLowerCase();
  const [own, named] = await Promise.all([vault.wallets(), vault.recipients()]);
  const name = named.find((one) => one.secretType === secretType && isTo(one))?.name;
  const toShort = to && shortText(to);
  const who = name ?? own.find(isTo)?.alias ?? summary?.exchange ?? toShort;
  return { amount: amountOf(summary), to, toShort, who };
}
