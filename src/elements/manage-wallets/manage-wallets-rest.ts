import { css, html, nothing, type TemplateResult } from 'lit';
import { CHAIN_NAMES, type SecretType } from '../../chains/secret-type.ts';
import { chainBadge, chainBadgeStyles } from '../../ui/chain-badge.ts';
import { icon, iconPlus } from '../../ui/icons.ts';
import { msg, str } from '../../base/localize.ts';
import type { View } from '../connect-element.ts';
import type { ManageWallets } from './manage-wallets.ts';

/** The chain of `<manage-wallets>`. A site may name one that this release does not know. */
const chainOf = ({ chain }: ManageWallets) => chain?.toUpperCase() as SecretType;

export const heading = (host: ManageWallets): TemplateResult =>
  html`<h3 part="heading" class="title grow" aria-level=${host.headingLevel ?? nothing}>${msg(str`${CHAIN_NAMES[chainOf(host)] ?? chainOf(host)} wallets`)}</h3>`;

/** Replaces the list, and contains the button. */
export const noWallet = (host: ManageWallets): TemplateResult =>
  html`<div class="card padded empty">${chainBadge(chainOf(host), 'l')}<div><p class="strong">${msg(str`No ${CHAIN_NAMES[chainOf(host)] ?? ''} wallet yet`)}</p><p part="hint" class="sm muted">${msg('Create one in a few seconds, or import one you have.')}</p></div
      ><button
        type="button"
        part="button button-primary"
        class="btn primary"
        @click=${host.onPress}
      >${icon(iconPlus(), 's')}<span>${msg('Manage wallets')}</span></button></div>`;

export const emptyStyles = css`.padded.empty { display: grid; justify-items: center; gap: 10px; padding-block: 24px; text-align: center; }`;

/**
 * `<manage-wallets>` while no wallet is linked. Loaded before any interaction, so it contains only the styles and card data that it draws,
 * and shares no module with the views.
 */
export class ManageWalletsRest implements View {
  static styles = [
    chainBadgeStyles,
    emptyStyles,
    css`
      :host { --_surface: var(--cb-color-surface, light-dark(#fff, #161a21)); --_text-2: var(--cb-color-text-2, light-dark(#4a5261, #b4bcc9)); text-align: start; font-variant-ligatures: none; -webkit-font-smoothing: antialiased; }
      h3, p { margin: 0; }
      .title { margin-block-end: calc(var(--cb-space, 4px) * 3); font-size: calc(var(--cb-font-size, 15px) * 1.1333); font-weight: 620; letter-spacing: -.01em; line-height: 1.25; }
      .card { box-sizing: border-box; padding-inline: calc(var(--cb-space, 4px) * 4); border: 1px solid var(--cb-color-border, light-dark(#e0e4ea, #2a303b)); border-radius: var(--cb-radius, 12px); background: var(--_surface); }
      .strong { font-weight: 600; }
      .sm { color: var(--_text-2); font-size: calc(var(--cb-font-size, 15px) * 0.8667); }
      .i { inline-size: 16px; block-size: 16px; stroke-width: 2; }
      .btn { box-sizing: border-box; box-shadow: 0 1px 2px light-dark(rgb(20 24 31 / 0.06), rgb(0 0 0 / 0.4)), inset 0 1px 0 rgb(255 255 255 / .14); }
    `,
  ];

  constructor(private readonly host: ManageWallets) {}

  hides(): boolean {
    return true;
  }

  above(): TemplateResult {
    return heading(this.host);
  }

  below(): TemplateResult {
    return noWallet(this.host);
  }

  focusTarget(): HTMLElement | undefined {
    return this.host.renderRoot.querySelector<HTMLElement>('.card button') ?? undefined;
  }
}
