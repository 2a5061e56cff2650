/**
 * Whose rows a piece of work reads and writes. Every row of a user or an application names one account, and every transaction stays within
 * one, so that a database sharded by account can hold them: `docs/operating.md`. The exceptions are listed here, each with its reason.
 * Nothing of this is checked in production; `npm run test:long rls` runs the service's tests with row-level security, under which work that
 * touches the rows of another account than it declares fails.
 */
import { channel } from 'node:diagnostics_channel';
import type { Schema } from './schema.ts';

/** The column that names a row's account. */
export const ACCOUNT_COLUMNS = {
  accounts: 'id',
  application_users: 'account_id',
  wallets: 'owner_id',
  pins: 'owner_id',
  wallet_secrets: 'owner_id',
  wallet_sessions: 'application_id',
  wallet_session_limits: 'owner_id',
  devices: 'account_id',
  passkeys: 'account_id',
  links: 'account_id',
  transactions: 'owner_id',
  cross_chain_swaps: 'owner_id',
  arrivals: 'owner_id',
  arrival_looks: 'owner_id',
  network_looks: 'owner_id',
  request_keys: 'account_id',
  held_transactions: 'owner_id',
  held_approvals: 'owner_id',
  checkout_sessions: 'application_id',
  checkout_payments: 'owner_id',
  dashboard_keys: 'application_id',
  refunds: 'application_id',
  refund_links: 'application_id',
  receipt_mails: 'application_id',
  wallet_watches: 'owner_id',
  deposits: 'owner_id',
  icons: 'application_id',
  branding: 'application_id',
  receiving_wallets: 'application_id',
  receiving_keys: 'application_id',
  payment_addresses: 'application_id',
  wallet_quotes: 'application_id',
  wallet_transfers: 'application_id',
  wallet_sightings: 'application_id',
  restored_wallets: 'owner_id',
} as const satisfies Partial<Record<keyof Schema, string>>;

/** Tables of no account, and tables of several accounts that every shard of a database needs. */
export const SHARED_TABLES = {
  rate_counters: 'How often an address or an account, by its hash, made requests in the last minute.',
  copies:
    'Encrypted copies of wallets in browsers, of people without an account: the id is the hash of a key, and only that key reads or writes.',
  signing_keys: "The service's own keys of tokens.",
  device_proofs:
    'Hashes of used proofs, for minutes: a proof is good once, whichever account it was shown for.',
  passkey_answers: 'Hashes of used answers of passkeys, for minutes.',
  provider_events: "Ids of a payment provider's events, so that each counts once.",
  webhooks:
    "An application's receivers get events of its users' wallets, which are written in the transaction that they report.",
  events: 'As webhooks.',
  deliveries: 'As webhooks.',
  scan_cursors: 'How far a chain was read, for all wallets together.',
  scanned_blocks: 'As scan_cursors.',
  wallet_lanes: 'How far a chain was read, for all applications together.',
  audit_log: 'One chain of rows over all accounts: what it proves is that none is missing.',
  clients:
    "The operator's applications, of which there are few: asked wherever one of them acts, or approves what another one requested.",
  client_secrets: 'As clients.',
  restores: 'When the whole database was restored from a back-up.',
  policies:
    "A client's policy holds for the wallets of all its users, so it is read and locked where one of them spends.",
  policy_spends:
    "What counts against a client's limit is added up over all its users, in the transaction that spends.",
} as const satisfies Record<string, string>;

/** Work that needs the rows of several accounts. None of it changes rows of two accounts that belong together. */
export const ACROSS_ACCOUNTS = {
  'sign-in': "The account is found by the identity in a token: it is the lookup's result.",
  'one-query': 'Concurrent reads of single rows are batched into one query, whoever made them.',
  'wallets-of-users': 'A token with use:all-wallets reads the wallets of all users of its application.',
  'receiving-keys': 'An extended public key may be of one account only: its addresses would be given twice.',
  imports: 'A private key may be in one wallet only, of all accounts.',
  recipients: 'An e-mail address is looked up in all accounts.',
  approvals: 'A second client approves what another one requested.',
  policies: 'A client with manage:policies sets those of all clients and wallets.',
  'payment-page':
    "A page's address has a random key, not the application's name. So have links to the test payments and links for refunds.",
  icons: 'Everybody may see an icon whose random id they have.',
  'provider-event': 'A payment provider names the session, not the application.',
  'due-sessions': 'Looks for checkout sessions whose time is over; each is ended in its own account.',
  'due-refunds': 'Looks for refunds whose outcome is not known; each is followed in its own account.',
  'due-mails': 'Looks for receipts to send by e-mail; each is sent in its own account.',
  'due-transactions': 'Looks for transactions to check or to send; each is followed in its own account.',
  'due-swaps': 'Looks for exchanges between chains that have not ended; each is followed in its own account.',
  'spending-sessions': 'Deletes the spending sessions that have ended.',
  'chain-reading':
    'Reads a chain once for the quotes of all applications, and for all wallets that are watched.',
  metrics: 'Counts transactions that no node is known to have.',
} as const;

export type AcrossAccounts = keyof typeof ACROSS_ACCOUNTS;

export type AccountScope = { account: string } | { across: AcrossAccounts };

export const SCOPE_CHANNEL = 'carabiner:account-scope';

const scopes = channel(SCOPE_CHANNEL);

/** Does `work` for one account. */
export function inAccount<T>(account: string, work: () => T): T {
  return within({ account }, work);
}

/** Does `work` that needs the rows of several. */
export function acrossAccounts<T>(across: AcrossAccounts, work: () => T): T {
  return within({ across }, work);
}

function within<T>(scope: AccountScope, work: () => T): T {
  return scopes.runStores(scope, work) as T;
}
