import { COUNTRIES } from '../api/countries.ts';

export interface Country {
  code: string;
  name: string;
}

/** Named and sorted in the customer's language. */
export function countries(locale: string): Country[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  const { compare } = new Intl.Collator(locale);
  return COUNTRIES.map((code) => ({ code, name: names.of(code) ?? code })).sort((a, b) =>
    compare(a.name, b.name),
  );
}

/** The country named by the customer's language tag; empty if it names none. */
export function likelyCountry(locale: string): string {
  const { region = '' } = new Intl.Locale(locale);
  return COUNTRIES.includes(region) ? region : '';
}
