import { css, html, nothing, type TemplateResult } from 'lit';
import './copy.ts';
import { icon } from './icon.ts';
import { iconExternal } from './icons.ts';
import { msg } from '../base/localize.ts';

export const hashStyles = css`
  .hash { display: flex; align-items: center; gap: var(--_s1); padding-inline-start: var(--_s3); border: 1px solid var(--_border); border-radius: var(--_r-sm); background: var(--_surface-2); min-block-size: var(--_hit); }
  .hash:dir(rtl) .addr { text-align: right; }
  .hash .addr { flex: 1; min-inline-size: 0; color: var(--_text-2); }
`;

/**
 * A shortened transaction hash with the full one in its `title`, a copy button, and a link to `explorer`, the URL of its page, if given.
 * Needs `hashStyles`.
 */
export function transactionHash(hash: string, explorer = ''): TemplateResult {
  const shown = hash.length > 24 ? `${hash.slice(0, 12)}…${hash.slice(-8)}` : hash;
  return html`<div class="hash">
    <span class="sr">${msg('Transaction hash')}</span>
    <span class="addr trunc" title=${hash}>${shown}</span>
    <cbf-copy .value=${hash} .label=${msg('Copy transaction hash')} .copied=${msg('Transaction hash copied')}></cbf-copy>
    ${
      explorer
        ? html`<a class="btn icon" href=${explorer} target="_blank" rel="noopener noreferrer" aria-label=${msg('View on explorer')}>${icon(iconExternal())}</a>`
        : nothing
    }
  </div>`;
}
