/**
 * The language of what the page itself draws. If the page has elements, they choose it, because they have a
 * `locale` attribute.
 */
import { spoken } from '../base/localize.ts';

const isEnglish = (tag: string): boolean => /^en\b/i.test(tag);

/** The languages of the page and its user, in order of preference. Undefined: English, which needs no catalogue. */
export function wantedLanguages(stated?: string | null): string[] | undefined {
  const wanted = [stated, document.documentElement.lang, ...navigator.languages].filter((tag) => tag != null);
  const first = wanted.find((tag) => tag !== '') ?? 'en';
  return !spoken && isEnglish(first) && isEnglish(navigator.language) ? undefined : wanted;
}

export function onLanguage(changed: () => void): void {
  new MutationObserver(changed).observe(document.documentElement, { attributeFilter: ['lang'] });
}

let hasElements = false;
export function leaveToElements(): void {
  hasElements = true;
}

/**
 * For a page without elements. `stated`: what it passed to `createConnect`. If a language's texts fail to
 * load, the current ones stay.
 */
export function speakToPage(stated: string | undefined): Promise<void> | undefined {
  const wanted = () => (hasElements ? undefined : wantedLanguages(stated));
  const speak = () =>
    wanted() && import('./page-speech.ts').then((it) => it.speakToPage(wanted)).catch(() => {});
  onLanguage(() => void speak());
  return speak();
}
