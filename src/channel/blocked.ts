/** Why the wallet did not open, or takes long: finds out, and says. Loaded once it has not. */
import { FrameBlockedError } from '../base/errors.ts';
import { msg } from '../base/localize.ts';
import { dialogSheet } from './dialog-style.ts';

/** `down`: nothing answers. `missing`: something does, but it is no wallet. `unreadable`: this page may not read what it says. */
export type Absence = 'down' | 'missing' | 'unreadable';

/** Why the frame never came. */
export type Blocked = 'csp' | 'silent' | 'coop' | Absence;

/** `popup`: the browser blocked its window. `window`: the same after "Open in a window" inside the frame. */
export type BlockReason = Blocked | 'popup' | 'window';

type FrameReason = ConstructorParameters<typeof FrameBlockedError>[1];

/** The error that explains why the wallet could not open. `base`: the frame's URL, as the page gave it. */
export function blockedError(why: BlockReason, base: string): FrameBlockedError {
  const texts: Record<typeof why, [text: string, reason: FrameReason]> = {
    popup: [
      'The browser blocked the wallet’s window. Call this inside a click, or allow pop-ups for this site.',
      'popup',
    ],
    window: ['The browser blocked the wallet’s window. Allow pop-ups for this site.', 'popup'],
    csp: [
      `This page’s Content-Security-Policy blocks the wallet: add ${new URL(base).origin} to frame-src.`,
      'csp',
    ],
    silent: [
      `The wallet at ${base} does not answer. An ad blocker may keep it out, or the network is slow.`,
      'silent',
    ],
    coop: [
      'This page’s Cross-Origin-Opener-Policy cuts off the wallet’s window: send same-origin-allow-popups, or get the page on the wallet’s `embed` list.',
      'coop',
    ],
    down: [`Nothing answers at ${base}: the wallet’s server is down, or \`frame\` is a wrong URL.`, 'silent'],
    unreadable: [
      `The server at ${base} answers, but no page may read its embed.json: let it send Access-Control-Allow-Origin: *, or correct \`frame\`.`,
      'unreadable',
    ],
    missing: [`There is no wallet at ${base}: \`frame\` must be the URL of connect.js and frame/.`, 'config'],
  };
  return new FrameBlockedError(...texts[why]);
}

/** A turn of the event loop, by which violations have been reported. */
function nextTask(): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  port2.postMessage(0);
  return new Promise((resolve) => (port1.onmessage = resolve)).finally(() => port1.close());
}

/**
 * Whether there is a wallet at the URL at all: a silent window may only be slow. Fetches what every wallet's origin serves to every page. `frame`:
 * the wallet's page. Never rejects.
 */
export async function lookForFrame(frame: URL): Promise<Absence | undefined> {
  const { href, origin } = new URL('../embed.json', frame);
  let forbidden = false;
  const onViolation = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective === 'connect-src' && blockedURI.startsWith(origin)) forbidden = true;
  };
  document.addEventListener('securitypolicyviolation', onViolation);
  try {
    const answer = await fetch(href, { cache: 'no-store' });
    if (!answer.ok) return 'missing';
    // Servers of single-page applications answer every path with their page.
    return await answer.json().then(
      () => undefined,
      () => 'missing' as const,
    );
  } catch {
    // A page whose own CSP blocks the request learns nothing. Browsers report that in a separate task.
    await nextTask();
    return forbidden ? undefined : await isThere(href);
  } finally {
    document.removeEventListener('securitypolicyviolation', onViolation);
  }
}

/** What a page may not read for want of CORS it may still fetch. */
async function isThere(href: string): Promise<Absence> {
  try {
    await fetch(href, { cache: 'no-store', mode: 'no-cors' });
    return 'unreadable';
  } catch {
    return 'down';
  }
}

/**
 * Whether the page's own `Cross-Origin-Opener-Policy` cuts it off from the windows that it opens: its handle then says `closed` while the
 * window is open. Only the page's response headers show it.
 */
export async function cutsOpener(): Promise<boolean> {
  const { headers } = await fetch(location.href, { method: 'HEAD', cache: 'no-store' });
  return /^(same-origin|noopener-allow-popups)\s*(;|$)/.test(headers.get('cross-origin-opener-policy') ?? '');
}

// What the dialog adds when the frame takes long. Plain DOM, as the dialog is.

const style = `
[role=status] span{margin-block-start:-12px;font-size:.8667em}
.slow{position:absolute;inset:auto 0 0;display:flex;flex-wrap:wrap-reverse;gap:8px;padding:16px 16px max(12px,env(safe-area-inset-bottom))}
.slow button{position:static;box-sizing:border-box;flex:1 0 auto;max-inline-size:100%;inline-size:auto;block-size:auto;min-block-size:48px;margin:0;padding:8px 12px;border:1px solid transparent;border-radius:calc(var(--cb-radius,12px)*.75);background:var(--cb-color-surface-2,light-dark(#f4f5f8,#1d222b));color:var(--cb-color-text,light-dark(#14181f,#eef1f5));font:inherit;font-weight:600}
.slow button:hover{background:light-dark(#e9ebf0,#262c36)}
.slow .window,.slow .window:hover{border-color:var(--cb-color-border-strong,light-dark(#808999,#717b8c));background:var(--cb-color-surface,light-dark(#fff,#161a21))}
.slow .window:hover{background:var(--cb-color-surface-2,light-dark(#f4f5f8,#1d222b))}
.slow button:focus-visible{outline-offset:2px}
@media (forced-colors:active){.slow button{border-color:ButtonBorder}}
`;

/** `status` says it, so that it is announced; the buttons are below. */
export function showSlowNotice(
  root: ShadowRoot,
  status: HTMLElement,
  openWindow: () => void,
  close: () => void,
): void {
  root.adoptedStyleSheets.push(dialogSheet(style));
  const note = document.createElement('span');
  note.textContent = msg('Taking longer than usual');
  status.append(note);
  const buttons = document.createElement('div');
  buttons.className = 'slow';
  buttons.append(button('', msg('Close'), close), button('window', msg('Open in a window'), openWindow));
  status.after(buttons);
}

function button(className: string, textContent: string, onclick: () => void): HTMLButtonElement {
  return Object.assign(document.createElement('button'), { type: 'button', className, textContent, onclick });
}
