/** The address book in Settings: add, rename and remove saved recipients of all chains. */
import { html, nothing, type TemplateResult, css } from 'lit';
import { CHAIN_NAMES, type SecretType } from '../../chains/secret-type.ts';
import type { Recipient, Vault } from '../../wallets/types.ts';
import { download, fileName } from '../ui/download.ts';
import { QuestionView } from '../ui/question-view.ts';
import type { BookFile } from './book-file.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { editRecipient } from './recipients-flow.ts';
import { msg, str } from '../../base/localize.ts';
import { addressStyles, fullAddress } from '../../ui/address.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { fieldStyles } from '../../ui/field-styles.ts';
import { icon, iconPlus } from '../../ui/icons.ts';
import { iconEdit } from '../../ui/list-icons.ts';
import { chainStyles } from '../ui/card-styles.ts';
import { listStyles } from '../ui/rows.ts';
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

function nameAndAddress({ name, address, secretType }: Recipient): TemplateResult {
  return html`${chainBadge(secretType)}
    <span class="row-main"><span class="trunc"><span class="strong">${name}</span> <span class="sm muted">${CHAIN_NAMES[secretType]}</span></span>${fullAddress(address)}</span>`;
}

/** The address book: recipients that the user has named. */
@customElement('cbf-book')
export class BookView extends FrameView<BookEvents> {
  static override styles = [
    FrameView.styles,
    addressStyles,
    listStyles,
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
    const { name } = recipient;
    return html`<li>
      ${nameAndAddress(recipient)}
      <button
        type="button"
        class="btn icon"
        aria-label=${msg(str`Edit ${name}`)}
        @click=${() => this.emit('cbf-edit', recipient)}
      >${icon(iconEdit())}</button>
    </li>`;
  }

  #list(): TemplateResult {
    const nobody = msg('No saved recipients yet. Save someone after a payment, or add one here.');
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

export async function showBook(frame: Frame, vault: Vault, options: OpenOptions): Promise<void> {
  const view = new BookView();
  let fileError = '';
  for (;;) {
    const saved = await vault.recipients();
    Object.assign(view, { saved: [...saved].sort((a, b) => a.name.localeCompare(b.name)), fileError });
    const { type, detail } = await frame.stage
      .open(view, options)
      .next('cbf-add', 'cbf-edit', 'cbf-export', 'cbf-import', 'cbf-back');
    fileError = '';
    switch (type) {
      case 'cbf-back':
        return;
      case 'cbf-edit':
        await editRecipient(frame, vault, detail.secretType, options, detail);
        break;
      case 'cbf-add':
        await editRecipient(frame, vault, await chainsOf(frame, vault), options);
        break;
      case 'cbf-export': {
        const { writeBook } = await import('./book-file.ts');
        const file = new Blob([writeBook(view.saved)], { type: 'text/csv' });
        download(frame.clock, file, fileName(frame.clock, 'recipients', 'csv'));
        break;
      }
      case 'cbf-import':
        fileError = await importBook(frame, vault, detail.text, view.saved, options);
    }
  }
}

/** Adds the recipients of a file, once the user has seen which. Says what is wrong with it, if anything. */
async function importBook(
  frame: Frame,
  vault: Vault,
  text: string,
  saved: readonly Recipient[],
  options: OpenOptions,
): Promise<string> {
  const { readBook } = await import('./book-file.ts');
  const file = await readBook(text, saved, await chainsOf(frame, vault));
  if (!file)
    return msg(
      'This is not a file of recipients: its first row must have the columns chain, address and name.',
    );
  const { type } = await frame.stage
    .open(importQuestion(file), { ...options, settings: false })
    .next('cbf-done', 'cbf-back');
  if (type === 'cbf-back' || !file.added.length) return '';
  const book = await vault.recipientBook();
  for (const recipient of file.added) await book.save(recipient);
  frame.stage.shell.say({ text: msg('Saved') });
  return '';
}

/** Rows of each kind that are drawn at most. */
const DRAWN = 50;

export function importQuestion({ added, known, bad }: BookFile): QuestionView<'cbf-done' | 'cbf-back'> {
  const more = (rows: readonly unknown[]): TemplateResult | typeof nothing =>
    rows.length > DRAWN ? html`<p class="sm muted">${msg(str`${rows.length - DRAWN} more`)}</p>` : nothing;
  return new QuestionView(
    'cbf-back',
    () => ({
      heading: added.length ? msg('Add these recipients?') : msg('Nobody to add'),
      text: known ? msg(str`Already known, with the names they have here: ${known}`) : undefined,
      details: html`${
        added.length
          ? html`<div class="card"><ul class="rows">${added
              .slice(0, DRAWN)
              .map((recipient) => html`<li>${nameAndAddress(recipient)}</li>`)}</ul></div>${more(added)}`
          : nothing
      }
      ${
        bad.length
          ? html`<h2 class="sect">${msg('Rows that cannot be used')}</h2>
            <ul class="stack tight">${bad
              .slice(0, DRAWN)
              .map(
                ({ row, why }) => html`<li class="sm">${msg(str`Row ${row}`)}: ${why}</li>`,
              )}</ul>${more(bad)}`
          : nothing
      }`,
      buttons: added.length
        ? [
            { text: msg('Cancel'), event: 'cbf-back', look: 'secondary' },
            { text: msg('Add'), event: 'cbf-done', look: 'primary' },
          ]
        : [{ text: msg('Done'), event: 'cbf-back', look: 'primary' }],
    }),
    [listStyles, chainStyles, addressStyles],
  );
}

/** The operator's chains, that of the user's first wallet first. */
async function chainsOf(
  { networks: { networks } }: Frame,
  vault: Vault,
): Promise<[SecretType, ...SecretType[]]> {
  const [first] = await vault.wallets({ now: true });
  const all = networks.map(({ secretType }) => secretType);
  return [...new Set([...(first ? [first.secretType] : []), ...all])] as [SecretType, ...SecretType[]];
}
