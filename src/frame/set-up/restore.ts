import './phrase-field.ts';
import { checkPhrase } from '../../wallets/phrase.ts';
import { msg, str } from '../../base/localize.ts';
import type { KeyStore } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import type { CheckWord, PhraseField } from './phrase-field.ts';
import { choosePin } from './way-in-flow.ts';
import { html, type TemplateResult } from 'lit';
import { alert, alertStyles } from '../../ui/alert.ts';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { icon, iconLock } from '../../ui/icons.ts';
import { head, mainButton, mainButtonStyles } from '../ui/head.ts';
import { FrameView } from '../ui/view.ts';

/** For a forgotten or locked PIN: asks for the words of this browser's wallet, then for a new PIN. False on Back. */
export async function restore(frame: Frame, vault: KeyStore, options: OpenOptions): Promise<boolean> {
  const view = Object.assign(new RestoreView(), { check: checkWord });
  for (;;) {
    const screen = frame.stage.open(view, options);
    const { type } = await screen.next('cbf-phrase', 'cbf-back');
    if (type === 'cbf-back') return false;
    const { phrase } = view;
    view.error = phraseProblem(phrase) ?? '';
    if (view.error) continue;
    view.busy = true;
    // Verify the words before the user chooses a PIN.
    const owns = await screen.leavable(() => vault.ownsPhrase(phrase));
    view.busy = false;
    if (owns === false)
      view.error = msg('These words belong to another wallet than the one in this browser.');
    if (!owns) continue;
    const use = (pin: string, signal: AbortSignal) => vault.restore(phrase, pin, signal);
    const unlocked = await choosePin(frame, options, 0, use, { drop: (late) => late.close() });
    if (!unlocked) continue;
    unlocked.close();
    return true;
  }
}

const LENGTHS = [12, 15, 18, 21, 24];

/** Undefined for a valid phrase. */
export function phraseProblem(text: string): string | undefined {
  const { words, unknown, valid } = checkPhrase(text);
  if (valid) return undefined;
  const [wrong] = unknown;
  if (wrong) return msg(str`Word ${wrong.index + 1} is not in the word list. Did you mean “${wrong.near}”?`);
  return LENGTHS.includes(words.length)
    ? msg('These words do not belong together. Check each word and their order.')
    : msg(str`A recovery phrase has 12 words; here are ${words.length}.`);
}

/** Looks up a word as it is typed. */
export const checkWord: CheckWord = (word) => checkPhrase(word).unknown[0]?.near ?? true;

export interface RestoreEvents {
  /** Continue: read `phrase`. Set `busy`, then `error` if the words are not this wallet's. */
  'cbf-phrase': null;
  /** Back. */
  'cbf-back': null;
}

/** Asks for the words of this browser's wallet when the PIN is forgotten or locked. A new PIN follows. */
@customElement('cbf-restore')
export class RestoreView extends FrameView<RestoreEvents> {
  static override styles = [FrameView.styles, alertStyles, ...mainButtonStyles];

  @property({ attribute: false }) check: CheckWord | undefined;
  @property({ attribute: false }) error = '';
  @property({ attribute: false }) busy = false;
  @state() private complete = false;
  @query('cbf-phrase-field') private field: PhraseField | undefined;

  protected override readonly escape = 'cbf-back';

  get phrase(): string {
    return this.field?.value ?? '';
  }

  /** What the words still lack. */
  get #why(): string | undefined {
    if (this.error) return msg('Correct the words');
    return this.complete ? undefined : (this.field?.missing ?? msg('Type your 12 words'));
  }

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Restore with 12 words'))}
        <p class="muted sm">${msg('Type the words of this wallet from your paper. Then you choose a new PIN.')}</p>
        <cbf-phrase-field data-start .check=${this.check} .error=${this.error} .disabled=${this.busy}
          @cbf-phrase-input=${() => {
            this.complete = !!this.field?.complete;
            this.error = '';
            this.requestUpdate();
          }}></cbf-phrase-field>
        ${alert('plain', { text: msg('The words stay in this browser. No site can see them.'), icon: icon(iconLock()) })}`,
      foot: mainButton({
        label: msg('Continue'),
        why: this.#why,
        wait: this.busy ? msg('Checking the words…') : undefined,
        press: () => this.emit('cbf-phrase'),
      }),
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-restore': RestoreView;
  }
}
