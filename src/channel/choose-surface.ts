/**
 * Where the wallet opens. Decided synchronously from facts, so that a popup can still be opened inside the
 * user's click.
 */
export interface SurfaceFacts {
  preference: 'auto' | 'iframe' | 'popup' | 'redirect';
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

/** `redirect`: the page leaves for the wallet, and is come back to. */
export type Place = 'iframe' | 'popup' | 'redirect';

/**
 * `iframe` if the operator lists the page, the frame gets its first-party storage and can tell that it is not covered; otherwise `popup`.
 * Ports do not matter: browsers partition storage by site, and sites have none.
 */
export function chooseSurface(facts: JudgedFacts): Place {
  if (facts.preference === 'redirect') return 'redirect';
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

/** Maximum size of `embed.json`; more is not read. */
const MAX = 1024;

/** Whether the wallet's operator lists this page among those that may show it in a dialog. */
export interface Embedding {
  /** True only if known already: a decision inside a click cannot wait. */
  readonly listed: boolean;
  /** For decisions that can wait. Never rejects. */
  readonly known: Promise<boolean>;
}

/** For a page of another site, or one that always opens windows, which need not ask. */
export const NOT_EMBEDDED: Embedding = { listed: false, known: Promise.resolve(false) };

/**
 * Asks the frame's origin. No answer, or anything but a list with this page on it, means that the wallet
 * opens in a window: a page that fakes this only gets an iframe that the browser keeps empty.
 */
export function askEmbedding(frame: URL): Embedding {
  const url = new URL('../embed.json', frame).href;
  let embedding = embeddings.get(url);
  if (!embedding) {
    const request = { listed: false, known: ask(url) };
    void request.known.then((listed) => (request.listed = listed));
    embeddings.set(url, (embedding = request));
  }
  return embedding;
}

/** Shared by all connects of a page. */
const embeddings = new Map<string, Embedding>();

async function ask(url: string): Promise<boolean> {
  try {
    // Without options, which a page could extend through `Object.prototype`.
    const answer = await fetch(url);
    const { embed } = JSON.parse(answer.ok ? await boundedText(answer) : '') as { embed?: unknown };
    return Array.isArray(embed) && embed.includes(location.origin);
  } catch {
    return false;
  }
}

/** The text of a response; empty if it exceeds the limit, in which case reading stops. */
async function boundedText({ body }: Response): Promise<string> {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (text.length <= MAX) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
  }
  await reader.cancel();
  return '';
}
