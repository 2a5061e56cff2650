import { html, type PropertyValues, type TemplateResult } from 'lit';
import { alertStyles } from '../../ui/alert.ts';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { msg } from '../../base/localize.ts';
import { checkYourScreen, doNotPhotograph, withoutPasskey } from '../set-up/back-up-view.ts';
import { head, mainButton, mainButtonStyles } from '../ui/head.ts';
import '../ui/pin-entry.ts';
import type { PinEntry } from '../ui/pin-entry.ts';
import { FrameView } from '../ui/view.ts';
import '../ui/words.ts';

export interface ShowWordsEvents {
  /** Continue: read `pin`. Set `busy`, then `reveal`, or `error` if it was wrong. */
  'cbf-pin': null;
  /** Check your copy: only while `backedUp` is false. */
  'cbf-check': null;
  /** Back, Done. */
  'cbf-back': null;
}

/** Shows the words again, from Settings, after the PIN. */
@customElement('cbf-show-words')
export class ShowWordsView extends FrameView<ShowWordsEvents> {
  static override styles = [FrameView.styles, alertStyles, ...mainButtonStyles];

  /** Returns the words each time they are shown; set once the PIN was correct. */
  @property({ attribute: false }) reveal: (() => readonly string[] | Promise<readonly string[]>) | undefined;
  @property({ attribute: false }) backedUp = true;
  /** With the back-up file a passkey gets the wallet back, too. */
  @property({ attribute: false }) passkey = false;
  @property({ attribute: false }) error = '';
  @property({ attribute: false }) busy = false;

  @state() private length = 0;
  @state() private shown = false;
  @query('cbf-pin-entry') private entry!: PinEntry;

  protected override readonly escape = 'cbf-back';

  get pin(): string {
    return this.entry.value;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('error') && this.error) this.length = 0;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (changed.has('error') && this.error) {
      this.entry.clear();
      this.entry.focus();
    }
    if (changed.get('reveal') === undefined && changed.has('reveal') && this.reveal && this.hasUpdated)
      void this.enter();
  }

  get #why(): string | undefined {
    return this.error || this.length < 4 ? msg('Enter your PIN') : undefined;
  }

  #pinStep(): TemplateResult {
    return this.layout({
      plain: true,
      body: html`${head(this, msg('Enter your PIN'))} ${checkYourScreen()}
        <cbf-pin-entry data-start .error=${this.error} .forgot=${this.forgotPin} ?disabled=${this.busy}
          @cbf-pin-input=${(event: HTMLElementEventMap['cbf-pin-input']) => {
            this.length = event.detail.length;
            this.error = '';
          }}
          @cbf-pin-enter=${() => this.busy || this.#why || this.emit('cbf-pin')}></cbf-pin-entry>`,
      foot: mainButton({
        label: msg('Continue'),
        why: this.#why,
        wait: this.busy ? msg('Checking PIN…') : undefined,
        press: () => this.emit('cbf-pin'),
      }),
    });
  }

  protected override render(): TemplateResult {
    if (!this.reveal) return this.#pinStep();
    return this.layout({
      body: html`${head(this, msg('Your 12 words'))}
        <p class="muted sm">${
          this.passkey
            ? withoutPasskey()
            : msg('These 12 words are the only way to get your wallet back. Keep them on paper.')
        }</p>
        <cbf-words .open=${true} .reveal=${this.reveal} .clock=${this.clock} @cbf-words=${(
          event: HTMLElementEventMap['cbf-words'],
        ) => {
          this.shown = event.detail.shown;
        }}></cbf-words>
        ${this.shown ? doNotPhotograph() : checkYourScreen()}`,
      foot: this.backedUp
        ? html`<button type="button" class="btn primary lg block" @click=${() => this.emit('cbf-back')}>
            <span>${msg('Done')}</span>
          </button>`
        : html`<button type="button" class="btn primary lg block" @click=${() => this.emit('cbf-check')}>
            <span>${msg('I wrote them down')}</span>
          </button>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-show-words': ShowWordsView;
  }
}
