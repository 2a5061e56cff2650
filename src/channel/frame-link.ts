/** The page's connection to one frame: handshake, port, and how it ends. */
import type * as z from 'zod/mini';
import type { Clock } from '../base/clock.ts';
import type { WireError } from '../base/errors.ts';
import type { Absence, Blocked } from './blocked.ts';
import { SHEET } from './dialog-style.ts';
import type { FromFrame } from './messages.ts';
import { claimedWindows } from './popup.ts';
import type { FromHost, INIT, Init, PROTOCOL, READY } from './schema.ts';
import type { Surface } from './surface.ts';

// The values of schema.ts, checked by its types: importing them would pull in the schemas.
const ready: typeof READY = 'carabiner:ready';
const init: typeof INIT = 'carabiner:init';
const protocol: typeof PROTOCOL = 1;

/** When the page checks whether there is a wallet at all, and, if there seems to be none, how much later again. */
const LOOK_MS = 1500;
/** From then on, waiting needs a word. */
const SLOW_MS = 4000;
/** An iframe that has been silent for this long, though there is a wallet, will stay silent: an extension blocks it. */
const SILENT_MS = 20_000;
const POLL_MS = 250;

/** `closed`: the user closed the window. `gone`: the frame was removed or navigated away. Otherwise it never came. */
export type LinkEnd = 'closed' | 'gone' | Blocked;

export interface LinkOptions {
  clock: Clock;
  surface: Surface;
  frameOrigin: string;
  mode: 'approve' | 'read';
  locale?: string | undefined;
  /** Which of both the wallet is drawn in, unless its user has chosen. */
  theme?: 'light' | 'dark' | undefined;
  unlinked: readonly string[];
  /** The page supplies access tokens. */
  tokens?: boolean;
  /** Its window has already sent `ready`. */
  ready?: boolean;
  /** Checks whether there is a wallet at the URL. */
  look: () => Promise<Absence | undefined>;
  /** Called once the frame takes longer than usual. `isKnown`: there is a wallet. */
  onSlow?: (isKnown: boolean) => void;
  onMessage: (message: FromFrame, link: FrameLink) => void;
  /** A frame took `init`, perhaps a second one in the same window: send it what is open. */
  onConnected: (link: FrameLink) => void;
  onEnd: (how: LinkEnd, link: FrameLink) => void;
}

export class FrameLink {
  readonly surface: Surface;
  readonly #options: LinkOptions;
  /**
   * More than one after a repeated `ready`, from a new document in the same window, or from one that had not seen `init` yet. A port does
   * not show whether anybody listens; a document takes the first one it gets and never a second.
   */
  readonly #ports = new Set<MessagePort>();
  /** The page's own width, which the frame cannot know. */
  readonly #narrow = matchMedia(SHEET);
  readonly #ended = new AbortController();
  readonly #stopPolling: () => void;
  /** Cancel the timers that wait for the frame to come. */
  readonly #waits: (() => void)[];
  #everConnected = false;
  /** The page has seen that there is a wallet. */
  #isKnown = false;

  constructor(options: LinkOptions) {
    const { clock, surface } = options;
    this.#options = options;
    this.surface = surface;
    this.#stopPolling = clock.every(POLL_MS, () => this.#poll());
    this.#waits = [
      clock.after(LOOK_MS, () => void this.#look()),
      clock.after(SLOW_MS, () => options.onSlow?.(this.#isKnown), 'limit'),
      // A window may take longer: the user sees it, and can close it.
      clock.after(SILENT_MS, () => surface.kind === 'popup' || this.#end('silent'), 'limit'),
    ];
    this.#listen();
    if (!surface.window) return;
    claimedWindows.add(surface.window);
    if (options.ready) this.#greet(surface.window);
  }

  get connected(): boolean {
    return this.#ports.size > 0;
  }

  send(message: FromHost): void {
    for (const port of this.#ports) port.postMessage(message);
  }

  /** Ends it from this side; nothing is reported afterwards. */
  close(): void {
    this.#ended.abort();
    this.#stopPolling();
    this.#stopWaiting();
    for (const port of this.#ports) {
      port.onmessage = null;
      port.close();
    }
    this.#ports.clear();
    this.surface.close();
  }

  #end(how: LinkEnd): void {
    if (this.#ended.signal.aborted) return;
    this.close();
    this.#options.onEnd(how, this);
  }

  #listen(): void {
    const { signal } = this.#ended;
    addEventListener('message', (event) => this.#onWindowMessage(event), { signal });
    // A reload loses the port but not the window: its frame then waits for the page to come back.
    addEventListener('pagehide', () => this.send({ type: 'bye' }), { signal });
    if (this.surface.kind === 'iframe')
      this.#narrow.addEventListener('change', () => this.#sendSheet(), { signal });
    document.addEventListener('securitypolicyviolation', (event) => this.#onViolation(event), { signal });
  }

  #onWindowMessage(event: MessageEvent): void {
    const { frameOrigin } = this.#options;
    if (event.origin !== frameOrigin || !event.source || event.source !== this.surface.window) return;
    if (isReady(event.data, ready)) this.#greet(event.source as Window);
  }

  /** The page's own `frame-src` blocks the frame. */
  #onViolation({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void {
    if (
      !this.#everConnected &&
      /^(frame|child)-src$/.test(effectiveDirective) &&
      originOf(blockedURI) === this.#options.frameOrigin
    )
      this.#end('csp');
  }

  #greet(frame: Window): void {
    const { mode, unlinked, locale, theme, tokens, frameOrigin, onConnected } = this.#options;
    const port = this.#openPort();
    const message: z.input<typeof Init> = {
      type: init,
      protocol,
      mode,
      unlinked: [...unlinked],
      ...(locale && { locale }),
      ...(tokens && { tokens }),
    };
    frame.postMessage(message, frameOrigin, [port]);
    // Not in `init`, of which older frames refuse what they do not know; a message that they do not know they ignore.
    if (theme) this.send({ type: 'theme', theme });
    if (this.surface.kind === 'iframe' && this.#narrow.matches) this.#sendSheet();
    this.#everConnected = true;
    this.#stopWaiting();
    this.surface.ready();
    onConnected(this);
  }

  /** Returns the frame's end. */
  #openPort(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#ports.add(port1);
    port1.onmessage = ({ data }: MessageEvent) => {
      const message = fromFrame(data);
      if (message && !this.#ended.signal.aborted) this.#options.onMessage(message, this);
    };
    return port2;
  }

  #sendSheet(): void {
    this.send({ type: 'sheet', on: this.#narrow.matches });
  }

  #poll(): void {
    if (this.surface.alive()) return;
    if (this.surface.kind !== 'popup') return this.#end('gone');
    if (this.#everConnected) return this.#end('closed');
    // A window that never answered may merely be cut off from the page.
    void import('./blocked.ts')
      .then(({ cutsOpener }) => cutsOpener())
      .catch(() => window.crossOriginIsolated)
      .then((cuts) => this.#end(cuts ? 'coop' : 'closed'));
    this.#stopPolling();
  }

  /** Twice before it gives up: a network may fail for a moment. */
  async #look(before?: Absence): Promise<void> {
    const { clock, look } = this.#options;
    const absence = await look();
    if (this.#ended.signal.aborted || this.#everConnected) return;
    this.#isKnown = !absence;
    if (absence && before) this.#end(absence);
    else if (absence) this.#waits.push(clock.after(LOOK_MS, () => void this.#look(absence)));
  }

  #stopWaiting(): void {
    for (const cancel of this.#waits) cancel();
  }
}

/**
 * Windows that an earlier load of this page opened and that still hold an answer for it. They send `ready`
 * until a page of ours takes it. Returns a function that stops listening.
 */
export function onOrphan(frameOrigin: string, adopt: (win: Window) => void): () => void {
  const listen = (event: MessageEvent) => {
    const win = event.source as Window | null;
    if (event.origin !== frameOrigin || !win || claimedWindows.has(win) || !isReady(event.data, ready))
      return;
    // Not the iframe of some other link or copy of this code.
    if (win.top === win && win.opener === window) adopt(win);
  };
  addEventListener('message', listen);
  return () => removeEventListener('message', listen);
}

function originOf(url: string): string | undefined {
  try {
    return new URL(url).origin;
  } catch {
    return undefined;
  }
}

// What the page accepts from the frame. Small on purpose: the frame is trusted more than the page, so this
// only keeps malformed messages, or those of another version, from breaking the page.

const STAGES = ['approval', 'signing', 'broadcast', 'confirmed', 'failed'];

/** Own fields only: what the page has put on `Object.prototype` is not part of a message. */
function own(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null
    ? Object.assign(Object.create(null) as Record<string, unknown>, value)
    : undefined;
}

export function isReady(data: unknown, ready: string): boolean {
  return own(data)?.['type'] === ready;
}

export function fromFrame(data: unknown): FromFrame | undefined {
  const message = own(data) as unknown as FromFrame | undefined;
  switch (message?.type) {
    case 'close':
    case 'front':
      return message;
    case 'wallets':
      return Array.isArray(message.wallets) ? message : undefined;
    case 'replaced':
      return Array.isArray(message.replaced) ? message : undefined;
    case 'progress':
      return isId(message.id) && STAGES.includes(message.stage) ? message : undefined;
    case 'height':
      return Number.isInteger(message.height) && message.height > 0 && message.height < 10_000
        ? message
        : undefined;
    case 'token':
    case 'window':
    case 'result':
      return isId(message.id) ? message : undefined;
    case 'error':
      return isId(message.id) && isWireError(message.error) ? message : undefined;
    default:
      return undefined;
  }
}

function isWireError(value: unknown): value is WireError {
  const error = own(value);
  return typeof error?.['code'] === 'string' && typeof error['message'] === 'string';
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
