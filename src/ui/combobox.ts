/**
 * A button that opens a list to choose from, following the ARIA patterns: a listbox, which takes the focus (arrows, Home, End, type-ahead,
 * Enter, Esc), or with `search` a combobox, whose search field keeps it.
 */
import { css, html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { icon, iconCheck } from './icons.ts';
import { adopt } from './parts.ts';

const TYPED_MS = 600;

const styles = css`
  .menu { position: absolute; z-index: 1; inset-block-start: calc(100% + 6px); inset-inline: 0; padding: 4px; border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface); box-shadow: var(--_shadow-3); }
  .menu li { display: flex; align-items: center; gap: var(--_s3); min-block-size: 56px; padding: 0 var(--_s3); border-radius: var(--_r-sm); cursor: pointer; }
  .menu li:hover, .menu .is-hover { background: var(--_surface-2); }
  .menu .tick { inline-size: 20px; flex: none; color: var(--_accent-text); }
  ul.menu { max-block-size: 264px; overflow: auto; }
  div.menu { z-index: 2; }
  div.menu > ul { max-block-size: 224px; margin-block-start: 4px; overflow: auto; }
  div.menu li { min-block-size: var(--_hit); }
  div.menu > p { padding: var(--_s3); }
`;

export interface Choices<T> {
  /** The list's accessible name. */
  label: string;
  items: readonly T[];
  isSelected(item: T): boolean;
  row(item: T): TemplateResult;
  choose(item: T): void;
  /** What type-ahead compares, if there is no search. */
  text?(item: T): string;
  search?: Search<T>;
}

/** A field above the list. */
export interface Search<T> {
  label: string;
  placeholder: string;
  find(typed: string): readonly T[];
  /** Shown instead of an empty list. */
  none: string;
}

export class Combobox<T> {
  open = false;
  #active = 0;
  #typed = '';
  #typedAt = 0;

  constructor(
    private readonly host: ReactiveControllerHost & { renderRoot: HTMLElement | DocumentFragment },
    /** The list's id, for the button's `aria-controls`. */
    readonly id: string,
  ) {
    adopt(host.renderRoot, styles);
  }

  #find(selector: string): HTMLElement | null {
    return this.host.renderRoot.querySelector(selector);
  }

  /** `active`: the item that is marked first. */
  async show(active = 0): Promise<void> {
    this.open = true;
    this.#typed = '';
    this.#active = Math.max(0, active);
    this.host.requestUpdate();
    await this.host.updateComplete;
    (this.#find(`#${this.id}-search`) ?? this.#find(`#${this.id}`))?.focus();
  }

  /** `back`: the focus returns to the button. */
  close(back: boolean): void {
    if (!this.open) return;
    const button = back && this.#find(`[aria-controls=${this.id}]:not(input)`);
    this.open = false;
    if (button) button.focus();
    this.host.requestUpdate();
  }

  #pick(item: T, { choose }: Choices<T>): void {
    choose(item);
    this.close(true);
  }

  #keys(event: KeyboardEvent, items: readonly T[], choices: Choices<T>): void {
    if (!this.#act(event, items, choices)) return;
    event.preventDefault();
    event.stopPropagation();
    this.host.requestUpdate();
    void this.host.updateComplete.then(() =>
      this.#find(`#${this.id} .is-hover`)?.scrollIntoView({ block: 'nearest' }),
    );
  }

  /** Returns whether the list used the key. */
  #act(event: KeyboardEvent, items: readonly T[], choices: Choices<T>): boolean {
    const { key } = event;
    const last = items.length - 1;
    if (key === 'ArrowDown') this.#active = Math.min(last, this.#active + 1);
    else if (key === 'ArrowUp') this.#active = Math.max(0, this.#active - 1);
    else if (key === 'Enter') {
      const item = items[this.#active];
      if (item) this.#pick(item, choices);
    } else if (key === 'Escape') this.close(true);
    // With a search field, all other keys are text input.
    else if (choices.search) return false;
    else if (key === 'Home') this.#active = 0;
    else if (key === 'End') this.#active = last;
    else if (key === ' ') this.#pick(items[this.#active]!, choices);
    else if (key.length === 1 && !event.ctrlKey && !event.metaKey) this.#typeAhead(event, items, choices);
    else return false;
    return true;
  }

  #typeAhead({ key, timeStamp }: KeyboardEvent, items: readonly T[], { text }: Choices<T>): void {
    this.#typed = (timeStamp - this.#typedAt < TYPED_MS ? this.#typed : '') + key.toLowerCase();
    this.#typedAt = timeStamp;
    const index = items.findIndex((item) => text?.(item).toLowerCase().startsWith(this.#typed));
    if (index >= 0) this.#active = index;
  }

  render(choices: Choices<T>): TemplateResult | typeof nothing {
    if (!this.open) return nothing;
    const { search, items } = choices;
    return search ? this.#combobox(choices, search) : this.#listbox(choices, items);
  }

  #listbox(choices: Choices<T>, items: readonly T[]): TemplateResult {
    return html`<ul
      id=${this.id}
      class="menu"
      role="listbox"
      tabindex="0"
      aria-label=${choices.label}
      aria-activedescendant="${this.id}-${this.#active}"
      @keydown=${(event: KeyboardEvent) => this.#keys(event, items, choices)}
      @blur=${() => this.close(false)}
    >${this.#options(choices, items)}</ul>`;
  }

  #combobox(choices: Choices<T>, { label, placeholder, find, none }: Search<T>): TemplateResult {
    const items = find(this.#typed);
    return html`<div class="menu" @focusout=${({ relatedTarget, currentTarget }: FocusEvent) => {
      if (!(currentTarget as Element).contains(relatedTarget as Node | null)) this.close(false);
    }}>
      <input
        id="${this.id}-search"
        class="input"
        type="search"
        role="combobox"
        aria-label=${label}
        placeholder=${placeholder}
        aria-expanded="true"
        aria-controls=${this.id}
        aria-autocomplete="list"
        aria-activedescendant=${items.length ? `${this.id}-${this.#active}` : nothing}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        .value=${this.#typed}
        @input=${(event: Event) => {
          this.#typed = (event.target as HTMLInputElement).value;
          this.#active = 0;
          this.host.requestUpdate();
        }}
        @keydown=${(event: KeyboardEvent) => this.#keys(event, items, choices)}
      />
      <ul id=${this.id} role="listbox" aria-label=${choices.label}>${this.#options(choices, items)}</ul>
      ${items.length ? nothing : html`<p class="sm muted">${none}</p>`}
    </div>`;
  }

  #options(choices: Choices<T>, items: readonly T[]): TemplateResult[] {
    const { isSelected, row } = choices;
    return items.map(
      (item, i) => html`<li
        id="${this.id}-${i}"
        role="option"
        aria-selected=${String(isSelected(item))}
        class=${i === this.#active ? 'is-hover' : ''}
        @mousedown=${(event: Event) => event.preventDefault()}
        @click=${() => this.#pick(item, choices)}
      >${row(item)}<span class="tick">${isSelected(item) ? icon(iconCheck()) : nothing}</span></li>`,
    );
  }
}
