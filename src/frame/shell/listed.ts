/** Which pages the operator lists as trusted not to hide parts of the wallet. */
import type { Networks } from '../../chains/network.ts';
import type { HostLink } from '../../channel/link.ts';
import { seemsMade } from '../../wallets/first-paint.ts';
import { isFirstParty, seesCover } from './place.ts';

/**
 * Whether the wallet may be used here: in a window of its own, or embedded in a page that the operator trusts not to hide parts of it.
 * `frame-ancestors` tells the browser the same; this check holds even if a server in between has dropped that header.
 */
export function isListed({
  link,
  networks,
}: {
  link: Pick<HostLink, 'origin' | 'surface'>;
  networks: Partial<Networks>;
}): boolean {
  return link.surface === 'popup' || (networks.embed ?? []).includes(link.origin);
}

/**
 * Whether this frame may read the vault for the page around it. WebKit partitions a frame's storage by the origin of the page, not by its
 * site: a vault made in a window is not visible in the frame there. Only in Chromium are vaults made in frames, too.
 */
export function servesVault(frame: Parameters<typeof isListed>[0]): boolean {
  const isShared = frame.link.surface === 'popup' || seesCover() || seemsMade() !== undefined;
  return isListed(frame) && isFirstParty(frame) && isShared;
}
