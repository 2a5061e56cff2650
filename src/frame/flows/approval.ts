/** One transaction from draft to network: drawn, renewed, approved, signed, kept, sent. */
import type { Wallet } from '../../api/wallet.ts';
import type { Amount, Chain, Draft, Node, Signed, Summary, Warning } from '../../chains/chain.ts';
import type { HostRequest } from '../../channel/link.ts';
import { UserRejectedError } from '../../errors.ts';
import { msg } from '../../ui/localize.ts';
import type { Unlocked, Vault } from '../../wallets/types.ts';
import { deliver } from './delivery.ts';
import { Drafts, type Drawn } from './drafts.ts';
import type { Frame } from './frame.ts';
import type { OpenOptions } from './stage.ts';
import { unlock, waitOutLock } from './unlock.ts';

/** Only what was drawn this recently is signed. */
const FRESH = 90_000;

export interface Order {
  task: Pick<HostRequest, 'id' | 'signal' | 'progress'>;
  vault: Vault;
  wallet: Wallet;
  chain: Chain;
  node: Node;
  make(): Promise<Draft>;
  /** Writes the signed bytes down before they are sent. Throws if the request was answered elsewhere meanwhile. */
  keep(signed: Signed, draft: Draft): Promise<void>;
  /** Whether the request has an allowance of `unlimited` that can be changed; given an `amount`, changes it. */
  limit?: ((unlimited: bigint, amount?: bigint) => Promise<boolean>) | undefined;
  step?: { index: number; of: number } | undefined;
  /** Of what the user started in the wallet: then it is no site's request. */
  heading?: string | undefined;
}

export interface Approved {
  draft: Draft;
  summary: Summary;
  signed: Signed;
  /** Why the network does not have it; it is kept. */
  unsent?: { error: unknown } | undefined;
}

/**
 * Shows the approval until the user decides, and carries it out. Rejects with `user.rejected`, and with what the chain finds wrong
 * with the request. `onSigned` is called between signing and sending.
 */
export async function approve(
  frame: Frame,
  order: Order,
  onSigned: (approved: Approved) => void,
): Promise<Approved> {
  const { task, vault, wallet, chain, node } = order;
  const options: OpenOptions = { ...optionsOf(order), settings: true };
  const readState = async () => {
    const [{ passkey }, unsaved] = await Promise.all([vault.state(), vault.unsaved()]);
    return { passkey, unsaved: unsaved.get(wallet.id) };
  };
  let state = await readState();
  const drafts = new Drafts({
    chain,
    node,
    make: () => order.make(),
    describe(draft) {
      const summary = chain.describe(draft);
      const { unsaved } = state;
      if (!unsaved) return summary;
      const mark: Warning = { code: 'not-backed-up', level: 'caution', params: { unsaved } };
      return { ...summary, warnings: [...summary.warnings, mark] };
    },
  });
  // The round trips run while the view is loaded and the PIN is typed.
  drafts.start();
  try {
    const [{ ApproveView }, own] = await Promise.all([
      import('../views/approve.ts'),
      vault.wallets(),
      waitOutLock(frame, vault, options),
    ]);
    const { secretType } = wallet;
    const view = Object.assign(frame.stage.take() ?? new ApproveView(), {
      wallet,
      own,
      passkey: state.passkey,
      secretType,
      step: order.step,
      heading: order.heading ?? '',
    });
    drafts.onDrawn = ({ summary }, changed, feeRose) => {
      view.changed = changed;
      view.summary = summary;
      if (feeRose && view.pinStarted) {
        view.clearPin();
        view.pinError = msg('The fee went up. Check it and enter your PIN again.');
      }
      if (summary.unlimited) void offerLimit(order, summary).then((held) => (view.held = held));
    };
    drafts.redraw();
    const screen = frame.stage.open(view, options);
    task.progress('approval');
    for (;;) {
      const { type } = await Promise.race([
        screen.next('cbf-approve', 'cbf-passkey-approve', 'cbf-limit', 'cbf-settings-closed'),
        drafts.broken,
      ]);
      if (type === 'unreachable') {
        const { retryNode } = await import('./retry-node.ts');
        await retryNode(frame, wallet.secretType, options);
        drafts.start();
        frame.stage.show(screen);
        continue;
      }
      if (type === 'cbf-settings-closed') {
        // Beside the wait for Approve, which may be pressed meanwhile. Where it fails, what was known before stands.
        void readState()
          .then((fresh) => {
            state = fresh;
            view.passkey = fresh.passkey;
            return drafts.renew();
          })
          .catch(() => {});
        continue;
      }
      if (type === 'cbf-limit') {
        const unlimited = drafts.current?.summary.amount.raw;
        if (view.held && unlimited !== undefined) await order.limit?.(unlimited, view.held.raw);
        await drafts.renew();
        continue;
      }
      const pin = type === 'cbf-approve' ? view.takePin() : undefined;
      const drawn = drafts.current!;
      drafts.freeze();
      const tell = (text: string): void => {
        view.pinError = text;
      };
      const unlocked = await unlock(frame, vault, screen, tell, () =>
        pin === undefined ? vault.unlockWithPasskey() : vault.unlock(pin),
      );
      const approved = unlocked && (await carryOut(frame, order, drawn, unlocked, onSigned));
      if (approved) return approved;
      view.busy = false;
      drafts.thaw();
      if (unlocked) {
        await drafts.renew();
        view.pinError = msg('The transaction changed meanwhile. Check it and enter your PIN again.');
      }
    }
  } finally {
    drafts.stop();
  }
}

/**
 * Signs and sends what was drawn, while no other tab does so with this wallet. Undefined if it is too old, or if another tab has
 * taken its place in line: then it has to be drawn anew. From `signing` on nothing is taken back.
 */
async function carryOut(
  frame: Frame,
  order: Order,
  { draft, summary, at }: Drawn,
  unlocked: Unlocked,
  onSigned: (approved: Approved) => void,
): Promise<Approved | undefined> {
  const { task, vault, wallet, chain, node } = order;
  try {
    return await vault.exclusive(wallet.id, async () => {
      if (Date.now() - at > FRESH || (await usedSince(vault, wallet.id, at))) return undefined;
      if (task.signal.aborted) throw new UserRejectedError();
      task.progress('signing');
      const signed = await signWith(unlocked, wallet.id, (key) => chain.sign(draft, key));
      await order.keep(signed, draft);
      await vault.activity.put({
        hash: signed.hash,
        walletId: wallet.id,
        secretType: wallet.secretType,
        origin: order.heading === undefined ? frame.link.origin : location.origin,
        at: Date.now(),
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
    unlocked.close();
  }
}

export function optionsOf({ task, heading }: Pick<Order, 'task' | 'heading'>): OpenOptions {
  return { signal: task.signal, requestId: task.id, own: heading !== undefined };
}

async function offerLimit(order: Order, summary: Summary): Promise<Amount | undefined> {
  const { limitOf } = await import('./limit.ts');
  return limitOf(order, summary);
}

/** The key exists only during `work`. */
export async function signWith<T>(
  unlocked: Unlocked,
  walletId: string,
  work: (key: Uint8Array) => Promise<T>,
): Promise<T> {
  const key = await unlocked.key(walletId);
  try {
    return await work(key);
  } finally {
    key.fill(0);
  }
}

/** Another tab signed with the wallet after the draft was asked for: its nonce may be taken. */
async function usedSince(vault: Vault, walletId: string, at: number): Promise<boolean> {
  const [latest] = await vault.activity.list(walletId);
  return latest !== undefined && latest.at >= at;
}
