/** The browser vault with the user's service wallets beside its own. What concerns only the vault is unchanged. */
import { openDatabase } from '../database.ts';
import type { HeldWallet, Vault } from '../types.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import { openAccount } from './account.ts';
import { callService, type ServiceOptions } from './calls.ts';
import { openDevice } from './device.ts';
import { serviceHolder } from './signer.ts';

export interface WithServiceOptions extends ServiceOptions {
  /** The site: what it may see is stored at the service, per application. */
  origin: string;
  /** Name of the vault's database, where the device's key is kept, too. */
  database?: string;
  /** Milliseconds before each retry of a signature whose answer did not come. */
  pauses?: readonly number[];
}

export async function withService(vault: Vault, options: WithServiceOptions): Promise<Vault> {
  const { url, origin, database = 'carabiner', pauses } = options;
  const device = openDevice(await openDatabase(database), url);
  const call = callService(options, device);
  const account = openAccount(call, origin, device);

  const served = (id: string): Promise<HeldWallet | undefined> => account.wallet(id);

  async function setServed(change: (ids: Set<string>) => void): Promise<void> {
    const before = await account.linked();
    const after = new Set(before);
    change(after);
    if (after.size !== before.size || [...after].some((id) => !before.has(id)))
      await account.setLinked(after);
  }

  /** Chains of which a wallet in this browser is the primary one. */
  async function primaries(): Promise<Set<SecretType>> {
    const own = await vault.wallets();
    return new Set(own.filter(({ primary }) => primary).map(({ secretType }) => secretType));
  }

  async function split(ids: readonly string[]): Promise<{ own: string[]; theirs: string[] }> {
    const servedIds = new Set((await account.wallets()).map(({ id }) => id));
    return { own: ids.filter((id) => !servedIds.has(id)), theirs: ids.filter((id) => servedIds.has(id)) };
  }

  return {
    ...vault,
    service: account,
    holder: (wallet) =>
      wallet.walletType === 'BROWSER' ? vault : serviceHolder(call, account, wallet, pauses),

    async wallets(filter = {}) {
      const [own, theirs] = await Promise.all([vault.wallets(filter), account.wallets(filter.now)]);
      const matches = theirs.filter(
        ({ secretType, archived }) =>
          archived === (filter.archived ?? false) && (!filter.secretType || secretType === filter.secretType),
      );
      return [...own, ...onePrimary(matches.sort(byPrimary), await primaries())];
    },
    async wallet(id) {
      return (await vault.wallet(id)) ?? (await served(id));
    },
    async linked(site, archived = false, id) {
      const own = await vault.linked(site, archived, id);
      if (id !== undefined && own.length) return own;
      const [theirs, linked, chains] = await Promise.all([account.wallets(), account.linked(), primaries()]);
      return [
        ...own,
        ...onePrimary(theirs, chains).filter(
          (wallet) =>
            linked.has(wallet.id) && (archived || !wallet.archived) && (id === undefined || wallet.id === id),
        ),
      ];
    },
    async link(site, ids) {
      const { own, theirs } = await split(ids);
      await setServed((linked) => theirs.forEach((id) => linked.add(id)));
      if (own.length) await vault.link(site, own);
    },
    async setLinked(site, ids) {
      const { own, theirs } = await split(ids);
      // Before anything is changed here: it may be refused. If the service does not answer, what it has
      // stays.
      if (!(await account.trouble()))
        await setServed((linked) => {
          linked.clear();
          theirs.forEach((id) => linked.add(id));
        });
      await vault.setLinked(site, own);
    },
    async unlink(site, id) {
      await vault.unlink(site, id);
      const trouble = (await vault.wallet(id)) ? undefined : await account.trouble();
      if (trouble) throw trouble;
      if (await served(id)) await setServed((linked) => linked.delete(id));
    },

    async rename(id, alias) {
      if (await served(id)) await account.edit(id, { alias });
      else await vault.rename(id, alias);
    },
    async makePrimary(id) {
      const theirs = await served(id);
      if (!theirs) return vault.makePrimary(id);
      await account.edit(id, { primary: true });
      await vault.clearPrimary(theirs.secretType);
    },
    async setArchived(id, archived) {
      if (await served(id)) await account.edit(id, { archived });
      else await vault.setArchived(id, archived);
    },
    async confirmExport(id) {
      // A service wallet needs no back-up: the service holds its key.
      if (!(await served(id))) await vault.confirmExport(id);
    },
  };
}

/** A list has one primary wallet per chain: the browser's own, until the user chooses one of the service. */
function onePrimary(theirs: readonly HeldWallet[], chains: ReadonlySet<SecretType>): HeldWallet[] {
  const withPrimary = new Set(chains);
  return theirs.map((wallet) => {
    const primary = wallet.primary && !withPrimary.has(wallet.secretType);
    if (primary) withPrimary.add(wallet.secretType);
    return primary === wallet.primary ? wallet : { ...wallet, primary };
  });
}

function byPrimary(a: HeldWallet, b: HeldWallet): number {
  return Number(b.primary) - Number(a.primary);
}
