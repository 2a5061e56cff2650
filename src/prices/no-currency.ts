/** Chosen in place of a currency by somebody who wants no prices. */
export const NO_CURRENCY = 'none';
