/** Reads QR codes with the browser's own detector, or with a decoder loaded on demand. Images never leave the device. */
import type { Clock } from '../base/clock.ts';

type Read = (source: ImageBitmapSource) => Promise<string | undefined>;

interface Detector {
  detect(source: ImageBitmapSource): Promise<{ rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

/** Milliseconds between scans of the camera image. */
const LOOK = 200;

/** `own`: the browser's detector. */
export async function reader(
  own = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector,
): Promise<Read> {
  const supported = (await own?.getSupportedFormats().catch(() => [])) ?? [];
  const Class = supported.includes('qr_code')
    ? own!
    : ((await import('qr/decode.js')).BarcodeDetector as unknown as DetectorClass);
  const detector = new Class({ formats: ['qr_code'] });
  return async (source) => {
    try {
      return (await detector.detect(source))[0]?.rawValue;
    } catch {
      // No image yet, or not an image.
      return undefined;
    }
  };
}

/** Undefined if the file has no readable code. */
export async function readPicture(file: Blob): Promise<string | undefined> {
  const [read, picture] = await Promise.all([reader(), createImageBitmap(file).catch(() => undefined)]);
  if (!picture) return undefined;
  try {
    return await read(picture);
  } finally {
    picture.close();
  }
}

/** Shows the camera image and calls `found` with each code in it, until `stop`. Rejects as `getUserMedia` does. */
export async function watchCamera(
  video: HTMLVideoElement,
  clock: Clock,
  found: (text: string) => void,
): Promise<{ stop(): void }> {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment' },
    audio: false,
  });
  const end = (): void => {
    for (const track of stream.getTracks()) track.stop();
  };
  try {
    video.srcObject = stream;
    await video.play();
    const read = await reader();
    let busy = false;
    const cancel = clock.every(LOOK, async () => {
      if (busy) return;
      busy = true;
      const text = await read(video);
      busy = false;
      if (text) found(text);
    });
    return {
      stop() {
        cancel();
        end();
        video.srcObject = null;
      },
    };
  } catch (error) {
    end();
    throw error;
  }
}

/** Whether the page may ask for a camera. */
export function hasCamera(): boolean {
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature(name: string): boolean } };
  return (
    !!navigator.mediaDevices?.getUserMedia &&
    window === window.top &&
    (featurePolicy?.allowsFeature('camera') ?? true)
  );
}
