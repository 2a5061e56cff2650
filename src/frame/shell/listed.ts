/** Pages that the operator trusts not to hide parts of the wallet. */
import type { Networks } from '../../chains/network.ts';
import type { HostLink } from '../../channel/link.ts';
import { seemsMade } from '../../wallets/first-paint.ts';
import { isFirstParty, seesCover } from './place.ts';

/**
 * Whether the wallet may be used here: in a window of its own, or embedded in a page that the operator trusts not to hide parts of it.
 * Browsers enforce the same by `frame-ancestors`; this check holds even if a proxy has dropped that header.
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
 * Whether this frame may read the vault for the embedding page. WebKit partitions a frame's storage by the page's origin, not its site: a
 * vault created in a window is not visible in the frame. Only in Chromium can vaults also be created in frames.
 */
export function servesVault(frame: Parameters<typeof isListed>[0]): boolean {
  const isShared = frame.link.surface === 'popup' || seesCover() || seemsMade() !== undefined;
  return isListed(frame) && isFirstParty(frame) && isShared;
}
