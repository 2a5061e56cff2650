/** What a page can ask of the wallet. */

interface Traits {
  /** Needs the user and a visible surface. What does not is answered without showing anything. */
  shows?: true;
  /** Something is signed, so the answer is kept until the page has it. */
  signs?: true;
  /** Is for a wallet that the page names, which may be an external one. */
  external?: true;
  /** Has no method of its own in `Connect`: only the page's own code sends it. */
  internal?: true;
}

const ACTIONS = {
  linkWallets: { shows: true },
  manageWallets: { shows: true },
  chooseRecipient: { shows: true, external: true },
  transfer: { shows: true, signs: true, external: true },
  execute: { shows: true, signs: true, external: true },
  executeAll: { shows: true, signs: true, external: true },
  sign: { shows: true, signs: true, external: true },
  resume: { shows: true },
  useNetwork: { shows: true, internal: true },
  pending: { internal: true },
  unlink: {},
  profile: {},
  balance: {},
  tokenBalances: {},
  maxSpendable: {},
  nonFungibles: {},
  transactionStatus: {},
  transactionUrl: {},
  prices: {},
  build: {},
  swapPairs: {},
  swapRates: {},
  createSwap: {},
  swapOutcome: {},
  rpc: { internal: true },
} as const satisfies Record<string, Traits>;

type NamesWith<Trait, Table> = {
  [Name in keyof Table]: Trait extends keyof Table[Name] ? Name : never;
}[keyof Table];
export type ActionWith<Trait extends keyof Traits> = NamesWith<Trait, typeof ACTIONS>;
export type Ask = NamesWith<'shows', typeof ACTIONS>;
export type Read = Exclude<keyof typeof ACTIONS, Ask>;
export type Action = Ask | Read;

export const ACTION_NAMES = Object.keys(ACTIONS) as Action[];

export function actionHas<Trait extends keyof Traits>(
  action: Action,
  trait: Trait,
): action is ActionWith<Trait> {
  return Object.hasOwn(ACTIONS, action) && Object.hasOwn(ACTIONS[action], trait);
}

export function isAsk(action: Action): action is Ask {
  return actionHas(action, 'shows');
}
