/**
 * Isolates the direction of an amount or name within a plain-text sentence (UAX 9, FSI and PDI): in right-to-left text, `5 ETH` would
 * otherwise read `ETH 5`. In markup, use `<bdi>`.
 */
export const isolated = (text: string): string => `\u2068${text}\u2069`;

/** Forces left to right, for text that `Intl` starts with a right-to-left mark: money amounts are always left to right here. */
export const leftToRight = (text: string): string => `\u2066${text}\u2069`;
