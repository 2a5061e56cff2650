/** Reads the QR code of a view as a camera would. */
import { decodeQR } from 'qr/decode.js';
import type { WalletView } from './harness.ts';

/** Pixels per module. */
const SCALE = 4;

export async function scan(view: WalletView): Promise<string> {
  const code = view.root.getByRole('img', { name: /^QR code of / });
  const { size, path } = await code.evaluate((svg) => ({
    size: (svg as unknown as SVGSVGElement).viewBox.baseVal.width,
    path: svg.querySelector('path')!.getAttribute('d')!,
  }));
  const width = size * SCALE;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, left, top, run] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let y = Number(top) * SCALE; y < (Number(top) + 1) * SCALE; y++)
      for (let x = Number(left) * SCALE; x < (Number(left) + Number(run)) * SCALE; x++)
        data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
  return decodeQR({ width, height: width, data });
}
