/** Identifiers of wallets as the database has them: unique for each application. */
import { type Expression, type SqlBool, sql } from 'kysely';
import type { WalletRow } from '../database/schema.ts';

/** Callers cannot send an identifier with a control character, so those that we derive ourselves never collide with theirs. */
const MARK = '\u0001';

/** Identifiers of one application's users do not collide. */
function prefixOf(walletType: WalletRow['wallet_type'], ownerId: string): string {
  return walletType === 'WHITE_LABEL' ? '' : ownerId + MARK;
}

/** Undefined where the request has neither. */
export function identifierFor(
  walletType: WalletRow['wallet_type'],
  ownerId: string,
  { identifier, idempotencyKey }: { identifier?: string | undefined; idempotencyKey?: string | undefined },
): string | undefined {
  const name = identifier ?? (idempotencyKey && MARK + idempotencyKey);
  return name && prefixOf(walletType, ownerId) + name;
}

/** As the caller gave it; undefined for a wallet that was made without one. */
export function givenIdentifier({
  identifier,
  wallet_type,
  owner_id,
}: Pick<WalletRow, 'identifier' | 'wallet_type' | 'owner_id'>): string | undefined {
  const own = identifier?.slice(prefixOf(wallet_type, owner_id).length);
  return own?.startsWith(MARK) ? undefined : own;
}

/** Whether `givenIdentifier` of a row of `wallets` is this one. `009-pages.ts` has the indexes for it. */
export function isGiven(identifier: string): Expression<SqlBool> {
  return sql`(identifier = ${identifier}
    or (split_part(identifier, ${sql.lit(MARK)}, 2) = ${identifier} and wallet_type = 'THREEWAY_SHARED'))`;
}
