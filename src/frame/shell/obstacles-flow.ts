/** What comes before a request is shown: what prevents the wallet from working here, and notices that it is not the request before. */
import { ConnectError } from '../../base/errors.ts';
import type { HostRequest } from '../../channel/link.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { siteName } from './origin.ts';
import type { Verdict } from './replacements.ts';
import type { Asker, Turn } from './turn.ts';

/** Storage is denied or full, and nothing was created. Resolves when the user tries again; otherwise the page gets `error`. */
export async function untilStored({ stage }: Frame, task: HostRequest, error: ConnectError): Promise<void> {
  const { StorageDeniedView } = await import('./storage-denied-view.ts');
  const reason = error.details['reason'] === 'full' ? 'full' : 'denied';
  const screen = stage.open(Object.assign(new StorageDeniedView(), { reason }), {
    signal: task.signal,
    requestId: task.id,
  });
  await screen.next('cbf-retry').catch(() => {
    throw error;
  });
}

/** The page is not listed, the frame's storage is partitioned, or the browser cannot detect covers: it takes a window. */
export async function needsWindow({ stage, link }: Frame, task: HostRequest): Promise<void> {
  const { guardView } = await import('./guard-view.ts');
  const screen = stage.open(guardView('window'), { signal: task.signal, requestId: task.id });
  for (;;) {
    await screen.next('cbf-window');
    link.openWindow(task.id);
  }
}

/** Other windows may take their turns meanwhile. */
const LOOK_MS = 500;

/** Another window is asking. True: the user went on here. False: that window is done. */
export async function waitForTurn(
  { stage, clock }: Frame,
  options: OpenOptions,
  turn: Turn,
  asker: Asker,
): Promise<boolean> {
  const { ElsewhereView } = await import('./notice-view.ts');
  const view = new ElsewhereView(clock);
  const look = (): void => {
    view.site = turn.site && siteName(turn.site);
  };
  look();
  const stopLooking = clock.every(LOOK_MS, look);
  const over = new AbortController();
  try {
    const screen = stage.open(view, options);
    const isSeized = await Promise.race([
      screen.next('cbf-show').then(() => true),
      turn.take(asker, { signal: over.signal }).then(() => false),
    ]);
    if (isSeized) await turn.take(asker, { steal: true });
    return isSeized;
  } finally {
    stopLooking();
    over.abort();
  }
}

/** Another request was on screen. Resolves when the user wants to see this one. */
export async function standBefore(
  { stage, link, clock }: Frame,
  options: OpenOptions,
  verdict: Exclude<Verdict, { kind: 'quiet' }>,
): Promise<void> {
  const { MovedView, PausedView, ReplacedView } = await import('./notice-view.ts');
  const site = siteName(link.origin);
  if (verdict.kind === 'paused') {
    const seconds = Math.ceil((verdict.until - clock.date()) / 1000);
    const view = Object.assign(new PausedView(), { site, minutes: Math.ceil(seconds / 60) });
    if (!verdict.isRepeated) await stage.open(view, options).next('cbf-close');
    throw new ConnectError(
      'request.rate-limited',
      'This site replaced its request three times within a minute. It can ask again in 10 minutes.',
      { retryAfter: seconds },
    );
  }
  const view =
    verdict.kind === 'replaced'
      ? new ReplacedView(clock)
      : Object.assign(new MovedView(clock), { from: siteName(verdict.from), here: verdict.here });
  await stage.open(Object.assign(view, { site, gone: verdict.title }), options).next('cbf-show');
}
