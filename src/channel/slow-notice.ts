/** What the dialog adds when the frame takes long. Plain DOM, as the dialog is. */
import { msg } from '../base/localize.ts';
import { dialogSheet } from './dialog-style.ts';

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
