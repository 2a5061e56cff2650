/** `manageWallets`: the wallets of one chain, and the only place where they are created and imported. */
import { activeNetwork } from '../../chains/nodes/networks.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import { UserRejectedError, RequestInvalidError } from '../../base/errors.ts';
import { NO_CURRENCY } from '../../prices/no-currency.ts';
import { msg, str } from '../../base/localize.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import type { Frame, Task } from '../frame.ts';
import { enrolHere, readTrouble } from '../service/trouble.ts';
import { allSteps, type ChosenWallet, createWallet, importWallet, setUp } from '../set-up/set-up-flow.ts';
import { siteName } from '../shell/origin.ts';
import type { OpenOptions, Screen } from '../ui/screen.ts';
import { type Balances, loadBalances, PAGE } from './balances.ts';
import type { ElsewhereSearch } from './coins-elsewhere.ts';
import {
  isReminderDue,
  keepsStorage,
  noteReminded,
  remindsFrom,
  remindValue,
} from '../ui/backup-reminder.ts';
import type { ManageEvents, ManageView } from './manage-view.ts';
import { receive } from './receive-flow.ts';
import { networksByWallet, siteWallet, tellSite } from '../shell/site-wallets.ts';
import {
  countCombinable,
  findSweepable,
  offerCombining,
  offerSweep,
  type Sweepable,
} from './offer-move-flow.ts';
import { tellReplaced } from './history-updates.ts';

export async function manageWallets(frame: Frame, task: Task<'manageWallets'>): Promise<void> {
  const { chain: secretType } = task.params;
  // Throws, before anything is shown, if the wallet does not support this chain.
  activeNetwork(frame.networks, secretType);
  const vault = await frame.vault();
  const [{ exists }, served] = await Promise.all([vault.state(), servedWallets(vault)]);
  const options: OpenOptions = { signal: task.signal, requestId: task.id };
  task.progress('approval');
  tellReplaced(frame, vault).catch(() => {});
  const isNew = !exists && !served.length;
  const made = isNew && (await setUp(frame, vault, [secretType], options, allSteps(frame, vault, options)));
  const chosen = made || (await manage(frame, vault, secretType, { ...options, settings: true }));
  const { wallet } = chosen;
  await link(frame, vault, wallet, options);
  await tellSite(frame.link, frame.networks, vault);
  task.resolve(siteWallet(frame.networks, wallet));
  // The page has its wallet; the rest is only for the user.
  await goOnWith(frame, vault, chosen, options);
}

/** What follows a new wallet: its address, or the coins on the other address of its key. */
export async function goOnWith(
  frame: Frame,
  vault: Vault,
  { wallet, how }: ChosenWallet,
  options: OpenOptions,
): Promise<void> {
  if (how === 'made') await receive(frame, vault, wallet, options);
  if (how === 'imported' || how === 'restored') {
    const coins = await findSweepable(frame, wallet);
    if (coins) await offerSweep(frame, vault, wallet, coins, options);
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
export async function manage(
  frame: Frame,
  vault: Vault,
  secretType: SecretType,
  options: OpenOptions,
): Promise<ChosenWallet> {
  const { ManageView } = await import('./manage-view.ts');
  const { origin } = frame.link;
  const site = origin === location.origin ? '' : siteName(origin);
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
  const wallets = new ManagedWallets(frame, vault, options, view, () => prices?.load());
  try {
    return await wallets.choose();
  } finally {
    prices?.stop();
  }
}

/** Events that are about one wallet. */
type WalletEvent = {
  [K in keyof ManageEvents]: ManageEvents[K] extends { id: string } ? K : never;
}[keyof ManageEvents];
type OtherEvent = Exclude<keyof ManageEvents, WalletEvent> | 'cbf-close';
/** Resolves with the wallet for the site, if that is now known. */
type Step = Promise<ChosenWallet | void>;

/** The wallets of one chain, until one of them is chosen for the site. */
class ManagedWallets {
  readonly #frame: Frame;
  readonly #vault: Vault;
  readonly #options: OpenOptions;
  readonly #view: ManageView;
  readonly #reprice: () => void;
  #listed: readonly HeldWallet[] = [];
  #linked: readonly HeldWallet[] = [];
  /** Of the wallet that the user used last. */
  #lastId: string | undefined;
  #balances: Balances = new Map();
  #elsewhere: ElsewhereSearch | undefined;
  readonly #sweeps = new Map<string, Promise<Sweepable | undefined>>();
  readonly #coinCounts = new Map<string, Promise<number>>();

  constructor(frame: Frame, vault: Vault, options: OpenOptions, view: ManageView, reprice: () => void) {
    this.#frame = frame;
    this.#vault = vault;
    this.#options = options;
    this.#view = view;
    this.#reprice = reprice;
  }

  async choose(): Promise<ChosenWallet> {
    const view = this.#view;
    const events = [...Object.keys(this.#walletSteps), ...Object.keys(this.#steps)];
    view.reminds = isReminderDue(this.#frame.clock.date());
    let refresh = this.#refresh();
    await refresh;
    for (;;) {
      const screen = this.#frame.stage.open(view, this.#options);
      const [{ type, detail }] = await Promise.all([
        screen.next(...(events as (WalletEvent | OtherEvent)[])),
        refresh,
      ]);
      view.undo = undefined;
      const wallet = this.#listed.find(({ id }) => id === detail?.id);
      if (wallet) this.#lastId = wallet.id;
      const chosen = wallet
        ? await this.#walletSteps[type as WalletEvent](wallet)
        : await this.#steps[type as OtherEvent](screen);
      if (chosen) return chosen;
      refresh = this.#refresh();
      // Settings were over the list, which takes presses from the moment that they close.
      if (type !== 'cbf-settings-closed') await refresh;
    }
  }

  readonly #walletSteps: Record<WalletEvent, (wallet: HeldWallet) => Step> = {
    'cbf-use': async (wallet) => ({ wallet, how: 'chosen' }),
    'cbf-primary': async (wallet) => {
      if (await this.#edit(wallet, () => this.#vault.makePrimary(wallet.id)))
        this.#frame.stage.shell.say({ text: msg(str`${wallet.alias} is the primary wallet`) });
    },
    'cbf-up': (wallet) => this.#move(wallet, -1),
    'cbf-down': (wallet) => this.#move(wallet, 1),
    'cbf-rename': (wallet) => this.#rename(wallet),
    'cbf-export': async (wallet) => {
      const { exportWallet } = await import('./export-flow.ts');
      await exportWallet(this.#frame, this.#vault, wallet, this.#options);
    },
    'cbf-activity': async (wallet) => {
      const { activity } = await import('./activity-flow.ts');
      await activity(this.#frame, this.#vault, wallet, { ...this.#options, own: true });
    },
    'cbf-receive': (wallet) => receive(this.#frame, this.#vault, wallet, { ...this.#options, own: true }),
    'cbf-send': async (wallet) => {
      const { send } = await import('./send-flow.ts');
      await send(this.#frame, this.#vault, wallet, this.#options);
      this.#rereadBalance(wallet);
      this.#elsewhere?.forget(wallet);
    },
    'cbf-open': async (wallet) => {
      const { portfolio } = await import('./portfolio-flow.ts');
      if ((await portfolio(this.#frame, this.#vault, wallet, this.#options)) === 'cbf-close')
        return this.#closed();
      // Any of them may have sent or received.
      this.#balances = new Map();
      this.#elsewhere = undefined;
      this.#view.coinsElsewhere = new Map();
    },
    'cbf-sweep': (wallet) => this.#sweep(wallet),
    'cbf-combine': (wallet) => this.#combine(wallet),
    'cbf-own-pin': async (wallet) => {
      const { ownPin } = await import('../service/own-pin.ts');
      await ownPin(this.#frame, this.#vault, wallet, this.#options);
    },
    'cbf-archive': (wallet) => this.#archive(wallet),
    'cbf-unarchive': async (wallet) => {
      await this.#edit(wallet, () => this.#vault.setArchived(wallet.id, false));
      await tellSite(this.#frame.link, this.#frame.networks, this.#vault);
    },
  };

  readonly #steps: Record<OtherEvent, (screen: Screen<ManageView>) => Step> = {
    'cbf-create': async () => {
      const steps = allSteps(this.#frame, this.#vault, this.#options);
      const { secretType } = this.#view;
      const wallet = await createWallet(this.#frame, this.#vault, secretType, this.#options, steps);
      if (wallet) return { wallet, how: 'made' };
    },
    'cbf-import': () => importWallet(this.#frame, this.#vault, this.#view.secretType, this.#options),
    'cbf-more': async () => void (this.#view.shown += PAGE),
    'cbf-retry': async (screen) => {
      this.#view.busy = true;
      await screen.leavable(async () => this.#vault.service?.reload());
    },
    'cbf-enrol': () => enrolHere(this.#frame, this.#vault, this.#options),
    'cbf-show-words': async () => {
      const { showWords } = await import('../settings/settings-flow.ts');
      await showWords(this.#frame, this.#vault, { ...this.#options, own: true, settings: false });
    },
    'cbf-later': async () => {
      Object.assign(this.#view, { reminds: false, remindsFrom: Infinity, later: true });
    },
    'cbf-settings-closed': async () => this.#reprice(),
    'cbf-back': async () => this.#closed(),
    'cbf-close': async () => this.#closed(),
  };

  async #refresh(): Promise<void> {
    const vault = this.#vault;
    const { secretType } = this.#view;
    const [wallets, archived, linked, unsaved, trouble, kept, others = []] = await Promise.all([
      vault.wallets({ secretType }),
      vault.wallets({ secretType, archived: true }),
      vault.linked(this.#frame.link.origin),
      vault.unsaved(),
      readTrouble(vault),
      keepsStorage(),
      vault.service?.elsewhere(),
    ]);
    this.#listed = [...wallets, ...archived];
    this.#linked = linked;
    Object.assign(this.#view, {
      kept,
      trouble,
      elsewhere: others.filter((one) => one.secretType === secretType).length,
      wallets,
      archived,
      unsaved,
      networks: networksByWallet(this.#frame.networks, wallets),
      busy: false,
      linked: new Set(linked.map(({ id }) => id)),
    });
    const shown = wallets.slice(0, this.#view.shown);
    void this.#readBalances(shown);
    for (const wallet of shown) this.#findCoins(wallet);
  }

  async #readBalances(wallets: readonly HeldWallet[]): Promise<void> {
    const unread = wallets.filter(({ id }) => !this.#balances.has(id));
    await loadBalances(this.#frame, unread, (more) => {
      this.#balances = new Map([...this.#balances, ...more]);
      this.#view.balances = this.#balances;
      if (this.#view.reminded) noteReminded(this.#frame.clock.date());
    });
    // A hint, without which the list is whole.
    await this.#lookElsewhere(wallets).catch(() => {});
  }

  async #lookElsewhere(wallets: readonly HeldWallet[]): Promise<void> {
    const { ElsewhereSearch } = await import('./coins-elsewhere.ts');
    const show: ConstructorParameters<typeof ElsewhereSearch>[2] = (found) =>
      void (this.#view.coinsElsewhere = found);
    this.#elsewhere ??= new ElsewhereSearch(this.#frame, this.#vault, show);
    await this.#elsewhere.look(wallets, this.#balances);
  }

  #rereadBalance({ id }: HeldWallet): void {
    this.#balances = new Map([...this.#balances].filter(([one]) => one !== id));
  }

  /** Whether there are coins to sweep or to combine, once for each wallet. */
  #findCoins(wallet: HeldWallet): void {
    const { id } = wallet;
    const view = this.#view;
    if (!this.#sweeps.has(id)) {
      const sweep = findSweepable(this.#frame, wallet);
      this.#sweeps.set(id, sweep);
      void sweep.then((coins) => coins && (view.sweepable = new Set([...view.sweepable, id])));
    }
    if (!this.#coinCounts.has(id)) {
      const count = countCombinable(this.#frame, wallet);
      this.#coinCounts.set(id, count);
      void count.then((coins) => coins && (view.crowded = new Set([...view.crowded, id])));
    }
  }

  async #sweep(wallet: HeldWallet): Promise<void> {
    const coins = await this.#sweeps.get(wallet.id);
    if (coins) await offerSweep(this.#frame, this.#vault, wallet, coins, this.#options);
    // Both balances have to be reread.
    this.#sweeps.delete(wallet.id);
    this.#rereadBalance(wallet);
    this.#view.sweepable = without(this.#view.sweepable, wallet);
  }

  async #combine(wallet: HeldWallet): Promise<void> {
    const coins = (await this.#coinCounts.get(wallet.id)) ?? 0;
    await offerCombining(this.#frame, this.#vault, wallet, coins, this.#options);
    this.#coinCounts.delete(wallet.id);
    this.#rereadBalance(wallet);
    this.#view.crowded = without(this.#view.crowded, wallet);
  }

  async #move({ id, alias, secretType }: HeldWallet, by: -1 | 1): Promise<void> {
    await this.#vault.move(id, by);
    const wallets = await this.#vault.wallets({ secretType });
    const place = wallets.findIndex((one) => one.id === id) + 1;
    this.#frame.stage.shell.say({ text: msg(str`${alias} is now ${place} of ${wallets.length}`) });
    await tellSite(this.#frame.link, this.#frame.networks, this.#vault);
  }

  async #rename(wallet: HeldWallet): Promise<void> {
    const { RenameView } = await import('./wallet-questions.ts');
    const view = Object.assign(new RenameView(), { wallet });
    const screen = this.#frame.stage.open(view, this.#options);
    for (;;) {
      const { type } = await screen.next('cbf-save', 'cbf-back');
      if (type === 'cbf-back') return;
      try {
        if (!(await this.#edit(wallet, () => this.#vault.rename(wallet.id, view.alias)))) return;
        break;
      } catch (error) {
        if (!(error instanceof RequestInvalidError)) throw error;
        view.error = msg('Use visible letters, digits and signs.');
      }
    }
    this.#frame.stage.shell.say({ text: msg('Renamed') });
    await tellSite(this.#frame.link, this.#frame.networks, this.#vault);
  }

  async #archive(wallet: HeldWallet): Promise<void> {
    const { archiveQuestion } = await import('./wallet-questions.ts');
    const { coinsElsewhere } = this.#view;
    const view = archiveQuestion(wallet, this.#balances.get(wallet.id), coinsElsewhere.get(wallet.id));
    const { type } = await this.#frame.stage.open(view, this.#options).next('cbf-archive', 'cbf-back');
    const archive = () => this.#edit(wallet, () => this.#vault.setArchived(wallet.id, true));
    if (type === 'cbf-archive' && (await archive())) this.#view.undo = wallet;
    await tellSite(this.#frame.link, this.#frame.networks, this.#vault);
  }

  /** Changes at the service need an enrolled device. False if the user declines to enrol this one. */
  async #edit(wallet: HeldWallet, work: () => Promise<void>): Promise<boolean> {
    if (wallet.walletType === 'BROWSER') {
      await work();
      return true;
    }
    const { asEnrolled } = await import('../service/service-account-flow.ts');
    return !!(await asEnrolled(this.#frame, this.#options, () => work().then(() => true)));
  }

  /** Closing links nothing new. */
  #closed(): ChosenWallet {
    const { secretType } = this.#view;
    const own = this.#linked.filter((one) => one.secretType === secretType && !one.archived);
    const last = own.find(({ id }) => id === this.#lastId) ?? own.find(({ primary }) => primary) ?? own[0];
    if (last) return { wallet: last, how: 'chosen' };
    throw new UserRejectedError('No wallet was chosen.');
  }
}

const without = (ids: ReadonlySet<string>, { id }: HeldWallet): ReadonlySet<string> =>
  new Set([...ids].filter((one) => one !== id));
