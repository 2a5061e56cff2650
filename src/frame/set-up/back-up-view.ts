import { html, type TemplateResult } from 'lit';
import { alert, alertStyles } from '../../ui/alert.ts';
import { customElement, property, state } from '../../ui/decorators.ts';
import { icon } from '../../ui/icons.ts';
import { iconEyeOff } from '../../ui/list-icons.ts';
import { msg } from '../../base/localize.ts';
import { head, progress } from '../ui/head.ts';
import { FrameView } from '../ui/view.ts';
import '../ui/words.ts';

export interface BackUpEvents {
  /** I wrote them down. */
  'cbf-continue': null;
  /** Remind me later: the wallet stays marked as not backed up. */
  'cbf-later': null;
}

/** Shows the twelve words to write down. */
@customElement('cbf-back-up')
export class BackUpView extends FrameView<BackUpEvents> {
  static override styles = [FrameView.styles, alertStyles];

  /** Returns the words each time they are shown. */
  @property({ attribute: false }) reveal: () => readonly string[] | Promise<readonly string[]> = () => [];
  /** With the back-up file a passkey gets the wallet back, too. */
  @property({ attribute: false }) passkey = false;
  @state() private shown = false;
  @state() private seen = false;

  protected override render(): TemplateResult {
    const { shown, seen } = this;
    return this.layout({
      body: html`${head(this, msg('Back up your wallet'), false)} ${progress(2, 3)}
        <p class="muted sm">${
          this.passkey
            ? withoutPasskey()
            : msg(
                'These 12 words are the only way to get your wallet back. Write them on paper, in this order.',
              )
        }</p>
        <cbf-words .reveal=${this.reveal} .clock=${this.clock} @cbf-words=${(
          event: HTMLElementEventMap['cbf-words'],
        ) => {
          this.shown = event.detail.shown;
          this.seen ||= this.shown;
        }}></cbf-words>
        ${shown ? doNotPhotograph() : checkYourScreen()}`,
      foot: html`<button type="button" class="btn primary lg block" ?disabled=${!seen} @click=${() => this.emit('cbf-continue')}>
          <span>${seen ? msg('I wrote them down') : msg('Continue')}</span>
        </button>
        ${
          shown
            ? ''
            : html`<button type="button" class="btn ghost block" @click=${() => this.emit('cbf-later')}>
              <span>${msg('Remind me later')}</span>
            </button>`
        }`,
    });
  }
}

/** What the words are for where they are not the only way. */
export function withoutPasskey(): string {
  return msg(
    'These 12 words get your wallet back even without your passkey. Write them on paper, in this order.',
  );
}

export function checkYourScreen(): TemplateResult {
  return alert('caution', {
    title: msg('Check that nobody can see your screen'),
    text: msg('Anyone with these words can take everything.'),
    icon: icon(iconEyeOff()),
  });
}

export function doNotPhotograph(): TemplateResult {
  return alert('caution', { text: msg('Do not take a photo and do not store them online.') });
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-back-up': BackUpView;
  }
}
