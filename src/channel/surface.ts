/**
 * Where the frame is shown. One type, several constructors: a dialog in the page, a hidden iframe, and the
 * windows of `popup.ts`.
 */
import { msg, spoken } from '../base/localize.ts';
import { CLOSE, dialogSheet, dialogStyle, icon } from './dialog-style.ts';

export interface Surface {
  readonly kind: 'iframe' | 'popup' | 'hidden';
  /** The frame's window; messages from any other are ignored. */
  readonly window: Window | null;
  /** False once the user has closed the popup, or the iframe was removed or navigated elsewhere. */
  alive(): boolean;
  /** The frame answered: show it. */
  ready(): void;
  /** The frame takes long: says so, and offers a window, which `openWindow` opens in the user's click. */
  slow?(openWindow: () => void): void;
  /** Names the dialog after the request it shows, and brings it to the front. */
  present(title: string): void;
  /** Reports the height of the frame's contents. */
  resize?(height: number): void;
  /** Hides it at once, while a last message is still in flight. */
  hide(): void;
  close(): void;
}

export interface SurfaceOptions {
  url: string;
  title: string;
  theme?: 'light' | 'dark' | undefined;
  /** The user pressed Close or Escape. */
  onClose: () => void;
}

/**
 * Browser features that the frame may use. No `sandbox`: the frame's own origin is what isolates it from the
 * page, and a sandbox that allows its origin (it needs its storage), scripts, forms and popups would restrict
 * nothing.
 */
const frameFeatures = (): string[] => [
  'publickey-credentials-get',
  'publickey-credentials-create',
  'clipboard-write',
  // A browser that cannot share would log a warning.
  ...('share' in navigator ? ['web-share'] : []),
];

interface Frame {
  element: HTMLIFrameElement;
  /** Whether it is still in the page and still shows the document that it opened with: a port cannot tell. */
  alive(): boolean;
}

function frameElement(url: string, features: readonly string[] = []): Frame {
  const iframe = document.createElement('iframe');
  iframe.src = url;
  iframe.title = msg('Carabiner wallet');
  // Only for the wallet's origin, even if the iframe is navigated elsewhere.
  const { origin } = new URL(url);
  iframe.allow = features.map((feature) => `${feature} ${origin}`).join('; ');
  iframe.referrerPolicy = 'no-referrer';
  let loads = 0;
  iframe.onload = () => (loads += 1);
  return { element: iframe, alive: () => iframe.isConnected && loads < 2 };
}

/**
 * A native modal dialog in its own shadow root, so that none of the page's styles reach it except its
 * `--cb-*` tokens.
 */
export function iframe({ url, title, theme, onClose }: SurfaceOptions): Surface {
  const openers = focusPath();
  const host = document.createElement('div');
  Object.assign(host, spoken, theme && { className: theme });
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [dialogSheet(dialogStyle)];

  const dialog = document.createElement('dialog');
  /** The form that led here: the wallet takes its place, so that dialogs and backdrops do not stack. */
  const form = openers[0]?.closest('dialog[part]');
  const close = document.createElement('button');
  close.type = 'button';
  close.append(icon(CLOSE));
  close.ariaLabel = msg('Close');
  close.onclick = onClose;
  const status = document.createElement('p');
  status.role = 'status';
  status.textContent = msg('Opening your wallet…');
  const { element: frame, alive } = frameElement(url, frameFeatures());
  // Not `main`, because the embedding page has one.
  const section = document.createElement('section');
  section.append(frame, status, close);
  dialog.append(section);
  // `cancel` is Escape. A second Escape in a row closes the dialog without it.
  dialog.oncancel = (event) => {
    event.preventDefault();
    onClose();
  };
  dialog.onclose = onClose;
  root.append(dialog);
  (document.body ?? document.documentElement).append(host);

  const surface: Surface = {
    kind: 'iframe',
    get window() {
      return frame.contentWindow;
    },
    alive,
    ready() {
      // The frame draws a header of its own, with Close.
      status.hidden = close.hidden = true;
      root.querySelector('.slow')?.remove();
      frame.focus();
    },
    slow(openWindow) {
      import('./blocked.ts').then(
        ({ showSlowNotice }) => status.hidden || showSlowNotice(root, status, openWindow, onClose),
        () => {}, // Close is there already
      );
    },
    present(next) {
      dialog.ariaLabel = next;
      form?.classList.add('away');
      if (!dialog.open) dialog.showModal();
      frame.focus();
    },
    resize: (height) => dialog.style.setProperty('--height', `${height}px`),
    hide() {
      dialog.onclose = null;
      dialog.close();
      form?.classList.remove('away');
      for (const opener of openers) {
        if (opener.isConnected) opener.focus();
        if (![host, document.body, null].includes(document.activeElement as HTMLElement | null)) break;
      }
    },
    close() {
      if (dialog.open) surface.hide();
      // A sheet moves out of sight before it goes.
      const moves = dialog.getAnimations();
      if (!moves.length) return host.remove();
      dialog.inert = true;
      void Promise.allSettled(moves.map(({ finished }) => finished)).then(() => host.remove());
    },
  };
  surface.present(title);
  return surface;
}

/** A hidden frame, for requests that need no user. */
export function hidden(url: string): Surface {
  const { element: frame, alive } = frameElement(url);
  const host = document.createElement('div');
  host.ariaHidden = 'true';
  host.style.setProperty('display', 'none', 'important');
  // In a shadow root, so that a page's `iframe { … }` styles and `querySelector('iframe')` do not find it.
  host.attachShadow({ mode: 'open' }).append(frame);
  (document.body ?? document.documentElement).append(host);
  return {
    kind: 'hidden',
    get window() {
      return frame.contentWindow;
    },
    alive,
    ready() {},
    present() {},
    hide() {},
    close: () => host.remove(),
  };
}

/**
 * What has the focus, and the hosts that contain it, which know where to move focus when it is gone.
 * Innermost first.
 */
function focusPath(): HTMLElement[] {
  const path: HTMLElement[] = [];
  for (let at = document.activeElement; at; at = at.shadowRoot?.activeElement ?? null)
    if (at instanceof HTMLElement) path.unshift(at);
  return path;
}
