/** Draws the note that a transaction carries to its recipient, in pieces: it may be very long. Loaded for transactions that have one. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Summary } from '../../../chains/approval/summary.ts';
import { bytesOf } from '../../../base/bytes.ts';
import { msg } from '../../../base/localize.ts';
import './long-text.ts';

/** Public text in the transaction. Needs `termsStyles`. */
export function memo({ facts }: Summary): TemplateResult | typeof nothing {
  const value = facts?.find(({ code }) => code === 'memo')?.value;
  if (value === undefined) return nothing;
  const text = textIn(value);
  return html`<section class="stack tight">
    <h2 class="sect"><span>${msg('Note to the recipient')}</span><span class="xs faint">${msg('everybody can read it')}</span></h2>
    <div class="card memo" tabindex="0" role="region" aria-label=${msg('Note to the recipient')}>
      <p class="message" dir="auto">${inPieces(value)}</p>
      ${text ? html`<p class="message"><span class="sm muted">${msg('As text:')}</span> <bdi>${inPieces(text)}</bdi></p>` : nothing}
    </div>
  </section>`;
}

/** The text of a memo given as bytes, as chains do for text with invisible characters. */
function textIn(value: string): string | undefined {
  if (!/^0x([0-9a-f]{2})+$/.test(value)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytesOf(value));
  } catch {
    return undefined;
  }
}

function inPieces(text: string): TemplateResult {
  return html`<cbf-long-text .text=${text}></cbf-long-text>`;
}
