/** `src/languages.ts`, and amounts with it: where both are drawn. */
import { type Catalogues, match, ownForm, speak as speakTexts } from '../languages.ts';
import type { Spoken } from '../localize.ts';
import { writeAmountsIn } from './numbers.ts';

export type { Catalogues };

export async function speak(
  wanted: readonly string[],
  catalogues: Catalogues,
  chosen?: string,
): Promise<Spoken | undefined> {
  const texts = await speakTexts(wanted, catalogues, chosen);
  // A page that names a language may not choose how amounts are written with it: "1.000" is a thousand to some, and one to others.
  if (texts) writeAmountsIn(ownForm(texts.lang) ?? (chosen ? match([chosen], catalogues) : undefined));
  return texts;
}
