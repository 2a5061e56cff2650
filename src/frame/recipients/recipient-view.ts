import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { msg } from '../../base/localize.ts';
import { CHAIN_NAMES, type SecretType } from '../../chains/secret-type.ts';
import { addressStyles, fullAddress } from '../../ui/address.ts';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { fieldStyles } from '../../ui/field-styles.ts';
import { cardStyles } from '../ui/card-styles.ts';
import { head, mainButton, mainButtonStyles } from '../ui/head.ts';
import { errorLine, FrameView } from '../ui/view.ts';

export interface RecipientEvents {
  /** Save: read `name` and `typed`. */
  'cbf-save': null;
  /** Remove recipient. */
  'cbf-remove': null;
  /** Back, Cancel, Esc. */
  'cbf-back': null;
}

/** Edits a recipient's name, and its address if not known yet. */
@customElement('cbf-recipient')
export class RecipientView extends FrameView<RecipientEvents> {
  static override styles = [FrameView.styles, addressStyles, cardStyles, fieldStyles, ...mainButtonStyles];

  /** If empty, the view asks for it. */
  @property() address = '';
  /** The chains possible for the address; the user chooses if there are several. */
  @property({ attribute: false }) chains: readonly SecretType[] = [];
  @property({ attribute: false }) chain: SecretType | undefined;
  /** The saved name; empty if not saved yet. */
  @property() saved = '';
  /** Errors of the name and of the address. */
  @property() error = '';
  @property({ attribute: false }) addressError = '';
  /** What is still missing. */
  @state() private why: string | undefined;
  @query('#name') private input!: HTMLInputElement;
  @query('#address') private addressInput: HTMLInputElement | undefined;

  protected override readonly escape = 'cbf-back';

  get name(): string {
    return this.input.value.trim();
  }

  /** The address, as known or as typed. */
  get typed(): string {
    return this.address || (this.addressInput?.value.trim() ?? '');
  }

  protected override firstUpdated(changed: PropertyValues): void {
    super.firstUpdated(changed);
    this.#check();
  }

  #check(): void {
    this.why = !this.name ? msg('Type a name') : this.typed ? undefined : msg('Type an address');
    this.error = '';
    this.addressError = '';
  }

  #save(): void {
    if (!this.why) this.emit('cbf-save');
  }

  #chains(): TemplateResult {
    const choose = (event: Event): void => {
      this.chain = (event.target as HTMLSelectElement).value as SecretType;
      this.addressError = '';
    };
    return html`<div class="field">
      <label for="chain">${msg('Network')}</label>
      <select class="input" id="chain" @change=${choose}>
        ${this.chains.map(
          (chain) => html`<option
            value=${chain}
            ?selected=${chain === this.chain}
          >${CHAIN_NAMES[chain]}</option>`,
        )}
      </select>
    </div>`;
  }

  protected override render(): TemplateResult {
    const { address, saved, error, addressError } = this;
    const enter = (event: KeyboardEvent) => event.key === 'Enter' && !event.isComposing && this.#save();
    return this.layout({
      body: html`${head(this, saved ? msg('Edit recipient') : address ? msg('Save recipient') : msg('Add recipient'))}
        <div class="field">
          <label for="name">${msg('Name')}</label>
          <input
            class="input"
            id="name"
            maxlength="64"
            dir="auto"
            autocomplete="off"
            data-start
            aria-describedby="error who"
            aria-invalid=${error ? 'true' : 'false'}
            .value=${saved}
            @input=${() => this.#check()}
            @keydown=${enter}
          />
          ${errorLine(error)}
          <p class="help" id="who">${msg('Only you see it, in this wallet.')}</p>
        </div>
        ${
          address
            ? html`<div class="card padded">${fullAddress(address)}</div>`
            : html`${this.chains.length > 1 ? this.#chains() : nothing}<div class="field">
                <label for="address">${msg('Address')}</label>
                <input
                  class="input mono"
                  id="address"
                  dir="ltr"
                  autocomplete="off"
                  autocapitalize="off"
                  spellcheck="false"
                  aria-describedby="address-error"
                  aria-invalid=${addressError ? 'true' : 'false'}
                  @input=${() => this.#check()}
                  @keydown=${enter}
                />
                ${errorLine(addressError, 'address-error')}
              </div>`
        }
        ${
          saved
            ? html`<button
              type="button"
              class="btn text"
              @click=${() => this.emit('cbf-remove')}
            ><span>${msg('Remove recipient')}</span></button>`
            : nothing
        }`,
      foot: html`<div class="actions">
        <button type="button" class="btn secondary lg" @click=${() => this.emit('cbf-back')}>${msg('Cancel')}</button>
        ${mainButton({ label: msg('Save'), why: this.why, press: () => this.#save() })}
      </div>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-recipient': RecipientView;
  }
}
