/** The wallets of the vault, without their keys. */
import type { Wallet } from '../api/wallet.ts';
import { CHAIN_NAMES, type SecretType } from '../chains/secret-type.ts';
import { ConnectError, RequestInvalidError } from '../errors.ts';
import { settled, type Database } from './database.ts';
import { WalletRecord } from './records.ts';
import type { Vault } from './types.ts';

type WalletList = Pick<Vault, 'wallets' | 'wallet' | 'rename' | 'makePrimary' | 'setArchived'>;

const ALIAS_LENGTH = 64;

export function openWalletList(db: Database): WalletList {
  const change = (id: string, edit: (wallet: WalletRecord, siblings: WalletRecord[]) => void) =>
    db.write(['wallets'], async (tx) => {
      const all = await readWallets(tx);
      const wallet = all.find((one) => one.id === id);
      if (!wallet) throw new ConnectError('wallet.forbidden', 'There is no such wallet.');
      const siblings = all.filter((one) => one.secretType === wallet.secretType && one !== wallet);
      edit(wallet, siblings);
      const store = tx.objectStore('wallets');
      await Promise.all([wallet, ...siblings].map((one) => settled(store.put(one))));
    });

  return {
    async wallets(filter = {}) {
      const all = await db.read(['wallets'], readWallets);
      return all
        .filter(
          (one) =>
            one.archived === (filter.archived ?? false) &&
            (!filter.secretType || one.secretType === filter.secretType),
        )
        .sort(walletOrder)
        .map(toWallet);
    },
    wallet(id) {
      return db.read(['wallets'], async (tx) => {
        const found: unknown = await settled(tx.objectStore('wallets').get(id));
        return found === undefined ? undefined : toWallet(WalletRecord.parse(found));
      });
    },
    async rename(id, alias) {
      const text = checkAlias(alias);
      await change(id, (wallet) => {
        wallet.alias = text;
      });
    },
    async makePrimary(id) {
      await change(id, (wallet, siblings) => {
        if (wallet.archived)
          throw new ConnectError('wallet.archived', 'Bring the wallet back from the archive first.');
        wallet.primary = true;
        for (const other of siblings) other.primary = false;
      });
    },
    async setArchived(id, archived) {
      await change(id, (wallet, siblings) => {
        const active = siblings.filter((one) => !one.archived).sort(walletOrder);
        wallet.archived = archived;
        if (archived) {
          if (wallet.primary && active[0]) active[0].primary = true;
          wallet.primary = false;
        } else {
          wallet.primary ||= active.length === 0;
        }
      });
    },
  };
}

export async function readWallets(tx: IDBTransaction): Promise<WalletRecord[]> {
  const all: unknown[] = await settled(tx.objectStore('wallets').getAll());
  return all.map((record) => WalletRecord.parse(record));
}

/** A new record takes the first free default name, and is primary if it is the first active one of its secret type. */
export function newWallet(
  all: readonly WalletRecord[],
  wallet: Pick<WalletRecord, 'id' | 'secretType' | 'address' | 'index' | 'key'>,
  alias: string | undefined,
  now: number,
): WalletRecord {
  const siblings = all.filter((one) => one.secretType === wallet.secretType);
  return {
    ...wallet,
    alias: alias?.trim() ? checkAlias(alias) : defaultAlias(wallet.secretType, siblings),
    primary: !siblings.some((one) => one.primary),
    archived: false,
    createdAt: now,
    lastUsed: now,
  };
}

export function toWallet(record: WalletRecord): Wallet {
  const { id, address, secretType, archived, alias, primary, createdAt } = record;
  return {
    id,
    address,
    walletType: 'BROWSER',
    secretType,
    createdAt: dateParts(createdAt),
    archived,
    alias,
    description: '',
    primary,
    hasCustomPin: false,
    status: archived ? 'ARCHIVED' : 'ACTIVE',
  };
}

/** Primary first, then last used. */
export function walletOrder(a: WalletRecord, b: WalletRecord): number {
  return Number(b.primary) - Number(a.primary) || b.lastUsed - a.lastUsed;
}

function defaultAlias(secretType: SecretType, siblings: readonly WalletRecord[]): string {
  const taken = new Set(siblings.map((one) => one.alias));
  const name = `${CHAIN_NAMES[secretType]} wallet`;
  let alias = name;
  for (let n = 2; taken.has(alias); n++) alias = `${name} ${n}`;
  return alias;
}

function checkAlias(alias: string): string {
  const text = alias.normalize('NFC').trim();
  if (!text || text.length > ALIAS_LENGTH)
    throw new RequestInvalidError([{ path: 'alias', message: `must have 1 to ${ALIAS_LENGTH} characters` }]);
  // Direction marks and control characters could dress one wallet up as another.
  if (/[\p{Cc}\p{Bidi_Control}]/u.test(text))
    throw new RequestInvalidError([{ path: 'alias', message: 'must not hold invisible characters' }]);
  return text;
}

/** Year, month, day, hour, minute, second, nanosecond; UTC. */
function dateParts(at: number): number[] {
  const d = new Date(at);
  return [
    d.getUTCFullYear(),
    d.getUTCMonth() + 1,
    d.getUTCDate(),
    d.getUTCHours(),
    d.getUTCMinutes(),
    d.getUTCSeconds(),
    d.getUTCMilliseconds() * 1_000_000,
  ];
}
