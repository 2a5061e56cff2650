/** `manageWallets`: the wallets of one chain, and the only place where they are created and imported. */
import { activeNetwork } from '../../chains/nodes/networks.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import { UserRejectedError, RequestInvalidError } from '../../base/errors.ts';
import { NO_CURRENCY } from '../../prices/no-currency.ts';
import { msg } from '../../base/localize.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import type { Frame, Task } from '../frame.ts';
import { enrolHere, readTrouble } from '../service/trouble.ts';
import { allSteps, type ChosenWallet, createWallet, importWallet, setUp } from '../set-up/set-up-flow.ts';
import { siteName } from '../shell/origin.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { activity } from './activity-flow.ts';
import { type Balances, loadBalances } from './balances.ts';
import { keepsStorage, noteReminded, remindsFrom, remindValue, wasReminded } from '../ui/backup-reminder.ts';
import { exportWallet } from './export-flow.ts';
import type { ManageView } from './manage-view.ts';
import { receive } from './receive-flow.ts';
import { networksByWallet, siteWallet, tellSite } from '../shell/site-wallets.ts';
import {
  countCombinable,
  findSweepable,
  offerCombining,
  offerSweep,
  type Sweepable,
} from './offer-move-flow.ts';

export async function manageWallets(frame: Frame, task: Task<'manageWallets'>): Promise<void> {
  const { chain: secretType } = task.params;
  // Throws, before anything is shown, if the wallet does not support this chain.
  activeNetwork(frame.networks, secretType);
  const vault = await frame.vault();
  const [{ exists }, served] = await Promise.all([vault.state(), servedWallets(vault)]);
  const options: OpenOptions = { signal: task.signal, requestId: task.id };
  task.progress('approval');
  import('./replaced.ts').then(({ tellReplaced }) => tellReplaced(frame, vault)).catch(() => {});
  const { wallet, how } =
    exists || served.length
      ? await manage(frame, vault, secretType, { ...options, settings: true })
      : await setUp(frame, vault, [secretType], options, allSteps(frame, vault, options));
  await link(frame, vault, wallet, options);
  await tellSite(frame.link, frame.networks, vault);
  task.resolve(siteWallet(frame.networks, wallet));
  // The page has its wallet; the rest is only for the user.
  if (how === 'made') await receive(frame, vault, wallet, options);
  if (how === 'imported' || how === 'restored') {
    const found = await findSweepable(frame, wallet);
    if (found) await offerSweep(frame, vault, wallet, found, options);
  }
}

async function servedWallets(vault: Vault): Promise<HeldWallet[]> {
  if (!vault.service) return [];
  const wallets = (await vault.wallets()).filter(({ walletType }) => walletType !== 'BROWSER');
  return [...wallets, ...(await vault.service.elsewhere())];
}

/** The service accepts a link only from an enrolled device. Rejects with `user.rejected` if the user declines to enrol this one. */
async function link(frame: Frame, vault: Vault, wallet: HeldWallet, options: OpenOptions): Promise<void> {
  const work = () => vault.link(frame.link.origin, [wallet.id]);
  if (wallet.walletType === 'BROWSER') return work();
  const { asEnrolled } = await import('../service/service-account-flow.ts');
  if (!(await asEnrolled(frame, options, () => work().then(() => true)))) throw new UserRejectedError();
}

/**
 * Resolves once a wallet is chosen, created or imported; on Back, with one already linked to the site. Rejects with `user.rejected` if
 * there is none.
 */
async function manage(
  frame: Frame,
  vault: Vault,
  secretType: SecretType,
  options: OpenOptions,
): Promise<ChosenWallet> {
  const { ManageView } = await import('./manage-view.ts');
  const site = siteName(frame.link.origin);
  const view = Object.assign(new ManageView(), { clock: frame.clock, secretType, site });
  const worths = frame.networks.fiat === undefined ? undefined : await import('../ui/worth.ts');
  const priced = worths?.pricesOf(frame);
  const prices = worths?.watchWorth(frame, (worth) => {
    view.worth = worth;
    view.priced = (network, amount) => priced?.worth(network, amount)?.value ?? 0;
    const { currency = NO_CURRENCY } = priced ?? {};
    const from = remindsFrom();
    view.remindsFrom =
      from && !view.later && currency !== NO_CURRENCY ? remindValue(from, currency) : Infinity;
  });
  try {
    return await choose(frame, vault, secretType, options, view, () => prices?.load());
  } finally {
    prices?.stop();
  }
}

async function choose(
  frame: Frame,
  vault: Vault,
  secretType: SecretType,
  options: OpenOptions,
  view: ManageView,
  reprice: () => void,
): Promise<ChosenWallet> {
  const { origin } = frame.link;
  let touched: string | undefined;
  view.reminds = !wasReminded(frame.clock.date());
  let balances: Balances = new Map();
  const sweepable = new Map<string, Promise<Sweepable | undefined>>();
  const crowded = new Map<string, Promise<number>>();
  /** Changes at the service need an enrolled device. */
  const edit: Edit = async (wallet, work) => {
    if (wallet.walletType === 'BROWSER') {
      await work();
      return true;
    }
    const { asEnrolled } = await import('../service/service-account-flow.ts');
    return !!(await asEnrolled(frame, options, () => work().then(() => true)));
  };
  for (;;) {
    const [wallets, archived, linked, unsaved, trouble, kept, others = []] = await Promise.all([
      vault.wallets({ secretType }),
      vault.wallets({ secretType, archived: true }),
      vault.linked(origin),
      vault.unsaved(),
      readTrouble(vault),
      keepsStorage(),
      vault.service?.elsewhere(),
    ]);
    Object.assign(view, {
      kept,
      trouble,
      elsewhere: others.filter((one) => one.secretType === secretType).length,
      wallets,
      archived,
      unsaved,
      networks: networksByWallet(frame.networks, wallets),
      busy: false,
      linked: new Set(linked.map(({ id }) => id)),
    });
    const missing = wallets.filter(({ id }) => !balances.has(id));
    void loadBalances(frame, missing, (more) => {
      balances = new Map([...balances, ...more]);
      view.balances = balances;
      if (view.reminded) noteReminded(frame.clock.date());
    });
    for (const one of wallets) {
      if (sweepable.has(one.id)) continue;
      const finding = findSweepable(frame, one);
      sweepable.set(one.id, finding);
      void finding.then((found) => found && (view.sweepable = new Set([...view.sweepable, one.id])));
    }
    for (const one of wallets) {
      if (crowded.has(one.id)) continue;
      const counting = countCombinable(frame, one);
      crowded.set(one.id, counting);
      void counting.then((coins) => coins && (view.crowded = new Set([...view.crowded, one.id])));
    }
    /** Closing links nothing new. */
    const closed = (): ChosenWallet => {
      const own = linked.filter((one) => one.secretType === secretType && !one.archived);
      const last = own.find((one) => one.id === touched) ?? own.find(({ primary }) => primary) ?? own[0];
      if (last) return { wallet: last, how: 'chosen' };
      throw new UserRejectedError('No wallet was chosen.');
    };
    const screen = frame.stage.open(view, options);
    const { type, detail } = await screen.next(
      'cbf-use',
      'cbf-create',
      'cbf-import',
      'cbf-primary',
      'cbf-rename',
      'cbf-export',
      'cbf-activity',
      'cbf-receive',
      'cbf-send',
      'cbf-open',
      'cbf-sweep',
      'cbf-combine',
      'cbf-own-pin',
      'cbf-show-words',
      'cbf-later',
      'cbf-archive',
      'cbf-unarchive',
      'cbf-settings-closed',
      'cbf-retry',
      'cbf-enrol',
      'cbf-back',
      'cbf-close',
    );
    const wallet = [...wallets, ...archived].find(({ id }) => id === detail?.id);
    view.undo = undefined;
    if (wallet) touched = wallet.id;
    switch (type) {
      case 'cbf-use':
        return { wallet: wallet!, how: 'chosen' };
      case 'cbf-create': {
        const made = await createWallet(frame, vault, secretType, options, allSteps(frame, vault, options));
        if (made) return { wallet: made, how: 'made' };
        break;
      }
      case 'cbf-import': {
        const brought = await importWallet(frame, vault, secretType, options);
        if (brought) return brought;
        break;
      }
      case 'cbf-retry':
        view.busy = true;
        await screen.leavable(async () => vault.service?.reload());
        break;
      case 'cbf-settings-closed':
        reprice();
        break;
      case 'cbf-enrol':
        await enrolHere(frame, vault, options);
        break;
      case 'cbf-primary':
        await edit(wallet!, () => vault.makePrimary(wallet!.id));
        break;
      case 'cbf-rename':
        await rename(frame, vault, wallet!, options, edit);
        break;
      case 'cbf-export':
        await exportWallet(frame, vault, wallet!, options);
        break;
      case 'cbf-activity':
        await activity(frame, vault, wallet!, { ...options, own: true });
        break;
      case 'cbf-receive':
        await receive(frame, vault, wallet!, { ...options, own: true });
        break;
      case 'cbf-send':
        await (await import('./send-flow.ts')).send(frame, vault, wallet!, options);
        // Its balance has to be reread.
        balances = new Map([...balances].filter(([one]) => one !== wallet!.id));
        break;
      case 'cbf-open': {
        const { portfolio } = await import('./portfolio-flow.ts');
        if ((await portfolio(frame, vault, wallet!, options)) === 'cbf-close') return closed();
        // Any of them may have sent or received.
        balances = new Map();
        break;
      }
      case 'cbf-sweep': {
        const found = await sweepable.get(wallet!.id);
        if (found) await offerSweep(frame, vault, wallet!, found, options);
        // Both balances have to be reread.
        sweepable.delete(wallet!.id);
        balances = new Map([...balances].filter(([one]) => one !== wallet!.id));
        view.sweepable = new Set([...view.sweepable].filter((one) => one !== wallet!.id));
        break;
      }
      case 'cbf-combine':
        await offerCombining(frame, vault, wallet!, (await crowded.get(wallet!.id)) ?? 0, options);
        crowded.delete(wallet!.id);
        balances = new Map([...balances].filter(([one]) => one !== wallet!.id));
        view.crowded = new Set([...view.crowded].filter((one) => one !== wallet!.id));
        break;
      case 'cbf-show-words': {
        const { showWords } = await import('../settings/settings-flow.ts');
        await showWords(frame, vault, { ...options, own: true, settings: false });
        break;
      }
      case 'cbf-later':
        Object.assign(view, { reminds: false, remindsFrom: Infinity, later: true });
        break;
      case 'cbf-own-pin':
        await (await import('../service/own-pin-flow.ts')).ownPin(frame, vault, wallet!, options);
        break;
      case 'cbf-archive':
        if (await archive(frame, vault, wallet!, balances, options, edit)) view.undo = wallet;
        await tellSite(frame.link, frame.networks, vault);
        break;
      case 'cbf-unarchive':
        await edit(wallet!, () => vault.setArchived(wallet!.id, false));
        await tellSite(frame.link, frame.networks, vault);
        break;
      case 'cbf-back':
      case 'cbf-close':
        return closed();
    }
  }
}

/** Returns whether it was done: the user may decline to enrol the device. */
type Edit = (wallet: HeldWallet, work: () => Promise<void>) => Promise<boolean>;

async function rename(
  frame: Frame,
  vault: Vault,
  wallet: HeldWallet,
  options: OpenOptions,
  edit: Edit,
): Promise<void> {
  const { RenameView } = await import('./wallet-questions.ts');
  const view = Object.assign(new RenameView(), { wallet });
  const screen = frame.stage.open(view, options);
  for (;;) {
    const { type } = await screen.next('cbf-save', 'cbf-back');
    if (type === 'cbf-back') return;
    try {
      if (!(await edit(wallet, () => vault.rename(wallet.id, view.alias)))) return;
      break;
    } catch (error) {
      if (!(error instanceof RequestInvalidError)) throw error;
      view.error = msg('Use letters, digits and signs that can be seen.');
    }
  }
  frame.stage.shell.say({ text: msg('Renamed') });
  await tellSite(frame.link, frame.networks, vault);
}

async function archive(
  frame: Frame,
  vault: Vault,
  wallet: HeldWallet,
  balances: Balances,
  options: OpenOptions,
  edit: Edit,
): Promise<boolean> {
  const { archiveQuestion } = await import('./wallet-questions.ts');
  const view = archiveQuestion(wallet, balances.get(wallet.id));
  const { type } = await frame.stage.open(view, options).next('cbf-archive', 'cbf-back');
  return type === 'cbf-archive' && edit(wallet, () => vault.setArchived(wallet.id, true));
}
