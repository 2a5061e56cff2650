/** Where the frame runs: what is possible here, and what needs a window of its own. */
import type { Networks } from '../../chains/network.ts';
import type { HostLink } from '../../channel/link.ts';

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
