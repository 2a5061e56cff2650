/** The browser vault with the user's service wallets beside its own. What concerns only the vault is unchanged. */
import { openDatabase } from '../database.ts';
import type { HeldWallet, SiteLinks, Vault, WalletList } from '../types.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import { ServiceAccount } from './account.ts';
import { callService, type ServiceOptions } from './calls.ts';
import { openDevice } from './device.ts';
import { ServiceHolder } from './signer.ts';

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
  const account = new ServiceAccount(call, origin, device);
  return {
    ...vault,
    service: account,
    holder: (wallet) =>
      wallet.walletType === 'BROWSER' ? vault : new ServiceHolder(call, account, wallet, pauses),
    ...listOf(vault, account),
    ...linksOf(vault, account),
    async confirmExport(id) {
      // A service wallet needs no back-up: the service holds its key.
      if (!(await account.wallet(id))) await vault.confirmExport(id);
    },
  };
}

function listOf(vault: Vault, account: ServiceAccount): Omit<WalletList, 'clearPrimary' | 'move'> {
  return {
    async wallets(filter = {}) {
      const [own, theirs] = await Promise.all([vault.wallets(filter), account.wallets(filter.now)]);
      const matches = theirs.filter(
        ({ secretType, archived }) =>
          archived === (filter.archived ?? false) && (!filter.secretType || secretType === filter.secretType),
      );
      return [...own, ...onePrimary(matches.sort(byPrimary), await primaryChains(vault))];
    },
    async wallet(id) {
      return (await vault.wallet(id)) ?? (await account.wallet(id));
    },
    async rename(id, alias) {
      if (await account.wallet(id)) await account.edit(id, { alias });
      else await vault.rename(id, alias);
    },
    async makePrimary(id) {
      const theirs = await account.wallet(id);
      if (!theirs) return vault.makePrimary(id);
      await account.edit(id, { primary: true });
      await vault.clearPrimary(theirs.secretType);
    },
    async setArchived(id, archived) {
      if (await account.wallet(id)) await account.edit(id, { archived });
      else await vault.setArchived(id, archived);
    },
  };
}

function linksOf(
  vault: Vault,
  account: ServiceAccount,
): Omit<SiteLinks, 'linkNetworks' | 'sites' | 'servedSites' | 'unlinkSite'> {
  async function setServed(change: (ids: Set<string>) => void): Promise<void> {
    const before = await account.linked();
    const after = new Set(before);
    change(after);
    if (after.size !== before.size || [...after].some((id) => !before.has(id)))
      await account.setLinked(after);
  }

  async function servedOf(ids: readonly string[]): Promise<string[]> {
    const served = await account.wallets();
    return ids.filter((id) => served.some((wallet) => wallet.id === id));
  }

  return {
    async linked(site, archived = false, id) {
      const own = await vault.linked(site, archived, id);
      if (id !== undefined && own.length) return own;
      const [theirs, linkedIds, chains] = await Promise.all([
        account.wallets(),
        account.linked(),
        primaryChains(vault),
      ]);
      return [
        ...own,
        ...onePrimary(theirs, chains).filter(
          (wallet) =>
            linkedIds.has(wallet.id) &&
            (archived || !wallet.archived) &&
            (id === undefined || wallet.id === id),
        ),
      ];
    },
    async link(site, ids) {
      const theirs = await servedOf(ids);
      await setServed((linkedIds) => theirs.forEach((id) => linkedIds.add(id)));
      await vault.link(site, ids);
    },
    async setLinked(site, ids, network) {
      const theirs = await servedOf(ids);
      // Before anything is changed here: it may be refused. If the service does not answer, what it has
      // stays.
      if (!(await account.trouble()))
        await setServed((linkedIds) => {
          linkedIds.clear();
          theirs.forEach((id) => linkedIds.add(id));
        });
      await vault.setLinked(site, ids, network);
    },
    async unlink(site, id) {
      await vault.unlink(site, id);
      const trouble = (await vault.wallet(id)) ? undefined : await account.trouble();
      if (trouble) throw trouble;
      if (await account.wallet(id)) await setServed((linkedIds) => linkedIds.delete(id));
    },
  };
}

/** Chains of which a wallet in this browser is the primary one. */
async function primaryChains(vault: Vault): Promise<Set<SecretType>> {
  const own = await vault.wallets();
  return new Set(own.filter(({ primary }) => primary).map(({ secretType }) => secretType));
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
