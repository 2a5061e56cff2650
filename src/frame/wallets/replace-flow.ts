/** Speeds up or cancels a pending transaction: shows both with their fees; the chosen one is approved and sent like any other. */
import { tellReplaced } from './history-updates.ts';
import type { Wallet } from '../../api/wallet.ts';
import type { Chain } from '../../chains/chain.ts';
import type { Draft, Node } from '../../chains/terms.ts';
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
  what: Replaceable,
  how: Replacing,
  options: OpenOptions,
): Promise<Ended | undefined> {
  const { chain, record } = what;
  const make = chain.replace?.bind(chain);
  const { draft } = record;
  if (!draft || !make) return undefined;
  const node = chain.node(draft.network);
  const { ReplaceView } = await import('./replace-view.ts');
  const view: ReplaceView = Object.assign(new ReplaceView(), {
    choice: how,
    approved: record.summary.fee.maximum,
    takesBack: takesBack(record.summary),
    worth: await worthOn(frame, node),
  });
  const replacement = new Replacement(frame, what, node, view, options, (one) => make(draft, one, node));
  replacement.readFees();
  return replacement.run();
}

/** Both ways of replacing one transaction, until one of them was taken. */
class Replacement {
  readonly #frame: Frame;
  readonly #what: Replaceable;
  readonly #node: Node;
  readonly #view: ReplaceView;
  readonly #options: OpenOptions;
  readonly #make: (how: Replacing) => Promise<Draft>;

  constructor(
    frame: Frame,
    what: Replaceable,
    node: Node,
    view: ReplaceView,
    options: OpenOptions,
    make: (how: Replacing) => Promise<Draft>,
  ) {
    this.#frame = frame;
    this.#what = what;
    this.#node = node;
    this.#view = view;
    this.#options = options;
    this.#make = make;
  }

  readFees(): void {
    const view = this.#view;
    for (const how of ['speed-up', 'cancel'] as const)
      this.#make(how)
        .then((draft) => this.#what.chain.describe(draft))
        .then(({ fee }) => (view.fees = { ...view.fees, [how]: fee.maximum }))
        // The error is shown once that one is chosen.
        .catch(() => {});
  }

  async run(): Promise<Ended | undefined> {
    for (;;) {
      const how: Replacing = this.#view.choice === 'cancel' ? 'cancel' : 'speed-up';
      let shown: Shown;
      try {
        shown = await this.#approve(how);
      } catch (error) {
        if (this.#options.signal.aborted) throw error;
        if (!(error instanceof ConnectError && error.code === 'user.rejected'))
          return this.#confirmedFirst(error);
        const choice: Choice = this.#view.choice;
        if (choice === how || choice === 'wait') throw error;
        // The user switched to the other one, which gets a draft and an approval of its own.
        continue;
      }
      return this.#outcome(how, shown);
    }
  }

  #approve(how: Replacing): Promise<Shown> {
    const { vault, wallet, chain, record } = this.#what;
    const view = this.#view;
    view.drawnFor = how;
    return approveOwn(
      this.#frame,
      {
        vault,
        wallet,
        chain,
        node: this.#node,
        heading: how === 'cancel' ? msg('Cancel transaction') : msg('Speed up transaction'),
        view,
        replaces: record.hash,
        cancels: how === 'cancel',
        make: () => this.#make(how),
      },
      this.#options,
    );
  }

  async #outcome(how: Replacing, shown: Shown): Promise<Ended | undefined> {
    const { vault, record } = this.#what;
    const { hash } = record;
    const { unsent } = shown.approved;
    const { signed } = shown.outgoing;
    if (unsent) {
      if (unsent.error instanceof ConnectError && unsent.error.code !== 'node.unreachable')
        await vault.activity.setState(signed.hash, 'failed');
      return this.#confirmedFirst(unsent.error);
    }
    await vault.activity.setReceipt(hash, { replacedBy: signed.hash, replacedTo: how });
    tellReplaced(this.#frame, vault).catch(() => {});
    const decided = await watchSending(this.#frame, shown);
    await showEnd(this.#frame, shown, decided);
    return decided && { hash: decided.first ? hash : signed.hash, state: decided.state };
  }

  /** For a replacement that could not be made or sent. Rejects with `why` unless the first transaction is already in a block. */
  async #confirmedFirst(why: unknown): Promise<Ended> {
    const { vault, wallet, chain, record } = this.#what;
    const { hash, raw, summary } = record;
    const { requestId: id, signal } = this.#options;
    const node = this.#node;
    const first = await endOf(chain, node, record);
    if (!first || signal.aborted) throw why;
    await vault.activity.setReceipt(hash, await recorded(node.network, undefined, first));
    const outgoing = {
      task: { id, signal, progress: () => {} },
      vault,
      wallet,
      chain,
      node,
      summary,
      signed: { hash, raw },
      replaces: hash,
      heading: '',
    };
    await showDecided(this.#frame, outgoing, { ...first, first: true });
    return { hash, state: first.state };
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
  if (kind === 'approval' || kind === 'creation' || !what.raw) return msg('Cancel the transaction');
  const text = amountText(what);
  return swap || parts || to === null
    ? msg(str`Cancel ${text}`)
    : msg(str`Cancel ${text} to ${shortText(to)}`);
}

async function worthOn(frame: Frame, { network }: Node) {
  if (frame.networks.fiat === undefined) return undefined;
  const prices = (await import('../ui/worth.ts')).pricesOf(frame);
  void prices?.load();
  return prices && ((amount: Parameters<typeof prices.worth>[1]) => prices.worth(network, amount));
}
