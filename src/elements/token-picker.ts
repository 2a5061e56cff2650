/** A button that opens a list with a search field above it: a combobox by the ARIA pattern. */
import { css, html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { balanceText } from '../ui/amount-text.ts';
import { shortText } from '../ui/address.ts';
import { icon } from '../ui/icon.ts';
import { iconCheck } from '../ui/approval-icons.ts';
import { msg, str } from '../ui/localize.ts';
import type { Asset } from './assets.ts';

const styles = css`
  .picking { position: absolute; z-index: 2; inset-block-start: calc(100% + 6px); inset-inline: 0; padding: 4px; border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface); box-shadow: var(--_shadow-3); }
  .picking > ul { max-block-size: 224px; margin-block-start: 4px; overflow: auto; }
  .picking li { display: flex; align-items: center; gap: var(--_s3); min-block-size: var(--_hit); padding: 0 var(--_s3); border-radius: var(--_r-sm); cursor: pointer; }
  .picking li:hover, .picking .is-hover { background: var(--_surface-2); }
  .picking .tick { inline-size: 20px; flex: none; color: var(--_accent-text); }
  .picking > p { padding: var(--_s3); }
`;

export interface Picking {
  /** `Sell token`. */
  label: string;
  items: readonly Asset[];
  selected: string | undefined;
  badge(asset: Asset): TemplateResult;
  choose(address: string): void;
}

export class TokenPicker {
  open = false;
  #typed = '';
  #active = 0;

  constructor(
    private readonly host: ReactiveControllerHost & { renderRoot: HTMLElement | DocumentFragment },
    /** Of the list; the button's `aria-controls`. */
    readonly id: string,
  ) {
    const { adoptedStyleSheets } = host.renderRoot as ShadowRoot;
    if (!adoptedStyleSheets.includes(styles.styleSheet!)) adoptedStyleSheets.push(styles.styleSheet!);
  }

  #find<E extends HTMLElement>(selector: string): E | null {
    return (this.host.renderRoot as ShadowRoot).querySelector<E>(selector);
  }

  async show(): Promise<void> {
    this.open = true;
    this.#typed = '';
    this.#active = 0;
    this.host.requestUpdate();
    await this.host.updateComplete;
    this.#find(`#${this.id}-search`)?.focus();
  }

  /** `back`: the focus returns to the button. */
  close(back: boolean): void {
    if (!this.open) return;
    const button = back && this.#find(`[aria-controls=${this.id}]`);
    this.open = false;
    if (button) button.focus();
    this.host.requestUpdate();
  }

  /** Those that the search finds; an address that is none of them stands for itself. */
  #found(items: readonly Asset[]): Asset[] {
    const typed = this.#typed.trim().toLowerCase();
    if (!typed) return [...items];
    const found = items.filter(
      ({ symbol, address }) => symbol.toLowerCase().includes(typed) || address?.toLowerCase() === typed,
    );
    if (found.length || !/^0x[0-9a-f]{40}$/.test(typed)) return found;
    return [
      { address: this.#typed.trim(), symbol: shortText(this.#typed.trim()), decimals: null, raw: null },
    ];
  }

  #keys(event: KeyboardEvent, found: readonly Asset[], choose: (asset: Asset) => void): void {
    const last = found.length - 1;
    if (event.key === 'ArrowDown') this.#active = Math.min(last, this.#active + 1);
    else if (event.key === 'ArrowUp') this.#active = Math.max(0, this.#active - 1);
    else if (event.key === 'Enter') {
      const asset = found[this.#active];
      if (asset) choose(asset);
    } else if (event.key === 'Escape') this.close(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.host.requestUpdate();
    void this.host.updateComplete.then(() =>
      this.#find('.picking .is-hover')?.scrollIntoView({ block: 'nearest' }),
    );
  }

  render({ label, items, selected, badge, choose }: Picking): TemplateResult | typeof nothing {
    if (!this.open) return nothing;
    const found = this.#found(items);
    const pick = (asset: Asset) => {
      choose(asset.address ?? '');
      this.close(true);
    };
    const listed = (asset: Asset) => items.includes(asset);
    return html`<div class="picking" @focusout=${({ relatedTarget, currentTarget }: FocusEvent) => {
      if (!(currentTarget as Element).contains(relatedTarget as Node | null)) this.close(false);
    }}>
      <input
        id="${this.id}-search"
        class="input"
        type="search"
        role="combobox"
        aria-label=${msg('Search token')}
        placeholder=${msg('Symbol or address')}
        aria-expanded="true"
        aria-controls=${this.id}
        aria-autocomplete="list"
        aria-activedescendant=${found.length ? `${this.id}-${this.#active}` : nothing}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        .value=${this.#typed}
        @input=${(event: Event) => {
          this.#typed = (event.target as HTMLInputElement).value;
          this.#active = 0;
          this.host.requestUpdate();
        }}
        @keydown=${(event: KeyboardEvent) => this.#keys(event, found, pick)}
      />
      <ul id=${this.id} role="listbox" aria-label=${label}>${found.map(
        (asset, i) => html`<li
          id="${this.id}-${i}"
          role="option"
          aria-selected=${String((asset.address ?? '') === selected)}
          class=${i === this.#active ? 'is-hover' : ''}
          @mousedown=${(event: Event) => event.preventDefault()}
          @click=${() => pick(asset)}
        >${badge(asset)}<span class="row-main strong trunc">${listed(asset) ? asset.symbol : msg(str`Unlisted token ${asset.symbol}`)}</span>${
          asset.raw !== null && asset.decimals !== null
            ? html`<span class="num sm muted">${balanceText(String(asset.raw), asset.decimals)}</span>`
            : nothing
        }<span class="tick">${(asset.address ?? '') === selected ? icon(iconCheck()) : nothing}</span></li>`,
      )}</ul>
      ${found.length ? nothing : html`<p class="sm muted">${msg('No token of this name can be swapped here. Paste the address of its contract.')}</p>`}
    </div>`;
  }
}
