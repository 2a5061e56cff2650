/** Addresses of sessions, each of a key of its merchant, and given once: `payment_addresses`. */
import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import ipaddr from 'ipaddr.js';
import { ConnectError } from '../../../../src/base/errors.ts';
import type { Database } from '../../../database/database.ts';
import type { PaymentAddressRow, SessionRow } from '../../../database/schema.ts';
import type { Service } from '../../../service.ts';
import { deriveAddress } from '../derive-addresses.ts';
import type { WalletPaymentSettings } from '../wallet-payment-settings.ts';
import { type KeyWallet, readKey } from '../receiving-keys.ts';
import { openKey } from '../sealed-keys.ts';

interface AddressRequest {
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
