/** The page's connection to one frame: handshake, port, and how it ends. */
import type * as z from 'zod/mini';
import type { Clock } from '../base/clock.ts';
import type { WireError } from '../base/errors.ts';
import type { Absence, Blocked } from './blocked.ts';
import { SHEET } from './dialog-style.ts';
import type { FromFrame } from './messages.ts';
import { claimed } from './popup.ts';
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

export interface LinkOptions {
  clock: Clock;
  surface: Surface;
  frameOrigin: string;
  mode: 'approve' | 'read';
  locale?: string | undefined;
  unlinked: readonly string[];
  /** The page supplies access tokens. */
  tokens?: boolean;
  /** Its window has already sent `ready`. */
  ready?: boolean;
  /** Checks whether there is a wallet at the URL. */
  look: () => Promise<Absence | undefined>;
  /** Called once the frame takes longer than usual. `isKnown`: there is a wallet. */
  onSlow?: (isKnown: boolean) => void;
  onMessage: (message: FromFrame, link: Link) => void;
  /** A frame took `init`, perhaps a second one in the same window: send it what is open. */
  onConnected: (link: Link) => void;
  /** `closed`: the user closed the window. `gone`: the frame was removed or navigated away. Otherwise it never came. */
  onEnd: (how: 'closed' | 'gone' | Blocked, link: Link) => void;
}

export interface Link {
  readonly surface: Surface;
  readonly connected: boolean;
  send(message: FromHost): void;
  /** Ends it from this side; nothing is reported afterwards. */
  close(): void;
}

export function openLink(options: LinkOptions): Link {
  const { clock, surface, frameOrigin } = options;
  /**
   * More than one after a repeated `ready`, from a new document in the same window, or from one that had not seen `init` yet. A port does
   * not show whether anybody listens; a document takes the first one it gets and never a second.
   */
  const ports = new Set<MessagePort>();
  let everConnected = false;
  let ended = false;
  /** The page has seen that there is a wallet. */
  let isKnown = false;

  const link: Link = {
    surface,
    get connected() {
      return ports.size > 0;
    },
    send(message) {
      for (const port of ports) port.postMessage(message);
    },
    close() {
      stop();
      surface.close();
    },
  };

  function stop(): void {
    ended = true;
    stopPoll();
    stopWaiting();
    removeEventListener('message', onWindowMessage);
    removeEventListener('pagehide', sayBye);
    narrow.removeEventListener('change', tellSheet);
    document.removeEventListener('securitypolicyviolation', onViolation);
    for (const port of ports) {
      port.onmessage = null;
      port.close();
    }
    ports.clear();
  }

  function end(how: 'closed' | 'gone' | Blocked): void {
    if (ended) return;
    stop();
    surface.close();
    options.onEnd(how, link);
  }

  function onWindowMessage(event: MessageEvent): void {
    if (event.origin !== frameOrigin || !event.source || event.source !== surface.window) return;
    if (isReady(event.data, ready)) greet(event.source as Window);
  }

  function greet(frame: Window): void {
    const { port1, port2 } = new MessageChannel();
    ports.add(port1);
    port1.onmessage = ({ data }: MessageEvent) => {
      const message = fromFrame(data);
      if (message && !ended) options.onMessage(message, link);
    };
    const message: z.input<typeof Init> = {
      type: init,
      protocol,
      mode: options.mode,
      unlinked: [...options.unlinked],
      ...(options.locale && { locale: options.locale }),
      ...(options.tokens && { tokens: true }),
    };
    frame.postMessage(message, frameOrigin, [port2]);
    if (surface.kind === 'iframe' && narrow.matches) tellSheet();
    everConnected = true;
    stopWaiting();
    surface.ready();
    options.onConnected(link);
  }

  /** The page's own `frame-src` blocks the frame. */
  function onViolation(event: SecurityPolicyViolationEvent): void {
    if (
      !everConnected &&
      /^(frame|child)-src$/.test(event.effectiveDirective) &&
      originOf(event.blockedURI) === frameOrigin
    )
      end('csp');
  }

  /** A reload loses the port but not the window: its frame then waits for the page to come back. */
  const sayBye = () => link.send({ type: 'bye' });

  /** The page's own width, which the frame cannot know. */
  const narrow = matchMedia(SHEET);
  const tellSheet = () => link.send({ type: 'sheet', on: narrow.matches });

  const stopPoll = clock.every(POLL_MS, () => {
    if (surface.alive()) return;
    if (surface.kind !== 'popup') return end('gone');
    if (everConnected) return end('closed');
    // A window that never answered may merely be cut off from the page.
    void import('./blocked.ts')
      .then(({ cutsOpener }) => cutsOpener())
      .catch(() => window.crossOriginIsolated)
      .then((cuts) => end(cuts ? 'coop' : 'closed'));
    stopPoll();
  });
  /** Twice before it gives up: a network may fail for a moment. */
  async function look(before?: Absence): Promise<void> {
    const absence = await options.look();
    if (ended || everConnected) return;
    isKnown = !absence;
    if (absence && before) end(absence);
    else if (absence) stopLook = clock.after(LOOK_MS, () => void look(absence));
  }
  let stopLook = clock.after(LOOK_MS, () => void look());
  const stopSlow = clock.after(SLOW_MS, () => options.onSlow?.(isKnown), 'limit');
  /** A window may take longer: the user sees it, and can close it. */
  const stopSilence = clock.after(SILENT_MS, () => surface.kind === 'popup' || end('silent'), 'limit');
  function stopWaiting(): void {
    stopLook();
    stopSlow();
    stopSilence();
  }
  addEventListener('message', onWindowMessage);
  addEventListener('pagehide', sayBye);
  if (surface.kind === 'iframe') narrow.addEventListener('change', tellSheet);
  document.addEventListener('securitypolicyviolation', onViolation);
  if (surface.window) claimed.add(surface.window);
  if (options.ready && surface.window) greet(surface.window);
  return link;
}

/**
 * Windows that an earlier load of this page opened and that still hold an answer for it. They send `ready`
 * until a page of ours takes it. Returns a function that stops listening.
 */
export function onOrphan(frameOrigin: string, found: (win: Window) => void): () => void {
  const listen = (event: MessageEvent) => {
    const win = event.source as Window | null;
    if (event.origin !== frameOrigin || !win || claimed.has(win) || !isReady(event.data, ready)) return;
    // Not the iframe of some other link or copy of this code.
    if (win.top === win && win.opener === window) found(win);
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
  const message = own(data);
  if (!message) return undefined;
  const known = message as unknown as FromFrame;
  switch (known.type) {
    case 'close':
    case 'front':
      return known;
    case 'wallets':
      return Array.isArray(known.wallets) ? known : undefined;
    case 'replaced':
      return Array.isArray(known.replaced) ? known : undefined;
    case 'progress':
      return isId(known.id) && STAGES.includes(known.stage) ? known : undefined;
    case 'height':
      return Number.isInteger(known.height) && known.height > 0 && known.height < 10_000 ? known : undefined;
    case 'token':
    case 'window':
      return isId(known.id) ? known : undefined;
    case 'result':
      return isId(known.id) ? known : undefined;
    case 'error':
      return isId(known.id) && isWireError(known.error) ? known : undefined;
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
