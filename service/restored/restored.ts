/**
 * What a service may do on a database that was restored from a back-up. Payments that were made between the back-up and the loss are on the
 * chains, and neither they nor their `Idempotency-Key`s are in the database. So nothing is signed until the operator has accepted what the
 * chains have; and from then on, a request under a key that the database does not know is refused where it may be one of those.
 */
import { ConnectError } from '../../src/base/errors.ts';
import type { Draft } from '../../src/chains/terms.ts';
import { Repeated } from '../concurrency/repeated.ts';
import type { Database } from '../database/database.ts';
import type { Restores } from '../database/schema.ts';
import { effectsOf, type MissingTransaction } from './missing.ts';
import type { Selectable } from 'kysely';

type RestoreRow = Selectable<Restores>;

/** How often a service looks whether it was accepted. */
const LOOK_MS = 1000;
const AGAIN_S = 60;

export interface KeyedSpend {
  wallet: { id: string; created_at: Date };
  /** Id of the network; `custom` for a node that the request names. */
  network: string;
  /** The `Idempotency-Key`; undefined if the caller gave none. */
  key: string | undefined;
  draft: Draft;
}

export class Restored {
  readonly #db: Database;
  /** Oldest first. */
  #restores: readonly RestoreRow[];
  #watch: Repeated | undefined;
  /** Resolves once signing and sending are allowed; undefined if they are from the start. */
  readonly accepted: Promise<void> | undefined;

  private constructor(db: Database, restores: readonly RestoreRow[]) {
    this.#db = db;
    this.#restores = restores;
    if (this.isReadOnly) this.accepted = new Promise((resolve) => this.#waitFor(resolve));
  }

  static async open(db: Database): Promise<Restored> {
    return new Restored(db, await readRestores(db));
  }

  /** Since it was restored, the operator has not accepted it. */
  get isReadOnly(): boolean {
    return this.#restores.some(({ accepted_at }) => accepted_at === null);
  }

  get backupAt(): Date | undefined {
    return this.#restores.at(-1)?.backup_at;
  }

  #waitFor(resolve: () => void): void {
    this.#watch = new Repeated(async (isStopped) => {
      // Without the database nothing is accepted.
      const restores = await readRestores(this.#db).catch(() => undefined);
      if (restores) this.#restores = restores;
      if (this.isReadOnly || isStopped()) return;
      resolve();
      void this.#watch?.stop();
    }, LOOK_MS);
  }

  async stop(): Promise<void> {
    await this.#watch?.stop();
  }

  /** Throws `service.unreachable` while nothing may be changed. */
  requireAccepted(): void {
    if (!this.isReadOnly) return;
    throw new ConnectError(
      'service.unreachable',
      `The service was restored from a back-up of ${this.backupAt!.toISOString()} and only reads until its operator has compared it with the chains. Nothing was done now; the request may have taken effect before. Repeat it later with the same Idempotency-Key.`,
      { reason: 'restored', retryAfter: AGAIN_S },
    );
  }

  /**
   * Call it for a request whose key the database does not have, before it is signed. Throws `request.conflict` if the wallet may have done
   * the same between a back-up and its restore.
   */
  async admit(db: Database, { wallet, network, key, draft }: KeyedSpend): Promise<void> {
    if (key === undefined || this.#restores.length === 0) return;
    // Nobody compares nodes that requests name.
    const doubted = network === 'custom' && this.#isOld(wallet.created_at, key);
    if (doubted) throw this.#conflict([]);
    const rows = await db
      .selectFrom('restored_wallets')
      .select(['restore_id', 'missing', 'transactions'])
      .where('wallet_id', '=', wallet.id)
      .where('network', '=', network)
      .execute();
    for (const row of rows) {
      if (this.#isNewSince(row.restore_id, key)) continue;
      const transactions = JSON.parse(row.transactions) as MissingTransaction[];
      const effects = effectsOf(draft);
      if (!effects || row.missing === null || row.missing > transactions.length)
        throw this.#conflict(transactions.map(({ hash }) => hash));
      const same = transactions.filter((one) => effects.every((effect) => one.effects.includes(effect)));
      if (same.length > 0) throw this.#conflict(same.map(({ hash }) => hash));
    }
  }

  /** As `admit`, for a refund by card of a payment that is as old as `createdAt`: its provider is not asked what it has refunded. */
  admitRefund(createdAt: Date, key: string | undefined): void {
    if (key !== undefined && this.#isOld(createdAt, key)) throw this.#conflict([]);
  }

  /** There was a restore since, and the key may be older than that. */
  #isOld(createdAt: Date, key: string): boolean {
    return this.#restores.some(
      ({ id, accepted_at }) => accepted_at !== null && createdAt < accepted_at && !this.#isNewSince(id, key),
    );
  }

  /** Nobody knew the id of a restore, or of a later one, before it. */
  #isNewSince(restoreId: string, key: string): boolean {
    const at = this.#restores.findIndex(({ id }) => id === restoreId);
    return this.#restores.slice(at).some(({ id }) => key.startsWith(id));
  }

  #conflict(transactions: readonly string[]): ConnectError {
    const { id: keyPrefix } = this.#restores.at(-1)!;
    const which = transactions.length > 0 ? `, perhaps in ${transactions.slice(0, 3).join(', ')}` : '';
    return new ConnectError(
      'request.conflict',
      `This may have been done already, before the service was restored from a back-up${which}. Nothing was signed. If it was not done, repeat the request under an Idempotency-Key that begins with ${keyPrefix}`,
      { reason: 'restored', keyPrefix, transactions },
    );
  }
}

function readRestores(db: Database): Promise<RestoreRow[]> {
  return db.selectFrom('restores').selectAll().orderBy('restored_at').execute();
}
