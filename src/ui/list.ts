import { spoken } from './localize.ts';

/**
 * Within a sentence, so in the language of texts: `VET, VTHO`, `VET und VTHO`, `VET、VTHO`. Each keeps a direction of its own where words are
 * written from right to left, and so the list has theirs.
 */
export function listOf(items: readonly string[]): string {
  const { lang, dir } = spoken ?? { lang: 'en', dir: 'ltr' };
  const parts = dir === 'rtl' ? items.map((item) => `\u2068${item}\u2069`) : items;
  return new Intl.ListFormat(lang, { style: 'narrow' }).format(parts);
}
