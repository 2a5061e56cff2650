import { css, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { alert, alertStyles } from '../../ui/alert.ts';
import { icon, iconCheck, iconCopy } from '../../ui/icons.ts';
import { iconEye } from '../../ui/list-icons.ts';
import { customElement, property, state } from '../../ui/decorators.ts';
import { fieldStyles } from '../../ui/field-styles.ts';
import { msg, str } from '../../base/localize.ts';
import { writeText } from '../../ui/clipboard.ts';
import { head, mainButton, mainButtonStyles, progress } from '../ui/head.ts';
import { errorLine, FrameView } from '../ui/view.ts';

/** Groups that the user types to confirm, counted from 1: one from each half, so that a missing line is noticed. */
const ASKED = [3, 7] as const;

export interface RecoveryCodeEvents {
  /** The copy is right. */
  'cbf-finish': null;
  /** Remind me later. */
  'cbf-later': null;
  /** Back from the check to the code; handled within this view. */
  'cbf-back': null;
}

/** The recovery code of the wallet service: shown once; then the user types two of its groups from paper. */
@customElement('cbf-recovery-code')
export class RecoveryCodeView extends FrameView<RecoveryCodeEvents> {
  static override styles = [
    FrameView.styles,
    alertStyles,
    fieldStyles,
    ...mainButtonStyles,
    css`
      .groups { position: relative; display: grid; grid-template-columns: repeat(4, 1fr); gap: var(--_s2); padding: var(--_s4); border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface-2); direction: ltr; }
      .groups > li { font-family: var(--_mono); font-size: 17px; text-align: center; min-block-size: 28px; user-select: text; }
      .cover { position: absolute; inset: 0; display: grid; place-items: center; border-radius: inherit; background: var(--_surface-2); }
      .good { color: var(--_success); display: inline-flex; }
      .control input { font-family: var(--_mono); text-transform: uppercase; }
    `,
  ];

  /** Eight groups of four letters and digits with hyphens between them. */
  @property({ attribute: false }) reveal: () => string = () => '';
  /** The wallet whose own PIN the code resets; absent for the user's PIN. */
  @property({ attribute: false }) wallet: Pick<Wallet, 'alias'> | undefined;
  /** "Step 2 of 2". */
  @property({ attribute: false }) progressOf = 0;

  @state() private shown = false;
  @state() private seen = false;
  @state() private checking = false;
  @state() private right: ReadonlySet<number> = new Set();
  @state() private wrong: ReadonlySet<number> = new Set();

  get #groups(): string[] {
    return this.reveal().split('-');
  }

  async #copy(): Promise<void> {
    if (await writeText(this.reveal())) this.announce(msg('Recovery code copied'));
  }

  #judge(group: number, input: HTMLInputElement, left: boolean): void {
    // Letters easily confused with digits: O for 0, I and L for 1.
    const typed = input.value.toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1').trim();
    const right = typed === this.#groups[group - 1];
    const change = (set: ReadonlySet<number>, on: boolean): ReadonlySet<number> =>
      new Set(on ? [...set, group] : [...set].filter((one) => one !== group));
    this.right = change(this.right, right);
    this.wrong = change(this.wrong, !right && typed.length > 0 && (left || typed.length >= 4));
  }

  #check(checking: boolean): void {
    this.checking = checking;
    this.right = new Set();
    this.wrong = new Set();
    this.shown = false;
    void this.enter();
  }

  constructor() {
    super();
    this.addEventListener('cbf-back', (event) => {
      event.stopImmediatePropagation();
      this.#check(false);
    });
  }

  #field(group: number, index: number): TemplateResult {
    const wrong = this.wrong.has(group);
    const id = `group-${group}`;
    return html`<div class="field">
      <label for=${id}>${msg(str`Group ${group}`)}</label>
      <div class="control ${wrong ? 'invalid' : ''}">
        <input
          id=${id}
          dir="ltr"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          maxlength="4"
          ?data-start=${index === 0}
          aria-invalid=${wrong ? 'true' : 'false'}
          aria-describedby=${wrong ? `${id}-error` : nothing}
          @input=${(event: Event) => this.#judge(group, event.target as HTMLInputElement, false)}
          @blur=${(event: Event) => this.#judge(group, event.target as HTMLInputElement, true)}
        />
        ${this.right.has(group) ? html`<span class="good">${icon(iconCheck())}</span>` : nothing}
      </div>
      ${wrong ? errorLine(msg(str`That is not group ${group}. Check your copy.`), `${id}-error`) : nothing}
    </div>`;
  }

  /** The first group that is not right yet. */
  get #why(): string | undefined {
    const group = ASKED.find((each) => !this.right.has(each));
    if (group === undefined) return undefined;
    return this.wrong.has(group) ? msg(str`Group ${group} is wrong`) : msg(str`Group ${group} is missing`);
  }

  #checkView(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Check your copy'))}
        <p class="muted sm">${msg('Type these two groups of the code from your paper.')}</p>
        ${ASKED.map((group, index) => this.#field(group, index))}`,
      foot: mainButton({ label: msg('Finish'), why: this.#why, press: () => this.emit('cbf-finish') }),
    });
  }

  protected override render(): TemplateResult {
    if (this.checking) return this.#checkView();
    const { shown, seen } = this;
    return this.layout({
      body: html`${head(this, msg('Your recovery code'), false)} ${this.progressOf ? progress(this.progressOf, this.progressOf) : nothing}
        <p class="muted sm">${
          this.wallet
            ? msg(
                str`With it you choose a new PIN for “${this.wallet.alias}” when you forget its own. It is shown only now.`,
              )
            : msg(
                'With it you choose a new PIN when you forget yours, and use your service wallets on another device. It is shown only now.',
              )
        }</p>
        <ol class="groups" aria-label=${msg('Recovery code')}>
          ${shown ? this.#groups.map((group) => html`<li>${group}</li>`) : this.#groups.map(() => html`<li aria-hidden="true">····</li>`)}
          ${
            shown
              ? nothing
              : html`<li class="cover"><button type="button" class="btn secondary" data-start @click=${() => {
                  this.shown = true;
                  this.seen = true;
                }}>${icon(iconEye(), 's')}<span>${msg('Show code')}</span></button></li>`
          }
        </ol>
        ${
          shown
            ? html`<button
              type="button"
              class="btn ghost block"
              @click=${() => this.#copy()}
            >${icon(iconCopy(), 's')}<span>${msg('Copy code')}</span></button>`
            : nothing
        }
        ${alert('plain', { text: msg('Keep it apart from your PIN. No site can see it.') })}`,
      foot: html`${mainButton({
        label: seen ? msg('I wrote it down') : msg('Continue'),
        why: seen ? undefined : msg('Show the code first'),
        press: () => this.#check(true),
      })}
        ${
          shown
            ? nothing
            : html`<button
              type="button"
              class="btn ghost block"
              @click=${() => this.emit('cbf-later')}
            ><span>${msg('Continue without it')}</span></button>`
        }`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-recovery-code': RecoveryCodeView;
  }
}
