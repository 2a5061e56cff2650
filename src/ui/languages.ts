/** `src/base/languages.ts` plus the language of amounts, for pages that show both. */
import { LitElement } from 'lit';
import { type Catalogues, match, ownForm, speak as speakTexts } from '../base/languages.ts';
import type { Spoken } from '../base/localize.ts';
import { writeAmountsIn } from './amount-text.ts';

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

/** Rerenders an element and its descendants after a change of language. */
export function redraw(root: Element = document.documentElement): void {
  if (root instanceof LitElement) root.requestUpdate();
  for (const inside of [...root.children, ...(root.shadowRoot?.children ?? [])]) redraw(inside);
}
