/** Wallets in the database, and who may see them. */
import { sql } from 'kysely';
import { dateParts } from '../../src/api/date-parts.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import type { WalletsQuery } from '../../src/api/wallet-requests.ts';
import { type Page, readPage, readWhole } from '../http/paging.ts';
import { type Principal, seesUsersWallets } from '../http/principal.ts';
import { forbidden } from '../custody/wallet-errors.ts';
import { acrossAccounts } from '../database/account-scope.ts';
import type { Database } from '../database/database.ts';
import { WALLET_COLUMNS, type WalletRow } from '../database/schema.ts';
import { givenIdentifier, isGiven } from './identifiers.ts';

export type StoredWallet = WalletRow & { has_own_pin: boolean };

/** A token sees its account's wallets; that of an application with `use:all-wallets` also those of its users. */
export function visibleTo(db: Database, principal: Principal) {
  const wallets = db
    .selectFrom('wallets')
    .select(WALLET_COLUMNS)
    .select((of) =>
      of
        .exists(
          of
            .selectFrom('wallet_secrets')
            .whereRef('wallet_secrets.wallet_id', '=', 'wallets.id')
            .whereRef('wallet_secrets.pin_id', '=', 'wallets.id')
            .select('wallet_secrets.wallet_id'),
        )
        .as('has_own_pin'),
    );
  return seesUsersWallets(principal)
    ? wallets.where('application_id', '=', principal.applicationId)
    : wallets.where('owner_id', '=', principal.accountId);
}

/** The order in which they were made. */
const ORDER = { at: 'created_at', id: 'id', first: 'oldest' } as const;

/** The wallets that match every filter of `query`. */
function matching(db: Database, principal: Principal, filters: WalletsQuery) {
  let selection = visibleTo(db, principal);
  const { secretType, status, identifier, address, createdAfter, watched } = filters;
  if (secretType !== undefined) selection = selection.where('secret_type', '=', secretType);
  if (status !== undefined)
    selection = selection.where('archived_at', status === 'ACTIVE' ? 'is' : 'is not', null);
  if (identifier !== undefined) selection = selection.where(isGiven(identifier));
  if (watched !== undefined)
    selection = selection.where((of) => {
      const watches = of
        .selectFrom('wallet_watches')
        .whereRef('wallet_watches.wallet_id', '=', 'wallets.id')
        .select('wallet_watches.wallet_id');
      return watched === 'true' ? of.exists(watches) : of.not(of.exists(watches));
    });
  // Hex digits of an address may come in either case.
  if (address !== undefined) selection = selection.where(sql`lower(address)`, '=', address.toLowerCase());
  if (createdAfter !== undefined) selection = selection.where('created_at', '>', new Date(createdAfter));
  return selection.$castTo<StoredWallet>();
}

export function pageOfWallets(
  db: Database,
  principal: Principal,
  query: WalletsQuery,
): Promise<Page<StoredWallet>> {
  const { limit: _limit, cursor: _cursor, ...filters } = query;
  return readPage(
    ['wallets', principal.accountId, seesUsersWallets(principal), filters],
    query,
    matching(db, principal, query),
    ORDER,
  );
}

export function allWallets(db: Database, principal: Principal, query: WalletsQuery) {
  return readWhole(matching(db, principal, query), ORDER);
}

/** Throws `wallet.forbidden` for ids of others' wallets and for unknown ids. */
export async function walletOf(db: Database, principal: Principal, id: string): Promise<StoredWallet> {
  const wallet = visibleTo(db, principal).where('id', '=', id);
  const find = () => wallet.executeTakeFirst();
  const row = await (seesUsersWallets(principal) ? acrossAccounts('wallets-of-users', find) : find());
  if (!row) throw forbidden();
  return row as StoredWallet;
}

/** The wallet as events name it. */
export async function subjectOf(db: Database, id: string) {
  const row = await db
    .selectFrom('wallets')
    .select(WALLET_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const identifier = givenIdentifier(row);
  return {
    id,
    address: row.address,
    secretType: row.secret_type,
    ...(identifier === undefined ? {} : { identifier }),
  };
}

/** As the API shows it, without its balance. */
export function walletAnswer(wallet: StoredWallet): Wallet {
  const identifier = givenIdentifier(wallet);
  return {
    id: wallet.id,
    address: wallet.address,
    walletType: wallet.wallet_type,
    secretType: wallet.secret_type,
    createdAt: dateParts(wallet.created_at),
    archived: wallet.archived_at !== null,
    alias: wallet.alias,
    description: wallet.description,
    primary: wallet.is_primary,
    hasCustomPin: wallet.has_own_pin,
    status: wallet.archived_at === null ? 'ACTIVE' : 'ARCHIVED',
    ...(identifier === undefined ? {} : { identifier }),
    ...(wallet.network === null ? {} : { network: wallet.network }),
  };
}
