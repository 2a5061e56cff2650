/** The rows of a new wallet: the wallet, its encrypted key and, if it sets one, its PIN. */
import { type Insertable, sql, type Transaction } from 'kysely';
import type { NetworkKind } from '../../src/chains/network.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { acrossAccounts } from '../database/account-scope.ts';
import type { Database } from '../database/database.ts';
import type { Schema, WalletRow, WalletSecrets } from '../database/schema.ts';
import { enrol } from './devices.ts';
import type { PinProof } from './pin-opener.ts';
import type { MadePin } from './pins.ts';

export interface NewWallet {
  ownerId: string;
  /** The application that creates it. */
  applicationId: string;
  /** Unique per application: repeating it returns the same wallet. */
  identifier?: string | undefined;
  walletType: WalletRow['wallet_type'];
  secretType: SecretType;
  /** Id in `networks.json`; absent for the first of the chain. */
  network?: string | undefined;
  /** That network's kind. */
  kind: NetworkKind;
  alias?: string | undefined;
  description?: string | undefined;
  pin: PinProof;
  /** `account`: the owner's master PIN, which the first such wallet sets. */
  pinOf: 'wallet' | 'account';
  /** An existing private key, as `Chain.importKey` returns it; absent for a new one. The caller overwrites it. */
  key?: Uint8Array | undefined;
  /** Thumbprint of the caller's device key. The wallet that sets the master PIN enrols it; for further wallets it must be enrolled already. */
  device?: string | undefined;
  /** Runs the database transaction that creates the wallet, and records its event in it. Absent: no event. */
  storing?: Storing | undefined;
}

type Storing = <T>(
  work: (tx: Transaction<Schema>, created: (wallet: WalletRow) => Promise<void>) => Promise<T>,
) => Promise<T>;

/** The first half of the advisory locks of imports. Nothing else may use this number. */
const IMPORT_LOCK = 7_265_006;

/** Another request set the owner's master PIN in the meantime. */
export class PinExists extends Error {}

/** The wallet that a request with the same identifier has created. */
export async function findIdentified(
  db: Database,
  { applicationId, identifier }: NewWallet,
): Promise<WalletRow | undefined> {
  if (identifier === undefined) return undefined;
  return db
    .selectFrom('wallets')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('identifier', '=', identifier)
    .executeTakeFirst();
}

/** Inserts all rows or none. Returns the existing wallet when a request with the same identifier was faster. */
export async function storeWallet(
  db: Database,
  order: NewWallet,
  { id, address }: Pick<WalletRow, 'id' | 'address'>,
  secret: Omit<Insertable<WalletSecrets>, 'wallet_id' | 'owner_id'>,
  made: MadePin | undefined,
): Promise<WalletRow> {
  const plainly: Storing = (work) => db.transaction().execute((tx) => work(tx, async () => {}));
  const storing = order.storing ?? plainly;
  const store = async (
    tx: Transaction<Schema>,
    created: (wallet: WalletRow) => Promise<void>,
  ): Promise<WalletRow | undefined> => {
    if (order.key) await requireUnknown(tx, order, address);
    const wallet = await tx
      .insertInto('wallets')
      .values({
        id,
        address,
        network: order.network ?? null,
        owner_id: order.ownerId,
        application_id: order.applicationId,
        identifier: order.identifier ?? null,
        wallet_type: order.walletType,
        secret_type: order.secretType,
        alias: order.alias ?? '',
        description: order.description ?? '',
        is_primary: sql<boolean>`not exists (
            select from wallets where owner_id = ${order.ownerId} and secret_type = ${order.secretType} and is_primary)`,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!wallet) return undefined;
    if (made) {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('pins')
        .values({ ...made.row, owner_id: order.ownerId })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows === 0n) throw new PinExists();
      if (order.device && order.pinOf === 'account') await enrol(tx, order.ownerId, order.device);
    }
    await tx
      .insertInto('wallet_secrets')
      .values({ wallet_id: id, owner_id: order.ownerId, ...secret })
      .execute();
    await created(wallet);
    return wallet;
  };
  const stored = await (order.key ? acrossAccounts('imports', () => storing(store)) : storing(store));
  // The row that conflicted is committed by now: the wallet with this identifier, or the owner's first one of the chain.
  return stored ?? (await findIdentified(db, order)) ?? storeWallet(db, order, { id, address }, secret, made);
}

/**
 * Two wallets with one key would use the same nonces and coins. Random keys never collide, so only imports are compared, one at a time
 * for each address.
 */
async function requireUnknown(
  tx: Database,
  { ownerId, secretType }: NewWallet,
  address: string,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${IMPORT_LOCK}, hashtext(${address}))`.execute(tx);
  const wallet = await tx
    .selectFrom('wallets')
    .select(['id', 'owner_id'])
    .where('secret_type', '=', secretType)
    .where('address', '=', address)
    .where(sql`lower(address)`, '=', address.toLowerCase())
    .executeTakeFirst();
  if (!wallet) return;
  const isOwn = wallet.owner_id === ownerId;
  throw new ConnectError(
    'request.conflict',
    isOwn
      ? 'The key is already in another wallet of yours. Use that one; restore it first if it is archived.'
      : 'The key is already in a wallet of another account. Two wallets with one key would interfere with each other: send its coins to a new wallet instead.',
    { field: 'key', ...(isOwn ? { walletId: wallet.id } : {}) },
  );
}
