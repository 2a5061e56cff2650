/** `linkWallets`: which of the user's wallets a site may see. Nothing is created here. */
import type { HostRequest } from '../../channel/link.ts';
import type { ParamsOf } from '../../channel/schema.ts';
import type { HeldWallet } from '../../wallets/types.ts';
import { siteName } from '../origin.ts';
import { loadBalances } from './balances.ts';
import type { Frame } from './frame.ts';
import { networksByWallet, siteWallet, tellSite } from './site-wallets.ts';

export async function linkWallets(frame: Frame, task: HostRequest): Promise<void> {
  const { secretTypes } = task.params as ParamsOf<'linkWallets'>;
  const { origin } = frame.link;
  const vault = await frame.vault();
  const asked = (wallet: HeldWallet): boolean =>
    !secretTypes?.length || secretTypes.includes(wallet.secretType);
  const [{ LinkView }, all, linked, unsaved] = await Promise.all([
    import('../views/link.ts'),
    vault.wallets(),
    vault.linked(origin),
    vault.unsaved(),
  ]);
  const wallets = all.filter(asked);
  const view = Object.assign(new LinkView(), {
    site: siteName(origin),
    wallets,
    networks: networksByWallet(frame.networks, wallets),
    unsaved,
    // Nothing is chosen for the user; what the user chose before stays.
    chosen: new Set(linked.filter(asked).map(({ id }) => id)),
    missing: (secretTypes ?? []).filter((type) => !wallets.some(({ secretType }) => secretType === type)),
  });
  const screen = frame.stage.open(view, {
    signal: task.signal,
    requestId: task.id,
    settings: all.length > 0,
  });
  task.progress('approval');
  void loadBalances(frame, wallets, (balances) => (view.balances = balances));
  if (!wallets.length) {
    await screen.next('cbf-done', 'cbf-close', 'cbf-reject');
    return task.resolve([]);
  }
  while ((await screen.next('cbf-link', 'cbf-settings-closed')).type !== 'cbf-link')
    view.unsaved = await vault.unsaved();
  // Other chains are not this request's to change, and archived wallets keep their links for when they come back.
  const others = (await vault.linked(origin, true))
    .filter((wallet) => wallet.archived || !asked(wallet))
    .map(({ id }) => id);
  await vault.setLinked(origin, [...others, ...view.chosen]);
  await tellSite(frame.link, frame.networks, vault);
  const now = (await vault.linked(origin)).filter(asked);
  task.resolve(now.map((wallet) => siteWallet(frame.networks, wallet)));
}
