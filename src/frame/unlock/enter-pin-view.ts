import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { icon, iconPasskey } from '../../ui/icons.ts';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { msg } from '../../base/localize.ts';
import { head, mainButton, mainButtonStyles } from '../ui/head.ts';
import '../ui/pin-entry.ts';
import type { PinEntry } from '../ui/pin-entry.ts';
import { errorLine, FrameView } from '../ui/view.ts';

export interface EnterPinEvents {
  /** Continue: read `pin`. Set `busy` while trying it, then `error` if it was wrong. */
  'cbf-pin': null;
  /** Continue with passkey: ask for it in the same click. */
  'cbf-passkey': null;
  /** Restore with 12 words, or Use recovery code: offered if there is no PIN as an alternative to the passkey. */
  'cbf-restore': null;
  /** Back. */
  'cbf-back': null;
}

/** Asks for the passkey or PIN, to open the wallet for an action that the user started in it. */
@customElement('cbf-enter-pin')
export class EnterPinView extends FrameView<EnterPinEvents> {
  static override styles = [FrameView.styles, ...mainButtonStyles];

  /** What the wallet is opened for. */
  @property({ attribute: false }) text = '';
  @property({ attribute: false }) error = '';
  @property({ attribute: false }) busy = false;
  /** A passkey opens the wallet, and is asked for first. */
  @property({ attribute: false }) passkey = false;
  /** The action cannot be cancelled once it has begun: no Back meanwhile. */
  @property({ attribute: false }) final = false;
  /** A PIN opens the wallet. */
  @property({ attribute: false }) hasPin = true;
  /** A recovery code replaces a lost passkey, instead of the words. */
  @property({ attribute: false }) withCode = false;

  @state() private length = 0;
  @state() private typing = false;
  @query('cbf-pin-entry') private entry?: PinEntry;

  protected override readonly escape = 'cbf-back';

  get pin(): string {
    return this.entry?.value ?? '';
  }

  get #why(): string | undefined {
    return this.error || this.length < 4 ? msg('Enter your PIN') : undefined;
  }

  get #isAsking(): boolean {
    return this.passkey && !(this.typing && this.hasPin);
  }

  /** What is being done. */
  get #wait(): string | undefined {
    if (!this.busy) return undefined;
    return this.#isAsking ? msg('Waiting for your passkey…') : msg('Checking PIN…');
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('error') && this.error) this.length = 0;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (changed.has('error') && this.error) {
      this.entry?.clear();
      this.entry?.focus();
    }
    if (changed.has('busy') && this.#wait) this.announce(this.#wait);
  }

  #instead(): void {
    if (!this.hasPin) return this.emit('cbf-restore');
    this.error = '';
    this.typing = true;
    void this.enter();
  }

  #other(): string {
    if (this.hasPin) return msg('Use a PIN instead');
    return this.withCode ? msg('Use recovery code') : msg('Restore with 12 words');
  }

  #heading(title: string): TemplateResult {
    return html`${head(this, title, true, this.busy && this.final)}
      ${this.text ? html`<p class="muted sm">${this.text}</p>` : nothing}`;
  }

  #passkeyStep(): TemplateResult {
    return this.layout({
      plain: true,
      body: this.#heading(msg('Use your passkey')),
      foot: html`${errorLine(this.error)}
        ${mainButton({
          label: msg('Continue with passkey'),
          wait: this.#wait,
          mark: icon(iconPasskey(), 's'),
          press: () => this.emit('cbf-passkey'),
        })}
        <button type="button" class="btn ghost lg block" ?disabled=${this.busy} @click=${() => this.#instead()}>
          <span>${this.#other()}</span>
        </button>`,
    });
  }

  protected override render(): TemplateResult {
    if (this.#isAsking) return this.#passkeyStep();
    return this.layout({
      plain: true,
      body: html`${this.#heading(msg('Enter your PIN'))}
        <cbf-pin-entry data-start .error=${this.error} .forgot=${this.forgotPin} ?disabled=${this.busy}
          @cbf-pin-input=${(event: HTMLElementEventMap['cbf-pin-input']) => {
            this.length = event.detail.length;
            this.error = '';
          }}
          @cbf-pin-enter=${() => this.busy || this.#why || this.emit('cbf-pin')}></cbf-pin-entry>`,
      foot: mainButton({
        label: msg('Continue'),
        why: this.#why,
        wait: this.#wait,
        press: () => this.emit('cbf-pin'),
      }),
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-enter-pin': EnterPinView;
  }
}
