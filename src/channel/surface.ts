/** Where the frame is shown. One type, several makers: a dialog in the page, no sight of it at all, and the windows of `popup.ts`. */
import { msg, spoken } from '../localize.ts';
import { dialogSheet, dialogStyle } from './dialog-style.ts';

export interface Surface {
  readonly kind: 'iframe' | 'popup' | 'hidden';
  /** The frame's window; messages of any other are ignored. */
  readonly window: Window | null;
  /** False once the user closed the popup, or the iframe was removed or sent elsewhere. */
  alive(): boolean;
  /** The frame answered: show it. */
  ready(): void;
  /** Names the dialog after the request it shows, and brings it to the front. */
  present(title: string): void;
  /** How high the frame's contents are. */
  resize?(height: number): void;
  /** Out of sight at once, while a last message is still under way. */
  hide(): void;
  close(): void;
}

export interface SurfaceOptions {
  url: string;
  title: string;
  theme?: 'auto' | 'light' | 'dark' | undefined;
  /** The user pressed Close or Escape. */
  onClose: () => void;
}

/**
 * What the frame may use of the browser. No `sandbox`: the frame's own origin is what keeps it and the page apart, and a sandbox that
 * leaves it its origin (it must keep its storage), scripts, forms and popups takes nothing away.
 */
const allowed = (): string[] => [
  'publickey-credentials-get',
  'publickey-credentials-create',
  'clipboard-write',
  // A browser that cannot share warns of it in the console.
  ...('share' in navigator ? ['web-share'] : []),
];

interface Frame {
  element: HTMLIFrameElement;
  /** Still in the page, and still on the document that it opened with: a port does not show that. */
  alive(): boolean;
}

function frameElement(url: string, features: readonly string[] = []): Frame {
  const iframe = document.createElement('iframe');
  iframe.src = url;
  iframe.title = msg('Carabiner wallet');
  // Not wherever it is sent to.
  const { origin } = new URL(url);
  iframe.allow = features.map((feature) => `${feature} ${origin}`).join('; ');
  iframe.referrerPolicy = 'no-referrer';
  let loads = 0;
  iframe.onload = () => (loads += 1);
  return { element: iframe, alive: () => iframe.isConnected && loads < 2 };
}

/** A native modal dialog in a shadow root of its own, so that no style of the page reaches it but its `--cb-*` tokens. */
export function iframe({ url, title, theme, onClose }: SurfaceOptions): Surface {
  const openers = focused();
  const host = document.createElement('div');
  Object.assign(host, spoken);
  if (theme && theme !== 'auto') host.className = theme;
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [dialogSheet(dialogStyle)];

  const dialog = document.createElement('dialog');
  /** The form that led here: the wallet takes its place, so that no two dialogs and no two backdrops are above each other. */
  const form = openers[0]?.closest('dialog[part]');
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = '×';
  close.ariaLabel = msg('Close');
  close.onclick = onClose;
  const status = document.createElement('p');
  status.role = 'status';
  status.textContent = msg('Opening your wallet…');
  const { element: frame, alive } = frameElement(url, allowed());
  // Not `main`: the page around has one.
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
      frame.focus();
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

/** A frame that nobody sees, for what needs no user. */
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

/** What has the focus, and the elements that it is a part of, which know where to put it when it is gone. Innermost first. */
function focused(): HTMLElement[] {
  const path: HTMLElement[] = [];
  for (let at = document.activeElement; at; at = at.shadowRoot?.activeElement ?? null)
    if (at instanceof HTMLElement) path.unshift(at);
  return path;
}
