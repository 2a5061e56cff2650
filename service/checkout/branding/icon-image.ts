/**
 * Icons as they come, and as they are kept. What an application uploads is never served: it is decoded to pixels, and these are written
 * as a new PNG, so that nothing hidden in the file, and no file that is two things at once, survives.
 */
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { invalid } from '../../../src/chains/requests/payloads.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import { Semaphore } from '../../concurrency/semaphore.ts';

/** Size limit of the file, before it is parsed. */
export const ICON_BYTES = 1_048_576;
/** Limits of a side, in pixels. */
const MIN_PIXELS = 128;
const MAX_PIXELS = 4096;
/** Larger icons are scaled down: the page shows them at 40 pixels. */
const STORED_PIXELS = 512;
const DECODE_SECONDS = 10;

/** A decoder may need 64 MiB for the largest icon. */
const decoding = new Semaphore(2, 32);

const FORMATS = { png: 'a PNG', jpeg: 'a JPEG', webp: 'a WebP' } as const;
type Format = keyof typeof FORMATS;

function formatOf(file: Buffer): Format | undefined {
  const starts = (hex: string): boolean => file.subarray(0, hex.length / 2).toString('hex') === hex;
  if (starts('89504e470d0a1a0a')) return 'png';
  if (starts('ffd8ff')) return 'jpeg';
  return starts('52494646') && file.toString('latin1', 8, 12) === 'WEBP' ? 'webp' : undefined;
}

type OpenImage = (file: Buffer, options: SharpOptions) => Sharp;
let loaded: Promise<OpenImage> | undefined;

/** Loaded with the first icon. Only the decoders of the three formats are enabled. */
function openImage(): Promise<OpenImage> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
    });
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp as OpenImage;
  });
  return loaded;
}

function unreadable(format: Format, cause: unknown): ConnectError {
  const problem = invalid('icon', `cannot be read as ${FORMATS[format]}: it is damaged or cut off`);
  problem.cause = cause;
  return problem;
}

/** A new square PNG of 128 to 512 pixels. `type` is the media type that the upload claims. Throws `request.invalid` at `icon`. */
export async function readIcon(file: Buffer, type: string): Promise<Buffer> {
  if (file.length === 0) throw invalid('icon', 'must not be empty');
  const format = formatOf(file);
  if (!format) throw invalid('icon', 'must be a PNG, JPEG or WebP image');
  if (type !== `image/${format}` && type !== 'application/octet-stream')
    throw invalid('icon', `is ${FORMATS[format]}, and says that it is ${type}`);
  const open = await openImage();
  return decoding.run(async () => {
    const image = open(file, { failOn: 'warning', limitInputPixels: MAX_PIXELS * MAX_PIXELS, pages: 1 });
    const { width, height } = await image.metadata().catch((error: unknown): Metadata => {
      throw unreadable(format, error);
    });
    if (width > MAX_PIXELS || height > MAX_PIXELS)
      throw invalid('icon', `must have at most ${MAX_PIXELS} pixels a side, not ${width} by ${height}`);
    if (width !== height) throw invalid('icon', `must be square, not ${width} by ${height} pixels`);
    if (width < MIN_PIXELS)
      throw invalid('icon', `must have at least ${MIN_PIXELS} pixels a side, not ${width}`);
    return image
      .timeout({ seconds: DECODE_SECONDS })
      .autoOrient()
      .resize({ width: Math.min(width, STORED_PIXELS), height: Math.min(height, STORED_PIXELS), fit: 'fill' })
      .toColourspace('srgb')
      .png({ compressionLevel: 9 })
      .toBuffer()
      .catch((error: unknown) => {
        throw unreadable(format, error);
      });
  });
}
