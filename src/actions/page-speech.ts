/**
 * The language of a page without elements: of the dialog around the wallet, and of what precedes it. Loaded
 * only if it is not English.
 */
import { elements } from '../locales/elements.ts';
import { speak } from '../languages.ts';
import { spoken, type Spoken } from '../localize.ts';

let ours: Spoken | undefined;

/** `wanted`: the page's languages, unless it has elements by now, which choose. */
export async function speakToPage(wanted: () => readonly string[] | undefined): Promise<void> {
  const languages = wanted();
  // The page's own choice, if it is one of ours.
  if (!languages || (spoken !== undefined && spoken !== ours)) return;
  ours = (await speak(languages, elements)) ?? ours;
}
