/** Where the wallet opens. Decided from facts alone, so that a popup can still be opened inside the user's click. */
export interface SurfaceFacts {
  preference: 'auto' | 'iframe' | 'popup';
  hostname: string;
  frameHostname: string;
  /** Registrable domain that both are on, when their host names differ. */
  site?: string | undefined;
  /** The page is not itself in a frame. */
  topLevel: boolean;
  secure: boolean;
  /** IntersectionObserver v2: the frame can see whether something covers it. */
  seesCover: boolean;
}

/** Facts with the operator's word: whether this page may embed the wallet. Without it there is a window, whatever the page prefers. */
export interface JudgedFacts extends SurfaceFacts {
  listed: boolean;
}

/**
 * `iframe` where the operator lists the page, the frame gets its first-party storage and can tell that it is not covered; `popup` everywhere else. Ports do not
 * matter: browsers partition storage by site, and sites have none.
 */
export function chooseSurface(facts: JudgedFacts): 'iframe' | 'popup' {
  if (!facts.listed) return 'popup';
  if (facts.preference !== 'auto') return facts.preference;
  return facts.topLevel && facts.secure && facts.seesCover && sameSite(facts) ? 'iframe' : 'popup';
}

/** The frame's storage in an iframe there is the one that it has in a window of its own. */
export function firstParty(facts: SurfaceFacts): boolean {
  return facts.topLevel && sameSite(facts);
}

/** Whether it makes a difference here that the operator lists the page. */
export function asksToEmbed(facts: SurfaceFacts): boolean {
  return firstParty(facts) || chooseSurface({ ...facts, listed: true }) === 'iframe';
}

function sameSite({ hostname, frameHostname, site }: SurfaceFacts): boolean {
  return (
    hostname === frameHostname ||
    (!!site && [hostname, frameHostname].every((name) => name === site || name.endsWith(`.${site}`)))
  );
}

export function surfaceFacts(
  frameUrl: URL,
  { surface = 'auto', site }: { surface?: SurfaceFacts['preference']; site?: string },
): SurfaceFacts {
  return {
    preference: surface,
    site,
    hostname: location.hostname,
    frameHostname: frameUrl.hostname,
    topLevel: window.top === window,
    secure: isSecureContext,
    seesCover:
      typeof IntersectionObserverEntry === 'function' && 'isVisible' in IntersectionObserverEntry.prototype,
  };
}
