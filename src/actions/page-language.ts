/** The language of what the page itself draws. Elements choose it while there are any, as they have a `locale` attribute. */
import { spoken } from '../localize.ts';

const isEnglish = (tag: string): boolean => /^en\b/i.test(tag);

/** Of a page and its user, first choice first. Undefined: English, which needs nothing. */
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
 * For a page without elements, from now on. `stated`: what it said to `createConnect`. The texts stay as they are where those of another
 * language do not arrive.
 */
export function speakToPage(stated: string | undefined): Promise<void> | undefined {
  const wanted = () => (hasElements ? undefined : wantedLanguages(stated));
  const speak = () =>
    wanted() && import('./page-speech.ts').then((it) => it.speakToPage(wanted)).catch(() => {});
  onLanguage(() => void speak());
  return speak();
}
