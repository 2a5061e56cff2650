/**
 * Recipients by e-mail address. It stands for the primary wallet of the one user whose trusted identity provider verified the address;
 * when two users have it, it stands for neither, because an address can pass from one person to another. Callers learn no more than
 * that: unknown addresses, users without a wallet of the chain and ambiguous addresses are refused in the same words after the same time.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { findRecipient } from '../../src/api/routes.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { ConnectError } from '../../src/base/errors.ts';
import type { SharedLimits } from '../concurrency/shared-limits.ts';
import type { Principal } from '../http/principal.ts';
import { serve } from '../http/serve.ts';
import { acrossAccounts } from '../database/account-scope.ts';
import type { Database } from '../database/database.ts';
import type { Area } from '../service.ts';

/** Minimum milliseconds until a refusal: more than a search takes. */
const REFUSED_MS = 100;

/** The address of the wallet. Throws `recipient.unknown`. It has no rate limit: use `Recipients`. */
async function resolveRecipient(db: Database, email: string, secretType: SecretType): Promise<string> {
  const soonest = wait(REFUSED_MS);
  // A second account is enough to make it ambiguous.
  const accounts = await db
    .selectFrom('accounts')
    .leftJoin('wallets', (join) =>
      join
        .onRef('wallets.owner_id', '=', 'accounts.id')
        .on('wallets.secret_type', '=', secretType)
        .on('wallets.is_primary', '=', true)
        .on('wallets.archived_at', 'is', null),
    )
    .select('wallets.address')
    .where('accounts.verified_email', '=', email.trim().toLowerCase())
    .where('accounts.application', '=', false)
    .limit(2)
    .execute();
  const address = accounts.length === 1 ? accounts[0]!.address : null;
  if (address !== null) return address;
  await soonest;
  throw unknownRecipient();
}

export function unknownRecipient(): ConnectError {
  return new ConnectError(
    'recipient.unknown',
    'No wallet was found for this e-mail. Ask the recipient for an address.',
  );
}

export class Recipients {
  constructor(
    readonly db: Database,
    readonly limits: SharedLimits,
    /** Look-ups per account and minute; 0 for no limit. */
    readonly perMinute: number,
  ) {}

  /** Throws `recipient.unknown`, `request.rate-limited`. */
  async find(principal: Principal, email: string, secretType: SecretType): Promise<string> {
    if (this.perMinute > 0) await this.#count(principal.accountId);
    return acrossAccounts('recipients', () => resolveRecipient(this.db, email, secretType));
  }

  async #count(accountId: string): Promise<void> {
    const { allowed, ttl } = await this.limits.take(`recipients ${accountId}`, this.perMinute, {
      exact: true,
    });
    if (allowed) return;
    const retryAfter = Math.max(1, Math.ceil(ttl / 1000));
    throw new ConnectError(
      'request.rate-limited',
      `Too many e-mail addresses were looked up. Try again in ${retryAfter} s.`,
      { retryAfter },
    );
  }
}

/** Looks up the address of an e-mail's wallet on a chain, before anything is built or approved. */
export const recipients: Area = (app, service) => {
  serve(app, findRecipient, async ({ body, principal }) => ({
    address: await service.recipients.find(principal, body.email, body.secretType),
  }));
};
