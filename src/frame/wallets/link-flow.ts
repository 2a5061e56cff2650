/**
 * `linkWallets`: which of the user's wallets a site may see. Consent creates and imports nothing: if there is no wallet yet, the flows of
 * `manageWallets` create one, in the same opening.
 */
import type { Network } from '../../chains/network.ts';
import { activeNetwork, usableNetworks } from '../../chains/nodes/networks.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import { RequestInvalidError, UserRejectedError } from '../../base/errors.ts';
import type { HeldWallet } from '../../wallets/types.ts';
import type { Frame, Task } from '../frame.ts';
import { enrolHere, readTrouble } from '../service/trouble.ts';
import { siteName } from '../shell/origin.ts';
import type { OpenOptions } from '../ui/screen.ts';
import type { ChosenWallet } from '../set-up/set-up-flow.ts';
import { keepsStorage } from '../ui/backup-reminder.ts';
import { loadBalances } from './balances.ts';
import { networksByWallet, siteWallet, tellSite } from '../shell/site-wallets.ts';

export async function linkWallets(frame: Frame, task: Task<'linkWallets'>): Promise<void> {
  const { secretTypes, network, newWallet } = task.params;
  const only = network === undefined ? undefined : networkNamed(frame, network);
  const { origin } = frame.link;
  const vault = await frame.vault();
  const asked = (wallet: HeldWallet): boolean =>
    (!secretTypes?.length || secretTypes.includes(wallet.secretType)) &&
    (!only || networksByWallet(frame.networks, [wallet]).get(wallet.id) === only);
  const { LinkView } = await import('./link-view.ts');
  const chains = chainsToMake(frame, only ? [only.secretType] : secretTypes);
  const view = Object.assign(new LinkView(), { site: siteName(origin), creates: chains.length > 0 });
  const options: OpenOptions = { signal: task.signal, requestId: task.id };
  const known = new Set<string>();
  const refresh = async (): Promise<void> => {
    const [all, linked, unsaved, kept, trouble, others = []] = await Promise.all([
      vault.wallets(),
      vault.linked(origin),
      vault.unsaved(),
      keepsStorage(),
      readTrouble(vault),
      vault.service?.elsewhere(),
    ]);
    const wallets = all.filter(asked);
    const elsewhere = others.filter(asked);
    const there = [...wallets, ...elsewhere];
    options.settings = all.length > 0;
    // Only wallets already linked are preselected; the user's choices in this view are kept.
    const before = linked.filter((wallet) => asked(wallet) && !known.has(wallet.id));
    Object.assign(view, {
      wallets,
      networks: networksByWallet(frame.networks, wallets),
      unsaved,
      kept,
      trouble,
      elsewhere: elsewhere.length,
      busy: false,
      linkedBefore: view.linkedBefore || before.length > 0,
      chosen: new Set([...view.chosen, ...before.map(({ id }) => id)]),
      missing: (secretTypes ?? []).filter((type) => !there.some(({ secretType }) => secretType === type)),
    });
    void loadBalances(
      frame,
      wallets.filter(({ id }) => !known.has(id)),
      (more) => (view.balances = new Map([...view.balances, ...more])),
    );
    for (const { id } of wallets) known.add(id);
  };
  const add = async (added: ChosenWallet | undefined): Promise<void> => {
    if (added) Object.assign(view, { added, chosen: new Set([...view.chosen, added.wallet.id]) });
    await refresh();
  };
  await refresh();
  task.progress('approval');
  if (chains[0] && !view.wallets.length && !view.elsewhere && !view.trouble)
    try {
      const { fewSteps, setUp } = await import('../set-up/set-up-flow.ts');
      const { homeOn } = await import('../set-up/choose-network-flow.ts');
      const steps = fewSteps(async (chain) =>
        homeOn(frame.networks, only ?? activeNetwork(frame.networks, chain)),
      );
      await add(await setUp(frame, vault, chains, options, steps, newWallet));
    } catch (error) {
      if (task.signal.aborted || !(error instanceof UserRejectedError)) throw error;
      return task.resolve([]);
    }
  const prices =
    frame.networks.fiat === undefined
      ? undefined
      : (await import('../ui/worth.ts')).watchWorth(frame, (worth) => (view.worth = worth));
  let screen = frame.stage.open(view, options);
  try {
    for (;;) {
      const { type } = await screen.next(
        'cbf-link',
        'cbf-settings-closed',
        'cbf-retry',
        'cbf-enrol',
        'cbf-create',
        'cbf-import',
        ...(view.wallets.length ? [] : (['cbf-done', 'cbf-close', 'cbf-reject'] as const)),
      );
      if (type === 'cbf-create' || type === 'cbf-import') {
        await add(await (type === 'cbf-create' ? make() : bring()));
        screen = frame.stage.open(view, options);
      } else if (type === 'cbf-retry' || type === 'cbf-enrol') {
        if (type === 'cbf-retry') await screen.leavable(async () => vault.service?.reload());
        else await enrolHere(frame, vault, options);
        await refresh();
        screen = frame.stage.open(view, options);
      } else if (type === 'cbf-settings-closed') {
        prices?.load();
        await refresh();
      } else if (type !== 'cbf-link') return task.resolve([]);
      else if (await link()) break;
    }
  } finally {
    prices?.stop();
  }

  /** Chains for a further wallet: the missing ones, if any. */
  function wanted(): SecretType[] {
    const missing = chains.filter((chain) => view.missing.includes(chain));
    return missing.length ? missing : chains;
  }

  /** Undefined on Back. */
  async function bring(): Promise<ChosenWallet | undefined> {
    const { importOn } = await import('../set-up/set-up-flow.ts');
    return importOn(frame, vault, wanted(), options);
  }

  /** Undefined on Back. */
  async function make(): Promise<ChosenWallet | undefined> {
    const { createWallet, fewSteps } = await import('../set-up/set-up-flow.ts');
    const { chooseNetwork, homeOn } = await import('../set-up/choose-network-flow.ts');
    const networks = only ? [only] : wanted().flatMap((chain) => usableNetworks(frame.networks, chain));
    const network = await chooseNetwork(frame, networks, options);
    const steps = fewSteps(async () => network && homeOn(frame.networks, network));
    const wallet = network && (await createWallet(frame, vault, network.secretType, options, steps));
    return wallet && { wallet, how: 'made' };
  }

  /** False if the user declines to enrol this device, which the wallet service requires. */
  async function link(): Promise<boolean> {
    // This request must not change other chains, and archived wallets keep their links in case they are restored.
    const others = (await vault.linked(origin, true))
      .filter((wallet) => wallet.archived || !asked(wallet))
      .map(({ id }) => id);
    const set = () => vault.setLinked(origin, [...others, ...view.chosen]);
    if (!vault.service) {
      await set();
      return true;
    }
    const { asEnrolled } = await import('../service/service-account-flow.ts');
    const done = await asEnrolled(frame, options, () => set().then(() => true));
    if (done) return true;
    view.busy = false;
    frame.stage.show(screen);
    return false;
  }
  await tellSite(frame.link, frame.networks, vault);
  const now = (await vault.linked(origin)).filter(asked);
  task.resolve(now.map((wallet) => siteWallet(frame.networks, wallet)));
}

function networkNamed({ networks }: Frame, id: string): Network {
  const found = networks.networks.find((network) => network.id === id && network.nodes.length > 0);
  if (found) return found;
  throw new RequestInvalidError([{ path: 'network', message: 'is not a network of this wallet' }]);
}

/** The chains on which wallets can be created here: those that the site asks for, otherwise all, in the order of `networks.json`. */
function chainsToMake({ networks }: Frame, asked: readonly SecretType[] | undefined): SecretType[] {
  const wanted = asked?.length ? asked : networks.networks.map(({ secretType }) => secretType);
  return [...new Set(wanted)].filter((chain) => usableNetworks(networks, chain).length > 0);
}
