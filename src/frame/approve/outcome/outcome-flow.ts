/** What the user sees of a signed transaction: sending, sent, not sent, approved but not sent. */
import type { Wallet } from '../../../api/wallet.ts';
import type { Chain, Node, Receipt, Signed, Summary } from '../../../chains/chain.ts';
import type { HostRequest } from '../../../channel/link.ts';
import type { Clock } from '../../../clock.ts';
import { ConnectError, UserRejectedError } from '../../../errors.ts';
import { shortText } from '../../../ui/address.ts';
import { msg } from '../../../ui/localize.ts';
import type { Vault } from '../../../wallets/types.ts';
import type { Frame } from '../../frame.ts';
import type { Screen } from '../../shell/stage.ts';
import { amountText, feeText } from '../../ui/amount.ts';
import { optionsOf } from '../order.ts';
import { pause } from './delivery.ts';
import type { SendingView } from './sending-view.ts';

/** Polling interval in milliseconds: the first, and the longest. */
const LOOK = [1000, 8000] as const;

/** A signed transaction. */
export interface Outgoing {
  task: Pick<HostRequest, 'id' | 'signal' | 'progress'>;
  vault: Vault;
  wallet: Wallet;
  chain: Chain;
  node: Node;
  summary: Summary | undefined;
  signed: Signed;
  /** As in `Order`. */
  heading?: string | undefined;
}

/** A final receipt. */
export type Decided = Receipt & { state: 'confirmed' | 'failed' };

export async function showSending(frame: Frame, outgoing: Outgoing): Promise<Screen<SendingView>> {
  const { SendingView } = await import('./sending-view.ts');
  const { signed, summary, wallet } = outgoing;
  const { secretType } = wallet;
  return frame.stage.open(
    Object.assign(new SendingView(), { hash: signed.hash, amount: amountOf(summary), secretType }),
    optionsOf(outgoing),
  );
}

/**
 * Polls until the transaction is confirmed or failed, and reports that to the page. Undefined if the user closes the view first; polling
 * then goes on while the frame lives.
 */
export async function confirm(
  clock: Clock,
  outgoing: Outgoing,
  screen: Screen<SendingView>,
): Promise<Decided | undefined> {
  const { task, vault, chain, node, signed } = outgoing;
  const { hash } = signed;
  screen.view.stage = 'confirming';
  const decided = watch(clock, chain, signed, node).then(async (receipt) => {
    task.progress(receipt.state, hash);
    await vault.activity.setReceipt(hash, receipt);
    return receipt;
  });
  const closed = screen.next('cbf-close').then(() => undefined);
  return Promise.race([decided, closed]);
}

/** Polls until the transaction is confirmed or failed. */
async function watch(clock: Clock, chain: Chain, { hash, raw }: Signed, node: Node): Promise<Decided> {
  let wait: number = LOOK[0];
  for (;;) {
    const receipt = await chain.receipt(hash, node, raw).catch((): Receipt => ({ state: 'unknown' }));
    if (isDecided(receipt)) return receipt;
    await pause(clock, wait);
    wait = Math.min(wait * 1.3, LOOK[1]);
  }
}

function isDecided(receipt: Receipt): receipt is Decided {
  return receipt.state === 'confirmed' || receipt.state === 'failed';
}

/** Shows the outcome until Done or Close. */
export async function showDecided(
  frame: Frame,
  outgoing: Outgoing,
  { state, fee: paid, expired, arrivals }: Decided,
): Promise<void> {
  const { summary, signed, node } = outgoing;
  const { hash } = signed;
  const explorer = node.network.explorer ? node.network.explorer + hash : '';
  const fee = summary && paid ? feeText({ ...summary.fee.expected, raw: paid }) : undefined;
  if (state === 'failed') {
    const { NotSentView } = await import('./not-sent-view.ts');
    const view = Object.assign(new NotSentView(), {
      fee,
      hash,
      // An expired transaction was in no block, so no explorer has it.
      explorer: expired ? '' : explorer,
      expired: !!expired,
      retry: false,
    });
    await frame.stage.open(view, optionsOf(outgoing)).next('cbf-close');
    return;
  }
  const { SentView } = await import('./sent-view.ts');
  const parties = await partiesOf(outgoing);
  const swap = summary?.swap;
  const moved = swap && (await import('./swap-moved.ts')).swapMoved(node.network, summary!, arrivals);
  const view = Object.assign(new SentView(), { ...parties, swap, ...moved, fee, hash, explorer });
  await frame.stage.open(view, optionsOf(outgoing)).next('cbf-done', 'cbf-close');
}

/** The network refused it for good: nothing was spent. */
export async function showRefused(frame: Frame, outgoing: Outgoing, error: ConnectError): Promise<void> {
  const { NotSentView } = await import('./not-sent-view.ts');
  const reason = String(error.details['reason'] ?? error.shortMessage);
  const view = Object.assign(new NotSentView(), { reason, retry: false });
  await frame.stage.open(view, optionsOf(outgoing)).next('cbf-close');
}

/**
 * Approved, but no node is known to have it. `failure` says why; it is undefined if the wallet was closed in between. Resolves with
 * undefined once a node has it, or with the error with which the network refused it for good. Rejects with `user.rejected` if the user
 * dismisses it, after `dismiss`, and with `node.unreachable` if the user leaves it for later.
 */
export async function sendAgain(
  frame: Frame,
  outgoing: Outgoing,
  failure: unknown,
  send: () => Promise<void>,
  dismiss: () => Promise<void>,
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
    if (type === 'cbf-dismiss') {
      await dismiss();
      throw new UserRejectedError('The signed transaction was dismissed and never sent.');
    }
    if (type === 'cbf-close')
      throw new ConnectError(
        'node.unreachable',
        'The transaction is approved, but no node took it. It can be sent again.',
        {
          requestId: outgoing.task.id,
        },
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

/** `0.25 ETH`; empty for a call that moves no coins, for clauses without a sum, and for an allowance. */
function amountOf(summary: Summary | undefined): string {
  if (!summary || summary.kind === 'approval' || summary.amount.raw === 0n) return '';
  return amountText(summary.amount);
}

async function partiesOf({ vault, summary }: Outgoing) {
  const to = (!summary?.parts && summary?.to) || '';
  const own = (await vault.wallets()).find(({ address }) => to && address.toLowerCase() === to.toLowerCase());
  const toShort = to && shortText(to);
  return { amount: amountOf(summary), to, toShort, who: own?.alias ?? summary?.exchange ?? toShort };
}
