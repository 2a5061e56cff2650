import { COUNTRIES } from '../api/countries.ts';

export interface Country {
  code: string;
  name: string;
}

/** Named and sorted as the customer's language does. */
export function countries(locale: string): Country[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  const { compare } = new Intl.Collator(locale);
  return COUNTRIES.map((code) => ({ code, name: names.of(code) ?? code })).sort((a, b) =>
    compare(a.name, b.name),
  );
}

/** The customer's country, going by the language; empty when that does not name one. */
export function likelyCountry(locale: string): string {
  const { region = '' } = new Intl.Locale(locale);
  return COUNTRIES.includes(region) ? region : '';
}
