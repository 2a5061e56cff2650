/** Receiving keys as the database has them: encrypted under the master key. */
import type { Database } from '../../database/database.ts';
import type { ReceivingKeyRow } from '../../database/schema.ts';
import type { KeyProvider } from '../../keys/key-provider.ts';
import { type Rewrapped, rewrapRows } from '../../keys/rewrap-rows.ts';
import { seal, unseal, wrappingKey } from '../../keys/sealing.ts';
import { type AccountKey, packKey, unpackKey } from './extended-keys.ts';

type Sealed = Pick<ReceivingKeyRow, 'sealed' | 'master_version'>;

const label = (id: string): string => `receiving-key:${id}`;

async function wrappingKeyOf(keys: KeyProvider, id: string, version: number): Promise<Buffer> {
  return wrappingKey([await keys.mac(label(id), version)], 'carabiner receiving key');
}

export async function sealKey(
  keys: KeyProvider,
  id: string,
  key: Pick<AccountKey, 'chainCode' | 'publicKey'>,
): Promise<Sealed> {
  const version = await keys.current();
  const wrapping = await wrappingKeyOf(keys, id, version);
  return { sealed: seal(wrapping, label(id), packKey(key)), master_version: version };
}

export async function openKey(
  keys: KeyProvider,
  { id, sealed, master_version }: Sealed & { id: string },
): Promise<Pick<AccountKey, 'chainCode' | 'publicKey'>> {
  const opened = unseal(await wrappingKeyOf(keys, id, master_version), label(id), sealed);
  if (!opened)
    throw new Error(`Receiving key ${id} cannot be decrypted: the master key or the row has changed.`);
  return unpackKey(opened);
}

/** Re-encrypts every receiving key under the current master key. */
export async function rewrapReceivingKeys(
  db: Database,
  keys: KeyProvider,
  warn: (message: string) => void,
): Promise<Rewrapped> {
  const old = await db
    .selectFrom('receiving_keys')
    .select(['id', 'sealed', 'master_version'])
    .where('master_version', '<', await keys.current())
    .execute();
  const renew = async (row: (typeof old)[number]) =>
    db
      .updateTable('receiving_keys')
      .set(await sealKey(keys, row.id, await openKey(keys, row)))
      .where('id', '=', row.id)
      .where('master_version', '=', row.master_version)
      .executeTakeFirst();
  return rewrapRows(old, renew, warn);
}
