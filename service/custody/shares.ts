/**
 * The database's share of each PIN's key. It is stored encrypted under `KeyProvider.mac(pin's id, version)`, so after a new master key only the
 * shares are re-encrypted, which needs nobody's PIN.
 */
import type { Selectable } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Pins } from '../database/schema.ts';
import type { KeyProvider } from '../keys/key-provider.ts';
import { decryptFailed } from './wallet-errors.ts';
import { seal, unseal, wrappingKey } from '../keys/sealing.ts';

type Sealed = Pick<Selectable<Pins>, 'share' | 'master_version'>;
type Row = Sealed & Pick<Selectable<Pins>, 'id'>;

export class Shares {
  readonly #db: Database;
  readonly #keys: KeyProvider;
  readonly #warn: (message: string) => void;

  /** `warn` receives the reason when a share stays under an older master key. */
  constructor(db: Database, keys: KeyProvider, warn: (message: string) => void = () => {}) {
    this.#db = db;
    this.#keys = keys;
    this.#warn = warn;
  }

  /** The share of a new PIN, for its row. */
  async seal(id: string, share: Buffer): Promise<Sealed> {
    return this.#seal(id, share, await this.#keys.current());
  }

  /** Overwrite it after use. Throws `wallet.decrypt.internal-error`. */
  async open({ id, share, master_version }: Row): Promise<Buffer> {
    const key = await this.#masterKey(id, master_version).catch((error: unknown) => {
      throw decryptFailed(error);
    });
    const opened = unseal(key, label(id, master_version), share);
    key.fill(0);
    if (!opened) throw decryptFailed();
    return opened;
  }

  /** Re-encrypts an opened share under the current master key. A failure is only reported: the share is still good. */
  async renew(row: Row, share: Buffer): Promise<void> {
    await this.#renew(row, share).catch((error: unknown) => this.#warnOf(row, error));
  }

  /**
   * Re-encrypts every share that is not under the current master key, while the service runs. Once `failed` is empty, nothing here
   * needs an older version.
   */
  async rewrap(): Promise<{ rewrapped: number; failed: string[] }> {
    const current = await this.#keys.current();
    const result = { rewrapped: 0, failed: [] as string[] };
    for (let last = ''; ; ) {
      const rows = await this.#db
        .selectFrom('pins')
        .select(['id', 'share', 'master_version'])
        .where('master_version', '<', current)
        .where('id', '>', last)
        .orderBy('id')
        .limit(200)
        .execute();
      if (rows.length === 0) return result;
      last = rows.at(-1)!.id;
      for (const row of rows) {
        try {
          const share = await this.open(row);
          await this.#renew(row, share).finally(() => share.fill(0));
          result.rewrapped++;
        } catch (error) {
          result.failed.push(row.id);
          this.#warnOf(row, error);
        }
      }
    }
  }

  /** A process that does not know the newest master key yet leaves shares under it alone. */
  async #renew({ id, share: old, master_version }: Row, share: Buffer): Promise<void> {
    const version = await this.#keys.current();
    if (version <= master_version) return;
    await this.#db
      .updateTable('pins')
      .set(await this.#seal(id, share, version))
      .where('id', '=', id)
      .where('share', '=', old)
      .execute();
  }

  async #seal(id: string, share: Buffer, version: number): Promise<Sealed> {
    const key = await this.#masterKey(id, version);
    const sealed = seal(key, label(id, version), share);
    key.fill(0);
    return { share: sealed, master_version: version };
  }

  async #masterKey(id: string, version: number): Promise<Buffer> {
    return wrappingKey([await this.#keys.mac(`pin:${id}`, version)], 'carabiner share');
  }

  #warnOf({ id }: Row, error: unknown): void {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? `${message} (${cause.message})` : message;
    this.#warn(`The share of PIN ${id} was not rewrapped: ${reason}`);
  }
}

function label(id: string, version: number): string {
  return `share of ${id} under ${version}`;
}
