import { html, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { fieldStyles } from '../../ui/field-styles.ts';
import { msg } from '../../base/localize.ts';
import { cardStyles, chainStyles } from '../ui/card-styles.ts';
import { head } from '../ui/head.ts';
import { errorLine, FrameView } from '../ui/view.ts';
import { walletLine } from '../ui/rows.ts';

export interface RenameEvents {
  /** Save: read `alias`. */
  'cbf-save': null;
  /** Back, Cancel, Esc. */
  'cbf-back': null;
}

/** Renames a wallet. */
@customElement('cbf-rename')
export class RenameView extends FrameView<RenameEvents> {
  static override styles = [FrameView.styles, cardStyles, chainStyles, fieldStyles];

  @property({ attribute: false }) wallet!: Wallet;
  /** What is wrong with the name. */
  @property() error = '';
  @state() private filled = true;
  @query('input') private input!: HTMLInputElement;

  protected override readonly escape = 'cbf-back';

  get alias(): string {
    return this.input.value.trim();
  }

  #typed(): void {
    this.filled = this.alias !== '';
    this.error = '';
  }

  #save(): void {
    if (this.alias) this.emit('cbf-save');
  }

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Rename wallet'))} ${walletLine(this.wallet)}
        <div class="field">
          <label for="alias">${msg('Alias')}</label>
          <input class="input" id="alias" maxlength="32" dir="auto" autocomplete="off" data-start aria-describedby="error who" aria-invalid=${this.error ? 'true' : 'false'} .value=${this.wallet.alias}
            @input=${() => this.#typed()}
            @keydown=${(event: KeyboardEvent) => event.key === 'Enter' && !event.isComposing && this.#save()} />
          ${errorLine(this.error)}
          <p class="help" id="who">${msg('Only you see it until you link this wallet to a site.')}</p>
        </div>`,
      foot: html`<div class="actions">
        <button type="button" class="btn secondary lg" @click=${() => this.emit('cbf-back')}>${msg('Cancel')}</button>
        <button type="button" class="btn primary lg" ?disabled=${!this.filled} @click=${() => this.#save()}>${msg('Save')}</button>
      </div>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-rename': RenameView;
  }
}
