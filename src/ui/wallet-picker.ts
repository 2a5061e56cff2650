/** A field that shows a wallet and opens a list of wallets to choose from. */
import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { holderMark } from './address.ts';
import type { Wallet } from '../api/wallet.ts';
import { chainBadge } from './chain-badge.ts';
import { icon, iconChevronDown } from './icons.ts';
import type { Combobox } from './combobox.ts';
import { markedLines, walletLines } from './parts.ts';

export class WalletPicker {
  /** Created when first opened. */
  #list: Combobox<Wallet> | undefined;

  constructor(
    private readonly host: ReactiveControllerHost & { renderRoot: HTMLElement | DocumentFragment },
    readonly id: string,
  ) {}

  /** With fewer than two `items`, there is no choice. */
  render(
    label: string,
    items: readonly Wallet[],
    current: Wallet | undefined,
    choose: (wallet: Wallet) => void,
  ): TemplateResult {
    const { id } = this;
    const selected = items.findIndex((each) => each.id === current?.id);
    const fixed = items.length < 2;
    const pick = async () => {
      const { Combobox } = await import('./combobox.ts');
      await (this.#list ??= new Combobox<Wallet>(this.host, id)).show(selected);
    };
    return html`<div class="field">
      <span class="label" id="${id}-label">${label}</span>
      <div part="input" class="picker ${fixed ? 'fixed' : ''}">${current ? chainBadge(current.secretType) : nothing}<button
          type="button"
          class="row-main"
          aria-labelledby="${id}-label ${id}-current"
          aria-describedby="${id}-holder"
          aria-haspopup="listbox"
          aria-controls=${id}
          aria-expanded=${String(!!this.#list?.open)}
          ?disabled=${fixed}
          @click=${pick}
        ><span
          id="${id}-current"
          class="lines"
        >${current ? walletLines(current.alias, current.address) : '…'}</span></button><span id="${id}-holder">${current ? holderMark(current) : nothing}</span>${fixed ? nothing : icon(iconChevronDown())}</div>
      ${this.#list?.render({
        label,
        items,
        isSelected: (each) => each.id === current?.id,
        text: ({ alias }) => alias,
        row: (each) => html`${chainBadge(each.secretType)}<span class="row-main">${markedLines(each)}</span>`,
        choose: (each) => {
          choose(each);
          this.host.requestUpdate();
        },
      })}
    </div>`;
  }
}
