/** The currencies that values can be shown in, and each region's. */

/** Used if `networks.json` lists none: those that CoinGecko knows and a region uses. */
export const CURRENCIES: readonly string[] = (
  'USD EUR GBP JPY CHF AED ARS AUD BDT BHD BRL CAD CLP CNY CZK DKK GEL HKD HUF IDR ILS INR KRW KWD LKR MXN MYR NGN NOK NZD PHP PKR ' +
  'PLN SAR SEK SGD THB TRY TWD UAH VND ZAR'
).split(' ');

/** Regions (ISO 3166-1) whose currency does not begin with their own two letters, or is shared by several. */
const SHARED: Readonly<Record<string, string>> = {
  EUR: 'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA XK YT',
  USD: 'AS BQ EC FM GU IO MH MP PR PW SV TC TL UM VG VI',
  GBP: 'GG IM JE',
  CHF: 'LI',
  AUD: 'CC CX KI NF NR TV',
  DKK: 'FO GL',
  NOK: 'BV SJ',
  NZD: 'CK NU PN TK',
  ILS: 'PS',
};

/** The likely currency of a user with this language tag: EUR for `de-AT`. If it is not listed, USD or else the first one. */
export function currencyFor(language: string, currencies: readonly string[] = CURRENCIES): string {
  const local = currencyOf(regionOf(language), currencies) ?? 'USD';
  return currencies.includes(local) ? local : currencies[0]!;
}

function regionOf(language: string): string {
  try {
    return new Intl.Locale(language).maximize().region ?? '';
  } catch {
    return '';
  }
}

function currencyOf(region: string, currencies: readonly string[]): string | undefined {
  if (!region) return undefined;
  const shared = Object.entries(SHARED).find(([, regions]) => regions.split(' ').includes(region));
  // An ISO 4217 code begins with the region that issues the currency.
  return shared?.[0] ?? currencies.find((currency) => currency.startsWith(region));
}
