/** Pasting by a button, where the browser lets one; else how the user pastes here. */
import { msg } from './localize.ts';

/** Longer than any address, name or payment code that is read. */
const LONGEST = 500;

interface Policy {
  allowsFeature(feature: string): boolean;
}

/** Empty where there is no text, or the browser or the user says no. */
export async function pastedText(): Promise<string> {
  // Chromium writes an error into the console when a frame asks that its page has not let.
  const { featurePolicy } = document as { featurePolicy?: Policy };
  if (featurePolicy && !featurePolicy.allowsFeature('clipboard-read')) return '';
  try {
    return (await navigator.clipboard.readText()).trim().slice(0, LONGEST);
  } catch {
    return '';
  }
}

type Device = Pick<Navigator, 'platform'> & { touch: boolean };

/** In the words of the user's platform. */
export function pasteHint(
  { platform, touch }: Device = {
    platform: navigator.platform,
    touch: matchMedia('(pointer: coarse)').matches,
  },
): string {
  if (touch) return msg('Touch and hold the field, then choose Paste.');
  return platform.startsWith('Mac') ? msg('Press ⌘V to paste.') : msg('Press Ctrl+V to paste.');
}
