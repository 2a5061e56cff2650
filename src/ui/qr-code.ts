import { html, svg, type TemplateResult } from 'lit';
import { qrOutline } from '../base/qr.ts';

/** Dark on white in both themes. Fills `.qr`, which sets the size. */
export function qrCode(text: string, label: string): TemplateResult {
  const { size, path } = qrOutline(text);
  return html`<svg class="qr" viewBox=${`0 0 ${size} ${size}`} role="img" aria-label=${label} shape-rendering="crispEdges">
    ${svg`<rect width=${size} height=${size} fill="#fff"/><path fill="#000" d=${path}/>`}
  </svg>`;
}
