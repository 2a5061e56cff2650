/** The consent footer's content once there is something to approve. Needs `tickStyles`. */
import { html, nothing, type TemplateResult } from 'lit';
import { msg, str } from '../../base/localize.ts';
import { errorLine, type Layout } from './bare-view.ts';
import type { FootParts, Line, MainButton, PinConsentView } from './consent-view.ts';

function line({ term, value, risk }: Line, total: boolean): TemplateResult {
  return html`<div class="${total ? 'total' : ''} ${risk ? 'risk' : ''}">
    <dt>${term}</dt><dd>${value ?? nothing}</dd>
  </div>`;
}

export const footParts: FootParts = {
  stepLayout,
  lookButton,

  sum([effect, total]) {
    return html`<dl
      class="sum"
      data-seen="total"
      data-what=${[effect.what, total.what].join()}
    >${line(effect, false)}${line(total, true)}</dl>`;
  },

  tickBox({ text, of }, { ticked, disabled, change, showRisk }) {
    return html`<div class="tick">
      <input type="checkbox" class="check" id="tick" .checked=${ticked} ?disabled=${disabled}
        @change=${(event: Event) => change((event.target as HTMLInputElement).checked)} />
      <label for="tick">${text}</label>
      ${
        of > 1
          ? html`<button
              type="button"
              class="btn mini text drawn"
              aria-label=${msg(str`Show the first of ${of} risks`)}
              data-text=${msg(str`1 of ${of}`)}
              @click=${showRisk}
            ></button>`
          : nothing
      }
    </div>`;
  },
};

// Approving in a window too small for everything at once: first what is asked, to its end, then the PIN below a line that sums it up. Only
// in a window of the wallet's own: the size of an iframe is its page's choice.

/** All but the buttons is in the body, which scrolls. What has been seen stays drawn, though hidden, so that a change of it is noticed. */
export function stepLayout(view: PinConsentView, { body, foot }: Layout): Layout {
  const [terms, entry, actions] = foot as unknown[];
  if (view.phase === 'look') return { body: [body, terms], foot: [errorLine(view.pinError), actions] };
  const back = (): void => {
    view.phase = 'look';
  };
  const brief = html`<p class="brief" tabindex="-1"><span class="grow">${view.sight?.words(true)}</span>
    <button type="button" class="btn mini text" @click=${back}>${msg('Back')}</button></p>`;
  return { body: [body, terms, brief, entry], foot: actions };
}

/** On to the next part that has to be seen; from the last one to the PIN. */
export function lookButton(view: PinConsentView): MainButton {
  const next = view.sight?.next;
  return {
    action: next?.name ?? msg('Continue'),
    why: next ? undefined : view.unread,
    press(event) {
      // The second press of a double click must not approve.
      view.allows(event, false);
      if (next) next.show();
      else if (!view.unread) void goOn(view);
    },
  };
}

async function goOn(view: PinConsentView): Promise<void> {
  view.phase = 'pin';
  await view.updateComplete;
  const row = view.takesFocus && !view.risky ? view.pinRow : undefined;
  (row ?? view.renderRoot.querySelector<HTMLElement>('.brief'))?.focus();
}
