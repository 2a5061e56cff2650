/** The language of the elements on this page: one for all, as their texts are loaded once. */
import type { ReactiveElement } from 'lit';
import { leaveToElements, onLanguage, wantedLanguages } from '../actions/page-language.ts';
import { spoken } from '../localize.ts';
import type { Catalogues } from '../ui/languages.ts';

let catalogues: Catalogues | undefined;
/** What a `locale` attribute said last. */
let stated: string | null = null;
let isFollowing = false;
const elements = new Set<ReactiveElement>();
/** Those whose `lang` and `dir` are ours to change. */
const marked = new WeakSet<Element>();

/** Without catalogues the elements follow nobody: the payment page has a language of its own. Also called where there is no document. */
export function useCatalogues(texts: Catalogues): void {
  catalogues = texts;
}

/** By the `locale` attribute of an element or a provider. */
export function speakIn(locale: string | null): void {
  if (stated === locale) return;
  stated = locale;
  void choose();
}

export function follow(element: ReactiveElement): void {
  elements.add(element);
  if (catalogues && !isFollowing) {
    isFollowing = true;
    leaveToElements();
    onLanguage(() => void choose());
    void choose();
  }
  mark(element);
}

/** Something has changed for all elements of the page. */
export function askAgain(): void {
  for (const element of elements) element.requestUpdate();
}

export function leave(element: ReactiveElement): void {
  elements.delete(element);
}

async function choose(): Promise<void> {
  if (!catalogues) return;
  const wanted = wantedLanguages(stated);
  if (!wanted) return;
  try {
    const [{ speak }, { redraw }] = await Promise.all([
      import('../ui/languages.ts'),
      import('../ui/redraw.ts'),
    ]);
    if (!(await speak(wanted, catalogues))) return;
    for (const element of elements) {
      mark(element);
      redraw(element);
    }
  } catch {
    // The texts stay as they are.
  }
}

/** Only where the page around it says otherwise; what the page wrote on the element itself stays. */
function mark(element: Element): void {
  if (!spoken) return;
  if (marked.has(element)) {
    element.removeAttribute('lang');
    element.removeAttribute('dir');
  } else if (element.hasAttribute('lang') || element.hasAttribute('dir')) return;
  marked.add(element);
  if (element.closest<HTMLElement>('[lang]')?.lang !== spoken.lang) element.setAttribute('lang', spoken.lang);
  if (getComputedStyle(element).direction !== spoken.dir) element.setAttribute('dir', spoken.dir);
}
