/** Opens the vault with its PIN. */
import { ConnectError } from '../base/errors.ts';
import { checkPin, countAttempt, refundAttempt, resetAttempts, wrongPin } from './attempts.ts';
import { mac, unseal, wrappingKey } from './cipher.ts';
import { type Database, exclusive } from './database.ts';
import { type Approval, OpenVault } from './open-vault.ts';
import { hashPin, type PinHash } from './pin-hash.ts';
import { type Bytes, type Cost, readVault, type Sealed } from './records.ts';

export interface UnlockOptions {
  now?: () => number;
  hashPin?: PinHash;
}

/** Tries a PIN, which is counted before it is hashed. Tries are serialised across all tabs. */
export async function unlock(db: Database, options: UnlockOptions, pin: string): Promise<OpenVault> {
  const { now = Date.now } = options;
  checkPin(pin);
  return exclusive(`${db.name}:pin`, async () => {
    const { deviceKey, pin: way } = await readVault(db);
    if (!way) throw new ConnectError('wallet.secret.not-found', 'No PIN was chosen. Use your passkey.');
    const attempt = await countAttempt(db, now());
    let key: CryptoKey;
    try {
      key = await pinKey(options, pin, deviceKey, way.salt, way.cost);
    } catch (error) {
      await refundAttempt(db, attempt);
      throw error;
    }
    const open = await unwrap(db, key, 'pin', way.wrap);
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

/** Undefined if the key does not match. */
export async function unwrap(
  db: Database,
  key: CryptoKey,
  way: 'pin' | 'phrase' | 'passkey',
  wrap: Sealed,
  approval?: Approval,
): Promise<OpenVault | undefined> {
  try {
    return new OpenVault(db, await unseal(key, way, wrap), approval);
  } catch {
    return undefined;
  }
}
