/** Pasting by a button if the browser allows it; otherwise a hint on how to paste. */
import { msg } from '../base/localize.ts';

/** Longer than any supported address, name or payment code. */
const LONGEST = 500;

interface Policy {
  allowsFeature(feature: string): boolean;
}

/** Empty if the clipboard has no text, or the browser or the user denies access. */
export async function pastedText(): Promise<string> {
  // Chromium logs a console error if a frame asks without permission from its page.
  const { featurePolicy } = document as { featurePolicy?: Policy };
  if (featurePolicy && !featurePolicy.allowsFeature('clipboard-read')) return '';
  try {
    return (await navigator.clipboard.readText()).trim().slice(0, LONGEST);
  } catch {
    return '';
  }
}

type Device = Pick<Navigator, 'platform'> & { touch: boolean };

/** The hint for the user's platform. */
export function pasteHint(
  { platform, touch }: Device = {
    platform: navigator.platform,
    touch: matchMedia('(pointer: coarse)').matches,
  },
): string {
  if (touch) return msg('Touch and hold the field, then choose Paste.');
  return platform.startsWith('Mac') ? msg('Press ⌘V to paste.') : msg('Press Ctrl+V to paste.');
}
