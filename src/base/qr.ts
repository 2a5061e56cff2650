/** A QR code as an SVG path: the wallet draws it with Lit, the page with DOM elements. */
import { encodeQR } from 'qr';

/** ISO/IEC 18004: the quiet zone of light modules on every side, without which scanners do not find the code. */
const QUIET = 4;

/** Sizes are in modules. Dark modules are black: many scanners do not read inverted codes. */
export function qrOutline(text: string): { size: number; path: string } {
  const modules = encodeQR(text, 'raw', { border: QUIET, ecc: 'medium' });
  return { size: modules.length, path: outline(modules) };
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
