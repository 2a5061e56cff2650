/** Speeds up or cancels a pending transaction: shows both with their fees; the chosen one is approved and sent like any other. */
import type { Wallet } from '../../api/wallet.ts';
import type { Chain } from '../../chains/chain.ts';
import type { Node } from '../../chains/terms.ts';
import type { Summary } from '../../chains/approval/summary.ts';
import { ConnectError } from '../../base/errors.ts';
import { shortText } from '../../ui/address.ts';
import { msg, str } from '../../base/localize.ts';
import type { ActivityRecord, Replacing, Vault } from '../../wallets/types.ts';
import { showDecided } from '../approve/outcome/outcome-flow.ts';
import type { Decided } from '../approve/outcome/delivery.ts';
import { recorded } from '../approve/outcome/settle.ts';
import { approveOwn } from '../approve/own-transaction-flow.ts';
import { showEnd, type Shown, watchSending } from '../approve/transact-flow.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { amountText } from '../ui/amount.ts';
import type { Choice, ReplaceView } from './replace-view.ts';

export interface Replaceable {
  vault: Vault;
  wallet: Wallet;
  chain: Chain;
  record: ActivityRecord;
}

/** The transaction that got into a block. */
export interface Ended {
  hash: string;
  state: Decided['state'];
}

/**
 * Resolves once the user has seen the outcome; undefined if they left before either transaction was in a block. Rejects with
 * `user.rejected` if they choose to wait, and with the reason if it was not sent.
 */
export async function replace(
  frame: Frame,
  { vault, wallet, chain, record }: Replaceable,
  how: Replacing,
  options: OpenOptions,
): Promise<Ended | undefined> {
  const { draft, hash, raw, summary } = record;
  const make = chain.replace?.bind(chain);
  if (!draft || !make) return undefined;
  const node = chain.node(draft.network);
  const outgoing = {
    task: { id: options.requestId, signal: options.signal, progress: () => {} },
    vault,
    wallet,
    chain,
    node,
    summary,
    signed: { hash, raw },
    replaces: hash,
    heading: '',
  };
  /** For a replacement that could not be made or sent. Rejects with `why` unless the first transaction is already in a block. */
  const confirmedFirst = async (why: unknown): Promise<Ended> => {
    const first = await endOf(chain, node, record);
    if (!first || options.signal.aborted) throw why;
    await vault.activity.setReceipt(hash, await recorded(node.network, undefined, first));
    await showDecided(frame, outgoing, { ...first, first: true });
    return { hash, state: first.state };
  };
  const module = await import('./replace-view.ts');
  const view: ReplaceView = Object.assign(new module.ReplaceView(), {
    choice: how,
    approved: summary.fee.maximum,
    takesBack: takesBack(summary),
    worth: await worthOn(frame, node),
  });
  for (const one of ['speed-up', 'cancel'] as const)
    make(draft, one, node)
      .then((made) => chain.describe(made))
      .then(({ fee }) => (view.fees = { ...view.fees, [one]: fee.maximum }))
      // The error is shown once that one is chosen.
      .catch(() => {});
  for (;;) {
    const chosen: Replacing = view.choice === 'cancel' ? 'cancel' : 'speed-up';
    view.drawnFor = chosen;
    const heading = chosen === 'cancel' ? msg('Cancel transaction') : msg('Speed up transaction');
    let shown: Shown;
    try {
      shown = await approveOwn(
        frame,
        {
          vault,
          wallet,
          chain,
          node,
          heading,
          view,
          replaces: hash,
          cancels: chosen === 'cancel',
          make: () => make(draft, chosen, node),
        },
        options,
      );
    } catch (error) {
      if (options.signal.aborted) throw error;
      if (!(error instanceof ConnectError && error.code === 'user.rejected')) return confirmedFirst(error);
      const choice: Choice = view.choice;
      if (choice === chosen || choice === 'wait') throw error;
      // The user switched to the other one, which gets a draft and an approval of its own.
      continue;
    }
    const { unsent } = shown.approved;
    const { signed } = shown.outgoing;
    if (unsent) {
      if (unsent.error instanceof ConnectError && unsent.error.code !== 'node.unreachable')
        await vault.activity.setState(signed.hash, 'failed');
      return confirmedFirst(unsent.error);
    }
    await vault.activity.setReceipt(hash, { replacedBy: signed.hash, replacedTo: chosen });
    import('./history-updates.ts').then(({ tellReplaced }) => tellReplaced(frame, vault)).catch(() => {});
    const decided = await watchSending(frame, shown);
    await showEnd(frame, shown, decided);
    return decided && { hash: decided.first ? hash : signed.hash, state: decided.state };
  }
}

/** A rejection may just mean that the first transaction is already in a block. */
async function endOf(
  chain: Chain,
  node: Node,
  { hash, raw }: ActivityRecord,
): Promise<(Decided & { first?: never }) | undefined> {
  const receipt = await chain.receipt(hash, node, raw).catch(() => undefined);
  if (!receipt || receipt.expired) return undefined;
  const { state } = receipt;
  return state === 'confirmed' || state === 'failed' ? { ...receipt, state } : undefined;
}

function takesBack({ kind, amount, swap, parts, to }: Summary): string {
  const what = swap?.input ?? amount;
  if (kind === 'approval' || kind === 'creation' || !what.raw) return msg('Take back the transaction');
  const text = amountText(what);
  return swap || parts || to === null
    ? msg(str`Take back ${text}`)
    : msg(str`Take back ${text} to ${shortText(to)}`);
}

async function worthOn(frame: Frame, { network }: Node) {
  if (frame.networks.fiat === undefined) return undefined;
  const prices = (await import('../ui/worth.ts')).pricesOf(frame);
  void prices?.load();
  return prices && ((amount: Parameters<typeof prices.worth>[1]) => prices.worth(network, amount));
}
