/**
 * The wallet's language: the user's choice, otherwise the browser's. A site that could choose any would have its visitors approve what
 * they cannot read, so it only chooses among the languages of the browser.
 */
import type { Spoken } from '../base/localize.ts';
import { frame } from '../locales/frame.ts';
import { ownForm } from '../base/languages.ts';
import { speak } from '../ui/languages.ts';
import { storedLanguage } from '../wallets/first-paint.ts';

export { OFFERED } from '../locales/offered.ts';

/** `hint` comes from the site, and may be anything. */
export async function speakTo(hint: string | undefined, chosen = storedLanguage()): Promise<void> {
  const texts = await speak([ownForm(hint ?? '') ?? '', ...navigator.languages], frame, chosen);
  if (texts) Object.assign<HTMLElement, Spoken>(document.documentElement, texts);
}
