/** Where the frame stands: what can be done here, and what needs a window of its own. */
import type { Networks } from '../chains/network.ts';
import type { HostLink } from '../channel/link.ts';

/** Whether this frame has the storage that the wallet has in a window of its own. */
export function isFirstParty(
  { link, networks }: { link: Pick<HostLink, 'origin' | 'surface'>; networks: Partial<Networks> },
  here: { location: Pick<URL, 'hostname' | 'protocol'>; parentIsTop: boolean } = {
    location,
    parentIsTop: window.parent === window.top,
  },
): boolean {
  if (link.surface === 'popup') return true;
  const host = new URL(link.origin);
  // Browsers partition `http:` under `https:` and the other way round: another scheme is another site.
  if (!here.parentIsTop || host.protocol !== here.location.protocol) return false;
  const { site } = networks;
  const within = (name: string): boolean => !!site && (name === site || name.endsWith(`.${site}`));
  return (
    host.hostname === here.location.hostname || (within(host.hostname) && within(here.location.hostname))
  );
}

/** `Safari` and `Firefox` have the observer of visibility, but not its second version. */
export function seesCover(Entry: typeof IntersectionObserverEntry = IntersectionObserverEntry): boolean {
  return 'isVisible' in Entry.prototype;
}
