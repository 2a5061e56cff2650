/** The language of a page without elements: of the dialog around the wallet, and of what comes before it. Loaded when it is not English. */
import { elements } from '../locales/elements.ts';
import { speak } from '../languages.ts';
import { spoken, type Spoken } from '../localize.ts';
import { speaksByElements, wantedLanguages } from './page-language.ts';

let ours: Spoken | undefined;

/** `stated`: what the page said to `createConnect`. */
export async function speakToPage(stated: string | undefined): Promise<void> {
  const wanted = isElsewhere() ? undefined : wantedLanguages(stated);
  if (!wanted) return;
  ours = (await speak(wanted, elements)) ?? ours;
}

/** Elements have chosen, or the page itself, if it is one of ours. */
function isElsewhere(): boolean {
  return speaksByElements() || (spoken !== undefined && spoken !== ours);
}
