/** `manageWallets`: the wallets of one chain, and the only place where they are made and brought in. */
import type { Wallet } from '../../api/wallet.ts';
import { activeNetwork } from '../../chains/networks.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import type { HostRequest } from '../../channel/link.ts';
import type { ParamsOf } from '../../channel/schema.ts';
import { UserRejectedError, RequestInvalidError } from '../../errors.ts';
import { msg } from '../../ui/localize.ts';
import type { Vault } from '../../wallets/types.ts';
import { siteName } from '../origin.ts';
import { activity } from './activity.ts';
import { type Balances, loadBalances } from './balances.ts';
import type { Frame } from './frame.ts';
import { importWallet, setUp } from './set-up.ts';
import type { OpenOptions } from './stage.ts';
import { askPin } from './unlock.ts';
import { exportWallet } from './export.ts';

export async function manageWallets(frame: Frame, task: HostRequest): Promise<void> {
  const { chain: secretType } = task.params as ParamsOf<'manageWallets'>;
  const { origin } = frame.link;
  // Refused before anything is shown where the wallet does not do this chain.
  activeNetwork(frame.networks, secretType);
  const vault = await frame.vault();
  const { exists } = await vault.state();
  const options: OpenOptions = { signal: task.signal, requestId: task.id };
  task.progress('approval');
  const { id } = exists
    ? await manage(frame, vault, secretType, { ...options, settings: true })
    : await setUp(frame, vault, secretType, options);
  await vault.link(origin, [id]);
  frame.link.sendWallets(await vault.linked(origin));
  task.resolve(await vault.wallet(id));
}

/** Until a wallet is chosen, made or brought in. On Back, one that the site has already; else `user.rejected`. */
async function manage(
  frame: Frame,
  vault: Vault,
  secretType: SecretType,
  options: OpenOptions,
): Promise<Wallet> {
  const { origin } = frame.link;
  const { ManageView } = await import('../views/manage.ts');
  const view = Object.assign(new ManageView(), { secretType, site: siteName(origin) });
  let touched: string | undefined;
  let balances: Balances = new Map();
  for (;;) {
    const [wallets, archived, linked] = await Promise.all([
      vault.wallets({ secretType }),
      vault.wallets({ secretType, archived: true }),
      vault.linked(origin),
    ]);
    Object.assign(view, { wallets, archived, busy: false, linked: new Set(linked.map(({ id }) => id)) });
    const missing = wallets.filter(({ id }) => !balances.has(id));
    void loadBalances(frame, missing, (more) => {
      balances = new Map([...balances, ...more]);
      view.balances = balances;
    });
    const screen = frame.stage.open(view, options);
    const { type, detail } = await screen.next(
      'cbf-use',
      'cbf-create',
      'cbf-import',
      'cbf-primary',
      'cbf-rename',
      'cbf-export',
      'cbf-activity',
      'cbf-archive',
      'cbf-unarchive',
      'cbf-back',
      'cbf-close',
    );
    const id = (detail as { id?: string } | null)?.id;
    const wallet = [...wallets, ...archived].find((one) => one.id === id);
    view.undo = undefined;
    if (wallet) touched = wallet.id;
    switch (type) {
      case 'cbf-use':
        return wallet!;
      case 'cbf-create': {
        const made = await create(frame, vault, secretType, options);
        if (made) return made;
        break;
      }
      case 'cbf-import': {
        const brought = await importWallet(frame, vault, secretType, options);
        if (brought) return brought;
        break;
      }
      case 'cbf-primary':
        await vault.makePrimary(wallet!.id);
        break;
      case 'cbf-rename':
        await rename(frame, vault, wallet!, options);
        break;
      case 'cbf-export':
        await exportWallet(frame, vault, wallet!, options);
        break;
      case 'cbf-activity':
        await activity(frame, vault, wallet!, options);
        break;
      case 'cbf-archive':
        if (await archive(frame, vault, wallet!, balances, options)) view.undo = wallet;
        frame.link.sendWallets(await vault.linked(origin));
        break;
      case 'cbf-unarchive':
        await vault.setArchived(wallet!.id, false);
        frame.link.sendWallets(await vault.linked(origin));
        break;
      case 'cbf-back':
      case 'cbf-close': {
        // Closing links nothing new.
        const own = linked.filter((one) => one.secretType === secretType && !one.archived);
        const last = own.find((one) => one.id === touched) ?? own.find(({ primary }) => primary) ?? own[0];
        if (last) return last;
        throw new UserRejectedError('No wallet was chosen.');
      }
    }
  }
}

async function create(
  frame: Frame,
  vault: Vault,
  secretType: SecretType,
  options: OpenOptions,
): Promise<Wallet | undefined> {
  const unlocked = await askPin(frame, vault, msg('To create another wallet.'), options);
  if (!unlocked) return undefined;
  try {
    return await vault.createWallet(unlocked, secretType);
  } finally {
    unlocked.close();
  }
}

async function rename(frame: Frame, vault: Vault, wallet: Wallet, options: OpenOptions): Promise<void> {
  const { RenameView } = await import('../views/rename.ts');
  const view = Object.assign(new RenameView(), { wallet });
  const screen = frame.stage.open(view, options);
  for (;;) {
    const { type } = await screen.next('cbf-save', 'cbf-back');
    if (type === 'cbf-back') return;
    try {
      await vault.rename(wallet.id, view.alias);
      break;
    } catch (error) {
      if (!(error instanceof RequestInvalidError)) throw error;
      view.error = msg('Use letters, digits and signs that can be seen.');
    }
  }
  frame.stage.shell.say({ text: msg('Renamed') });
  frame.link.sendWallets(await vault.linked(frame.link.origin));
}

async function archive(
  frame: Frame,
  vault: Vault,
  wallet: Wallet,
  balances: Balances,
  options: OpenOptions,
): Promise<boolean> {
  const { ArchiveView } = await import('../views/archive.ts');
  const view = Object.assign(new ArchiveView(), { wallet, balance: balances.get(wallet.id) });
  const { type } = await frame.stage.open(view, options).next('cbf-archive', 'cbf-back');
  if (type === 'cbf-archive') await vault.setArchived(wallet.id, true);
  return type === 'cbf-archive';
}
