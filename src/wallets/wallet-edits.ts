/** What the user changes about the wallets in a list, their back-up, and the sites that see them. */
import { ConnectError, RequestInvalidError } from '../base/errors.ts';
import { msg, str } from '../base/localize.ts';
import { settled, type Database } from './database.ts';
import { editVault, LinkRecord, type WalletRecord } from './records.ts';
import type { JournalEntry, LinkedSite, Vault } from './types.ts';
import { distinctWallets, readWallets, walletKey, walletOrder } from './wallet-list.ts';

export type WalletEdits = Pick<
  Vault,
  | 'rename'
  | 'makePrimary'
  | 'move'
  | 'clearPrimary'
  | 'setArchived'
  | 'confirmBackup'
  | 'confirmExport'
  | 'sites'
  | 'servedSites'
  | 'unlinkSite'
>;

const ALIAS_LENGTH = 64;

export function openWalletEdits(db: Database): WalletEdits {
  const change = (id: string, edit: (wallet: WalletRecord, siblings: WalletRecord[]) => void) =>
    db.write(['wallets'], async (tx) => {
      const all = await readWallets(tx);
      const wallet = all.find((one) => one.id === id);
      if (!wallet) throw new ConnectError('wallet.forbidden', 'There is no such wallet.');
      const same = all.filter((one) => one !== wallet && walletKey(one) === walletKey(wallet));
      const siblings = all.filter(
        (one) => one.secretType === wallet.secretType && one !== wallet && !same.includes(one),
      );
      edit(wallet, siblings);
      const { alias, archived, exported } = wallet;
      for (const one of same) Object.assign(one, { alias, archived, exported, primary: false });
      const store = tx.objectStore('wallets');
      await Promise.all([wallet, ...same, ...siblings].map((one) => settled(store.put(one))));
    });

  return {
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
    move: (id, by) => db.write(['wallets'], (tx) => moveWallet(tx, id, by)),
    async clearPrimary(secretType) {
      await db.write(['wallets'], async (tx) => {
        const all = await readWallets(tx);
        const store = tx.objectStore('wallets');
        const chosen = all.filter((one) => one.primary && one.secretType === secretType);
        await Promise.all(chosen.map((one) => settled(store.put({ ...one, primary: false }))));
      });
    },
    sites: () => db.read(['links', 'wallets', 'journal'], readSites),
    servedSites: () => db.read(['links', 'wallets'], readServedSites),
    async unlinkSite(origin) {
      await db.write(['links'], async (tx) => settled(tx.objectStore('links').delete(origin)));
    },
    confirmBackup: () => editVault(db, (vault) => ({ ...vault, backedUp: true })),
    async confirmExport(id) {
      await change(id, (wallet) => {
        wallet.exported = true;
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

/** Past its neighbour in the list of its chain; nothing at an end of it. */
async function moveWallet(tx: IDBTransaction, id: string, by: 1 | -1): Promise<void> {
  const all = await readWallets(tx);
  const wallet = all.find((one) => one.id === id);
  const listed = distinctWallets(all)
    .filter((one) => one.secretType === wallet?.secretType && !one.archived && !one.primary)
    .sort(walletOrder)
    .map(walletKey);
  const at = wallet ? listed.indexOf(walletKey(wallet)) : -1;
  const [moved, passed] = [listed[at], listed[at + by]];
  if (moved === undefined || passed === undefined) return;
  Object.assign(listed, { [at]: passed, [at + by]: moved });
  const store = tx.objectStore('wallets');
  const ranked = all.filter((one) => listed.includes(walletKey(one)));
  await Promise.all(
    ranked.map((one) => settled(store.put({ ...one, rank: listed.indexOf(walletKey(one)) }))),
  );
}

/** Sites with wallets that are not in this browser: of the service. */
async function readServedSites(tx: IDBTransaction): Promise<string[]> {
  const [records, wallets]: [unknown[], WalletRecord[]] = await Promise.all([
    settled(tx.objectStore('links').getAll()),
    readWallets(tx),
  ]);
  const ownIds = new Set(wallets.map(({ id }) => id));
  return records
    .map((record) => LinkRecord.parse(record))
    .filter(({ walletIds }) => walletIds.some((id) => !ownIds.has(id)))
    .map(({ origin }) => origin);
}

async function readSites(tx: IDBTransaction): Promise<LinkedSite[]> {
  const [records, wallets]: [unknown[], WalletRecord[]] = await Promise.all([
    settled(tx.objectStore('links').getAll()),
    readWallets(tx),
  ]);
  const shownIds = new Set(wallets.filter(({ archived }) => !archived).map(({ id }) => id));
  const sites = await Promise.all(
    records.map(async (record): Promise<LinkedSite> => {
      const { origin, walletIds, since } = LinkRecord.parse(record);
      const ofSite = IDBKeyRange.bound([origin], [origin, []]);
      const approvals: JournalEntry[] = await settled(tx.objectStore('journal').getAll(ofSite));
      return {
        origin,
        walletIds: walletIds.filter((id) => shownIds.has(id)),
        since,
        approvedAt: approvals.map(({ at }) => at).sort((a, b) => b - a)[0],
      };
    }),
  );
  return sites
    .filter(({ walletIds }) => walletIds.length)
    .sort((a, b) => (b.since ?? 0) - (a.since ?? 0) || (a.origin < b.origin ? -1 : 1));
}

/** A new record takes the first free default name, and is primary if it is the first active one of its secret type. */
export function newWallet(
  all: readonly WalletRecord[],
  wallet: Pick<WalletRecord, 'id' | 'secretType' | 'network' | 'address' | 'index' | 'key'>,
  alias: string | undefined,
  now: number,
): WalletRecord {
  const siblings = all.filter((one) => one.secretType === wallet.secretType);
  return {
    ...wallet,
    alias: alias?.trim() ? checkAlias(alias) : defaultAlias(all),
    primary: !siblings.some((one) => one.primary),
    archived: false,
    createdAt: now,
    lastUsed: now,
  };
}

/** A name that no wallet of any chain has: a site shows them side by side. It is in the current language, and from then on the user's own text. */
function defaultAlias(all: readonly WalletRecord[]): string {
  if (!all.length) return msg('Main wallet');
  const names = new Set(all.map((one) => one.alias));
  const name = (n: number): string => msg(str`Wallet ${n}`);
  let n = all.length + 1;
  while (names.has(name(n))) n++;
  return name(n);
}

export function checkAlias(alias: string, path = 'alias'): string {
  const text = alias.normalize('NFC').trim();
  if (!text || text.length > ALIAS_LENGTH)
    throw new RequestInvalidError([{ path, message: `must have 1 to ${ALIAS_LENGTH} characters` }]);
  // Direction marks and control characters could make one wallet look like another.
  if (/[\p{Cc}\p{Bidi_Control}]/u.test(text))
    throw new RequestInvalidError([{ path, message: 'must not hold invisible characters' }]);
  return text;
}
