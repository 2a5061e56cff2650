/** What the views share: keeping the focus, announcements, and the states of a request that look the same in all elements. */
import { type CSSResult, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../api/wallet.ts';
import { shortAddress } from '../ui/address.ts';
import { chainBadgeStyles } from '../ui/chain-badge.ts';
import { holderMark } from '../ui/holder-mark.ts';
import { msg } from '../base/localize.ts';
import { moreTokens, tokens } from '../ui/tokens.ts';
import { adopt } from './adopt-styles.ts';
import { type ConnectElement, type Face, ignore, type Status, type View } from './connect-element.ts';
import type { trouble } from './trouble.ts';
import { viewStyles } from './view-styles.ts';

export const spinner = (look = ''): TemplateResult => html`<span class="spin ${look}"></span>`;

/** A wallet's name and address. */
export const walletLines = (alias: unknown, address: string, mark: unknown = nothing): TemplateResult =>
  html`<span class="strong trunc">${alias}</span> <span class="sm muted">${shortAddress(address)}${mark}</span>`;

/** The same, with who holds its key if that is not only this browser. */
export const markedLines = (wallet: Wallet, alias: unknown = wallet.alias): TemplateResult =>
  walletLines(alias, wallet.address, holderMark(wallet));

export abstract class ElementView<H extends ConnectElement> implements View {
  static styles = [tokens, moreTokens, viewStyles, chainBadgeStyles];

  #focused: Element | null = null;
  #said = '';
  #status: Status | undefined;
  #trouble: typeof trouble | undefined;

  constructor(protected readonly host: H) {
    if (getComputedStyle(host).getPropertyValue('--cb-color-accent'))
      import('./contrast.ts').then(({ warnOfContrast }) => warnOfContrast(host), ignore);
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
    return html`<button type="button" class="btn ghost ${size}" @click=${() => this.host.cancel()}>${msg('Cancel')}</button>`;
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
      ({ panelStyles, trouble }) => {
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
    return html`<button type="button" class="btn secondary mini" @click=${() => this.host.onPress()}>${msg('Try again')}</button>`;
  }
}

/** Whether there is something to report about the latest request. */
function isTrouble(status: Status): boolean {
  return (
    ['blocked', 'lost', 'failed'].includes(status.kind) || (status.kind === 'rejected' && !!status.closed)
  );
}
