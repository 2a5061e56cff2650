/**
 * Recipients by e-mail address. It stands for the primary wallet of the one user whose identity provider verified it and is trusted to;
 * where two users have it, it stands for neither, because an address can pass from one person to another. Whoever asks learns no more than
 * that: unknown addresses, users without a wallet of the chain and doubtful ones are refused in the same words after the same time.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { ConnectError } from '../../src/errors.ts';
import type { Principal } from '../http/principal.ts';
import type { Database } from '../database/database.ts';

/** Milliseconds that a refusal takes at least, which is more than a search does. */
const REFUSED_MS = 100;

const WINDOW_MS = 60_000;
/** Accounts that are counted at a time. */
const COUNTED = 10_000;

/** The address of the wallet. Throws `recipient.unknown`. It counts nobody's questions: callers go through `Recipients`. */
async function resolveRecipient(db: Database, email: string, secretType: SecretType): Promise<string> {
  const soonest = wait(REFUSED_MS);
  // A second account is enough to make it doubtful.
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
    /** Questions of one account a minute; 0 for any number. */
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
      // The one whose minute began first goes first.
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
