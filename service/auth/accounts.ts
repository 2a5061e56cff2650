/** An account is (issuer, subject): never an e-mail, which can pass from one person to another. */
import { randomUUID } from 'node:crypto';
import { acrossAccounts } from '../database/account-scope.ts';
import type { Database } from '../database/database.ts';

/** The issuer of the accounts of our own clients; it does not change with the service's URL. */
export const OWN_CLIENTS = 'carabiner';

export interface Identity {
  issuer: string;
  subject: string;
  application: boolean;
}

/** What an identity provider says about a user; it replaces what was stored before. */
export interface Person {
  username: string | null;
  /** Undefined where the token says nothing of one, as tokens for another scope do: the stored one stays. */
  email: string | null | undefined;
  /** Lower case; verified by a provider that is trusted with it. */
  verifiedEmail: string | null | undefined;
  firstName: string | null;
  lastName: string | null;
}

const CACHED = 10_000;

export class Accounts {
  readonly #db: Database;
  /** An identity's account never changes. */
  readonly #ids = new Map<string, string>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** The account's id; the account is created the first time its identity is seen. */
  async idOf(identity: Identity): Promise<string> {
    const key = JSON.stringify([identity.issuer, identity.subject, identity.application]);
    const cached = this.#ids.get(key);
    if (cached) return cached;
    const id = await acrossAccounts(
      'sign-in',
      async () => (await this.#find(identity)) ?? (await this.#make(identity)),
    );
    if (this.#ids.size >= CACHED) this.#ids.clear();
    this.#ids.set(key, id);
    return id;
  }

  /** The account of an application's user, updated with what the provider says about them now. */
  async signIn(identity: Identity, person: Person, applicationId: string): Promise<string> {
    const columns = {
      username: person.username,
      ...(person.email === undefined ? {} : { email: person.email }),
      ...(person.verifiedEmail === undefined ? {} : { verified_email: person.verifiedEmail }),
      first_name: person.firstName,
      last_name: person.lastName,
    };
    const signIn = this.#db.transaction();
    return acrossAccounts('sign-in', () =>
      signIn.execute(async (tx) => {
        const { id } = await tx
          .insertInto('accounts')
          .values({ id: randomUUID(), ...identity, ...columns })
          .onConflict((conflict) =>
            conflict.columns(['issuer', 'subject', 'application']).doUpdateSet(columns),
          )
          .returning('id')
          .executeTakeFirstOrThrow();
        await tx
          .insertInto('application_users')
          .values({ application_id: applicationId, account_id: id })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        return id;
      }),
    );
  }

  async #find({ issuer, subject, application }: Identity): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('accounts')
      .select('id')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .where('application', '=', application)
      .executeTakeFirst();
    return row?.id;
  }

  async #make(identity: Identity): Promise<string> {
    await this.#db
      .insertInto('accounts')
      .values({ id: randomUUID(), ...identity })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return (await this.#find(identity))!;
  }
}
