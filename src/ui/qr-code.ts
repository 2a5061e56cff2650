import { html, svg, type TemplateResult } from 'lit';
import { encodeQR } from 'qr';

/** ISO/IEC 18004: light modules on every side, without which scanners do not find the code. */
const QUIET = 4;

/** Dark on white in both themes: many scanners do not read the other way round. Its place is `.qr`, which sets the size. */
export function qrCode(text: string, label: string): TemplateResult {
  const modules = encodeQR(text, 'raw', { border: QUIET, ecc: 'medium' });
  const size = modules.length;
  return html`<svg class="qr" viewBox=${`0 0 ${size} ${size}`} role="img" aria-label=${label} shape-rendering="crispEdges">
    ${svg`<rect width=${size} height=${size} fill="#fff"/><path fill="#000" d=${outline(modules)}/>`}
  </svg>`;
}

/** One rectangle for each run of dark modules. */
function outline(modules: readonly boolean[][]): string {
  let path = '';
  for (const [y, row] of modules.entries())
    for (let x = 0; x < row.length; x++) {
      const from = x;
      while (row[x]) x++;
      if (x > from) path += `M${from} ${y}h${x - from}v1h${from - x}z`;
    }
  return path;
}
