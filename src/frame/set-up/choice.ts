/** A large row to choose from: icon, title, note. */
import { css, html, type SVGTemplateResult, type TemplateResult } from 'lit';
import { icon } from '../../ui/icons.ts';
import { iconChevronEnd } from '../../ui/list-icons.ts';

export const choiceStyles = css`
  .choice { position: relative; display: flex; align-items: center; gap: var(--_s3); inline-size: 100%; padding: var(--_s4); border: 1px solid var(--_border-strong); border-radius: var(--_r-md); background: var(--_surface); box-shadow: var(--_shadow-1); }
  .choice:hover { background: var(--_surface-2); }
  .choice button { position: absolute; inset: -1px; border: 0; border-radius: inherit; background: none; cursor: pointer; }
  .choice .ic { inline-size: 40px; block-size: 40px; border-radius: var(--_r-sm); display: grid; place-items: center; background: var(--_accent-soft); color: var(--_accent-text); flex: none; }
`;

export interface Choice {
  label: string;
  note: string;
  mark: SVGTemplateResult;
  id: string;
  /** Receives initial focus. */
  start?: boolean;
  act(): void;
}

/** The button covers the row. Its accessible name is only the title; the note is its description. Needs `cardStyles`. */
export function choice({ label, note, mark, id, start = false, act }: Choice): TemplateResult {
  return html`<div class="choice">
    <span class="ic">${icon(mark)}</span>
    <span class="row-main" aria-hidden="true"><span class="strong">${label}</span><span class="sm muted" id=${id}>${note}</span></span>
    ${icon(iconChevronEnd(), 'flip')}
    <button type="button" aria-label=${label} aria-describedby=${id} ?data-start=${start} @click=${act}></button>
  </div>`;
}
