import { html, nothing, type TemplateResult } from 'lit';
import { msg } from '../../base/localize.ts';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { fieldStyles } from '../../ui/field-styles.ts';
import { icon, iconPasskey } from '../../ui/icons.ts';
import { head, mainButton, mainButtonStyles } from '../ui/head.ts';
import { errorLine, FrameView } from '../ui/view.ts';
import './phrase-field.ts';
import type { CheckWord, PhraseField } from './phrase-field.ts';

export interface RestoreFileEvents {
  /** A file was chosen: read `file`, then set `passkey`, or `fileError`. */
  'cbf-file': null;
  /** Open the file with its passkey: ask for it in the same click. */
  'cbf-passkey': null;
  /** Open it with its 12 words: read `phrase`. */
  'cbf-phrase': null;
  /** Back, Esc. */
  'cbf-back': null;
}

import { fileStyles } from './import-view.ts';

/** Restores the wallets of a backup file in a browser that has none. */
@customElement('cbf-restore-file')
export class RestoreFileView extends FrameView<RestoreFileEvents> {
  static override styles = [FrameView.styles, fieldStyles, fileStyles, ...mainButtonStyles];

  @property({ attribute: false }) check: CheckWord | undefined;
  /** Whether the file has a passkey; undefined until a file is chosen. */
  @property({ attribute: false }) passkey: boolean | undefined;
  @property({ attribute: false }) fileError = '';
  @property({ attribute: false }) error = '';
  @property({ attribute: false }) busy = false;
  @state() private complete = false;
  @query('cbf-phrase-field') private words!: PhraseField | null;

  /** The chosen file's text. */
  file = '';

  protected override readonly escape = 'cbf-back';

  get phrase(): string {
    return this.words?.value ?? '';
  }

  async #choose(input: HTMLInputElement): Promise<void> {
    this.file = (await input.files?.[0]?.text()) ?? '';
    Object.assign(this, { passkey: undefined, fileError: '', error: '' });
    if (this.file) this.emit('cbf-file');
  }

  #fields(): TemplateResult {
    return html`<p class="sm muted">${this.passkey ? msg('Its passkey opens it, or its 12 words.') : msg('Only its 12 words open it.')}</p>
      <cbf-phrase-field .check=${this.check} .error=${this.error} .disabled=${this.busy} @cbf-phrase-input=${() => {
        this.error = '';
        this.complete = !!this.words?.complete;
        this.requestUpdate();
      }}></cbf-phrase-field>`;
  }

  #buttons(): TemplateResult {
    const way = this.passkey && !this.complete ? 'cbf-passkey' : 'cbf-phrase';
    const isAsking = way === 'cbf-passkey';
    return mainButton({
      label: isAsking ? msg('Continue with passkey') : msg('Continue'),
      why: isAsking || this.complete ? undefined : (this.words?.missing ?? msg('Type your 12 words')),
      wait: this.busy
        ? isAsking
          ? msg('Waiting for your passkey…')
          : msg('Checking the words…')
        : undefined,
      mark: isAsking ? icon(iconPasskey(), 's') : undefined,
      press: () => this.emit(way),
    });
  }

  protected override render(): TemplateResult {
    return this.layout({
      plain: true,
      body: html`${head(this, msg('Restore from a file'))}
        <div class="field">
          <label for="file">${msg('Back-up file')}</label>
          <input
            class="input"
            id="file"
            type="file"
            accept=".json,application/json"
            aria-invalid=${this.fileError ? 'true' : 'false'}
            aria-describedby=${this.fileError ? 'error' : nothing}
            ?disabled=${this.busy}
            @change=${(event: Event) => this.#choose(event.target as HTMLInputElement)}
          />
          ${errorLine(this.fileError)}
        </div>
        ${this.passkey === undefined ? html`<p class="help">${msg('The file that this wallet saved in Settings. It stays in this browser.')}</p>` : this.#fields()}`,
      foot: this.passkey === undefined ? nothing : this.#buttons(),
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-restore-file': RestoreFileView;
  }
}
