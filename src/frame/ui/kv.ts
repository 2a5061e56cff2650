import { css, html, nothing, type TemplateResult } from 'lit';

export const kvStyles = css`
  .kv > div { display: flex; justify-content: space-between; gap: var(--_s3); padding: 7px 0; font-size: var(--_fs-sm); line-height: 1.35; }
  .kv > div + div { border-block-start: 1px solid var(--_border); }
  .kv dt { color: var(--_text-2); flex: none; }
  .kv dd { margin: 0; text-align: end; font-variant-numeric: tabular-nums; min-inline-size: 0; overflow-wrap: anywhere; }
  .kv .total, .kv .total dt { font-weight: 620; color: var(--_text); }
  .kv dd .faint { margin-inline-start: 6px; font-weight: 400; }
`;

export interface Row {
  term: unknown;
  value: unknown;
  /** Dimmed, after the value. */
  note?: unknown;
  total?: boolean | undefined;
  /** The row has changed since it was last drawn; highlights it briefly. */
  changed?: boolean | undefined;
}

/** A hash, in full: whoever compares it needs every digit. `term` is that of ERC-8213, the same in every language. */
export function digestRow(term: string, digest: string): Row {
  return { term, value: html`<bdi dir="ltr" class="mono">${digest}</bdi>` };
}

/** Terms and values, one row each. Skips rows that are undefined. Needs `kvStyles`. */
export function kv(rows: (Row | undefined)[]): TemplateResult {
  return html`<dl class="kv">
    ${rows.map((row) =>
      row
        ? html`<div class="${row.total ? 'total' : ''} ${row.changed ? 'changed' : ''}">
            <dt>${row.term}</dt>
            <dd>${row.value}${row.note ? html`<span class="faint">${row.note}</span>` : nothing}</dd>
          </div>`
        : nothing,
    )}
  </dl>`;
}
