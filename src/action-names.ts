/** The names of what a page can ask of the wallet. */

/** What is answered without showing anything. */
export const READ_NAMES = [
  'pending',
  'unlink',
  'profile',
  'balance',
  'tokenBalances',
  'nonFungibles',
  'transactionStatus',
  'transactionUrl',
  'build',
  'swapPairs',
  'swapRates',
  'createSwap',
] as const;

/** What needs the user and a visible surface. */
export type Ask = 'linkWallets' | 'manageWallets' | 'transfer' | 'execute' | 'executeAll' | 'sign' | 'resume';
export type Read = (typeof READ_NAMES)[number];
export type Action = Ask | Read;
