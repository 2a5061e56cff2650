/**
 * Digits of a currency's minor unit (ISO 4217, list one). Not by `Intl`: its engines take CLDR's, which have none for RSD, ALL, MGA and
 * others where ISO has two.
 */
const NONE = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '));
const THREE = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));
const FOUR = new Set('CLF UYW'.split(' '));

export function currencyDigits(currency: string): number {
  if (NONE.has(currency)) return 0;
  if (THREE.has(currency)) return 3;
  return FOUR.has(currency) ? 4 : 2;
}
