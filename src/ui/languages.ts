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
  // As the words around them, so that "1.000" is what a reader of those takes it for. In the wallet that is never the page's choice: its
  // language is one of the browser's, or the user's own. English for want of a translation leaves them as the browser writes them.
  const isWanted = texts?.lang === match([chosen ?? '', ...wanted], catalogues);
  if (texts) writeAmountsIn(ownForm(texts.lang) ?? (isWanted ? texts.lang : undefined));
  return texts;
}

/** Rerenders an element and its descendants after a change of language. */
export function redraw(root: Element = document.documentElement): void {
  if (root instanceof LitElement) root.requestUpdate();
  for (const inside of [...root.children, ...(root.shadowRoot?.children ?? [])]) redraw(inside);
}
