/** Migrates a database to the newest schema, forwards only. Several processes may start at once: Kysely takes an advisory lock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, type Migration, Migrator } from 'kysely';
import { fillAccounts } from './fill-accounts.ts';
import * as accounts from './migrations/001-accounts.ts';
import * as custody from './migrations/002-custody.ts';
import * as transactions from './migrations/003-transactions.ts';
import * as links from './migrations/004-links.ts';
import * as checkout from './migrations/005-checkout.ts';
import * as walletPayments from './migrations/006-wallet-payments.ts';
import * as merchants from './migrations/007-merchants.ts';
import * as transactionList from './migrations/008-transaction-list.ts';
import * as pages from './migrations/009-pages.ts';
import * as clientSecrets from './migrations/010-client-secrets.ts';
import * as pinTries from './migrations/011-pin-tries.ts';
import * as rateCounters from './migrations/012-rate-counters.ts';
import * as history from './migrations/013-history.ts';
import * as policies from './migrations/015-policies.ts';
import * as audit from './migrations/016-audit.ts';
import * as spendingSessions from './migrations/017-spending-sessions.ts';
import * as passkeys from './migrations/018-passkeys.ts';
import * as walletEvents from './migrations/019-wallet-events.ts';
import * as refunds from './migrations/021-refunds.ts';
import * as accountColumns from './migrations/023-account-columns.ts';
import * as auditTail from './migrations/024-audit-tail.ts';
import * as minedTransactions from './migrations/025-mined-transactions.ts';
import * as checkoutScopes from './migrations/026-checkout-scopes.ts';
import * as networks from './migrations/027-networks.ts';
import * as copies from './migrations/028-copies.ts';
import * as restores from './migrations/029-restores.ts';
import * as crossChainSwaps from './migrations/030-cross-chain-swaps.ts';
import * as priceBasis from './migrations/031-price-basis.ts';
import * as receivingKeys from './migrations/032-receiving-keys.ts';
import * as addressPayments from './migrations/033-address-payments.ts';
import * as refundLinks from './migrations/034-refund-links.ts';
import * as receivingWallets from './migrations/035-receiving-wallets.ts';
import * as receiptMails from './migrations/036-receipt-mails.ts';
import { isLate, isLockTimeout } from './outage.ts';
import type { Schema } from './schema.ts';

/** In the order of their names. A released migration never changes. */
export const MIGRATIONS: Record<string, Migration> = {
  '001-accounts': accounts,
  '002-custody': custody,
  '003-transactions': transactions,
  '004-links': links,
  '005-checkout': checkout,
  '006-wallet-payments': walletPayments,
  '007-merchants': merchants,
  '008-transaction-list': transactionList,
  '009-pages': pages,
  '010-client-secrets': clientSecrets,
  '011-pin-tries': pinTries,
  '012-rate-counters': rateCounters,
  '013-history': history,
  '015-policies': policies,
  '016-audit': audit,
  '017-spending-sessions': spendingSessions,
  '018-passkeys': passkeys,
  '019-wallet-events': walletEvents,
  '021-refunds': refunds,
  '023-account-columns': accountColumns,
  '024-audit-tail': auditTail,
  '025-mined-transactions': minedTransactions,
  '026-checkout-scopes': checkoutScopes,
  '027-networks': networks,
  '028-copies': copies,
  '029-restores': restores,
  '030-cross-chain-swaps': crossChainSwaps,
  '031-price-basis': priceBasis,
  '032-receiving-keys': receivingKeys,
  '033-address-payments': addressPayments,
  '034-refund-links': refundLinks,
  '035-receiving-wallets': receivingWallets,
  '036-receipt-mails': receiptMails,
};

/** A migration that changes tables in use waits for a moment in which it holds up nobody; a busy database may answer late. */
const TRIES = 60;
const AGAIN_MS = 500;

async function toLatest(db: Kysely<Schema>): Promise<unknown> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(MIGRATIONS) } });
  for (let left = TRIES; ; left--) {
    const { error } = await migrator.migrateToLatest();
    if (!(isLockTimeout(error) || isLate(error)) || left === 0) return error;
    await sleep(AGAIN_MS);
  }
}

/** Migrates an empty database to the state that this migration left. */
export async function migrateTo(db: Kysely<Schema>, name: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(MIGRATIONS) } });
  const { error } = await migrator.migrateTo(name);
  if (error) throw error as Error;
}

export async function migrate(db: Kysely<Schema>): Promise<void> {
  const error = await toLatest(db);
  if (!error) return fillAccounts(db);
  if (/previously executed migration .* is missing/.test(String(error)))
    throw new Error('The database was made by a newer version of the service. Start that version.', {
      cause: error,
    });
  throw new Error(`The database could not be migrated to this version: ${(error as Error).message}`, {
    cause: error,
  });
}
