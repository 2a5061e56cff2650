import { html, nothing, type TemplateResult } from 'lit';
import { msg } from '../../base/localize.ts';
import { alert, alertStyles } from '../../ui/alert.ts';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { icon, iconLock } from '../../ui/icons.ts';
import { spinStyles } from '../../ui/styles.ts';
import { head } from '../ui/head.ts';
import { FrameView } from '../ui/view.ts';
import './phrase-field.ts';
import type { CheckWord, PhraseField } from './phrase-field.ts';

export interface RestoreEvents {
  /** Continue: read `phrase`. Set `busy`, then `error` if the words are not this wallet's. */
  'cbf-phrase': null;
  /** Back. */
  'cbf-back': null;
}

/** Asks for the words of this browser's wallet when the PIN is forgotten or locked. A new PIN follows. */
@customElement('cbf-restore')
export class RestoreView extends FrameView<RestoreEvents> {
  static override styles = [FrameView.styles, alertStyles, spinStyles];

  @property({ attribute: false }) check: CheckWord | undefined;
  @property({ attribute: false }) error = '';
  @property({ attribute: false }) busy = false;
  @state() private complete = false;
  @query('cbf-phrase-field') private field!: PhraseField;

  protected override readonly escape = 'cbf-back';

  get phrase(): string {
    return this.field.value;
  }

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Restore with 12 words'))}
        <p class="muted sm">${msg('Type the words of this wallet from your paper. Then you choose a new PIN.')}</p>
        <cbf-phrase-field data-start .check=${this.check} .error=${this.error} .disabled=${this.busy}
          @cbf-phrase-input=${(event: HTMLElementEventMap['cbf-phrase-input']) => {
            this.complete = event.detail.complete;
            this.error = '';
          }}></cbf-phrase-field>
        ${alert('plain', { text: msg('The words stay in this browser. No site can see them.'), icon: icon(iconLock()) })}`,
      foot: html`<button
        type="button"
        class="btn primary lg block"
        ?disabled=${!this.complete || !!this.error || this.busy}
        @click=${() => this.emit('cbf-phrase')}
      >
        ${this.busy ? html`<span class="spin"></span>` : nothing}<span>${msg('Continue')}</span>
      </button>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-restore': RestoreView;
  }
}

// Why the input is not a recovery phrase, in the user's words.
