/** Opening the vault with its PIN. */
import { checkPin, countAttempt, refundAttempt, resetAttempts, wrongPin } from './attempts.ts';
import { mac, unseal, wrappingKey } from './cipher.ts';
import type { Database } from './database.ts';
import { exclusive } from './locks.ts';
import { OpenVault } from './open-vault.ts';
import { hashPin, type PinHash } from './pin-hash.ts';
import type { Bytes, Cost, Sealed } from './records.ts';
import { readVault } from './vault-record.ts';

export interface UnlockOptions {
  now?: () => number;
  hashPin?: PinHash;
}

/** One try of a PIN, counted before its work. Tries wait for each other, in all tabs. */
export async function unlock(db: Database, options: UnlockOptions, pin: string): Promise<OpenVault> {
  const { now = Date.now } = options;
  checkPin(pin);
  return exclusive(`${db.name}:pin`, async () => {
    const record = await readVault(db);
    const attempt = await countAttempt(db, now());
    let key: CryptoKey;
    try {
      key = await pinKey(options, pin, record.deviceKey, record.pin.salt, record.pin.cost);
    } catch (error) {
      await refundAttempt(db, attempt);
      throw error;
    }
    const open = await unwrap(db, key, 'pin', record.pin.wrap);
    if (!open) throw wrongPin(attempt.counted, now());
    await db.write(['vault'], resetAttempts);
    return open;
  });
}

export async function pinKey(
  { hashPin: hash = hashPin }: UnlockOptions,
  pin: string,
  deviceKey: CryptoKey,
  salt: Bytes,
  cost: Cost,
): Promise<CryptoKey> {
  return wrappingKey(await mac(deviceKey, await hash(pin, salt, cost)), 'pin');
}

/** Undefined if the key is another one. */
export async function unwrap(
  db: Database,
  key: CryptoKey,
  way: 'pin' | 'phrase' | 'passkey',
  wrap: Sealed,
): Promise<OpenVault | undefined> {
  try {
    return new OpenVault(db, await unseal(key, way, wrap));
  } catch {
    return undefined;
  }
}
