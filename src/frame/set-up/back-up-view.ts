import { css, html, nothing, type TemplateResult } from 'lit';
import { msg, str } from '../../base/localize.ts';
import { alert, alertStyles } from '../../ui/alert.ts';
import { customElement, property, state } from '../../ui/decorators.ts';
import { fieldStyles } from '../../ui/field-styles.ts';
import { icon, iconCheck } from '../../ui/icons.ts';
import { iconEyeOff } from '../../ui/list-icons.ts';
import { head, mainButton, mainButtonStyles, progress } from '../ui/head.ts';
import { errorLine, FrameView } from '../ui/view.ts';
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
  static override styles = [FrameView.styles, alertStyles, ...mainButtonStyles];

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
      foot: html`${mainButton({
        label: seen ? msg('I wrote them down') : msg('Continue'),
        why: seen ? undefined : msg('Show the words first'),
        press: () => this.emit('cbf-continue'),
      })}
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

/** Three different positions from 1 to 12, in order. */
export function randomPositions(): number[] {
  const all = Array.from({ length: 12 }, (_, i) => i + 1);
  const picked: number[] = [];
  while (picked.length < 3) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    // 252 is the largest multiple of 12 in a byte. Bytes from 252 on are rejected, so that all positions are equally likely.
    const position = byte < 252 ? all[byte % 12] : undefined;
    if (position && !picked.includes(position)) picked.push(position);
  }
  return picked.sort((a, b) => a - b);
}

export interface CheckCopyEvents {
  /** All three words are right. */
  'cbf-finish': null;
  /** Back to the words. */
  'cbf-back': null;
}

/** Checks the user's copy: three words, typed from paper. */
@customElement('cbf-check-copy')
export class CheckCopyView extends FrameView<CheckCopyEvents> {
  static override styles = [
    FrameView.styles,
    fieldStyles,
    ...mainButtonStyles,
    css`.good { color: var(--_success); display: grid; }`,
  ];

  /** Whether `word` is the word at `position` (from 1). This view never gets the words themselves. */
  @property({ attribute: false }) check: (position: number, word: string) => boolean = () => false;
  @property({ attribute: false }) positions = randomPositions();
  /** Number of steps, of which this is the last; 0 shows no progress. */
  @property({ attribute: false }) progressOf = 0;

  @state() private right = new Set<number>();
  @state() private wrong = new Set<number>();

  protected override readonly escape = 'cbf-back';

  /** Correct words are marked while typing, wrong ones only on blur. */
  #judge(position: number, input: HTMLInputElement, left: boolean): void {
    const word = input.value.trim().toLowerCase();
    const right = this.check(position, word);
    const move = (set: Set<number>, add: boolean): Set<number> => {
      const next = new Set(set);
      if (add) next.add(position);
      else next.delete(position);
      return next;
    };
    this.right = move(this.right, right);
    this.wrong = move(this.wrong, !right && left && word !== '');
  }

  #onKeydown(position: number, index: number, event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    this.#judge(position, event.target as HTMLInputElement, true);
    if (!this.#why) this.emit('cbf-finish');
    else if (this.right.has(position)) {
      const inputs = [...this.renderRoot.querySelectorAll('input')];
      (inputs[index + 1] ?? inputs.find((_, i) => !this.right.has(this.positions[i] ?? 0)))?.focus();
    }
  }

  /** The first word that is not right yet. */
  get #why(): string | undefined {
    const position = this.positions.find((each) => !this.right.has(each));
    if (position === undefined) return undefined;
    return this.wrong.has(position)
      ? msg(str`Word ${position} is wrong`)
      : msg(str`Word ${position} is missing`);
  }

  #word(position: number, index: number): TemplateResult {
    const wrong = this.wrong.has(position);
    const id = `word-${position}`;
    return html`<div class="field">
      <label for=${id}>${msg(str`Word ${position}`)}</label>
      <div class="control ${wrong ? 'invalid' : ''}">
        <input id=${id} dir="ltr" autocomplete="off" autocapitalize="none" spellcheck="false" ?data-start=${index === 0}
          enterkeyhint=${index < 2 ? 'next' : 'done'} aria-invalid=${wrong ? 'true' : 'false'}
          aria-describedby=${wrong ? `${id}-error` : nothing}
          @input=${(event: Event) => this.#judge(position, event.target as HTMLInputElement, false)}
          @blur=${(event: Event) => this.#judge(position, event.target as HTMLInputElement, true)}
          @keydown=${(event: KeyboardEvent) => this.#onKeydown(position, index, event)} />
        ${this.right.has(position) ? html`<span class="good">${icon(iconCheck())}</span>` : nothing}
      </div>
      ${wrong ? errorLine(msg(str`That is not word ${position}. Check your copy.`), `${id}-error`) : nothing}
    </div>`;
  }

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Check your copy'))} ${this.progressOf ? progress(this.progressOf, this.progressOf) : nothing}
        <p class="muted sm">${msg('Type these three words from your paper.')}</p>
        ${this.positions.map((position, index) => this.#word(position, index))}`,
      foot: mainButton({ label: msg('Finish'), why: this.#why, press: () => this.emit('cbf-finish') }),
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-check-copy': CheckCopyView;
  }
}
