/** Languages other than English, for the elements of a page. Loaded on demand. */
import { elements } from '../locales/elements.ts';
import { spoken } from '../base/localize.ts';
import { speak } from '../ui/languages.ts';

export { redraw } from '../ui/languages.ts';

/** Elements whose `lang` and `dir` were set here, so that they may be changed. */
const ownMarks = new WeakSet<Element>();

/** Returns false if a later call has overtaken this one. */
export async function speakOf(wanted: readonly string[]): Promise<boolean> {
  return (await speak(wanted, elements)) !== undefined;
}

/** Sets `lang` and `dir` if the surrounding page has other ones; those that the page set on the element itself stay. */
export function mark(element: Element): void {
  if (!spoken) return;
  if (ownMarks.has(element)) {
    element.removeAttribute('lang');
    element.removeAttribute('dir');
  } else if (element.hasAttribute('lang') || element.hasAttribute('dir')) return;
  ownMarks.add(element);
  if (element.closest<HTMLElement>('[lang]')?.lang !== spoken.lang) element.setAttribute('lang', spoken.lang);
  if (getComputedStyle(element).direction !== spoken.dir) element.setAttribute('dir', spoken.dir);
}
