/** The user, as the wallet service knows them. Loaded only for pages that provide its access tokens. */
import type { Profile } from '../../api/token.ts';
import type { Networks } from '../../chains/network.ts';
import type { HostLink } from '../../channel/link.ts';
import { ConnectError } from '../../base/errors.ts';
import { readProfileOf, type ServiceOptions } from '../../wallets/service/calls.ts';

export function serviceOptions(link: HostLink, { service: url }: Networks): ServiceOptions {
  if (url === undefined)
    throw new ConnectError('token.missing', 'This wallet has no service: its networks.json names none.');
  return { url, accessToken: (expired: boolean) => link.accessToken(expired) };
}

export function profile(link: HostLink, networks: Networks): Promise<Profile> {
  return readProfileOf(serviceOptions(link, networks));
}
