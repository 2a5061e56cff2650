/** The consent footer's content once there is something to approve. Needs `tickStyles`. */
import { html, nothing, type TemplateResult } from 'lit';
import { msg, str } from '../../base/localize.ts';
import type { Layout } from './bare-view.ts';
import type { Line, Lines, MainButton, PinConsentView, Tick } from './consent-view.ts';
import { lookButton, stepLayout } from './steps.ts';

/** The checkbox, with the state that its view holds. */
export interface TickBox {
  ticked: boolean;
  disabled: boolean;
  /** The user ticked or unticked it. */
  change(ticked: boolean): void;
  /** Shows the first of several dangers. */
  showRisk(): void;
}

export interface FootParts {
  sum(lines: Lines): TemplateResult;
  tickBox(tick: Tick, box: TickBox): TemplateResult;
  stepLayout(view: PinConsentView, layout: Layout): Layout;
  lookButton(view: PinConsentView): MainButton;
}

function line({ term, value, risk }: Line, total: boolean): TemplateResult {
  return html`<div class="${total ? 'total' : ''} ${risk ? 'risk' : ''}"><dt>${term}</dt><dd>${value ?? nothing}</dd></div>`;
}

export const footParts: FootParts = {
  stepLayout,
  lookButton,

  sum([effect, total]) {
    return html`<dl class="sum" data-seen="total" data-what=${[effect.what, total.what].join()}>${line(effect, false)}${line(total, true)}</dl>`;
  },

  tickBox({ text, of }, { ticked, disabled, change, showRisk }) {
    return html`<div class="tick">
      <input type="checkbox" class="check" id="tick" .checked=${ticked} ?disabled=${disabled}
        @change=${(event: Event) => change((event.target as HTMLInputElement).checked)} />
      <label for="tick">${text}</label>
      ${
        of > 1
          ? html`<button type="button" class="btn mini text drawn" aria-label=${msg(str`Show the first of ${of} risks`)} data-text=${msg(str`1 of ${of}`)}
              @click=${showRisk}></button>`
          : nothing
      }
    </div>`;
  },
};
