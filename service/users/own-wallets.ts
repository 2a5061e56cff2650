/** Wallets that a token may do more than read. */
import { ConnectError } from '../../src/errors.ts';
import { requireScope } from '../auth/access-tokens.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import type { CheckedPasskey } from '../http/serve.ts';
import type { Principal } from '../http/principal.ts';
import type { PinProof } from '../custody/pins.ts';
import { forbidden } from '../custody/wallet-errors.ts';
import type { Database } from '../database/database.ts';
import { type StoredWallet, walletOf } from '../wallets/stored-wallets.ts';

/** Users have `sign:wallets`, an application has `whitelabel` for the wallets that it made for itself. */
export function requireOwnersScope(principal: Principal): void {
  requireScope(principal, [principal.isApplication ? 'whitelabel' : 'sign:wallets']);
}

/** Devices and a master PIN are for users alone. */
export function requireUser({ isApplication }: Principal): void {
  if (isApplication)
    throw new ConnectError('token.scope', "This call needs a user's token, not an application's own.", {
      scopes: ['sign:wallets'],
    });
}

/** What opens the PIN: itself, or the passkey in place of the master PIN. Throws `request.invalid` at `pincode`. */
export function openerOf(pincode: string | null | undefined, passkey: CheckedPasskey | undefined): PinProof {
  if (typeof pincode === 'string') return pincode;
  if (passkey?.secret) return { passkey: passkey.secret };
  throw invalid('pincode', 'is required, or what this call takes in its place');
}

/** A wallet of the account itself. Those of an application's users are `wallet.forbidden` like unknown ones: it may only see them. */
export async function ownWallet(db: Database, principal: Principal, id: string): Promise<StoredWallet> {
  const wallet = await walletOf(db, principal, id);
  if (wallet.owner_id !== principal.accountId) throw forbidden();
  return wallet;
}
