/** What the actions of one connect share. */
import type { Payloads } from '../chains/requests/payloads.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { Clock } from '../base/clock.ts';
import { FrameUnreachableError } from '../base/errors.ts';
import { type Embedding, firstParty, type Place, surfaceFacts } from '../channel/choose-surface.ts';
import { type HostEnd, openHostEnd } from '../channel/host-end.ts';
import { requestStore, type HostRecord, hostRecord } from '../channel/host-record.ts';
import type { Pending, Replaced } from '../channel/messages.ts';
import { windowMark } from '../channel/popup.ts';
import type { Arrival } from '../channel/redirect.ts';
import type { Surface } from '../channel/surface.ts';
import type { ConnectOptions } from './types.ts';

export interface Context {
  host: HostEnd;
  record: HostRecord;
  /** Whether a hidden iframe of the wallet's own page would answer: it has the wallet's storage, and this page may embed it. */
  reachesVault: () => Promise<boolean>;
  /** Schemas of the chains that were preloaded. */
  payloads: Map<SecretType, Payloads>;
  clock: Clock;
  options: ConnectOptions;
  /** The wallet's page. */
  url: URL;
  /** Aborted when the page destroys this connect. */
  ended: AbortController;
  pendingListeners: Set<(pending: Pending) => unknown>;
  replacedListeners: Set<(replaced: Replaced) => unknown>;
}

/** How the wallet is shown. Decided before the engine is loaded, because a popup cannot wait for it. */
export interface Opening {
  /** The wallet's page. */
  url: URL;
  /** Name of the wallet's window. */
  name: string;
  /** Opens the wallet's window, or returns the one already open; null when the browser blocks it. */
  popup: () => Surface | null;
  surface: () => Place;
  /** What the wallet has sent this page in its address. */
  arrival: Arrival | undefined;
  embedding: Embedding;
}

export function openContext(options: ConnectOptions, opening: Opening, clock: Clock): Context {
  const { url, name } = opening;
  const record = hostRecord(url.origin, clock);
  const pendingListeners = new Set<(pending: Pending) => unknown>();
  const replacedListeners = new Set<(replaced: Replaced) => unknown>();
  const ownStorage = firstParty(surfaceFacts(url, options));
  const reachesVault = async () => ownStorage && opening.embedding.known;
  const { theme, locale } = options;
  // Leaves the window's name for the tab's next page, only as this page is left: a tab opened from this one
  // inherits its `sessionStorage`, and would take the window away.
  addEventListener('pagehide', () => {
    if (windowMark(url.origin)) windowMark(url.origin, `${name} ${Date.now()}`);
  });
  const redirect = () => import('../channel/redirect.ts');
  const ends = () => ({ ...options, url, host, record });
  const host: HostEnd = openHostEnd({
    ...opening,
    clock,
    theme,
    locale,
    record,
    requests: requestStore(`carabiner:${url.origin}`),
    leave: (call) =>
      void redirect().then(
        ({ depart }) => depart(call, ends()),
        (cause) =>
          call.settle(new FrameUnreachableError(`The wallet could not be loaded. Try again. ${cause}`)),
      ),
    reachesVault,
    getAccessToken: () => options.getAccessToken,
    onReplaced: (replaced) => replacedListeners.forEach((listener) => listener(replaced)),
    onOrphan(pending) {
      return [...pendingListeners].filter((listener) => listener(pending) !== false).length > 0;
    },
  });
  const { arrival } = opening;
  if (arrival)
    redirect()
      .then(({ arrive }) => arrive(arrival, ends()))
      .catch(() => {});
  return {
    host,
    record,
    reachesVault,
    payloads: new Map(),
    clock,
    options,
    url,
    ended: new AbortController(),
    pendingListeners,
    replacedListeners,
  };
}
