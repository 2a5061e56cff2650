/**
 * Addresses for sessions, each of an extended public key of its merchant: `receiving_keys` has the keys, `payment_addresses` what was given.
 * The receiving wallet of an account with a key has its id in `key_id`, and no address of its own.
 */
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { PaymentAddressRow, ReceivingWalletRow, SessionRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';

/** A receiving wallet whose sessions have addresses of their own. */
export type KeyWallet = ReceivingWalletRow & { key_id: string };

export function hasKey(wallet: ReceivingWalletRow): wallet is KeyWallet {
  return wallet.key_id !== null;
}

/** Who asks for an address. */
export interface AddressRequest {
  session: SessionRow;
  wallet: KeyWallet;
  /** The customer's IP address; undefined where nobody asks from outside. */
  client: string | undefined;
}

/**
 * The session's address of the key: the one that it has, else the key's next one, which no other session ever gets. Call it in the
 * transaction that inserts the quote and holds the session's lock: if that is rolled back, nothing was shown to anybody, and the index goes
 * to the next session. The address is `{ key_id, address_index, address, script, session_id, network, watched_until, … }`; `script` is the
 * output script as `0x…`. Throws `checkout.wallet.unavailable` when too many addresses of the key are unpaid, and `request.rate-limited` when
 * the customer's IP address, or the session, took too many.
 */
export async function takeAddress(
  _service: Pick<Service, 'keys' | 'limits' | 'networks'>,
  _tx: Database,
  _request: AddressRequest,
): Promise<PaymentAddressRow> {
  throw new Error('No addresses are given yet.');
}

/** Whether `takeAddress` would find the key's limit of unpaid addresses not reached, or the session has its address already. Asks no node. */
export async function canTakeAddress(
  _db: Database,
  _wallet: KeyWallet,
  _sessionId: string | undefined,
): Promise<boolean> {
  return false;
}

/**
 * Records that a block has a payment to the address, of any amount and whenever it came: its index counts as used, which wallets' gap limits
 * depend on. Repeated, it changes nothing. Call it in the transaction that inserts the transfer.
 */
export async function noteUse(
  _tx: Database,
  _address: Pick<PaymentAddressRow, 'key_id' | 'address_index'>,
): Promise<void> {}

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
