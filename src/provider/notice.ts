/**
 * "Open in a window": the browser opens the wallet's window only in a click, and the one that led here is
 * over. Plain DOM, not Lit, like the chooser.
 */
import { dialogSheet, dialogStyle } from '../channel/dialog-style.ts';
import { msg, spoken } from '../base/localize.ts';
import type { ShowNotice } from './prompt.ts';

/** Follows `dialogStyle`, as high as its contents. */
const style = `
dialog{block-size:fit-content;padding:0 16px 16px;gap:12px}
h2{margin:16px 0 0;font-size:1.1333em;font-weight:620;line-height:1.25;letter-spacing:-.01em}
p{margin:-4px 0 4px;color:var(--cb-color-text-2,light-dark(#4a5261,#b4bcc9))}
button{position:static;inline-size:100%;min-block-size:48px;margin:0;padding:10px 16px;border-radius:var(--cb-radius,12px);font:inherit;font-weight:600}
button:focus-visible{outline-offset:2px}
.open,.open:hover{background:var(--cb-color-accent,light-dark(#2351b0,#8fb3f7));color:var(--cb-color-on-accent,light-dark(#fff,#0b1730))}
.open:hover{background:color-mix(in oklab,var(--cb-color-accent,light-dark(#2351b0,#8fb3f7)) 90%,var(--cb-color-text,light-dark(#14181f,#eef1f5)))}
@media (forced-colors:active){button{border:1px solid ButtonBorder}.open{forced-color-adjust:none;background:ButtonText;color:ButtonFace}}
`;

export const showNotice: ShowNotice = ({ blocked: { reason, open, cancel }, theme }) => {
  const host = document.createElement('div');
  Object.assign(host, spoken);
  if (theme && theme !== 'auto') host.className = theme;
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [dialogStyle, style].map(dialogSheet);
  const [title, text, label] =
    reason === 'behind'
      ? [
          msg('Your wallet window is open'),
          msg('Approve there. This page goes on by itself.'),
          msg('Show window'),
        ]
      : [
          msg('Your browser blocked the wallet window'),
          msg('Open it yourself, or allow pop-ups for this site.'),
          msg('Open in a window'),
        ];

  const dialog = document.createElement('dialog');
  const heading = Object.assign(document.createElement('h2'), { id: 'title', textContent: title });
  const note = Object.assign(document.createElement('p'), { id: 'note', textContent: text });
  dialog.setAttribute('aria-labelledby', heading.id);
  dialog.setAttribute('aria-describedby', note.id);
  // Its handler runs inside the user's click, so that a window may open.
  dialog.append(heading, note, button('open', label, open), button('leave', msg('Cancel'), cancel));
  dialog.oncancel = (event) => {
    event.preventDefault();
    cancel();
  };
  dialog.onclose = cancel;
  root.append(dialog);
  (document.body ?? document.documentElement).append(host);
  dialog.showModal();
  return () => {
    dialog.onclose = null;
    // Returns the focus to where it was.
    dialog.close();
    host.remove();
  };
};

function button(className: string, textContent: string, onclick: () => void): HTMLButtonElement {
  return Object.assign(document.createElement('button'), { type: 'button', className, textContent, onclick });
}
