/** What the views share: keeping the focus, announcements, and the states of a request that look the same in all elements. */
import { css, type CSSResult, html, nothing, type TemplateResult } from 'lit';
import { msg } from '../base/localize.ts';
import { chainBadgeStyles } from '../ui/chain-badge.ts';
import { icon, iconCheck, iconCopy } from '../ui/icons.ts';
import { adopt, spinner } from '../ui/parts.ts';
import { moreTokens, tokens } from '../ui/tokens.ts';
import { type ConnectElement, type Face, ignore, type Status, type View } from './connect-element.ts';
import type { trouble } from './trouble.ts';

/**
 * With `ui/tokens.ts` they replace the few rules of the bare trigger. No ligatures: some fonts turn the x of `0x` into a multiplication
 * sign.
 */
export const viewStyles = css`
  :host { font: 400 var(--_fs-md) / 1.45 var(--_font); font-variant-ligatures: none; text-align: start; -webkit-font-smoothing: antialiased; }
  :host(:lang(ja)) { word-break: auto-phrase; }
  *, *::before, *::after { box-sizing: border-box; }
  :where(h2, h3, p, ul) { margin: 0; padding: 0; list-style: none; }
  .sr { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .grow { flex: 1 1 0; min-inline-size: 0; }
  .gap { margin-block-end: var(--_s3); }
  .after { margin-block-start: var(--_s3); }
  .muted { color: var(--_text-2); }
  .sm { font-size: var(--_fs-sm); }
  .strong { font-weight: 600; }
  .lead0 { color: var(--_text-3); font-weight: 500; }
  .num { font-variant-numeric: tabular-nums; white-space: nowrap; }
  /* Cuts off the end of the text, even of a left-to-right name on a right-to-left page. */
  .trunc { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: plaintext; text-align: match-parent; text-align: -webkit-match-parent; }
  .title { font-size: var(--_fs-lg); font-weight: 620; letter-spacing: -.01em; line-height: 1.25; }
  .addr { direction: ltr; unicode-bidi: isolate; white-space: nowrap; font-family: var(--_mono); font-size: var(--_fs-sm); }
  .i.s { inline-size: 16px; block-size: 16px; stroke-width: 2; }
  .line > .grow { flex-basis: 120px; }

  .btn { border-color: transparent; border-radius: var(--_r-sm); color: var(--_text); transition: background-color var(--_t-fast), border-color var(--_t-fast), transform var(--_t-fast) var(--_ease); }
  .btn.primary { background: var(--_accent); color: var(--_on-accent); box-shadow: var(--_shadow-1), inset 0 1px 0 rgb(255 255 255 / .14); }
  .btn.primary:hover { background: var(--_accent-hover); }
  .btn.secondary { border-color: var(--_border-strong); background: var(--_surface); }
  .btn:is(.secondary, .ghost, .icon):hover { background: var(--_surface-2); }
  .btn.text { padding-inline: var(--_s2); color: var(--_accent-text); }
  .btn.text:hover { background: var(--_accent-soft); }
  .btn.icon { inline-size: var(--_hit); flex: none; padding: 0; color: var(--_text-2); }
  .btn.icon:hover { color: var(--_text); }
  .btn.icon.done { color: var(--_success); }
  .btn.mini { position: relative; min-block-size: 28px; padding: 0 var(--_s2); border-radius: var(--_r-xs); font-size: var(--_fs-sm); }
  .btn.mini::after { content: ""; position: absolute; inset: -8px -2px; }
  .btn.block { inline-size: 100%; }
  .btn:active { transform: scale(.985); }
  .btn[aria-disabled="true"], .btn[aria-disabled="true"]:hover { border-color: transparent; background: var(--_surface-3); color: var(--_text-2); box-shadow: none; cursor: default; transform: none; }
  .btn.faint, .btn.faint:hover { background: var(--_surface-3); color: var(--_text-2); box-shadow: none; }
  :focus-visible { outline-color: var(--_focus); }

  .tag { display: inline-block; padding: 1px 7px; border-radius: var(--_r-xs); background: var(--_surface-3); color: var(--_text-2); font-size: var(--_fs-xs); font-weight: 560; line-height: 18px; white-space: nowrap; }
  .row-main { flex: 1 1 0; min-inline-size: 0; line-height: 1.3; }
  .row-main > :not(.tag) { display: block; }
  .spin { inline-size: 18px; block-size: 18px; flex: none; border: 2px solid color-mix(in oklab, currentColor 25%, transparent); border-block-start-color: currentColor; border-radius: 50%; animation: spin .8s linear infinite; }
  .spin.accent { color: var(--_accent-text); }
  @keyframes spin { to { transform: rotate(1turn); } }
  @media (prefers-reduced-motion: reduce) {
    .spin { animation-duration: 2.4s; animation-timing-function: steps(8); }
  }
  @media (forced-colors: active) { .btn { border: 1px solid ButtonText; } .btn[aria-disabled="true"] { border: 1px dashed GrayText; color: GrayText; } .lead0 { color: CanvasText; } }
`;

export abstract class ElementView<H extends ConnectElement> implements View {
  static styles = [tokens, moreTokens, viewStyles, chainBadgeStyles];

  #focused: Element | null = null;
  #said = '';
  #status: Status | undefined;
  #trouble: typeof trouble | undefined;

  constructor(protected readonly host: H) {
    if (getComputedStyle(host).getPropertyValue('--cb-color-accent'))
      import('./mistakes.ts').then(({ warnOfContrast }) => warnOfContrast(host), ignore);
  }

  protected get root(): ShadowRoot {
    return this.host.renderRoot as ShadowRoot;
  }

  /** Adds styles that were loaded after the view. */
  protected adopt(...styles: readonly CSSResult[]): void {
    adopt(this.root, ...styles);
  }

  hostUpdate(): void {
    this.#focused = this.root.activeElement;
  }

  /** If what had the focus is gone (Cancel, Undo, an unlinked wallet), moves it to `focusTarget()`. */
  hostUpdated(): void {
    const { status } = this.host;
    if (status !== this.#status) {
      this.#status = status;
      this.settled(status);
    }
    const gone = this.#focused && !this.#focused.getClientRects().length;
    if (gone && (!this.root.activeElement || this.root.activeElement === this.#focused))
      this.focusTarget()?.focus();
  }

  focusTarget(): HTMLElement | undefined {
    const scope = this.root.querySelector('dialog[open]') ?? this.root;
    const actions = [...scope.querySelectorAll<HTMLElement>('[part~=button]')];
    return actions.find((each) => each.getClientRects().length);
  }

  protected settled(_status: Status): void {}

  hides(): boolean {
    return !!this.#trouble && this.host.status.kind === 'blocked';
  }

  protected busyFace(look: string): Face | undefined {
    return this.host.status.kind === 'waiting'
      ? [msg('Waiting for your wallet…'), spinner(), look, true]
      : undefined;
  }

  after(): unknown {
    return this.host.status.kind === 'waiting' ? this.cancelButton('lg') : nothing;
  }

  protected cancelButton(size = ''): TemplateResult {
    return html`<button
      type="button"
      class="btn ghost ${size}"
      @click=${() => this.host.cancel()}
    >${msg('Cancel')}</button>`;
  }

  /** Announces `text` to screen readers without showing it. */
  protected say(text: string): void {
    this.#said = text;
    this.host.requestUpdate();
  }

  protected live(): TemplateResult {
    return html`<p class="sr" aria-live="polite">${this.#said}</p>`;
  }

  /** Shows that the request was blocked, lost or, if a title is given, failed. Rare, so its code is loaded when it happens. */
  protected trouble(failed?: string, again = true): TemplateResult | typeof nothing {
    const { host } = this;
    if (!isTrouble(host.status)) return nothing;
    if (this.#trouble) return this.#trouble(host, failed, again);
    import('./trouble.ts').then(
      ({ trouble }) => {
        this.adopt(panelStyles);
        this.#trouble = trouble;
        host.requestUpdate();
      },
      () => (host.broken = true),
    );
    return nothing;
  }

  /** The same, above the element's usual contents. */
  protected troubleAbove(): TemplateResult | typeof nothing {
    const trouble = this.trouble();
    return trouble === nothing ? nothing : html`<div class="gap">${trouble}</div>`;
  }

  protected again(): TemplateResult {
    return html`<button
      type="button"
      class="btn secondary mini"
      @click=${() => this.host.onPress()}
    >${msg('Try again')}</button>`;
  }
}

/** Whether there is something to report about the latest request. */
function isTrouble(status: Status): boolean {
  return (
    ['blocked', 'lost', 'failed'].includes(status.kind) || (status.kind === 'rejected' && !!status.closed)
  );
}

export const panelStyles = css`
  .card { border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface); color: var(--_text); }
  .card.padded { padding: var(--_s4); }
  .card.line { gap: var(--_s3); flex-wrap: nowrap; }
  .alert { display: flex; gap: var(--_s3); padding: var(--_s3); border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface-2); color: var(--_text); font-size: var(--_fs-sm); line-height: 1.4; }
  .alert.mid { align-items: center; }
  .alert b { display: block; font-size: calc(var(--_fs) * .93); font-weight: 620; }
  .alert.caution { border-color: var(--_caution-line); background: var(--_caution-soft); }
  .alert.caution :is(b, .i) { color: var(--_caution); }
  .alert.danger { border-color: var(--_danger-line); border-inline-start: 4px solid var(--_danger); background: var(--_danger-soft); }
  .alert.danger :is(b, .alert > .i) { color: var(--_danger); }
  .alert.good { border-color: var(--_success-line); background: var(--_success-soft); }
  .alert.good b, .alert.good > .i { color: var(--_success); }
  .alert .btn.mini { margin-block-start: 8px; }
`;

const COPIED_MS = 2000;

/** What all views except the transfer form share: panels and copying. */
export abstract class PanelView<H extends ConnectElement> extends ElementView<H> {
  static override styles = [...ElementView.styles, panelStyles];

  #copied = '';
  #timer = 0;

  protected async copy(text: string, said: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      this.say(msg('The browser did not allow copying.'));
      return;
    }
    this.#copied = text;
    this.say(said);
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.#copied = '';
      this.say('');
    }, COPIED_MS);
  }

  protected copyAddress(address: string, name: string): TemplateResult {
    const done = this.#copied === address;
    return html`<button
      type="button"
      part="copy"
      class="btn icon ${done ? 'done' : ''}"
      aria-label=${done ? msg('Address copied') : name}
      @click=${() => this.copy(address, msg('Address copied'))}
    >${icon(done ? iconCheck() : iconCopy())}</button>`;
  }

  /** Whether this text was copied a moment ago. */
  protected copied(text: string): boolean {
    return this.#copied === text;
  }
}

/** Lists of wallets, in rows or as chips. */
export const listStyles = css`
  .rows > li { display: flex; align-items: center; gap: var(--_s3); min-block-size: 60px; padding: var(--_s2) var(--_s3); }
  .rows > li + li { border-block-start: 1px solid var(--_border); }
  .row-main > * { overflow: hidden; text-overflow: ellipsis; unicode-bidi: plaintext; text-align: match-parent; text-align: -webkit-match-parent; }
  .tools { display: flex; flex: none; margin-inline-end: -8px; }
  .chips { display: flex; flex-wrap: wrap; gap: var(--_s2); }
  .chips > li { display: inline-flex; flex: 1 1 216px; align-items: center; gap: var(--_s2); min-block-size: var(--_hit); max-inline-size: 380px; padding-inline-start: 8px; border: 1px solid var(--_border); border-radius: var(--_r-sm); background: var(--_surface); box-shadow: var(--_shadow-1); color: var(--_text); line-height: 1.2; }
  .chips .strong { font-size: var(--_fs-sm); font-weight: 560; line-height: 1.2; }
  .chips .addr { font-size: var(--_fs-xs); line-height: 1.2; }
  .chips .tools { margin: 0; }
  .chips .row-main { line-height: 1.2; }
  /* Where the page gives it no width of its own, a name and an address stay readable. */
  .chips { min-inline-size: 160px; }
`;
