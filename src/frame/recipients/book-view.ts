import { css, html, nothing, type TemplateResult } from 'lit';
import { msg, str } from '../../base/localize.ts';
import { CHAIN_NAMES } from '../../chains/secret-type.ts';
import { addressStyles, fullAddress } from '../../ui/address.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { fieldStyles } from '../../ui/field-styles.ts';
import { icon, iconPlus } from '../../ui/icons.ts';
import { iconEdit } from '../../ui/list-icons.ts';
import type { Recipient } from '../../wallets/types.ts';
import { cardStyles, chainStyles } from '../ui/card-styles.ts';
import { explanationStyles, whatIsThis } from '../ui/explanations.ts';
import { head } from '../ui/head.ts';
import { errorLine, FrameView } from '../ui/view.ts';
import { matching, rowsOf, searchField } from './search.ts';

export interface BookEvents {
  /** Add recipient. */
  'cbf-add': null;
  /** Saves all of them as a file. */
  'cbf-export': null;
  /** A file of recipients was chosen: its text. */
  'cbf-import': { text: string };
  /** Rename or remove. */
  'cbf-edit': Recipient;
  /** Back, Esc. */
  'cbf-back': null;
}

/** With more than this many, there is a search field for names and addresses. */
const FEW = 5;

/** The address book: recipients that the user has named. */
@customElement('cbf-book')
export class BookView extends FrameView<BookEvents> {
  static override styles = [
    FrameView.styles,
    addressStyles,
    cardStyles,
    chainStyles,
    fieldStyles,
    explanationStyles,
    css`
      .rows > li { min-block-size: 76px; padding-block: 6px; padding-inline-end: 4px; }
      .rows .groups { display: inline-grid; font-size: 12px; column-gap: 6px; }
      @container frame (max-width: 379px) { .rows > li { gap: var(--_s2); } .rows .groups { column-gap: 4px; } .rows .chain { display: none; } }
    `,
  ];

  @property({ attribute: false }) saved: readonly Recipient[] = [];
  /** What is wrong with the chosen file. */
  @property({ attribute: false }) fileError = '';
  @state() private wanted = '';
  @query('input[type=file]') private file!: HTMLInputElement;

  protected override readonly escape = 'cbf-back';

  #row(recipient: Recipient): TemplateResult {
    const { name, address, secretType } = recipient;
    return html`<li>
      ${chainBadge(secretType)}
      <span class="row-main"><span class="trunc"><span class="strong">${name}</span> <span class="sm muted">${CHAIN_NAMES[secretType]}</span></span>${fullAddress(address)}</span>
      <button
        type="button"
        class="btn icon"
        aria-label=${msg(str`Edit ${name}`)}
        @click=${() => this.emit('cbf-edit', recipient)}
      >${icon(iconEdit())}</button>
    </li>`;
  }

  #list(): TemplateResult {
    const nobody = msg('Nobody yet. Whom you save after a payment and whom you add is listed here.');
    const shown = matching(this.saved, this.wanted);
    return rowsOf(
      shown.map((one) => this.#row(one)),
      this.saved.length ? '' : nobody,
    );
  }

  async #choose(): Promise<void> {
    const text = await this.file.files?.[0]?.text();
    // So that the same file can be chosen again.
    this.file.value = '';
    if (text !== undefined) this.emit('cbf-import', { text });
  }

  #files(): TemplateResult {
    return html`<div class="line">
        <input type="file" accept=".csv,text/csv" hidden @change=${() => this.#choose()} />
        <button type="button" class="btn text" @click=${() => this.file.click()}>${msg('Import from a file')}</button>
        ${
          this.saved.length
            ? html`<button
              type="button"
              class="btn text"
              @click=${() => this.emit('cbf-export')}
            >${msg('Export to a file')}</button>`
            : nothing
        }
      </div>
      ${errorLine(this.fileError)}`;
  }

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Known recipients'))}
        ${this.saved.length > FEW ? searchField(this.wanted, (typed) => (this.wanted = typed)) : nothing}
        ${this.#list()}
        ${this.saved.length ? html`<p class="sm muted">${msg('Only you see these names. They are in your back-up file.')}</p>` : nothing}
        ${this.#files()}
        ${whatIsThis(msg('Names for addresses that you pay. They are shown when you send and approve, and a look-alike of one of these addresses causes a warning.'))}`,
      foot: html`<button
        type="button"
        class="btn quiet lg block"
        @click=${() => this.emit('cbf-add')}
      >${icon(iconPlus())}<span>${msg('Add recipient')}</span></button>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-book': BookView;
  }
}
