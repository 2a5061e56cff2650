/**
 * An amount or a name inside a sentence that is plain text keeps its own direction, by Unicode's isolates (UAX 9, FSI and PDI): right to
 * left, `5 ETH` would else read `ETH 5`. In markup it is `<bdi>`.
 */
export const isolated = (text: string): string => `\u2068${text}\u2069`;

/** The same for text that `Intl` marks as right to left by its first character: amounts of money are left to right everywhere here. */
export const leftToRight = (text: string): string => `\u2066${text}\u2069`;
