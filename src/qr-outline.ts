/** A QR code as a path, for whoever draws it: Lit in the wallet, elements of the DOM in the page. */
import { encodeQR } from 'qr';

/** ISO/IEC 18004: light modules on every side, without which scanners do not find the code. */
const QUIET = 4;

/** In modules. Dark is black: many scanners do not read the other way round. */
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
