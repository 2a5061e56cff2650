import { spoken } from '../base/localize.ts';

/**
 * A list within a sentence, in the language of the texts: `VET, VTHO`, `VET und VTHO`, `VET、VTHO`. In right-to-left languages the items
 * are isolated, so that the list as a whole runs right to left.
 */
export function listOf(items: readonly string[]): string {
  const { lang, dir } = spoken ?? { lang: 'en', dir: 'ltr' };
  const parts = dir === 'rtl' ? items.map((item) => `\u2068${item}\u2069`) : items;
  return new Intl.ListFormat(lang, { style: 'narrow' }).format(parts);
}
