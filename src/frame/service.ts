/** What the frame does with the wallet service. Loaded only for pages that give its access tokens. */
import type { Profile } from '../api/profile.ts';
import type { Networks } from '../chains/network.ts';
import type { HostLink } from '../channel/link.ts';
import { ConnectError } from '../errors.ts';
import { readProfileOf, withService } from '../wallets/service/index.ts';
import type { Vault } from '../wallets/types.ts';
import { tellSite } from './flows/site-wallets.ts';

function optionsFor(link: HostLink, { service: url }: Networks) {
  if (url === undefined)
    throw new ConnectError('token.missing', 'This wallet has no service: its networks.json names none.');
  return { url, accessToken: (expired: boolean) => link.accessToken(expired) };
}

export async function besideService(link: HostLink, networks: Networks, own: Vault): Promise<Vault> {
  const vault = await withService(own, { ...optionsFor(link, networks), origin: link.origin });
  // Nobody who wants a wallet of the browser waits for the service.
  void (async () => {
    for (const walletId of link.unlinked) await vault.unlink(link.origin, walletId).catch(() => {});
    await tellSite(link, networks, vault);
  })().catch(() => {});
  return vault;
}

export function profile(link: HostLink, networks: Networks): Promise<Profile> {
  return readProfileOf(optionsFor(link, networks));
}
