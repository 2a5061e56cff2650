/** A row of settings: name, state, and a control. Needs `cardStyles`. */
import { css, html, type SVGTemplateResult, type TemplateResult } from 'lit';
import { icon } from '../../ui/icons.ts';

export const optionStyles = css`
  .rows > li { padding-inline: 14px; }
  .rows .i { color: var(--_text-2); }
  @container frame (max-width: 339px) { .rows > li { flex-wrap: wrap; padding-inline: var(--_s3); } .rows .row-main { flex-basis: 130px; } }
`;

export function optionRow(
  mark: SVGTemplateResult,
  name: string,
  note: string,
  control: TemplateResult,
): TemplateResult {
  return html`<li>
    ${icon(mark)}<span class="row-main"><span class="strong">${name}</span><span class="sm muted">${note}</span></span>${control}
  </li>`;
}

/** At the end of a row. `name`: its accessible name, if `text` alone is not clear. */
export function optionButton(text: string, act: () => void, name = text): TemplateResult {
  return html`<button type="button" class="btn quiet" aria-label=${name} @click=${act}><span>${text}</span></button>`;
}

export function optionCard(rows: unknown): TemplateResult {
  return html`<div class="card"><ul class="rows">${rows}</ul></div>`;
}
