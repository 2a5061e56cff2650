/** What views other than requests share: the title line above, and the button below that leads on. */
import { html, nothing, type TemplateResult } from 'lit';
import { icon, iconBack } from '../../ui/icons.ts';
import { spinStyles } from '../../ui/styles.ts';
import { msg, str } from '../../base/localize.ts';
import type { BareView, LeaveEvents } from './bare-view.ts';
import { ariaDisabledStyles, reasonStyles } from './foot-styles.ts';

/** A view that can be left by Back. */
type BackView = BareView<Pick<LeaveEvents, 'cbf-back'>>;

/** Preceded by a Back button that fires `cbf-back`, unless `back` is false. `final`: the action can no longer be cancelled. */
export function head(view: BackView, title: unknown, back?: true, final?: boolean): TemplateResult;
export function head(view: BareView, title: unknown, back: false): TemplateResult;
export function head(view: BareView, title: unknown, back = true, final = false): TemplateResult {
  return html`<div class="view-head ${back ? '' : 'bare'}">
    ${back ? backButton(view as BackView, final) : nothing}
    <h1 class="h1 grow" tabindex="-1">${title}</h1>
  </div>`;
}

export function backButton(view: BackView, final = false): TemplateResult {
  const type = 'cbf-back' satisfies keyof LeaveEvents;
  const fire = () => view.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true }));
  return html`<button type="button" class="btn icon" aria-label=${msg('Back')} ?disabled=${final} @click=${fire}>
    ${icon(iconBack(), 'flip')}
  </button>`;
}

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

/** "Step 1 of 3". */
export function progress(step: number, of: number): TemplateResult {
  return html`<div class="progress" role="img" aria-label=${msg(str`Step ${step} of ${of}`)}>
    ${Array.from({ length: of }, (_, i) => html`<i class=${i < step ? 'on' : ''}></i>`)}
  </div>`;
}
