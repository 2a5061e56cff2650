/** Languages other than English, for the elements of a page. Loaded when one is wanted. */
import { elements } from '../locales/elements.ts';
import { spoken } from '../localize.ts';
import { speak } from '../ui/languages.ts';

export { redraw } from '../ui/redraw.ts';

/** Elements whose `lang` and `dir` are ours to change. */
const marked = new WeakSet<Element>();

/** False: another call came later. */
export async function speakOf(wanted: readonly string[]): Promise<boolean> {
  return (await speak(wanted, elements)) !== undefined;
}

/** Only where the page around it says otherwise; what the page wrote on the element itself stays. */
export function mark(element: Element): void {
  if (!spoken) return;
  if (marked.has(element)) {
    element.removeAttribute('lang');
    element.removeAttribute('dir');
  } else if (element.hasAttribute('lang') || element.hasAttribute('dir')) return;
  marked.add(element);
  if (element.closest<HTMLElement>('[lang]')?.lang !== spoken.lang) element.setAttribute('lang', spoken.lang);
  if (getComputedStyle(element).direction !== spoken.dir) element.setAttribute('dir', spoken.dir);
}
