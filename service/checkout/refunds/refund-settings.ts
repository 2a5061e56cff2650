/** The times of refunds. */
export interface RefundSettings {
  /** The pause between checks for refunds that are due. */
  everyMs: number;
  /** How long the process that made a refund waits for the provider's first answer before others ask for it. */
  firstMs: number;
  /** Between two checks of a refund: it doubles up to the longest of its kind. */
  againMs: number;
  longestCardMs: number;
  longestWalletMs: number;
}

export const DEFAULTS: RefundSettings = {
  everyMs: 2000,
  firstMs: 60_000,
  againMs: 2000,
  longestCardMs: 3_600_000,
  longestWalletMs: 60_000,
};
