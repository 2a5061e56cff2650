/**
 * Recipients by e-mail address. It stands for the primary wallet of the one user whose trusted identity provider verified the address;
 * when two users have it, it stands for neither, because an address can pass from one person to another. Callers learn no more than
 * that: unknown addresses, users without a wallet of the chain and ambiguous addresses are refused in the same words after the same time.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { ConnectError } from '../../src/errors.ts';
import type { Principal } from '../http/principal.ts';
import type { Database } from '../database/database.ts';

/** Minimum milliseconds until a refusal: more than a search takes. */
const REFUSED_MS = 100;

const WINDOW_MS = 60_000;
/** Accounts with a counter at a time. */
const COUNTED = 10_000;

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
  readonly #asked = new Map<string, { times: number; until: number }>();

  constructor(
    readonly db: Database,
    /** Look-ups per account and minute; 0 for no limit. */
    readonly perMinute: number,
  ) {}

  /** Throws `recipient.unknown`, `request.rate-limited`. */
  async find(principal: Principal, email: string, secretType: SecretType): Promise<string> {
    if (this.perMinute > 0) this.#count(principal.accountId);
    return resolveRecipient(this.db, email, secretType);
  }

  #count(accountId: string): void {
    const now = Date.now();
    let asked = this.#asked.get(accountId);
    if (!asked || asked.until <= now) {
      asked = { times: 0, until: now + WINDOW_MS };
      // The account whose minute began first is dropped first.
      this.#asked.delete(accountId);
      this.#asked.set(accountId, asked);
      if (this.#asked.size > COUNTED) this.#asked.delete(this.#asked.keys().next().value!);
    }
    if (++asked.times <= this.perMinute) return;
    const retryAfter = Math.ceil((asked.until - now) / 1000);
    throw new ConnectError(
      'request.rate-limited',
      `Too many e-mail addresses were looked up. Try again in ${retryAfter} s.`,
      { retryAfter },
    );
  }
}
