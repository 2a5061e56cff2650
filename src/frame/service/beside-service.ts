/** The wallet service: its wallets beside the browser's, and its user. Loaded only for pages that provide access tokens for it. */
import type { Profile } from '../../api/token.ts';
import { ConnectError } from '../../base/errors.ts';
import type { Networks } from '../../chains/network.ts';
import type { HostLink } from '../../channel/link.ts';
import { withService } from '../../wallets/service/with-service.ts';
import type { Vault } from '../../wallets/types.ts';
import { readProfileOf, type ServiceOptions } from '../../wallets/service/calls.ts';
import { tellSite } from '../shell/site-wallets.ts';

function serviceOptions(link: HostLink, { service: url }: Networks): ServiceOptions {
  if (url === undefined)
    throw new ConnectError('token.missing', 'This wallet has no service: its networks.json names none.');
  return { url, accessToken: (expired: boolean) => link.accessToken(expired) };
}

/** Adds the service's wallets to the vault. */
export async function besideService(link: HostLink, networks: Networks, own: Vault): Promise<Vault> {
  const vault = await withService(own, { ...serviceOptions(link, networks), origin: link.origin });
  // In the background: browser wallets do not wait for the service.
  void (async () => {
    // The page keeps its list if the service cannot be reached.
    for (const walletId of link.unlinked) await vault.unlink(link.origin, walletId);
    await tellSite(link, networks, vault);
  })().catch(() => {});
  return vault;
}

/** The user, as the service knows them. */
export function profile(link: HostLink, networks: Networks): Promise<Profile> {
  return readProfileOf(serviceOptions(link, networks));
}
