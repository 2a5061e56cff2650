import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { type PinWeakness, pinWeakness } from '../../api/weak-pin.ts';
import { alert, alertStyles } from '../../ui/alert.ts';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { msg } from '../../base/localize.ts';
import { head, mainButton, mainButtonStyles, progress } from '../ui/head.ts';
import '../ui/pin-entry.ts';
import type { PinEntry } from '../ui/pin-entry.ts';
import { FrameView } from '../ui/view.ts';

export type PinStep = 'current' | 'choose' | 'confirm';

/** What a PIN is for: the wallets of this browser, the service wallets, or a single service wallet. */
export type PinUse = 'browser' | 'service' | 'wallet';

export interface ChoosePinEvents {
  /** The same PIN was typed twice: read `pin` once, and set `busy` while using it. */
  'cbf-pin': null;
  /** `ChangePinView` only: the current PIN was typed. Read `current`, verify it, then call `accept()` or set `error`. */
  'cbf-current': null;
  /** Back from the first step. */
  'cbf-back': null;
}

/** Choose a PIN, then repeat it. PINs that are easy to guess are rejected. Never advances by itself. */
@customElement('cbf-choose-pin')
export class ChoosePinView extends FrameView<ChoosePinEvents> {
  static override styles = [FrameView.styles, alertStyles, ...mainButtonStyles];

  /** During set-up: shows "Step 1 of 3". */
  @property({ attribute: false }) progressOf = 0;
  @property({ attribute: false }) use: PinUse = 'browser';
  /** Why it must be a PIN and not a passkey. */
  @property({ attribute: false }) note = '';
  /** The PIN is being used. */
  @property({ attribute: false }) busy = false;
  /** Why that failed. */
  @property({ attribute: false }) error = '';
  @state() protected step: PinStep = 'choose';
  @state() protected length = 0;
  @state() private mismatch = false;
  @query('cbf-pin-entry') protected entry!: PinEntry;
  #first = '';
  #pin = '';

  protected override readonly escape = 'cbf-back';

  /** The confirmed PIN. Reading it clears it. */
  get pin(): string {
    const pin = this.#pin;
    this.#pin = '';
    return pin;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#first = '';
    this.#pin = '';
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (changed.has('error') && this.error) this.entry.focus();
    if (changed.has('busy') && this.busy) this.announce(this.wait);
  }

  /** The user went back while the PIN was in use, to choose another. */
  restart(): void {
    this.busy = false;
    this.goTo('choose');
  }

  protected goTo(step: PinStep): void {
    this.step = step;
    this.length = 0;
    this.mismatch = false;
    this.error = '';
    this.entry?.clear();
    void this.enter();
  }

  /** Continue on the current step. */
  protected advance(): void {
    const { value } = this.entry;
    if (this.step === 'choose') {
      this.#first = value;
      this.goTo('confirm');
    } else if (value === this.#first) {
      this.#pin = value;
      this.#first = '';
      this.emit('cbf-pin');
    } else {
      this.mismatch = true;
      this.entry.focus();
    }
  }

  /** From a later step, Back stays in the view. */
  protected back(event: Event): void {
    if (this.step !== 'confirm' || this.busy) return;
    event.stopImmediatePropagation();
    this.goTo('choose');
  }

  constructor() {
    super();
    this.addEventListener('cbf-back', (event) => this.back(event));
  }

  get #weakness(): PinWeakness | undefined {
    return this.step === 'choose' && this.entry?.complete ? pinWeakness(this.entry.value) : undefined;
  }

  get #caution(): string {
    const weakness = this.#weakness;
    return weakness ? `${msg('Easy to guess')}. ${weaknessText(weakness)}` : '';
  }

  #onInput = (event: HTMLElementEventMap['cbf-pin-input']): void => {
    this.length = event.detail.length;
    this.mismatch = false;
    this.error = '';
    if (this.#caution) this.announce(this.#caution);
  };

  /** What is still missing. */
  protected get why(): string | undefined {
    if (this.#weakness) return msg('Choose a less common PIN');
    if (this.length >= 4 && !this.mismatch && !this.error) return undefined;
    return this.step === 'confirm' ? msg('Enter the PIN again') : msg('Enter 4 to 6 digits');
  }

  /** What is being done with the PIN. */
  protected get wait(): string {
    return msg('Saving your PIN…');
  }

  protected words(): { title: string; text: string; label: string } {
    return this.step === 'confirm'
      ? {
          title: msg('Enter the PIN again'),
          text:
            this.use === 'browser'
              ? msg('We ask twice because nobody can reset it for you.')
              : msg('We ask twice because only your recovery code can replace it.'),
          label: msg('Confirm PIN'),
        }
      : {
          title: msg('Choose a PIN'),
          text: useText(this.use),
          label: msg('PIN'),
        };
  }

  protected override render(): TemplateResult {
    const { title, text, label } = this.words();
    const error = this.mismatch ? msg('The PINs do not match. Try again.') : this.error;
    return this.layout({
      plain: true,
      body: html`${head(this, title, true, this.busy && this.use !== 'browser')} ${this.progressOf ? progress(1, this.progressOf) : nothing}
        ${this.note ? alert('plain', { text: this.note }) : nothing}<p class="muted sm">${text}</p>
        <cbf-pin-entry
          data-start
          .label=${label}
          .error=${error}
          .forgot=${this.forgotPin}
          .caution=${this.#caution}
          ?disabled=${this.busy}
          @cbf-pin-input=${this.#onInput}
          @cbf-pin-enter=${() => this.busy || this.why || this.advance()}
        ></cbf-pin-entry>`,
      foot: mainButton({
        label: msg('Continue'),
        why: this.why,
        wait: this.busy ? this.wait : undefined,
        press: () => this.advance(),
      }),
    });
  }
}

function useText(use: PinUse): string {
  switch (use) {
    case 'browser':
      return msg('4 to 6 digits. You enter it to approve payments in this browser.');
    case 'service':
      return msg(
        '4 to 6 digits. You enter it to approve payments with your service wallets, on every device.',
      );
    case 'wallet':
      return msg('4 to 6 digits. You enter it to approve payments with this wallet, on every device.');
  }
}

// The text never contains the digits: it is announced, and others may see the screen.
function weaknessText(weakness: PinWeakness): string {
  switch (weakness) {
    case 'common':
      return msg('This is one of the first PINs people try.');
    case 'repeated':
      return msg('PINs that repeat digits are among the first people try.');
    case 'sequence':
      return msg('Digits in a row are among the first PINs people try.');
    case 'year':
      return msg('Years are among the first PINs people try.');
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-choose-pin': ChoosePinView;
  }
}
