/** What the actions of one connect share. */
import type { Payloads } from '../chains/payloads.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { Clock } from '../clock.ts';
import { chooseSurface, firstParty, surfaceFacts } from '../channel/choose-surface.ts';
import { type HostEnd, openHostEnd } from '../channel/host-end.ts';
import { type HostRecord, hostRecord } from '../channel/host-record.ts';
import type { Pending } from '../channel/messages.ts';
import type { Surface } from '../channel/surface.ts';
import { frameUrl } from './frame-url.ts';
import type { ConnectOptions } from './types.ts';

export interface Context {
  host: HostEnd;
  record: HostRecord;
  firstParty: boolean;
  /** Schemas of the chains that were preloaded. */
  payloads: Map<SecretType, Payloads>;
  pendingListeners: Set<(pending: Pending) => void>;
}

/**
 * `popup` opens the wallet's window, or hands over the one that is open already. Throws `frame.blocked` with reason `config` when there
 * is no page, or no wallet of another origin to open.
 */
export function openContext(options: ConnectOptions, popup: () => Surface | null, clock: Clock): Context {
  const url = frameUrl(options);
  const record = hostRecord(url.origin, clock);
  const pendingListeners = new Set<(pending: Pending) => void>();
  const facts = surfaceFacts(url, options);
  const { theme, locale } = options;
  const host = openHostEnd({
    clock,
    url,
    theme,
    locale,
    record,
    popup,
    firstParty: firstParty(facts),
    surface: () => chooseSurface(facts),
    getAccessToken: () => options.getAccessToken,
    onOrphan(pending) {
      for (const listener of pendingListeners) listener(pending);
      return pendingListeners.size > 0;
    },
  });
  return { host, record, firstParty: firstParty(facts), payloads: new Map(), pendingListeners };
}
