/** The language of what the page itself draws. Elements choose it while there are any, as they have a `locale` attribute. */
import { elements } from '../locales/elements.ts';
import { spoken, type Spoken } from '../localize.ts';

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

let ours: Spoken | undefined;
let isFollowing = false;
/** What the page said to `createConnect` last. */
let stated: string | undefined;

/** For a page without elements: the language of the dialog around the wallet, and of what comes before it. */
export function speakToPage(locale: string | undefined): Promise<void> {
  stated = locale;
  if (!isFollowing) onLanguage(() => void choose());
  isFollowing = true;
  return choose();
}

async function choose(): Promise<void> {
  const wanted = isElsewhere() ? undefined : wantedLanguages(stated);
  if (!wanted) return;
  try {
    const { speak } = await import('../languages.ts');
    if (!isElsewhere()) ours = (await speak(wanted, elements)) ?? ours;
  } catch {
    // The texts stay as they are.
  }
}

/** Elements have chosen, or the page itself, if it is one of ours. */
function isElsewhere(): boolean {
  return hasElements || (spoken !== undefined && spoken !== ours);
}
