/** A button that opens a list to choose from, by the ARIA listbox pattern: arrows, Home, End, type-ahead, Enter, Esc. */
import { css, html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { icon } from '../ui/icon.ts';
import { iconCheck } from '../ui/approval-icons.ts';

const TYPED_MS = 600;

const styles = css`
  .menu { position: absolute; z-index: 1; inset-block-start: calc(100% + 6px); inset-inline: 0; max-block-size: 264px; overflow: auto; padding: 4px; border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface); box-shadow: var(--_shadow-3); }
  .menu > li { display: flex; align-items: center; gap: var(--_s3); min-block-size: 56px; padding: 0 var(--_s3); border-radius: var(--_r-sm); cursor: pointer; }
  .menu > li:hover, .menu > .is-hover { background: var(--_surface-2); }
  .tick { inline-size: 20px; flex: none; color: var(--_accent-text); }
`;

export interface Options<T> {
  label: string;
  items: readonly T[];
  selected: number;
  /** What type-ahead compares. */
  text(item: T): string;
  row(item: T): TemplateResult;
  choose(item: T): void;
}

export class Listbox<T> {
  open = false;
  #active = 0;
  #typed = '';
  #typedAt = 0;

  constructor(
    private readonly host: ReactiveControllerHost & { renderRoot: HTMLElement | DocumentFragment },
    readonly id: string,
  ) {
    const { adoptedStyleSheets } = host.renderRoot as ShadowRoot;
    if (!adoptedStyleSheets.includes(styles.styleSheet!)) adoptedStyleSheets.push(styles.styleSheet!);
  }

  get #list(): HTMLElement | null {
    return this.host.renderRoot.querySelector(`#${this.id}`);
  }

  async show(selected: number): Promise<void> {
    this.open = true;
    this.#active = Math.max(0, selected);
    this.host.requestUpdate();
    await this.host.updateComplete;
    this.#list?.focus();
  }

  /** `back`: the focus returns to the button. */
  close(back: boolean): void {
    if (!this.open) return;
    const button = back && this.host.renderRoot.querySelector<HTMLElement>(`[aria-controls=${this.id}]`);
    this.open = false;
    if (button) button.focus();
    this.host.requestUpdate();
  }

  #keys(event: KeyboardEvent, { items, text, choose }: Options<T>): void {
    const last = items.length - 1;
    const go: Record<string, () => number> = {
      ArrowDown: () => Math.min(last, this.#active + 1),
      ArrowUp: () => Math.max(0, this.#active - 1),
      Home: () => 0,
      End: () => last,
    };
    const move = go[event.key];
    if (move) this.#active = move();
    else if (event.key === 'Enter' || event.key === ' ') {
      const item = items[this.#active];
      if (item) choose(item);
      this.close(true);
    } else if (event.key === 'Escape') this.close(true);
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
      this.#typed = (event.timeStamp - this.#typedAt < TYPED_MS ? this.#typed : '') + event.key.toLowerCase();
      this.#typedAt = event.timeStamp;
      const found = items.findIndex((item) => text(item).toLowerCase().startsWith(this.#typed));
      if (found >= 0) this.#active = found;
    } else return;
    event.preventDefault();
    event.stopPropagation();
    this.host.requestUpdate();
    this.host.updateComplete.then(() =>
      this.#list?.querySelector('.is-hover')?.scrollIntoView({ block: 'nearest' }),
    );
  }

  render(options: Options<T>): TemplateResult | typeof nothing {
    if (!this.open) return nothing;
    const { label, items, selected, row, choose } = options;
    return html`<ul
      id=${this.id}
      class="menu"
      role="listbox"
      tabindex="0"
      aria-label=${label}
      aria-activedescendant="${this.id}-${this.#active}"
      @keydown=${(event: KeyboardEvent) => this.#keys(event, options)}
      @blur=${() => this.close(false)}
    >${items.map(
      (item, i) => html`<li
        id="${this.id}-${i}"
        role="option"
        aria-selected=${String(i === selected)}
        class=${i === this.#active ? 'is-hover' : ''}
        @mousedown=${(event: Event) => event.preventDefault()}
        @click=${() => {
          choose(item);
          this.close(true);
        }}
      >${row(item)}<span class="tick">${i === selected ? icon(iconCheck()) : nothing}</span></li>`,
    )}</ul>`;
  }
}
