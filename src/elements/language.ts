/** The language of the elements on this page: one for all, because their texts are loaded once. */
import type { ReactiveElement } from 'lit';
import { leaveToElements, onLanguage, wantedLanguages } from '../actions/page-language.ts';

let followsPage = false;
/** The last `locale` that was set. */
let stated: string | null = null;
/** Whether the page's `lang` is observed. */
let isObserving = false;
const elements = new Set<ReactiveElement>();
/** Loaded with the first language other than English. */
let mark: ((element: Element) => void) | undefined;

/** Without this call the elements ignore the page's language: the payment page chooses its own. Also called without a document. */
export function followPage(): void {
  followsPage = true;
}

/** Called with the `locale` of an element or a provider. */
export function speakIn(locale: string | null): void {
  if (stated === locale) return;
  stated = locale;
  void choose();
}

export function follow(element: ReactiveElement): void {
  elements.add(element);
  if (followsPage && !isObserving) {
    isObserving = true;
    leaveToElements();
    onLanguage(() => void choose());
    void choose();
  }
  mark?.(element);
}

/** Redraws all elements of the page. */
export function askAgain(): void {
  for (const element of elements) element.requestUpdate();
}

export function leave(element: ReactiveElement): void {
  elements.delete(element);
}

async function choose(): Promise<void> {
  if (!wanted()) return;
  try {
    const speech = await import('./speech.ts');
    // Imports that overlap may arrive in another order than they began: what is wanted by now counts.
    const languages = wanted();
    if (!languages || !(await speech.speakOf(languages))) return;
    mark = speech.mark;
    for (const element of elements) {
      mark(element);
      speech.redraw(element);
    }
  } catch {
    // The texts stay as they are.
  }
}

/** Undefined: nothing but English. */
function wanted(): string[] | undefined {
  return followsPage ? wantedLanguages(stated) : undefined;
}
