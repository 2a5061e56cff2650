/**
 * One question to the user at a time. Libraries wait for estimates before they ask, so the click may be over
 * by then, and the browser blocks the wallet's window: the page then shows our button, and the request stays
 * open.
 */
import type { CallOptions } from '../channel/host-call.ts';
import { CODE, ProviderRpcError, toRpcError } from './rpc-error.ts';
import { dialogSheet, dialogStyle } from '../channel/dialog-style.ts';
import { msg, spoken } from '../base/localize.ts';

export type Blocked = Parameters<NonNullable<CallOptions['onBlocked']>>[0];

export interface Notice {
  blocked: Blocked;
  theme: 'auto' | 'light' | 'dark' | undefined;
}

/** Shows the button; returns a function that removes it. */
export type ShowNotice = (notice: Notice) => () => void;

export class Prompt {
  readonly #show: ShowNotice;
  readonly #theme: Notice['theme'];
  #isLinking = false;
  /** Whether everything waits for the user to press our button. */
  #isBlocked = false;

  constructor(show: ShowNotice, theme: Notice['theme']) {
    this.#show = show;
    this.#theme = theme;
  }

  /**
   * `kind`: concurrent `link` requests share one question, because the answer would be the same. `rename` as
   * in `toRpcError`.
   */
  async ask<R>(
    kind: 'link' | 'approve',
    run: (options: CallOptions) => Promise<R>,
    rename?: (path: string) => string,
  ): Promise<R> {
    if (this.#isBlocked || (kind === 'link' && this.#isLinking))
      throw new ProviderRpcError(
        CODE.pending,
        'The wallet is waiting for an answer to an earlier request. Answer that one first.',
      );
    let hide = (): void => {};
    const done = (): void => {
      hide();
      hide = () => {};
    };
    const options: CallOptions = {
      onProgress: ({ stage }) => {
        if (stage !== 'approval') done();
      },
      onBlocked: (blocked) => {
        done();
        hide = this.#offer(blocked, done);
      },
    };
    this.#isLinking ||= kind === 'link';
    try {
      return await run(options);
    } catch (error) {
      throw toRpcError(error, rename);
    } finally {
      if (kind === 'link') this.#isLinking = false;
      done();
    }
  }

  /** Shows the button; returns a function that removes it. `done` is called when it is pressed. */
  #offer(blocked: Blocked, done: () => void): () => void {
    // A window behind the page has the request, and accepts others.
    this.#isBlocked = blocked.reason !== 'behind';
    const leave = this.#show({
      blocked: {
        ...blocked,
        open() {
          done();
          blocked.open();
        },
        cancel() {
          done();
          blocked.cancel();
        },
      },
      theme: this.#theme,
    });
    return () => {
      this.#isBlocked = false;
      leave();
    };
  }
}

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

/**
 * "Open in a window": the browser opens the wallet's window only in a click, and the one that led here is
 * over. Plain DOM, not Lit, like the chooser.
 */
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
          msg('Approve there. This page then continues by itself.'),
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
