/** What a wallet did, and what can still be done about it: send again, speed up, cancel. */
import type { Wallet } from '../../api/wallet.ts';
import type { Chain } from '../../chains/chain.ts';
import { activeNetwork } from '../../chains/networks.ts';
import { ConnectError } from '../../errors.ts';
import type { ActivityRecord, Vault } from '../../wallets/types.ts';
import type { Order } from './approval.ts';
import { deliver } from './delivery.ts';
import type { Frame } from './frame.ts';
import type { OpenOptions } from './stage.ts';
import { approveAndShow, seeThrough } from './transact.ts';

export async function activity(
  frame: Frame,
  vault: Vault,
  wallet: Wallet,
  options: OpenOptions,
): Promise<void> {
  const [{ ActivityView }, chain] = await Promise.all([
    import('../views/activity.ts'),
    frame.chain(wallet.secretType),
  ]);
  const { explorer } = activeNetwork(frame.networks, wallet.secretType);
  const view = Object.assign(new ActivityView(), { wallet, explorer: explorer ?? '' });
  for (;;) {
    view.records = await vault.activity.list(wallet.id);
    void refresh(vault, chain, view.records).then(
      async () => (view.records = await vault.activity.list(wallet.id)),
    );
    const screen = frame.stage.open(view, options);
    const { type, detail } = await screen.next('cbf-replace', 'cbf-send', 'cbf-back');
    if (type === 'cbf-back') return;
    const { hash, how } = detail as { hash: string; how?: 'speed-up' | 'cancel' };
    const record = await vault.activity.get(hash);
    if (!record) continue;
    view.error = '';
    try {
      if (how) await replace(frame, vault, wallet, chain, record, how, options);
      else await send(vault, chain, record);
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      if (error.code !== 'user.rejected') view.error = error.shortMessage;
      else if (options.signal.aborted) throw error;
    }
  }
}

/** Asks the nodes about everything that is not decided yet. */
async function refresh(vault: Vault, chain: Chain, records: readonly ActivityRecord[]): Promise<void> {
  await Promise.all(
    records
      .filter(({ state }) => state === 'pending' || state === 'unknown')
      .map(async ({ hash, draft, state }) => {
        if (!draft) return;
        const now = await chain.status(hash, chain.node(draft.network)).catch(() => state);
        if (now !== state && now !== 'unknown') await vault.activity.setState(hash, now);
      }),
  );
}

async function send(vault: Vault, chain: Chain, { hash, raw, draft }: ActivityRecord): Promise<void> {
  if (!draft) return;
  await deliver(chain, { hash, raw }, chain.node(draft.network));
  await vault.activity.setState(hash, 'pending');
}

/** The same place in line, with a higher fee: approved and sent like any transaction. */
async function replace(
  frame: Frame,
  vault: Vault,
  wallet: Wallet,
  chain: Chain,
  { hash, state, draft }: ActivityRecord,
  how: 'speed-up' | 'cancel',
  { signal, requestId }: OpenOptions,
): Promise<void> {
  if (!draft) return;
  const node = chain.node(draft.network);
  const order: Order = {
    // The page's own request is another one: it hears nothing of this.
    task: { id: requestId, signal, progress: () => {} },
    vault,
    wallet,
    chain,
    node,
    make: () => chain.replace(draft, how, node),
    // The activity keeps the bytes.
    keep: async () => {},
  };
  const { approved, outgoing, screen } = await approveAndShow(frame, order);
  if (approved.unsent) {
    const { error } = approved.unsent;
    if (!(error instanceof ConnectError) || error.code === 'node.unreachable') throw error;
    await vault.activity.setState(outgoing.hash, 'failed');
    throw error;
  }
  await vault.activity.setState(hash, state, outgoing.hash);
  await seeThrough(frame, outgoing, await screen);
}
