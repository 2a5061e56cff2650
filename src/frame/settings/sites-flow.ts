/** The sites that see wallets, in Settings. */
import { msg } from '../../base/localize.ts';
import { iconGlobe } from '../../ui/list-icons.ts';
import type { Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { tellSite } from '../shell/site-wallets.ts';
import { badgeQuestion } from '../ui/question-view.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { type ListedSite, SitesView } from './sites-view.ts';

/**
 * Sites that see a wallet. A wallet of the service counts for the site of this frame only: what it shows to others is known with their
 * access alone.
 */
export async function linkedSites({ link }: Frame, vault: Vault): Promise<ListedSite[]> {
  const [sites, all, here] = await Promise.all([vault.sites(), vault.wallets(), vault.linked(link.origin)]);
  const others = sites.filter(({ origin }) => origin !== link.origin);
  const own = sites.find(({ origin }) => origin === link.origin);
  const listed = here.length
    ? [{ ...own, origin: link.origin, walletIds: here.map(({ id }) => id) }, ...others]
    : others;
  return listed.map((site) => ({
    ...site,
    names: all.filter(({ id }) => site.walletIds.includes(id)).map(({ alias }) => alias),
  }));
}

/** Resolves on Back. */
export async function showSites(frame: Frame, vault: Vault, options: OpenOptions): Promise<void> {
  const view = new SitesView();
  for (;;) {
    view.sites = await linkedSites(frame, vault);
    const { type, detail } = await frame.stage
      .open(view, options)
      .next('cbf-disconnect', 'cbf-disconnect-all', 'cbf-back');
    if (type === 'cbf-back') return;
    if (type === 'cbf-disconnect') await disconnect(frame, vault, [detail.origin]);
    else if (await wantsAll(frame, options))
      await disconnect(
        frame,
        vault,
        view.sites.map(({ origin }) => origin),
      );
    else continue;
    frame.stage.shell.say({ text: msg('Disconnected') });
  }
}

async function disconnect(frame: Frame, vault: Vault, origins: string[]): Promise<void> {
  const { link, networks } = frame;
  for (const origin of origins)
    if (origin === link.origin) await vault.setLinked(origin, []);
    else await vault.unlinkSite(origin);
  if (origins.includes(link.origin)) await tellSite(link, networks, vault);
}

async function wantsAll(frame: Frame, options: OpenOptions): Promise<boolean> {
  const view = badgeQuestion<'cbf-disconnect-all' | 'cbf-back'>('cbf-back', () => ({
    badge: ['warn', iconGlobe()],
    heading: msg('Disconnect all sites?'),
    text: msg('No site sees your wallets then. You can link them again on each site.'),
    buttons: [
      { text: msg('Keep them'), event: 'cbf-back', look: 'secondary' },
      { text: msg('Disconnect all sites'), event: 'cbf-disconnect-all', look: 'primary' },
    ],
    stacked: true,
  }));
  const { type } = await frame.stage.open(view, options).next('cbf-disconnect-all', 'cbf-back');
  return type === 'cbf-disconnect-all';
}
