/** The language of a page without elements: of the dialog around the wallet, and of what comes before it. Loaded when it is not English. */
import { elements } from '../locales/elements.ts';
import { speak } from '../languages.ts';
import { spoken, type Spoken } from '../localize.ts';

let ours: Spoken | undefined;

/** `wanted`: the page's languages, unless elements speak them by now. */
export async function speakToPage(wanted: () => readonly string[] | undefined): Promise<void> {
  const languages = wanted();
  // Chosen by the page itself, if it is one of ours.
  if (!languages || (spoken !== undefined && spoken !== ours)) return;
  ours = (await speak(languages, elements)) ?? ours;
}
