/** Wallets that a token may do more than read. */
import { ConnectError } from '../../src/base/errors.ts';
import { requireScope } from '../auth/access-tokens.ts';
import type { Principal } from '../http/principal.ts';
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

/** A wallet of the account itself. Those of an application's users are `wallet.forbidden` like unknown ones: it may only see them. */
export async function ownWallet(db: Database, principal: Principal, id: string): Promise<StoredWallet> {
  const wallet = await walletOf(db, principal, id);
  if (wallet.owner_id !== principal.accountId) throw forbidden();
  return wallet;
}
