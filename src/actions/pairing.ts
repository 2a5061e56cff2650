/** The chooser's step with the pairing code by which a wallet elsewhere finds this page. */
import { ConnectError } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { Pairing } from '../external/types.ts';
import { msg } from '../base/localize.ts';
import { qrOutline } from '../base/qr.ts';
import { warn } from '../base/warn.ts';
import { action, element } from './chooser-parts.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** Lifetime of a code that does not name one: https://specs.walletconnect.com/2.0/specs/clients/core/pairing */
const HOLDS_MS = 300_000;
const COPIED_MS = 2000;

interface Waiting {
  clock: Clock;
  /** Asks the user, in the other wallet. Rejects with an error that is meant for the user. */
  link: (pairing: Pairing) => Promise<void>;
  linked: () => void;
  /** What went wrong, as the user is told. */
  reason: (error: unknown) => string;
  back: () => void;
}

/** "Scan with your wallet". After `leave`, answers of a wallet no longer count. */
export function pairingFor({ clock, link, linked, reason, back }: Waiting): {
  view: HTMLElement;
  leave: () => void;
} {
  const view = element('section', 'waiting pairing');
  const heading = element('h3', '', onPhone() ? msg('Link a wallet app') : msg('Scan with your wallet'));
  heading.tabIndex = -1;
  const hint = msg('A wallet app that supports WalletConnect reads this code and asks you there.');
  const code = element('div', 'code');
  const app = document.createElement('a');
  Object.assign(app, { className: 'action primary', textContent: msg('Open a wallet app'), hidden: true });
  const status = element('p', 'live');
  status.ariaLive = 'polite';
  const text = element('p', 'uri');
  text.hidden = true;
  const actions = element('div', 'actions');
  const copy = action('quiet', msg('Copy'), () => void copyCode());
  const again = action('quiet', msg('New code'), () => ask());
  actions.append(action('secondary', msg('Back'), back), copy, again);
  view.append(heading, element('p', '', hint), app, code, status, text, actions);

  let uri = '';
  let left = new AbortController();
  let cancel = (): void => {};
  let cancelCopied = (): void => {};

  const say = (words: string, busy: boolean): void => {
    status.textContent = words;
    status.classList.toggle('busy', busy);
  };
  /** An expired code is removed, so that nobody scans it. */
  const show = (given: string): void => {
    uri = given;
    code.replaceChildren(given ? drawn(given) : element('div', 'qr'));
    app.hidden = !given || !onPhone();
    if (given) app.href = given;
    text.hidden = true;
    copy.disabled = !given;
  };
  const end = (words: string): void => {
    cancel();
    left.abort();
    show('');
    copy.hidden = true;
    again.hidden = false;
    say(words, false);
  };

  async function copyCode(): Promise<void> {
    const copied = uri;
    try {
      await navigator.clipboard.writeText(copied);
      copy.textContent = msg('Copied');
      cancelCopied();
      cancelCopied = clock.after(COPIED_MS, () => (copy.textContent = msg('Copy')));
    } catch {
      // The browser blocks writing to the clipboard: the text is shown, to be copied by hand.
      text.textContent = copied;
      text.hidden = !uri;
    }
  }

  function ask(): void {
    cancel();
    left.abort();
    const mine = (left = new AbortController());
    show('');
    copy.hidden = false;
    again.hidden = true;
    say(msg('Preparing the code'), true);
    const pairing: Pairing = {
      signal: mine.signal,
      show(given) {
        if (mine.signal.aborted) return;
        show(given);
        say(msg('Waiting for your wallet'), true);
        cancel = clock.after(holds(given, clock), () => end(msg('This code has expired.')));
      },
      answered() {
        if (mine.signal.aborted) return;
        cancel();
        show('');
        say(msg('Your wallet has answered'), true);
      },
    };
    link(pairing).then(
      () => mine.signal.aborted || linked(),
      (error: unknown) => mine.signal.aborted || end(reasonOf(error, reason)),
    );
  }

  ask();
  return {
    view,
    leave() {
      cancel();
      cancelCopied();
      left.abort();
    },
  };
}

/** A device without a hovering pointer is probably the phone itself, with no other device to scan the code. */
function onPhone(): boolean {
  return matchMedia('(hover: none) and (pointer: coarse)').matches;
}

function holds(uri: string, clock: Clock): number {
  const expires = Number(/[?&]expiryTimestamp=(\d+)/.exec(uri)?.[1]) * 1000;
  return Number.isNaN(expires) ? HOLDS_MS : Math.max(0, expires - clock.date());
}

function reasonOf(error: unknown, reason: (error: unknown) => string): string {
  if (!(error instanceof ConnectError)) return reason(error);
  if (error.code !== 'frame.unreachable' && error.code !== 'chain.not-supported') return reason(error);
  warn(error);
  return error.code === 'frame.unreachable'
    ? msg('WalletConnect cannot be reached now. Try again in a moment.')
    : msg('Your wallet offered no network that this site uses.');
}

function drawn(text: string): SVGSVGElement {
  const { size, path } = qrOutline(text);
  const drawing = document.createElementNS(SVG, 'svg');
  drawing.setAttribute('class', 'qr');
  drawing.setAttribute('viewBox', `0 0 ${size} ${size}`);
  drawing.setAttribute('shape-rendering', 'crispEdges');
  drawing.role = 'img';
  drawing.ariaLabel = msg('Code for your wallet app');
  const ground = document.createElementNS(SVG, 'rect');
  ground.setAttribute('width', String(size));
  ground.setAttribute('height', String(size));
  ground.setAttribute('fill', '#fff');
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  line.setAttribute('fill', '#000');
  drawing.append(ground, line);
  return drawing;
}
