import { customElement } from '../../ui/decorators.ts';
import { msg } from '../../base/localize.ts';
import { ChoosePinView, type PinStep } from '../set-up/choose-pin-view.ts';

/** Asks for the current PIN, then for a new one twice. */
@customElement('cbf-change-pin')
export class ChangePinView extends ChoosePinView {
  protected override step: PinStep = 'current';
  #current = '';

  /** The current PIN. Cleared when the view is removed. */
  get current(): string {
    return this.#current;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#current = '';
  }

  /** The current PIN was right. */
  accept(): void {
    this.busy = false;
    this.goTo('choose');
  }

  protected override advance(): void {
    if (this.step !== 'current') return super.advance();
    this.#current = this.entry.value;
    this.emit('cbf-current');
  }

  protected override get why(): string | undefined {
    return super.why && this.step === 'current' ? msg('Enter your PIN') : super.why;
  }

  protected override get wait(): string {
    return this.step === 'current' ? msg('Checking PIN…') : super.wait;
  }

  protected override words(): { title: string; text: string; label: string } {
    if (this.step !== 'current') return super.words();
    return {
      title: msg('Enter your PIN'),
      text: msg('First your current PIN, then a new one.'),
      label: msg('Current PIN'),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-change-pin': ChangePinView;
  }
}
