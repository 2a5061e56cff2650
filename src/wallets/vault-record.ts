/** The one record that says whether there is a vault, and how it opens. */
import { ConnectError } from '../base/errors.ts';
import { settled, type Database } from './database.ts';
import { VaultRecord } from './records.ts';

export async function findVault(tx: IDBTransaction): Promise<VaultRecord | undefined> {
  const record: unknown = await settled(tx.objectStore('vault').get('vault'));
  if (record === undefined) return undefined;
  const parsed = VaultRecord.safeParse(record);
  if (parsed.success) return parsed.data;
  throw new ConnectError(
    'wallet.secret.internal-error',
    'The wallet’s data in this browser is damaged. Restore it from its recovery phrase in another browser.',
  );
}

export async function readVault(db: Database): Promise<VaultRecord> {
  const record = await db.read(['vault'], findVault);
  if (!record) throw new ConnectError('wallet.secret.not-found', 'There is no wallet in this browser yet.');
  return record;
}

export async function editVault(
  db: Database,
  edit: (vault: VaultRecord) => VaultRecord,
  also?: (tx: IDBTransaction) => Promise<void>,
): Promise<void> {
  await db.write(['vault'], async (tx) => {
    const record = await findVault(tx);
    if (!record) throw new ConnectError('wallet.secret.not-found', 'There is no wallet in this browser yet.');
    await settled(tx.objectStore('vault').put(edit(record), 'vault'));
    await also?.(tx);
  });
}
