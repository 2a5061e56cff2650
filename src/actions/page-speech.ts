/**
 * The language of a page without elements, for the dialog around the wallet and what precedes it. Loaded only
 * if it is not English.
 */
import { elements } from '../locales/elements.ts';
import { speak } from '../base/languages.ts';
import { spoken, type Spoken } from '../base/localize.ts';

let ours: Spoken | undefined;

/** `wanted`: the page's languages; undefined if the page has elements by now, which then choose. */
export async function speakToPage(wanted: () => readonly string[] | undefined): Promise<void> {
  const languages = wanted();
  // If elements have chosen a language meanwhile, it stays.
  if (!languages || (spoken !== undefined && spoken !== ours)) return;
  ours = (await speak(languages, elements)) ?? ours;
}
