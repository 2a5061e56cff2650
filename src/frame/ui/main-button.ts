/** The button below a view that leads on: it says itself what is still missing, and what is being done. */
import { html, nothing, type TemplateResult } from 'lit';
import { spinStyles } from '../../ui/styles.ts';
import { ariaDisabledStyles, reasonStyles } from './foot-styles.ts';

export interface MainAction {
  label: string;
  /** What is still missing: the button says it, and stays in the tab order. */
  why?: string | undefined;
  /** What is being done since it was pressed. */
  wait?: string | undefined;
  mark?: unknown;
  press: () => void;
}

/** For `mainButton`. */
export const mainButtonStyles = [spinStyles, ariaDisabledStyles, reasonStyles];

export function mainButton({ label, why, wait, mark, press }: MainAction): TemplateResult {
  const reason = wait ? undefined : why;
  const isOff = !!(wait || reason);
  return html`<button
    type="button"
    class="btn primary lg block ${reason ? 'why' : ''}"
    aria-label=${label}
    aria-description=${reason ?? nothing}
    aria-disabled=${isOff ? 'true' : nothing}
    data-text=${reason ?? nothing}
    @click=${() => isOff || press()}
  ><span class="line">${wait ? html`<span class="spin"></span>` : (mark ?? nothing)}${wait ? html`<span class="drawn" data-text=${wait}></span>` : html`<span>${label}</span>`}</span></button>`;
}
