/** Shared by the views of a window that stays open for its site's next request. */
import { html, type TemplateResult } from 'lit';
import { language, msg, str } from '../../base/localize.ts';

/** Longer names do not fit into the button. */
const NAME = 18;

export const timeOf = (at: number): string =>
  new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(at);

/** Below the site's name in the header. `since`: epoch milliseconds. */
export const sessionLine = (since: number): TemplateResult =>
  html`<span>${msg(str`Session since ${timeOf(since)}`)}</span>`;

/** "Close window" and "Back to {site}", which gets initial focus if `start`. `leave` gets the event of the button pressed. */
export function sessionFoot(
  site: string,
  leave: (by: 'cbf-close' | 'cbf-back') => void,
  start = false,
): TemplateResult {
  return html`<div class="actions">
    <button type="button" class="btn secondary lg" @click=${() => leave('cbf-close')}><span>${msg('Close window')}</span></button>
    <button type="button" class="btn primary lg" ?data-start=${start} @click=${() => leave('cbf-back')}>
      <span>${site.length > NAME ? msg('Back to the site') : msg(str`Back to ${site}`)}</span>
    </button>
  </div>`;
}
