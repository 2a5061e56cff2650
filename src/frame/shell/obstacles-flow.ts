/** What comes before a request is shown: what prevents the wallet from working here, and notices that it is not the request before. */
import { html } from 'lit';
import type { Clock } from '../../base/clock.ts';
import { ConnectError, FrameBlockedError } from '../../base/errors.ts';
import { inAppBrowser } from '../../base/in-app-browser.ts';
import { msg, str } from '../../base/localize.ts';
import { CHAIN_NAMES, type SecretType } from '../../chains/secret-type.ts';
import type { HostRequest } from '../../channel/link.ts';
import { Countdown } from '../../ui/countdown.ts';
import { iconDanger, iconRefresh } from '../../ui/icons.ts';
import { iconExternal, iconOffline, iconUnlink } from '../../ui/list-icons.ts';
import { writeText } from '../../ui/clipboard.ts';
import type { Frame } from '../frame.ts';
import { badgeQuestion, type QuestionView } from '../ui/question-view.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { siteName } from './origin.ts';
import type { Verdict } from './replacements.ts';
import type { Asker, Turn } from './turn.ts';

/** Storage is denied or full, and nothing was created. Resolves when the user tries again; otherwise the page gets `error`. */
export async function untilStored({ stage }: Frame, task: HostRequest, error: ConnectError): Promise<void> {
  const view = storageDenied(error.details['reason'] === 'full');
  const screen = stage.open(view, { signal: task.signal, requestId: task.id });
  await screen.next('cbf-retry').catch(() => {
    throw error;
  });
}

/** The browser does not let the wallet store anything, so nothing is created. `full`: there is no space left. */
export function storageDenied(full: boolean): QuestionView<'cbf-reject' | 'cbf-retry'> {
  return badgeQuestion('cbf-reject', () => ({
    badge: ['bad', iconDanger()],
    heading: full ? msg('No space left') : msg('Your wallet cannot be stored'),
    text: full
      ? msg('This device has no room to keep your wallet. Free some space, then try again. Nothing was made.')
      : msg(
          'This browser does not let your wallet keep anything, as in a private window. Allow storage for it, then try again. Nothing was made.',
        ),
    buttons: [
      { text: msg('Reject'), event: 'cbf-reject', look: 'secondary' },
      { text: msg('Try again'), event: 'cbf-retry', look: 'primary', glyph: iconRefresh() },
    ],
  }));
}

/** Something failed that the user can only try again. */
export function tryAgain(): QuestionView<'cbf-reject' | 'cbf-retry'> {
  return badgeQuestion<'cbf-reject' | 'cbf-retry'>('cbf-reject', () => ({
    badge: ['warn', iconDanger()],
    heading: msg('That did not work'),
    text: msg('Something went wrong. Try again in a moment.'),
    buttons: [{ text: msg('Try again'), event: 'cbf-retry', look: 'primary', glyph: iconRefresh() }],
    stacked: true,
  }));
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

/**
 * Another app shows this page and can read all of it: without a wallet here, and unless the operator allows it, the user gets the page's
 * address for a browser, and the page `frame.blocked`. Else a notice, once.
 */
export async function standInApp(
  frame: Frame,
  { id, signal }: Pick<HostRequest, 'id' | 'signal'>,
  { address = frame.link.origin, app = inAppBrowser() }: { address?: string; app?: string } = {},
): Promise<void> {
  const { stage, networks } = frame;
  if (app === undefined || NOTED.has(stage)) return;
  const goesOn = networks.inAppBrowsers || (await (await frame.vault()).state()).exists;
  const view = inAppQuestion(app, address, !!goesOn);
  const screen = stage.open(view, { signal, requestId: id });
  for (;;) {
    const { type } = await screen.next('cbf-copy', 'cbf-go-on', 'cbf-close', 'cbf-reject');
    if (type === 'cbf-copy') view.state = { copied: await writeText(address) };
    else if (type === 'cbf-go-on') break;
    else {
      stage.left = true;
      throw new FrameBlockedError(`${app || 'The app'} shows this page in its own browser.`, 'in-app');
    }
  }
  NOTED.add(stage);
}

/** Where the user has chosen to go on in another app. */
const NOTED = new WeakSet<Frame['stage']>();

type InAppAnswer = 'cbf-copy' | 'cbf-go-on' | 'cbf-close';

/** `app`: its name, or empty. `goesOn`: whether the user may stay here. */
export function inAppQuestion(
  app: string,
  address: string,
  goesOn: boolean,
): QuestionView<InAppAnswer, { copied?: boolean }> {
  return badgeQuestion<InAppAnswer, { copied?: boolean }>('cbf-close', ({ copied }) => {
    const text = app
      ? msg(str`${app} shows this page and can read everything on it, your PIN and keys included.`)
      : msg('Another app shows this page and can read everything on it, your PIN and keys included.');
    return {
      badge: ['warn', iconExternal()],
      heading: msg('Open in your browser'),
      text: html`${text} ${
        goesOn
          ? msg(
              'It is safer in your browser. To bring a wallet there, use its words, file or encrypted copy.',
            )
          : msg('So no wallet is made or opened here. Open this address in your browser:')
      }`,
      details: html`<p class="addr center">${address}</p>`,
      buttons: [
        goesOn
          ? { text: msg('Go on here'), event: 'cbf-go-on', look: 'secondary' }
          : { text: msg('Close'), event: 'cbf-close', look: 'secondary' },
        {
          text: copied ? msg('Address copied') : msg('Copy address'),
          event: 'cbf-copy',
          look: 'primary',
          start: true,
        },
      ],
      stacked: true,
    };
  });
}

const RETRY_MS = 10_000;

/** No node answers, of the wallet's network unless the error names another: waits for Retry or 10 seconds. Rejects with `user.rejected`. */
export async function retryNode(
  { stage, clock }: Frame,
  { secretType }: { secretType: SecretType },
  options: OpenOptions,
  { error }: { error?: ConnectError } = {},
): Promise<void> {
  const other = error?.details['secretType'] as SecretType | undefined;
  const view = nodeDown(CHAIN_NAMES[other ?? secretType], clock, clock.date() + RETRY_MS);
  await stage.open(view, options).next('cbf-retry');
}

/** No node of the network answered. Tries again by itself at `retryAt`, in epoch milliseconds. */
export function nodeDown(
  network: string,
  clock: Clock,
  retryAt: number,
): QuestionView<'cbf-reject' | 'cbf-retry'> {
  const view: QuestionView<'cbf-reject' | 'cbf-retry'> = badgeQuestion('cbf-reject', () => {
    const { seconds } = countdown;
    return {
      badge: ['warn', iconOffline()],
      heading: msg(str`Cannot reach ${network}`),
      text: msg('We could not check your balance and the fee, so nothing can be approved yet.'),
      details: html`<p class="sm faint center">${seconds ? msg(str`Trying again in ${seconds} s`) : msg('Trying again…')}</p>`,
      buttons: [
        { text: msg('Reject'), event: 'cbf-reject', look: 'secondary' },
        { text: msg('Retry'), event: 'cbf-retry', look: 'primary', glyph: iconRefresh(), disabled: !seconds },
      ],
    };
  });
  const countdown = new Countdown(
    view,
    (seconds) => {
      if (seconds === 0) view.answer('cbf-retry');
    },
    () => clock,
  );
  view.addEventListener('cbf-retry', () => countdown.stop());
  countdown.start(retryAt);
  return view;
}

/**
 * `opener`: no page opened this window, or it is gone. `coop`: the site's COOP header severed the window from its opener. `config`: site
 * and wallet share an origin, or the wallet's own configuration does not load. `silent`: the embedding or opening page does not answer.
 */
export type CutOffReason = 'opener' | 'coop' | 'config' | 'silent';

/** The view for an error at the start. Close closes the window; of a page that came by redirect, Back leads there. */
export function cutOff(error: unknown): HTMLElement {
  const { reason, site } = (error instanceof ConnectError && error.details) || {};
  if (reason === 'redirect') {
    const view = unproven(typeof site === 'string' ? siteName(site) : undefined);
    // A window that a link has opened has nothing to go back to.
    view.addEventListener('cbf-back', () => (history.length > 1 ? history.back() : window.close()));
    return view;
  }
  const view = cutOffBy(reasonOf(error));
  view.addEventListener('cbf-close', () => window.close());
  return view;
}

/** A window severed from its opener still has that page as its referrer; one opened by hand has none. */
function reasonOf(error: unknown): CutOffReason {
  if (!error) return 'silent';
  if (!(error instanceof ConnectError) || error.code !== 'frame.blocked') return 'config';
  return document.referrer ? 'coop' : 'opener';
}

/** There is no connection to a site, so the user can only close. */
export function cutOffBy(reason: CutOffReason): QuestionView<'cbf-close'> {
  return badgeQuestion('cbf-close', () => {
    const [heading, text] = cutOffWords(reason);
    const silent = reason === 'silent';
    return {
      badge: [silent ? '' : 'warn', iconUnlink()],
      heading,
      text,
      buttons: [
        {
          text: silent ? msg('Close window') : msg('Close'),
          event: 'cbf-close',
          look: silent ? 'primary' : 'secondary',
        },
      ],
      stacked: true,
    };
  });
}

/**
 * A page came by redirect and has not proven that it is `site`; without that, what it asked for is over. The way back is the browser's own:
 * the wallet sends nobody to an address that nothing has proven.
 */
export function unproven(site?: string): QuestionView<'cbf-back'> {
  return badgeQuestion('cbf-back', () => ({
    badge: ['warn', iconUnlink()],
    heading: site ? msg(str`A page that says it is ${site}`) : msg('This request is over'),
    text: site
      ? msg(
          'It asks your wallet for something. Nothing proves that it is, so your wallet links and signs nothing for it.',
        )
      : msg(
          'A request counts once, in one tab, for ten minutes. Go back to the site, and look there before you ask again.',
        ),
    buttons: [{ text: msg('Back'), event: 'cbf-back', look: 'primary' }],
    stacked: true,
  }));
}

function cutOffWords(reason: CutOffReason): [heading: string, text: string] {
  switch (reason) {
    case 'opener':
      return [
        msg('No site is connected'),
        msg(
          'This window opens from a site that asks your wallet for something. Close it and start again on the site.',
        ),
      ];
    case 'coop':
      return [
        msg('The site cut off this window'),
        msg(
          'Its security settings do not let it talk to a wallet window. Nothing was sent. Tell the site’s makers.',
        ),
      ];
    case 'silent':
      return [
        msg('The site was closed'),
        msg(
          'Nothing is waiting for you. You can close this window. If the site is only slow, it goes on by itself.',
        ),
      ];
    case 'config':
      return [
        msg('This wallet is not set up correctly'),
        msg(
          'It must be on a web address of its own, with its list of networks. Nothing was sent. Tell the site’s makers.',
        ),
      ];
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
    view.own = turn.site === location.origin;
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

/** Who began something. On the wallet's own origin, which no site has, that is the user. */
function askerName(origin: string): string {
  return origin === location.origin ? msg('You') : siteName(origin);
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
      : Object.assign(new MovedView(clock), { from: askerName(verdict.from), here: verdict.here });
  await stage.open(Object.assign(view, { site, gone: verdict.title }), options).next('cbf-show');
}
