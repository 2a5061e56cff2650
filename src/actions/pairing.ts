/** The chooser's step with the pairing code by which a wallet elsewhere finds this page. */
import { ConnectError } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { Pairing } from '../external/types.ts';
import { msg } from '../base/localize.ts';
import { qrOutline } from '../base/qr.ts';
import { warn } from '../base/warn.ts';
import { action, element, heading, say, statusLine, type Step, type Waiting } from './chooser-parts.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** Lifetime of a code that does not name one: https://specs.walletconnect.com/2.0/specs/clients/core/pairing */
const HOLDS_MS = 300_000;
const COPIED_MS = 2000;

/** "Scan with your wallet". */
export class PairingStep implements Step {
  readonly view = element('section', 'waiting pairing');
  readonly #waiting: Waiting;
  readonly #code = element('div', 'code');
  readonly #app = document.createElement('a');
  readonly #status = statusLine();
  readonly #text = element('p', 'uri');
  readonly #copy: HTMLButtonElement;
  readonly #again: HTMLButtonElement;
  #uri = '';
  #attempt = new AbortController();
  #cancelExpiry = (): void => {};
  #cancelCopied = (): void => {};

  constructor(waiting: Waiting) {
    this.#waiting = waiting;
    this.#copy = action('quiet', msg('Copy'), () => void this.#copyCode());
    this.#again = action('quiet', msg('New code'), () => this.#ask());
    const hint = msg('Scan this code with a wallet app that supports WalletConnect. It asks you there.');
    Object.assign(this.#app, {
      className: 'action primary',
      textContent: msg('Open a wallet app'),
      hidden: true,
    });
    this.#text.hidden = true;
    const actions = element('div', 'actions');
    actions.append(action('secondary', msg('Back'), waiting.back), this.#copy, this.#again);
    this.view.append(
      heading(onPhone() ? msg('Link a wallet app') : msg('Scan with your wallet')),
      element('p', '', hint),
      this.#app,
      this.#code,
      this.#status,
      this.#text,
      actions,
    );
    this.#ask();
  }

  leave(): void {
    this.#cancelExpiry();
    this.#cancelCopied();
    this.#attempt.abort();
  }

  #ask(): void {
    const { link, linked, reason } = this.#waiting;
    this.#cancelExpiry();
    this.#attempt.abort();
    this.#attempt = new AbortController();
    const { signal } = this.#attempt;
    this.#show('');
    this.#copy.hidden = false;
    this.#again.hidden = true;
    say(this.#status, msg('Preparing the code'), true);
    link(this.#pairing(signal)).then(
      () => signal.aborted || linked(),
      (error: unknown) => signal.aborted || this.#end(reasonOf(error, reason)),
    );
  }

  #pairing(signal: AbortSignal): Pairing {
    const { clock } = this.#waiting;
    return {
      signal,
      show: (uri) => {
        if (signal.aborted) return;
        this.#show(uri);
        say(this.#status, msg('Waiting for your wallet'), true);
        this.#cancelExpiry = clock.after(holds(uri, clock), () => this.#end(msg('This code has expired.')));
      },
      answered: () => {
        if (signal.aborted) return;
        this.#cancelExpiry();
        this.#show('');
        say(this.#status, msg('Your wallet has answered'), true);
      },
    };
  }

  #end(words: string): void {
    this.#cancelExpiry();
    this.#attempt.abort();
    this.#show('');
    this.#copy.hidden = true;
    this.#again.hidden = false;
    say(this.#status, words, false);
  }

  /** An expired code is removed, so that nobody scans it. */
  #show(uri: string): void {
    this.#uri = uri;
    this.#code.replaceChildren(uri ? drawn(uri) : element('div', 'qr'));
    this.#app.hidden = !uri || !onPhone();
    if (uri) this.#app.href = uri;
    this.#text.hidden = true;
    this.#copy.disabled = !uri;
  }

  async #copyCode(): Promise<void> {
    const uri = this.#uri;
    try {
      await navigator.clipboard.writeText(uri);
      this.#copy.textContent = msg('Copied');
      this.#cancelCopied();
      this.#cancelCopied = this.#waiting.clock.after(COPIED_MS, () => (this.#copy.textContent = msg('Copy')));
    } catch {
      // The browser blocks writing to the clipboard: the text is shown, to be copied by hand.
      this.#text.textContent = uri;
      this.#text.hidden = !this.#uri;
    }
  }
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
