import { css, html, type TemplateResult } from 'lit';
import { icon, iconCheck, iconClose } from '../../../ui/icons.ts';
import { msg } from '../../../base/localize.ts';

export const stepsStyles = css`
  .steps > li { position: relative; display: grid; grid-template-columns: 28px 1fr auto; gap: 2px var(--_s3); padding-block-end: var(--_s5); }
  .steps > li:last-child { padding-block-end: 0; }
  .steps > li:not(:last-child)::before { content: ""; position: absolute; inset-inline-start: 13px; inset-block: 30px 2px; border-inline-start: 2px solid var(--_border); }
  .steps > .done:not(:last-child)::before { border-color: var(--_success); }
  .steps p { padding-block-start: 3px; }
  .dot { inline-size: 28px; block-size: 28px; border-radius: 50%; display: grid; place-items: center; border: 1.5px solid var(--_border-strong); color: var(--_text-2); font-size: var(--_fs-sm); font-weight: 600; background: var(--_surface); }
  .done .dot { background: var(--_success-soft); border-color: var(--_success); color: var(--_success); }
  .now .dot { border-color: transparent; color: var(--_accent-text); }
  .now .spin { inline-size: 26px; block-size: 26px; }
  .fail .dot { background: var(--_danger-soft); border-color: var(--_danger); color: var(--_danger); }
`;

export type StepState = 'done' | 'now' | 'fail' | 'todo';

export interface Step {
  text: unknown;
  state: StepState;
}

/** Completed, current and upcoming steps. Needs `stepsStyles` and `spinStyles`. */
export function steps(list: readonly Step[]): TemplateResult {
  return html`<ol class="steps">
    ${list.map(({ text, state }, i) => {
      const mark =
        state === 'done'
          ? icon(iconCheck(), 's')
          : state === 'fail'
            ? icon(iconClose(), 's')
            : state === 'now'
              ? html`<span class="spin"></span>`
              : i + 1;
      return html`<li class=${state} aria-current=${state === 'now' ? 'step' : 'false'}>
        <span class="dot" aria-hidden="true">${mark}</span>
        <p>${text}<span class="sr">${state === 'done' ? msg(', done') : state === 'fail' ? msg(', failed') : ''}</span></p>
      </li>`;
    })}
  </ol>`;
}
