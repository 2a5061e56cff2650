/** What the index is made with, and read with in the page. */
import type { Options } from 'minisearch';

export interface SearchEntry {
  /** Place on the site: `errors.html#frameblocked`. */
  id: string;
  title: string;
  /** The page's title. */
  page: string;
  text: string;
}

export const SEARCH: Options<SearchEntry> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page'],
  // Codes and attributes are found whole and by their parts.
  tokenize: (text) =>
    text
      .split(/[\s,;:!?"'`()[\]{}<>|=/…→·]+/u)
      .flatMap((word) => (/[-._]/.test(word) ? [word, ...word.split(/[-._]+/)] : [word])),
  searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
};
