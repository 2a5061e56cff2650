import { spoken } from './localize.ts';

/** Within a sentence, so in the language of texts: `VET, VTHO`, `VET und VTHO`, `VET、VTHO`. */
export function listOf(items: readonly string[]): string {
  return new Intl.ListFormat(spoken?.lang ?? 'en', { style: 'narrow' }).format(items);
}
