/**
 * Addresses for sessions, each of an extended public key of its merchant: `receiving_keys` has the keys, `payment_addresses` what was given.
 * A receiving wallet with a key has its id in `key_id`, and no address of its own.
 */
import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import ipaddr from 'ipaddr.js';
import type { ReceivingKey } from '../../../src/api/receiving-wallet.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import type { Database } from '../../database/database.ts';
import type {
  PaymentAddressRow,
  ReceivingKeyRow,
  ReceivingWalletEntry,
  SessionRow,
} from '../../database/schema.ts';
import type { KeyProvider } from '../../keys/key-provider.ts';
import { type Rewrapped, rewrapRows } from '../../keys/rewrap-rows.ts';
import { seal, unseal, wrappingKey } from '../../keys/sealing.ts';
import type { Service } from '../../service.ts';
import { deriveAddress } from './derive-addresses.ts';
import { type AccountKey, packKey, unpackKey } from './extended-keys.ts';
import type { WalletPaymentSettings } from './wallet-payment-settings.ts';

/** Wallets look for payments at so many unused addresses in a row, and no further (BIP-44). */
const USUAL_GAP = 20;
/** From so many on, the merchant is warned. */
const WARNING_GAP = 15;

/** A receiving wallet whose sessions have addresses of their own. */
export type KeyWallet = ReceivingWalletEntry & { key_id: string };

export function hasKey(wallet: ReceivingWalletEntry): wallet is KeyWallet {
  return (wallet.key_id ?? null) !== null;
}

export interface AddressRequest {
  session: SessionRow;
  wallet: KeyWallet;
}

interface Parts extends Pick<Service, 'keys' | 'networks'> {
  settings: Pick<WalletPaymentSettings, 'watchMs'>;
}

/**
 * The session's address of the key: the one that it has, else the key's next one, which no other session ever gets. Call it in the
 * transaction that inserts the quote and holds the session's lock: if that is rolled back, nothing was shown to anybody, and the index goes
 * to the next session. The address is `{ key_id, address_index, address, script, session_id, network, watched_until, … }`; `script` is the
 * output script as `0x…`. Throws `checkout.wallet.unavailable` when too many addresses of the key are unpaid.
 */
export async function takeAddress(
  { keys, networks, settings }: Parts,
  tx: Database,
  { session, wallet }: AddressRequest,
): Promise<PaymentAddressRow> {
  const watchedUntil = new Date(Math.max(session.expires_at.getTime(), Date.now()) + settings.watchMs);
  const own = await tx
    .updateTable('payment_addresses')
    .set({ watched_until: sql<Date>`greatest(watched_until, ${watchedUntil}::timestamptz)` })
    .where('session_id', '=', session.id)
    .where('network', '=', wallet.network)
    .returningAll()
    .executeTakeFirst();
  if (own) return own;
  const row = await readKey(tx, wallet.key_id);
  const key = await openKey(keys, row);
  const network = networks.file.networks.find(({ id }) => id === wallet.network);
  if (!network) throw noneLeft();
  // From here on until the transaction ends, other sessions of the key wait.
  const taken = await tx
    .updateTable('receiving_keys')
    .set((is) => ({ next_index: is('next_index', '+', 1) }))
    .where('id', '=', row.id)
    .where(UNPAID, '<', sql<number>`max_gap`)
    .returning('next_index')
    .executeTakeFirst();
  if (!taken) throw noneLeft();
  const index = taken.next_index - 1;
  const purpose = { secretType: row.secret_type, kind: network.kind };
  return tx
    .insertInto('payment_addresses')
    .values({
      ...deriveAddress(key, index, purpose),
      key_id: row.id,
      address_index: index,
      application_id: row.application_id,
      session_id: session.id,
      network: network.id,
      watched_until: watchedUntil,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

function noneLeft(): ConnectError {
  return new ConnectError('checkout.wallet.unavailable', 'This payment cannot be made with a wallet.');
}

/** How many addresses were given since the last one that was paid. */
const UNPAID = sql<number>`next_index - coalesce(paid_index + 1, 0)`;

interface ClientRequest extends AddressRequest {
  /** The customer's IP address; undefined where nobody asks from outside. */
  client: string | undefined;
}

interface Admitting extends Pick<Service, 'db' | 'limits'> {
  settings: Pick<WalletPaymentSettings, 'addressesPerHour'>;
}

/**
 * Counts an address for the customer's IP address, unless the session has one already. Call it before `takeAddress`, outside of a
 * transaction. Throws `request.rate-limited`: whoever opens page after page uses up the addresses that the merchant's wallet looks at.
 */
export async function admitClient(
  { db, limits, settings }: Admitting,
  { session, wallet, client }: ClientRequest,
): Promise<void> {
  if (client === undefined || (await hasAddress(db, session.id, wallet.network))) return;
  const { allowed, ttl } = await limits.take(`addresses ${subnet(client)}`, settings.addressesPerHour, {
    exact: true,
    seconds: 3600,
  });
  if (allowed) return;
  throw new ConnectError(
    'request.rate-limited',
    'Too many payments in this coin were begun from here. Pay in another way, or try again later.',
    { retryAfter: Math.ceil(ttl / 1000) },
  );
}

/** Anyone with one IPv6 address has 2^64 of them. */
function subnet(client: string): string {
  if (!isIPv6(client)) return client;
  const address = ipaddr.IPv6.parse(client);
  return address.isIPv4MappedAddress()
    ? address.toIPv4Address().toString()
    : address.parts.slice(0, 4).join(':');
}

async function hasAddress(db: Database, sessionId: string, network: string): Promise<boolean> {
  const row = await db
    .selectFrom('payment_addresses')
    .select('address_index')
    .where('session_id', '=', sessionId)
    .where('network', '=', network)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether `takeAddress` would find the key's limit of unpaid addresses not reached, or the session has its address already. Asks no node. */
export async function canTakeAddress(
  db: Database,
  { key_id, network }: KeyWallet,
  sessionId: string | undefined,
): Promise<boolean> {
  const free = await db
    .selectFrom('receiving_keys')
    .select('id')
    .where('id', '=', key_id)
    .where(UNPAID, '<', sql<number>`max_gap`)
    .executeTakeFirst();
  return free !== undefined || (sessionId !== undefined && hasAddress(db, sessionId, network));
}

/**
 * Records that a block has a payment to the address, of any amount and whenever it came: its index counts as used, which wallets' gap limits
 * depend on. Repeated, it changes nothing. Call it in the transaction that inserts the transfer.
 */
export async function noteUse(
  tx: Database,
  { key_id, address_index }: Pick<PaymentAddressRow, 'key_id' | 'address_index'>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('payment_addresses')
    .set({ paid_at: new Date(Date.now()) })
    .where('key_id', '=', key_id)
    .where('address_index', '=', address_index)
    .where('paid_at', 'is', null)
    .executeTakeFirst();
  if (!numUpdatedRows) return;
  await tx
    .updateTable('receiving_keys')
    .set({ paid_index: sql<number>`greatest(coalesce(paid_index, -1), ${address_index}::integer)` })
    .where('id', '=', key_id)
    .execute();
}

/** The sessions' addresses that these output scripts pay. */
export function watchedAddresses(
  db: Database,
  network: string,
  scripts: readonly string[],
): Promise<PaymentAddressRow[]> {
  return db
    .selectFrom('payment_addresses')
    .selectAll()
    .where('network', '=', network)
    .where(sql<boolean>`script = any(${scripts}::text[])`)
    .execute();
}

export async function readKey(db: Database, id: string): Promise<ReceivingKeyRow> {
  return db.selectFrom('receiving_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** The same key in any spelling, and no other, has it; nobody can tell the key from it. */
export function identityOf({ chainCode, publicKey }: Pick<AccountKey, 'chainCode' | 'publicKey'>): Buffer {
  return hash('sha256', Buffer.concat([chainCode, publicKey]), 'buffer');
}

/** Never in full: what identifies the key, and how far it is used. */
export function describeKey(row: ReceivingKeyRow): ReceivingKey {
  const { next_index: next, paid_index: paid } = row;
  const unpaid = next - (paid === null ? 0 : paid + 1);
  return {
    id: row.id,
    fingerprint: row.fingerprint,
    addresses: row.addresses,
    highestIndex: next > 0 ? next - 1 : null,
    lastPaidIndex: paid,
    unpaid,
    walletGapLimit: unpaid + USUAL_GAP,
    gapWarning: unpaid >= WARNING_GAP,
    maxGap: row.max_gap,
  };
}

type Sealed = Pick<ReceivingKeyRow, 'sealed' | 'master_version'>;

const label = (id: string): string => `receiving-key:${id}`;

async function wrappingKeyOf(keys: KeyProvider, id: string, version: number): Promise<Buffer> {
  return wrappingKey([await keys.mac(label(id), version)], 'carabiner receiving key');
}

export async function sealKey(
  keys: KeyProvider,
  id: string,
  key: Pick<AccountKey, 'chainCode' | 'publicKey'>,
): Promise<Sealed> {
  const version = await keys.current();
  const wrapping = await wrappingKeyOf(keys, id, version);
  return { sealed: seal(wrapping, label(id), packKey(key)), master_version: version };
}

export async function openKey(
  keys: KeyProvider,
  { id, sealed, master_version }: Sealed & { id: string },
): Promise<Pick<AccountKey, 'chainCode' | 'publicKey'>> {
  const opened = unseal(await wrappingKeyOf(keys, id, master_version), label(id), sealed);
  if (!opened)
    throw new Error(`Receiving key ${id} cannot be decrypted: the master key or the row has changed.`);
  return unpackKey(opened);
}

/** Re-encrypts every receiving key under the current master key. */
export async function rewrapReceivingKeys(
  db: Database,
  keys: KeyProvider,
  warn: (message: string) => void,
): Promise<Rewrapped> {
  const old = await db
    .selectFrom('receiving_keys')
    .select(['id', 'sealed', 'master_version'])
    .where('master_version', '<', await keys.current())
    .execute();
  const renew = async (row: (typeof old)[number]) =>
    db
      .updateTable('receiving_keys')
      .set(await sealKey(keys, row.id, await openKey(keys, row)))
      .where('id', '=', row.id)
      .where('master_version', '=', row.master_version)
      .executeTakeFirst();
  return rewrapRows(old, renew, warn);
}
