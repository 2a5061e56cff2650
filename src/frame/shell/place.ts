/** Where the frame runs: what is possible here, and what needs a window of its own. */
import type { Networks } from '../../chains/network.ts';
import type { HostLink } from '../../channel/link.ts';
import { seemsMade } from '../../wallets/first-paint.ts';

/** Whether this frame has the same storage as the wallet in a window of its own. */
export function isFirstParty(
  { link, networks }: { link: Pick<HostLink, 'origin' | 'surface'>; networks: Partial<Networks> },
  here: { location: Pick<URL, 'hostname' | 'protocol'>; parentIsTop: boolean } = {
    location,
    parentIsTop: window.parent === window.top,
  },
): boolean {
  if (link.surface === 'popup') return true;
  const host = new URL(link.origin);
  // Browsers partition `http:` under `https:` and vice versa: sites include the scheme.
  if (!here.parentIsTop || host.protocol !== here.location.protocol) return false;
  const { site } = networks;
  const within = (name: string): boolean => !!site && (name === site || name.endsWith(`.${site}`));
  return (
    host.hostname === here.location.hostname || (within(host.hostname) && within(here.location.hostname))
  );
}

/** Whether this browser reports what covers a frame: Safari and Firefox lack IntersectionObserver v2. */
export function seesCover(Entry: typeof IntersectionObserverEntry = IntersectionObserverEntry): boolean {
  return 'isVisible' in Entry.prototype;
}

// Pages that the operator trusts not to hide parts of the wallet.

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
