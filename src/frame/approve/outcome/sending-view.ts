import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { msg, str } from '../../../base/localize.ts';
import { CARDS, type SecretType } from '../../../chains/secret-type.ts';
import { hashStyles, transactionHash } from '../../../ui/copy.ts';
import { customElement, property } from '../../../ui/decorators.ts';
import { icon, iconCheck } from '../../../ui/icons.ts';
import { statusStyles } from '../../../ui/status.ts';
import { spinStyles } from '../../../ui/styles.ts';
import type { Replacing } from '../../../wallets/types.ts';
import { sessionFoot } from '../../shell/session-words.ts';
import { FrameView } from '../../ui/view.ts';

const stepsStyles = css`
  .steps > li { position: relative; display: grid; grid-template-columns: 28px 1fr auto; gap: 2px var(--_s3); padding-block-end: var(--_s5); }
  .steps > li:last-child { padding-block-end: 0; }
  .steps > li:not(:last-child)::before { content: ""; position: absolute; inset-inline-start: 13px; inset-block: 30px 2px; border-inline-start: 2px solid var(--_border); }
  .steps > .done:not(:last-child)::before { border-color: var(--_success); }
  .steps p { padding-block-start: 3px; }
  .dot { inline-size: 28px; block-size: 28px; border-radius: 50%; display: grid; place-items: center; border: 1.5px solid var(--_border-strong); color: var(--_text-2); font-size: var(--_fs-sm); font-weight: 600; background: var(--_surface); }
  .done .dot { background: var(--_success-soft); border-color: var(--_success); color: var(--_success); }
  .now .dot { border-color: transparent; color: var(--_accent-text); }
  .now .spin { inline-size: 26px; block-size: 26px; }
`;

type StepState = 'done' | 'now' | 'todo';

/** The current step. */
export type SendingStage = 'sending' | 'confirming';

export interface SendingEvents {
  /** Close, or Close window: the transaction proceeds by itself. */
  'cbf-close': null;
  /** Esc: the window stays open. */
  'cbf-done': null;
  /** Back to the site. */
  'cbf-back': null;
  /** Speed up, Cancel transaction. */
  'cbf-replace': { how: Replacing };
}

/** Approved, and on its way to the network. */
@customElement('cbf-sending')
export class SendingView extends FrameView<SendingEvents> {
  static override styles = [
    FrameView.styles,
    statusStyles,
    spinStyles,
    stepsStyles,
    hashStyles,
    css`
      .hero { gap: 16px; }
      .hero .stack { max-inline-size: none; }
      .steps { align-self: center; margin-block-start: 12px; min-inline-size: 240px; }
    `,
  ];

  /** `0.25 ETH`; empty when no coin moves. */
  @property() amount = '';
  /** It cancels another transaction. */
  @property({ attribute: false }) cancels?: boolean | undefined;
  @property() stage: SendingStage = 'sending';
  @property({ attribute: false }) secretType: SecretType = 'ETHEREUM';
  /** Known once signed. */
  @property({ attribute: false }) hash = '';
  /** It is taking long, and its chain supports replacing it. */
  @property({ attribute: false }) replaceable = false;

  /** The window waits for this site's next request; empty elsewhere. */
  @property() site = '';

  declare protected escape: 'cbf-done' | undefined;

  protected override willUpdate(): void {
    // Once signed it cannot be undone, and closing before the network has it could lose the answer.
    this.escape = this.stage === 'confirming' ? 'cbf-done' : undefined;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (changed.has('replaceable') && this.replaceable)
      this.announce(msg('This is taking longer than usual. You can speed it up or cancel it.'));
    if (!changed.has('stage')) return;
    if (this.stage === 'confirming') this.announce(msg('Sent to the network. Waiting for confirmation'));
    else this.announce(msg('Approved'));
  }

  #close(confirming: boolean): TemplateResult {
    return html`<button
      type="button"
      class="btn secondary lg block"
      ?disabled=${!confirming}
      @click=${() => this.emit('cbf-close')}
    >
      <span>${msg('Close')}</span>
    </button>`;
  }

  #wishes(): TemplateResult {
    const button = (how: Replacing, name: string): TemplateResult =>
      html`<button
        type="button"
        class="btn secondary lg"
        @click=${() => this.emit('cbf-replace', { how })}
      ><span>${name}</span></button>`;
    return html`<p class="sm muted center">${msg('This is taking longer than usual. You can speed it up or cancel it.')}</p>
      <div class="actions even">
        ${button('cancel', msg('Cancel transaction'))} ${button('speed-up', msg('Speed up'))}
      </div>`;
  }

  protected override render(): TemplateResult {
    const confirming = this.stage === 'confirming';
    const sent: StepState = confirming ? 'done' : 'now';
    return this.layout({
      mid: true,
      plain: true,
      body: html`<div class="hero">
          <span class="spin l"></span>
          <div class="stack tight">
            <h1 class="h1" tabindex="-1">${
              this.cancels
                ? msg('Cancelling')
                : this.amount
                  ? msg(html`Sending ${html`<bdi dir="ltr">${this.amount}</bdi>`}`)
                  : msg('Sending the transaction')
            }</h1>
            <p class="muted">${
              confirming
                ? msg(str`${usualTime(this.secretType)} ${msg('You can close this window.')}`)
                : msg('Keep this window open for a moment.')
            }</p>
          </div>
        </div>
        ${steps([
          { text: msg('Approved'), state: 'done' },
          { text: msg('Sent to the network'), state: sent },
          { text: msg('Waiting for confirmation'), state: confirming ? 'now' : 'todo' },
        ])}`,
      foot: html`${this.hash ? transactionHash(this.hash) : nothing} ${this.replaceable ? this.#wishes() : nothing}
        ${this.site && confirming ? sessionFoot(this.site, (by) => this.emit(by)) : this.#close(confirming)}`,
    });
  }
}

interface Step {
  text: unknown;
  state: StepState;
}

/** Completed, current and upcoming steps. */
function steps(list: readonly Step[]): TemplateResult {
  return html`<ol class="steps">
    ${list.map(({ text, state }, i) => {
      const mark =
        state === 'done'
          ? icon(iconCheck(), 's')
          : state === 'now'
            ? html`<span class="spin"></span>`
            : i + 1;
      return html`<li class=${state} aria-current=${state === 'now' ? 'step' : 'false'}>
        <span class="dot" aria-hidden="true">${mark}</span>
        <p>${text}<span class="sr">${state === 'done' ? msg(', done') : ''}</span></p>
      </li>`;
    })}
  </ol>`;
}

function usualTime(secretType: SecretType): string {
  const { from, to, unit } = CARDS[secretType].confirmation ?? {};
  if (unit === undefined) return msg('Usually takes a few seconds.');
  return unit === 'minutes'
    ? msg(str`Usually takes ${from} to ${to} minutes.`)
    : msg(str`Usually takes ${from} to ${to} seconds.`);
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-sending': SendingView;
  }
}
