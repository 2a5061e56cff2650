/** The names of what a page can ask of the wallet. */

/** What is answered without showing anything. */
export const READ_NAMES = [
  'pending',
  'unlink',
  'profile',
  'balance',
  'tokenBalances',
  'maxSpendable',
  'nonFungibles',
  'transactionStatus',
  'transactionUrl',
  'prices',
  'build',
  'swapPairs',
  'swapRates',
  'createSwap',
  'swapOutcome',
  'rpc',
] as const;

/** What needs the user and a visible surface. */
export const ASK_NAMES = [
  'linkWallets',
  'manageWallets',
  'chooseRecipient',
  'transfer',
  'execute',
  'executeAll',
  'sign',
  'resume',
] as const;

export type Ask = (typeof ASK_NAMES)[number];
export type Read = (typeof READ_NAMES)[number];
export type Action = Ask | Read;

export function isAsk(action: Action): action is Ask {
  return (ASK_NAMES as readonly Action[]).includes(action);
}
