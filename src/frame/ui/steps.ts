/**
 * Approving in a window too small for everything at once: first what is asked, to its end, then the PIN below a line that sums it up. Only
 * in a window of the wallet's own: the size of an iframe is its page's choice.
 */
import { html } from 'lit';
import { msg } from '../../base/localize.ts';
import { errorLine, type Layout } from './bare-view.ts';
import type { MainButton, PinConsentView } from './consent-view.ts';

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
