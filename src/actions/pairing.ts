/** The chooser's step with the pairing code by which a wallet elsewhere finds this page. */
import { ConnectError } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import { CARDS, type SecretType } from '../chains/secret-type.ts';
import { type NamespaceName, namespaceOf } from '../external/networks.ts';
import type { Pairing } from '../external/types.ts';
import { msg } from '../base/localize.ts';
import { qrOutline } from '../base/qr.ts';
import { warn } from '../base/warn.ts';
import { action, element, heading, say, statusLine, type Step, type Waiting } from './chooser-parts.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** Lifetime of a code that does not name one: https://specs.walletconnect.com/2.0/specs/clients/core/pairing */
const HOLDS_MS = 300_000;
const COPIED_MS = 2000;

interface App {
  name: string;
  /** What the code is appended to: a link that the app opens by itself. */
  link: string;
  namespaces: readonly NamespaceName[];
}

/** Apps that people have on a phone. "Open a wallet app" leaves it to the phone, which knows only some of them by `wc:`. */
const APPS: readonly App[] = [
  { name: 'MetaMask', link: 'https://metamask.app.link/wc?uri=', namespaces: ['eip155'] },
  {
    name: 'Trust Wallet',
    link: 'https://link.trustwallet.com/wc?uri=',
    namespaces: ['eip155', 'bip122', 'tron'],
  },
  { name: 'OKX Wallet', link: 'okex://main/wc?uri=', namespaces: ['eip155', 'tron'] },
  { name: 'TokenPocket', link: 'tpoutside://wc?uri=', namespaces: ['eip155', 'tron'] },
  { name: 'VeWorld', link: 'veworld://app.veworld?uri=', namespaces: ['vechain'] },
];

/** "Scan with your wallet". */
export class PairingStep implements Step {
  readonly view = element('section', 'waiting pairing');
  readonly #waiting: Waiting;
  readonly #code = element('div', 'code');
  /** For whichever app the phone chooses; then one for each that can serve the page's chains. */
  readonly #any: HTMLAnchorElement;
  readonly #apps: ReadonlyMap<App, HTMLAnchorElement>;
  readonly #links = element('div', 'actions');
  readonly #status = statusLine();
  readonly #text = element('p', 'uri');
  readonly #copy: HTMLButtonElement;
  readonly #again: HTMLButtonElement;
  #uri = '';
  /** The link by which the user opened an app on this device. */
  #opened: string | undefined;
  #attempt = new AbortController();
  #cancelExpiry = (): void => {};
  #cancelCopied = (): void => {};

  constructor(waiting: Waiting) {
    this.#waiting = waiting;
    this.#copy = action('quiet', msg('Copy'), () => void this.#copyCode());
    this.#again = action('quiet', msg('New code'), () => this.#ask());
    const hint = msg('Scan this code with a wallet app that supports WalletConnect. It asks you there.');
    this.#any = this.#linkTo('primary', msg('Open a wallet app'));
    const apps = onPhone() ? appsFor(waiting.secretTypes) : [];
    this.#apps = new Map(apps.map((app) => [app, this.#linkTo('secondary', app.name)]));
    this.#links.append(...this.#apps.values());
    this.#text.hidden = true;
    const actions = element('div', 'actions');
    actions.append(action('secondary', msg('Back'), waiting.back), this.#copy, this.#again);
    this.view.append(
      heading(onPhone() ? msg('Link a wallet app') : msg('Scan with your wallet')),
      element('p', '', hint),
      this.#any,
      this.#links,
      this.#code,
      this.#status,
      this.#text,
      actions,
    );
    this.#ask();
  }

  /** A link rather than a button: it opens the app within the tap, whatever the browser thinks of scripts that do. */
  #linkTo(className: string, text: string): HTMLAnchorElement {
    const link = document.createElement('a');
    Object.assign(link, { className: `action ${className}`, textContent: text, hidden: true });
    link.rel = 'noreferrer';
    link.onclick = () => (this.#opened = link.href);
    return link;
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
    this.#opened = undefined;
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
      opened: () => this.#opened,
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
    this.#any.hidden = this.#links.hidden = !uri || !onPhone();
    this.#any.href = uri;
    for (const [{ link }, anchor] of this.#apps) {
      anchor.hidden = !uri;
      anchor.href = `${link}${encodeURIComponent(uri)}`;
      // Without the app, its vendor's page opens: not in place of this one.
      if (link.startsWith('https:')) anchor.target = '_blank';
    }
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

function appsFor(secretTypes: readonly SecretType[]): App[] {
  const namespaces = secretTypes.map((each) => namespaceOf(CARDS[each]));
  return APPS.filter((app) => app.namespaces.some((each) => namespaces.includes(each)));
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
