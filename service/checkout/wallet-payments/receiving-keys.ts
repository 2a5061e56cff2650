/** Extended public keys of which sessions get addresses: `receiving_keys`. A wallet with one has its id in `key_id`, and no address of its own. */
import { hash } from 'node:crypto';
import type { ReceivingKey } from '../../../src/api/receiving-wallet.ts';
import type { Database } from '../../database/database.ts';
import type { ReceivingKeyRow, ReceivingWalletEntry } from '../../database/schema.ts';
import type { AccountKey } from './extended-keys.ts';

/** Wallets look for payments at so many unused addresses in a row, and no further (BIP-44). */
const USUAL_GAP = 20;
/** From so many on, the merchant is warned. */
const WARNING_GAP = 15;

/** A receiving wallet whose sessions have addresses of their own. */
export type KeyWallet = ReceivingWalletEntry & { key_id: string };

export function hasKey(wallet: ReceivingWalletEntry): wallet is KeyWallet {
  return (wallet.key_id ?? null) !== null;
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
