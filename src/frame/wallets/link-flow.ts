/**
 * `linkWallets`: which of the user's wallets a site may see. Consent creates and imports nothing: if there is no wallet yet, the flows of
 * `manageWallets` create one, in the same opening. `useNetwork`: on which network it uses them.
 */
import { html, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { Network } from '../../chains/network.ts';
import { activeNetwork, networkOn, networksOf, usableNetworks } from '../../chains/nodes/networks.ts';
import { CARDS, type SecretType } from '../../chains/secret-type.ts';
import { ConnectError, RequestInvalidError, UserRejectedError } from '../../base/errors.ts';
import { msg, str } from '../../base/localize.ts';
import { shortAddress } from '../../ui/address.ts';
import { iconGlobe } from '../../ui/list-icons.ts';
import type { HeldWallet, LinkNetwork, Vault } from '../../wallets/types.ts';
import type { Frame, Task } from '../frame.ts';
import { enrolHere, readTrouble } from '../service/trouble.ts';
import { siteName } from '../shell/origin.ts';
import type { OpenOptions } from '../ui/screen.ts';
import type { ChosenWallet } from '../set-up/set-up-flow.ts';
import { keepsStorage } from '../ui/backup-reminder.ts';
import { cardStyles } from '../ui/card-styles.ts';
import { badgeQuestion, type QuestionView } from '../ui/question-view.ts';
import { kindName } from '../ui/rows.ts';
import { loadBalances } from './balances.ts';
import type { LinkView } from './link-view.ts';
import { networksByWallet, siteWallet, tellSite } from '../shell/site-wallets.ts';

export async function linkWallets(frame: Frame, task: Task<'linkWallets'>): Promise<void> {
  const { network } = task.params;
  const only = network === undefined ? undefined : networkNamed(frame, network);
  const vault = await frame.vault();
  const { LinkView } = await import('./link-view.ts');
  const wallets = await new LinkRequest(frame, task, vault, new LinkView(), only).answer();
  task.resolve(wallets.map((wallet) => siteWallet(frame.networks, wallet)));
}

/** One request, until the user has chosen which wallets its site may see. */
class LinkRequest {
  readonly #frame: Frame;
  readonly #task: Task<'linkWallets'>;
  readonly #vault: Vault;
  readonly #view: LinkView;
  /** The only network that the site asks for. */
  readonly #only: Network | undefined;
  /** Chains on which wallets can be created for it. */
  readonly #chains: readonly SecretType[];
  readonly #options: OpenOptions;
  /** Of the wallets listed so far. */
  readonly #listedIds = new Set<string>();

  constructor(
    frame: Frame,
    task: Task<'linkWallets'>,
    vault: Vault,
    view: LinkView,
    only: Network | undefined,
  ) {
    this.#frame = frame;
    this.#task = task;
    this.#vault = vault;
    this.#only = only;
    this.#chains = chainsToMake(frame, only ? [only.secretType] : task.params.secretTypes);
    this.#options = { signal: task.signal, requestId: task.id };
    this.#view = Object.assign(view, {
      site: siteName(frame.link.origin),
      network: only?.name,
      creates: this.#chains.length > 0,
    });
  }

  /** The wallets of the request that are now linked; none if the user closed it. */
  async answer(): Promise<readonly HeldWallet[]> {
    const { link, networks } = this.#frame;
    await this.#refresh();
    this.#task.progress('approval');
    if (!(await this.#setUpIfNone()) || !(await this.#choose())) return [];
    await tellSite(link, networks, this.#vault);
    return (await this.#vault.linked(link.origin)).filter((wallet) => this.#isFor(wallet));
  }

  /** Whether the request is about such a wallet. */
  #isFor(wallet: HeldWallet): boolean {
    const { secretTypes } = this.#task.params;
    return (
      (!secretTypes?.length || secretTypes.includes(wallet.secretType)) &&
      (!this.#only || networksOf(this.#frame.networks, wallet).includes(this.#only))
    );
  }

  /** With the network that the request is about. */
  #thereOf(wallets: readonly HeldWallet[]): readonly HeldWallet[] {
    const only = this.#only;
    return only ? wallets.map((wallet) => ({ ...wallet, network: only.id })) : wallets;
  }

  async #refresh(): Promise<void> {
    const vault = this.#vault;
    const view = this.#view;
    const [all, linked, unsaved, kept, trouble, others = []] = await Promise.all([
      vault.wallets(),
      vault.linked(this.#frame.link.origin),
      vault.unsaved(),
      keepsStorage(),
      readTrouble(vault),
      vault.service?.elsewhere(),
    ]);
    const wallets = all.filter((wallet) => this.#isFor(wallet));
    const elsewhere = others.filter((wallet) => this.#isFor(wallet));
    const there = [...wallets, ...elsewhere];
    this.#options.settings = all.length > 0;
    // Wallets already linked are preselected, and one that is the only one; the user's choices in this view are kept.
    const before = linked.filter((wallet) => this.#isFor(wallet) && !this.#listedIds.has(wallet.id));
    const alone = wallets.length === 1 && !this.#listedIds.size ? wallets : [];
    Object.assign(view, {
      wallets,
      networks: networksByWallet(this.#frame.networks, this.#thereOf(wallets)),
      unsaved,
      kept,
      trouble,
      elsewhere: elsewhere.length,
      busy: false,
      linkedBefore: view.linkedBefore || before.length > 0,
      chosen: new Set([...view.chosen, ...[...before, ...alone].map(({ id }) => id)]),
      missing: (this.#task.params.secretTypes ?? []).filter(
        (type) => !there.some(({ secretType }) => secretType === type),
      ),
    });
    void loadBalances(
      this.#frame,
      this.#thereOf(wallets).filter(({ id }) => !this.#listedIds.has(id)),
      (more) => (view.balances = new Map([...view.balances, ...more])),
    );
    for (const { id } of wallets) this.#listedIds.add(id);
  }

  /** A first wallet, created or imported before the list is shown. False if the user declines. */
  async #setUpIfNone(): Promise<boolean> {
    const { wallets, elsewhere, trouble } = this.#view;
    if (!this.#chains.length || wallets.length || elsewhere || trouble) return true;
    try {
      const { fewSteps, setUp } = await import('../set-up/set-up-flow.ts');
      const { homeOn } = await import('../set-up/choose-network-flow.ts');
      const { networks } = this.#frame;
      const steps = fewSteps(async (chain) => homeOn(networks, this.#only ?? activeNetwork(networks, chain)));
      const { newWallet } = this.#task.params;
      const added = await setUp(this.#frame, this.#vault, this.#chains, this.#options, steps, newWallet);
      await this.#add(added ?? (await this.#restored()));
      return true;
    } catch (error) {
      if (this.#task.signal.aborted || !(error instanceof UserRejectedError)) throw error;
      return false;
    }
  }

  /** True once the user's choice is linked; false if there is nothing to choose and the user closes. */
  async #choose(): Promise<boolean> {
    const view = this.#view;
    const { stage, networks } = this.#frame;
    const prices =
      networks.fiat === undefined
        ? undefined
        : (await import('../ui/worth.ts')).watchWorth(this.#frame, (worth) => (view.worth = worth));
    let screen = stage.open(view, this.#options);
    /** After Settings, during which the view takes presses already. */
    let refresh: Promise<void> | undefined;
    try {
      for (;;) {
        const answer = screen.next(
          'cbf-link',
          'cbf-settings-closed',
          'cbf-retry',
          'cbf-enrol',
          'cbf-create',
          'cbf-import',
          ...(view.wallets.length ? [] : (['cbf-done', 'cbf-close', 'cbf-reject'] as const)),
        );
        const [{ type }] = await Promise.all([answer, refresh]);
        switch (type) {
          case 'cbf-link':
            if (await this.#link()) return true;
            view.busy = false;
            stage.show(screen);
            continue;
          case 'cbf-settings-closed':
            prices?.load();
            refresh = this.#refresh();
            continue;
          case 'cbf-create':
            await this.#add(await this.#create());
            break;
          case 'cbf-import':
            await this.#add(await this.#import());
            break;
          case 'cbf-retry':
            await screen.leavable(async () => this.#vault.service?.reload());
            await this.#refresh();
            break;
          case 'cbf-enrol':
            await enrolHere(this.#frame, this.#vault, this.#options);
            await this.#refresh();
            break;
          default:
            return false;
        }
        screen = stage.open(view, this.#options);
      }
    } finally {
      prices?.stop();
    }
  }

  async #add(added: ChosenWallet | undefined): Promise<void> {
    const view = this.#view;
    if (added) Object.assign(view, { added, chosen: new Set([...view.chosen, added.wallet.id]) });
    await this.#refresh();
  }

  /** The first of those that the wallet's own page has brought back. */
  async #restored(): Promise<ChosenWallet | undefined> {
    const wallet = (await this.#vault.wallets()).find((one) => this.#isFor(one));
    return wallet && { wallet, how: 'restored' };
  }

  /** Chains for a further wallet: the missing ones, if any. */
  get #furtherChains(): readonly SecretType[] {
    const missing = this.#chains.filter((chain) => this.#view.missing.includes(chain));
    return missing.length ? missing : this.#chains;
  }

  /** Undefined on Back. */
  async #import(): Promise<ChosenWallet | undefined> {
    const { importOn } = await import('../set-up/set-up-flow.ts');
    return importOn(this.#frame, this.#vault, this.#furtherChains, this.#options);
  }

  /** Undefined on Back. */
  async #create(): Promise<ChosenWallet | undefined> {
    const frame = this.#frame;
    const { createWallet, fewSteps } = await import('../set-up/set-up-flow.ts');
    const { chooseNetwork, homesOf, homeOn } = await import('../set-up/choose-network-flow.ts');
    const networks = this.#only
      ? [this.#only]
      : this.#furtherChains.flatMap((chain) => homesOf(frame.networks, chain));
    const network = await chooseNetwork(frame, networks, this.#options);
    if (!network) return undefined;
    const steps = fewSteps(async () => homeOn(frame.networks, network));
    const wallet = await createWallet(frame, this.#vault, network.secretType, this.#options, steps);
    return wallet && { wallet, how: 'made' };
  }

  /** What the link remembers; where a wallet is on one network, the wallet does. */
  get #network(): LinkNetwork | undefined {
    const only = this.#only;
    return only && !CARDS[only.secretType].addressPerNetwork
      ? { secretType: only.secretType, id: only.id }
      : undefined;
  }

  /** False if the user declines to enrol this device, which the wallet service requires. */
  async #link(): Promise<boolean> {
    const vault = this.#vault;
    const { origin } = this.#frame.link;
    // This request must not change other chains, and archived wallets keep their links in case they are restored.
    const others = (await vault.linked(origin, true))
      .filter((wallet) => wallet.archived || !this.#isFor(wallet))
      .map(({ id }) => id);
    const { chosen } = this.#view;
    const set = () =>
      vault.setLinked(origin, [...others, ...chosen], chosen.size ? this.#network : undefined);
    if (!vault.service) {
      await set();
      return true;
    }
    const { asEnrolled } = await import('../service/service-account-flow.ts');
    return !!(await asEnrolled(this.#frame, this.#options, () => set().then(() => true)));
  }
}

function networkNamed({ networks }: Frame, id: string): Network {
  const network = networks.networks.find((one) => one.id === id && one.nodes.length > 0);
  if (network) return network;
  throw new RequestInvalidError([{ path: 'network', message: 'is not a network of this wallet' }]);
}

/** The chains on which wallets can be created here: those that the site asks for, otherwise all, in the order of `networks.json`. */
function chainsToMake({ networks }: Frame, secretTypes: readonly SecretType[] | undefined): SecretType[] {
  const types = secretTypes?.length ? secretTypes : networks.networks.map(({ secretType }) => secretType);
  return [...new Set(types)].filter((chain) => usableNetworks(networks, chain).length > 0);
}

/** Nothing is signed and no key is used, so it takes no PIN. */
export async function useNetwork(frame: Frame, task: Task<'useNetwork'>): Promise<void> {
  const { secretType, network: id } = task.params;
  const { networks, link, stage } = frame;
  const network = networkOn(networks, { secretType }, id);
  const vault = await frame.vault();
  const wallets = (await vault.linked(link.origin)).filter(
    (wallet) => wallet.secretType === secretType && networksOf(networks, wallet).includes(network),
  );
  if (!wallets.length)
    throw new ConnectError(
      'wallet.forbidden',
      'No wallet that is on this network is linked to your site. Call linkWallets() first.',
    );
  const view = networkQuestion(siteName(link.origin), network, wallets);
  const screen = stage.open(view, { signal: task.signal, requestId: task.id, settings: true });
  task.progress('approval');
  await screen.next('cbf-continue');
  task.resolve(null);
}

/** "Use Base?" */
export function networkQuestion(
  site: string,
  network: Network,
  wallets: readonly Wallet[],
): QuestionView<'cbf-reject' | 'cbf-continue'> {
  return badgeQuestion(
    'cbf-reject',
    () => {
      const { name, kind } = network;
      return {
        badge: ['acc', iconGlobe()],
        heading: msg(str`Use ${name}?`),
        text: question(site, name, wallets),
        details: kindNote(kind),
        buttons: [
          { text: msg('Cancel'), event: 'cbf-reject', look: 'secondary' },
          { text: msg(str`Use ${name}`), event: 'cbf-continue', look: 'primary' },
        ],
      };
    },
    cardStyles,
  );
}

function question(
  site: string,
  network: string,
  [first, ...more]: readonly Wallet[],
): string | TemplateResult {
  if (more.length)
    return msg(
      str`${site} wants to use your ${more.length + 1} wallets on ${network}. They have the same addresses there.`,
    );
  const { address } = first!;
  const [asker, alias, place] = [site, first!.alias, network].map((name) => html`<bdi>${name}</bdi>`);
  return msg(
    html`${asker} wants to use ${alias} on ${place}. It has the same address there: ${shortAddress(address)}`,
  );
}

function kindNote(kind: Network['kind']): unknown {
  const name = kindName(kind);
  if (!name) return undefined;
  return html`<p class="sm muted center"><span class="tag">${name}</span> ${msg('What is on a testnet has no value.')}</p>`;
}
