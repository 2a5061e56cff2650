/** `src/base/languages.ts` plus the language of amounts, for pages that show both. */
import { type Catalogues, match, ownForm, speak as speakTexts } from '../base/languages.ts';
import type { Spoken } from '../base/localize.ts';
import { writeAmountsIn } from './numbers.ts';

export type { Catalogues };

export async function speak(
  wanted: readonly string[],
  catalogues: Catalogues,
  chosen?: string,
): Promise<Spoken | undefined> {
  const texts = await speakTexts(wanted, catalogues, chosen);
  // A language set by the page must not change the number format: "1.000" is a thousand to some readers and one to others.
  if (texts) writeAmountsIn(ownForm(texts.lang) ?? (chosen ? match([chosen], catalogues) : undefined));
  return texts;
}
