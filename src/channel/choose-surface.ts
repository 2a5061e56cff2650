/**
 * Where the wallet opens. Decided synchronously from facts, so that a popup can still be opened inside the
 * user's click.
 */
export interface SurfaceFacts {
  preference: 'auto' | 'iframe' | 'popup';
  hostname: string;
  frameHostname: string;
  /** Registrable domain that both share, if their host names differ. */
  site?: string | undefined;
  /** Whether the page is not in a frame itself. */
  topLevel: boolean;
  secure: boolean;
  /** Whether the frame can detect that something covers it (IntersectionObserver v2). */
  seesCover: boolean;
}

/**
 * `listed`: whether the operator lets this page embed the wallet. If not, a window opens, whatever the page
 * prefers.
 */
export interface JudgedFacts extends SurfaceFacts {
  listed: boolean;
}

/**
 * `iframe` if the operator lists the page, the frame gets its first-party storage and can tell that it is not covered; otherwise `popup`.
 * Ports do not matter: browsers partition storage by site, and sites have none.
 */
export function chooseSurface(facts: JudgedFacts): 'iframe' | 'popup' {
  if (!facts.listed) return 'popup';
  if (facts.preference !== 'auto') return facts.preference;
  return facts.topLevel && facts.secure && facts.seesCover && sameSite(facts) ? 'iframe' : 'popup';
}

/** An iframe there has the same storage as the frame in a window of its own. */
export function firstParty(facts: SurfaceFacts): boolean {
  return facts.topLevel && sameSite(facts);
}

/** Whether being on the operator's list makes a difference here. */
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
    secure: window.isSecureContext,
    seesCover:
      typeof IntersectionObserverEntry === 'function' && 'isVisible' in IntersectionObserverEntry.prototype,
  };
}
