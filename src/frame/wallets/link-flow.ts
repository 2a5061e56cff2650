/** `linkWallets`: which of the user's wallets a site may see. Nothing is created here. */
import type { HostRequest } from '../../channel/link.ts';
import type { ParamsOf } from '../../channel/schema.ts';
import type { HeldWallet } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { enrolHere } from '../service/enrol-here.ts';
import { readTrouble } from '../service/trouble.ts';
import { siteName } from '../shell/origin.ts';
import type { OpenOptions } from '../shell/stage.ts';
import { loadBalances } from './balances.ts';
import { networksByWallet, siteWallet, tellSite } from './site-wallets.ts';

export async function linkWallets(frame: Frame, task: HostRequest): Promise<void> {
  const { secretTypes } = task.params as ParamsOf<'linkWallets'>;
  const { origin } = frame.link;
  const vault = await frame.vault();
  const asked = (wallet: HeldWallet): boolean =>
    !secretTypes?.length || secretTypes.includes(wallet.secretType);
  const { LinkView } = await import('./link-view.ts');
  const view = Object.assign(new LinkView(), { site: siteName(origin) });
  const options: OpenOptions = { signal: task.signal, requestId: task.id };
  const known = new Set<string>();
  const refresh = async (): Promise<void> => {
    const [all, linked, unsaved, trouble, others = []] = await Promise.all([
      vault.wallets(),
      vault.linked(origin),
      vault.unsaved(),
      readTrouble(vault),
      vault.service?.elsewhere(),
    ]);
    const wallets = all.filter(asked);
    const elsewhere = others.filter(asked);
    const there = [...wallets, ...elsewhere];
    options.settings = all.length > 0;
    // Only wallets that are linked already are preselected; what the user has chosen in this view stays chosen.
    const before = linked.filter((wallet) => asked(wallet) && !known.has(wallet.id));
    Object.assign(view, {
      wallets,
      networks: networksByWallet(frame.networks, wallets),
      unsaved,
      trouble,
      elsewhere: elsewhere.length,
      busy: false,
      chosen: new Set([...view.chosen, ...before.map(({ id }) => id)]),
      missing: (secretTypes ?? []).filter((type) => !there.some(({ secretType }) => secretType === type)),
    });
    void loadBalances(
      frame,
      wallets.filter(({ id }) => !known.has(id)),
      (more) => (view.balances = new Map([...view.balances, ...more])),
    );
    for (const { id } of wallets) known.add(id);
  };
  await refresh();
  let screen = frame.stage.open(view, options);
  task.progress('approval');
  for (;;) {
    const { type } = await screen.next(
      'cbf-link',
      'cbf-settings-closed',
      'cbf-retry',
      'cbf-enrol',
      ...(view.wallets.length ? [] : (['cbf-done', 'cbf-close', 'cbf-reject'] as const)),
    );
    if (type === 'cbf-retry' || type === 'cbf-enrol') {
      if (type === 'cbf-retry') await vault.service?.reload();
      else await enrolHere(frame, vault, options);
      await refresh();
      screen = frame.stage.open(view, options);
    } else if (type === 'cbf-settings-closed') await refresh();
    else if (type !== 'cbf-link') return task.resolve([]);
    else if (await link()) break;
  }

  /** False if the user declines to enrol this device, which the wallet service requires. */
  async function link(): Promise<boolean> {
    // This request must not change other chains, and archived wallets keep their links for when they come back.
    const others = (await vault.linked(origin, true))
      .filter((wallet) => wallet.archived || !asked(wallet))
      .map(({ id }) => id);
    const set = () => vault.setLinked(origin, [...others, ...view.chosen]);
    if (!vault.service) {
      await set();
      return true;
    }
    const { asEnrolled } = await import('../service/service-account-flow.ts');
    const done = await asEnrolled(frame, options, () => set().then(() => true));
    if (done) return true;
    view.busy = false;
    frame.stage.show(screen);
    return false;
  }
  await tellSite(frame.link, frame.networks, vault);
  const now = (await vault.linked(origin)).filter(asked);
  task.resolve(now.map((wallet) => siteWallet(frame.networks, wallet)));
}
