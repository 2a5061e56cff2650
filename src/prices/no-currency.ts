/** Chosen instead of a currency by users who want no prices. */
export const NO_CURRENCY = 'none';
