/** Draws the operator's words for a call. Loaded for calls that have some. */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { language, msg } from '../../../base/localize.ts';
import type { CallArgument, CallWords, WordedField } from '../../../chains/approval/summary.ts';
import { addressStyles } from '../../../ui/address.ts';
import { customElement, property } from '../../../ui/decorators.ts';
import { baseStyles, moreStyles } from '../../../ui/styles.ts';
import { money } from '../../ui/amount.ts';
import { kv, kvStyles } from '../../ui/kv.ts';
import { blockStyles, fold } from './blocks.ts';
import { claimLine } from './call-drawing.ts';

/** Set apart like all that others say, under a heading that says who. */
@customElement('cbf-call-words')
export class CallWordsElement extends LitElement {
  static override styles = [
    baseStyles,
    moreStyles,
    addressStyles,
    kvStyles,
    blockStyles,
    css`
      :host { display: block; margin: 0 var(--_s3) var(--_s2); padding: 8px 10px; border: 1px dashed var(--_border-strong); border-radius: var(--_r-sm); background: var(--_surface-3); }
      h3 { font-size: var(--_fs-xs); font-weight: 560; color: var(--_text-2); }
      .block { display: block; }
      .intent { font-size: var(--_fs-sm); overflow-wrap: anywhere; }
    `,
  ];

  @property({ attribute: false }) words!: CallWords;
  /** Draws a value as the call's own arguments are drawn: addresses in full, the user's by their names. */
  @property({ attribute: false }) draw!: (argument: CallArgument) => unknown;

  protected override render(): TemplateResult {
    const { owner, name, intent, fields, arguments: all } = this.words;
    return html`<h3>${msg('In the words of this wallet’s operator')}</h3>
      <p class="intent"><b><bdi>${intent ?? name}</bdi></b>${owner ? html` · <bdi>${owner}</bdi>` : nothing}</p>
      ${
        fields.length
          ? kv(fields.map((field) => ({ term: html`<bdi>${field.label}</bdi>`, value: this.#value(field) })))
          : nothing
      }
      <p class="xs muted">${msg('They are not what the wallet itself finds. Read the warnings, too.')}</p>
      ${
        all.length
          ? fold(
              html`${msg('All values')} · <span class="mono">${name}</span>`,
              kv(
                all.map((one) => ({
                  term: html`<span class="mono">${one.name}</span>`,
                  value: this.draw(one),
                })),
              ),
            )
          : nothing
      }`;
  }

  #value({ text = '', address, amount, time, note }: WordedField): unknown {
    const value =
      address !== undefined
        ? this.draw({ name: '', type: 'address', value: address })
        : amount
          ? html`${money(amount)}${claimLine({ amount })}`
          : time === undefined
            ? html`<bdi>${text}</bdi>`
            : dateOf(time);
    return note === undefined ? value : html`<bdi>${note}</bdi><span class="block">${value}</span>`;
  }
}

/** Digits for what is beyond any date. */
function dateOf(seconds: bigint): unknown {
  const date = new Date(Number(seconds) * 1000);
  if (Number.isNaN(date.getTime())) return html`<bdi dir="ltr">${seconds}</bdi>`;
  const text = date.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
  return html`<time datetime=${date.toISOString()}>${text}</time>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-call-words': CallWordsElement;
  }
}
