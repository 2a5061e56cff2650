/** What all pages know. */
export const shop: { walletId: string; log: string[] } = $state({ walletId: '', log: [] });
