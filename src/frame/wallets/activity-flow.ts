/** What a wallet did, and what can still be done about it: send again, speed up, cancel. */
import type { Wallet } from '../../api/wallet.ts';
import type { Chain } from '../../chains/chain.ts';
import { networkOf } from '../../chains/nodes/networks.ts';
import { ConnectError } from '../../errors.ts';
import { inertText } from '../../inert-text.ts';
import { msg } from '../../ui/localize.ts';
import type { ActivityRecord, Vault } from '../../wallets/types.ts';
import { deliver } from '../approve/outcome/delivery.ts';
import { sendOwn } from '../approve/own-transaction-flow.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../shell/stage.ts';

export async function activity(
  frame: Frame,
  vault: Vault,
  wallet: Wallet,
  options: OpenOptions,
): Promise<void> {
  const [{ ActivityView }, chain] = await Promise.all([
    import('./activity-view.ts'),
    frame.chain(wallet.secretType),
  ]);
  const { explorer } = networkOf(frame.networks, wallet);
  const view = Object.assign(new ActivityView(), {
    wallet,
    explorer: explorer ?? '',
    replaceable: !!chain.replace,
  });
  for (;;) {
    view.records = await vault.activity.list(wallet.id);
    void refresh(vault, chain, view.records).then(
      async () => (view.records = await vault.activity.list(wallet.id)),
    );
    const screen = frame.stage.open(view, options);
    const { type, detail } = await screen.next('cbf-replace', 'cbf-send', 'cbf-back');
    if (type === 'cbf-back') return;
    const record = await vault.activity.get(detail.hash);
    if (!record) continue;
    view.error = '';
    try {
      if (type === 'cbf-replace') await replace(frame, vault, wallet, chain, record, detail.how, options);
      else await send(vault, chain, record);
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      if (error.code !== 'user.rejected') view.error = inertText(error.shortMessage, 300);
      else if (options.signal.aborted) throw error;
    }
  }
}

/** Asks the nodes about every transaction that is not final. */
async function refresh(vault: Vault, chain: Chain, records: readonly ActivityRecord[]): Promise<void> {
  await Promise.all(
    records
      .filter(({ state }) => state === 'pending' || state === 'unknown')
      .map(async ({ hash, raw, draft, state }) => {
        if (!draft) return;
        const now = await chain.receipt(hash, chain.node(draft.network), raw).catch(() => ({ state }));
        if (now.state !== state && now.state !== 'unknown') await vault.activity.setReceipt(hash, now);
      }),
  );
}

async function send(vault: Vault, chain: Chain, { hash, raw, draft }: ActivityRecord): Promise<void> {
  if (!draft) return;
  await deliver(chain, { hash, raw }, chain.node(draft.network));
  await vault.activity.setState(hash, 'pending');
}

/** Replaces a pending transaction by one with a higher fee, approved and sent like any other. */
async function replace(
  frame: Frame,
  vault: Vault,
  wallet: Wallet,
  chain: Chain,
  { hash, state, draft }: ActivityRecord,
  how: 'speed-up' | 'cancel',
  options: OpenOptions,
): Promise<void> {
  const { replace: make } = chain;
  if (!draft || !make) return;
  const node = chain.node(draft.network);
  const heading = how === 'cancel' ? msg('Cancel transaction') : msg('Speed up transaction');
  await sendOwn(
    frame,
    { vault, wallet, chain, node, heading, replaces: hash, make: () => make(draft, how, node) },
    options,
    (replacement) => vault.activity.setState(hash, state, replacement),
  );
}
