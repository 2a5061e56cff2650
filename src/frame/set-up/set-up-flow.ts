/** First use and import: everything that creates or imports a key. */
import { usableNetworks } from '../../chains/nodes/networks.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import { msg } from '../../base/localize.ts';
import type { HeldWallet, NewHome, Unlocked, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { siteName } from '../shell/origin.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { askPin } from '../unlock/ask-pin-flow.ts';
import { chooseHome, chooseNetwork } from './choose-network-flow.ts';
import { noteReminded } from '../ui/backup-reminder.ts';
import { ownPageUrl } from '../ui/rows.ts';
import { makeVault, type Making } from './way-in-flow.ts';

/** The wallet that the user wants, and where it came from. */
export interface ChosenWallet {
  wallet: HeldWallet;
  how: 'chosen' | 'made' | 'imported' | 'restored';
}

/** How to begin, if the user chose before the wallet opened. */
export type NewWallet = 'create' | 'import';

/**
 * For a site's request, creates or imports the first wallet: on the first of these chains, or for an import on the one that the user chooses.
 * `begin`: what the user has already chosen. Undefined once the wallet's own page has restored wallets, of whatever chains. Rejects with
 * `user.rejected`.
 */
export async function setUp(
  frame: Frame,
  vault: Vault,
  chains: readonly SecretType[],
  options: OpenOptions,
  steps: Steps,
  begin?: NewWallet,
): Promise<ChosenWallet | undefined> {
  for (let next = begin; ; next = undefined) {
    const choice = await chooseSetUp(frame, vault, options, next);
    if (choice === 'find') {
      const { leadToOwnPage } = await import('../copy/lead-flow.ts');
      if (await leadToOwnPage(frame, vault, options)) return undefined;
      continue;
    }
    if (choice === 'import') {
      const result = await importOn(frame, vault, chains, options);
      if (result) return result;
      continue;
    }
    const wallet = await createWallet(frame, vault, chains[0]!, options, steps);
    if (wallet) return { wallet, how: 'made' };
  }
}

/** How to begin; rejects with `user.rejected`. `begun`: what the user chose before. Whoever has a wallet may have it in an encrypted copy. */
export async function chooseSetUp(
  frame: Frame,
  vault: Vault,
  options: OpenOptions,
  begun?: NewWallet,
): Promise<NewWallet | 'find'> {
  const copies =
    frame.networks.service !== undefined &&
    'PublicKeyCredential' in globalThis &&
    !(await vault.state()).exists;
  if (begun === 'create' || (begun && !copies)) return begun;
  const { FirstUseView } = await import('./choice-views.ts');
  const view = Object.assign(new FirstUseView(), {
    service: await canCreateAtService(vault),
    copies,
    ownPage: frame.joinCopy ? '' : ownPageUrl(),
    hasOne: begun === 'import',
    servedAt: options.own ? (await vault.servedSites()).map(siteName) : [],
  });
  const { type } = await frame.stage.open(view, options).next('cbf-create', 'cbf-import', 'cbf-find');
  return type === 'cbf-create' ? 'create' : type === 'cbf-find' ? 'find' : 'import';
}

/** Imports a wallet on whichever of these chains the user chooses. Undefined on Back. */
export async function importOn(
  frame: Frame,
  vault: Vault,
  chains: readonly SecretType[],
  options: OpenOptions,
): Promise<ChosenWallet | undefined> {
  const networks = chains.flatMap((chain) => usableNetworks(frame.networks, chain).slice(0, 1));
  const network = await chooseNetwork(frame, networks, options, msg('Import wallet'));
  return network && importWallet(frame, vault, network.secretType, options);
}

async function canCreateAtService({ service }: Vault): Promise<boolean> {
  return (await service?.account().catch(() => undefined)) !== undefined;
}

/** Who keeps the key of a new wallet: this browser, or what the user chooses if there is a service. Undefined on Back. */
async function chooseHolder(
  frame: Frame,
  vault: Vault,
  options: OpenOptions,
): Promise<'browser' | 'service' | undefined> {
  if (!(await canCreateAtService(vault))) return 'browser';
  const { ChooseHolderView } = await import('./choice-views.ts');
  const screen = frame.stage.open(new ChooseHolderView(), options);
  const { type } = await screen.next('cbf-browser', 'cbf-service', 'cbf-back');
  if (type === 'cbf-back') return undefined;
  return type === 'cbf-service' ? 'service' : 'browser';
}

/** How many steps it takes to create a wallet. */
export interface Steps {
  /** The network of the new wallet. Undefined on Back. */
  home(secretType: SecretType): Promise<NewHome | undefined>;
  /** Number of steps for the progress line; 0 for no line. */
  count: number;
  /** Runs after the browser's first wallet was created, while it is unlocked. */
  made(unlocked: Unlocked): Promise<void>;
}

/** Only the PIN or passkey. The wallet is marked as not backed up, and Settings shows the words. */
export function fewSteps(home: Steps['home']): Steps {
  return { home, count: 0, made: async () => {} };
}

/** With the choice of network and, after a PIN, the words. With a passkey there is no PIN to forget, so they can be backed up later. */
export function allSteps(frame: Frame, vault: Vault, options: OpenOptions): Steps {
  return {
    home: (secretType) => chooseHome(frame, secretType, options),
    count: 3,
    async made(unlocked) {
      if ((await vault.state()).pin) await backUp(frame, vault, await vault.phrase(unlocked), options);
    },
  };
}

/** Creates a wallet, the first or another, in this browser or at the service. Undefined on Back. */
export async function createWallet(
  frame: Frame,
  vault: Vault,
  secretType: SecretType,
  options: OpenOptions,
  steps: Steps,
): Promise<HeldWallet | undefined> {
  const holder = await chooseHolder(frame, vault, options);
  if (!holder) return undefined;
  if (holder === 'service')
    return (await import('../service/service-account-flow.ts')).createServiceWallet(
      frame,
      vault,
      secretType,
      options,
    );
  if (!(await vault.state()).exists) return createFirst(frame, vault, secretType, options, steps);
  const home = await steps.home(secretType);
  const unlocked = home && (await askPin(frame, vault, msg('To create another wallet.'), options));
  return (
    unlocked && using(frame, vault, unlocked, () => vault.createWallet(unlocked, secretType, undefined, home))
  );
}

async function createFirst(
  frame: Frame,
  vault: Vault,
  secretType: SecretType,
  options: OpenOptions,
  steps: Steps,
): Promise<HeldWallet | undefined> {
  const home = await steps.home(secretType);
  if (!home) return undefined;
  const unlocked = await makeVault(frame, vault, options, steps.count, creating(vault), () => {
    // The chain's code is the largest part; it loads while the PIN is typed.
    frame.chain(secretType).catch(() => {});
  });
  return (
    unlocked &&
    using(frame, vault, unlocked, async () => {
      const wallet = await vault.createWallet(unlocked, secretType, undefined, home);
      await offerCopy(frame, vault, unlocked, options);
      await steps.made(unlocked);
      return wallet;
    })
  );
}

export function creating(vault: Vault): Making {
  return { withPin: vault.create, withPasskey: vault.createWithPasskey };
}

/** Shows the words and checks the copy. Closing counts as "later": the wallet already exists. */
async function backUp(frame: Frame, vault: Vault, words: string[], options: OpenOptions): Promise<void> {
  const [{ BackUpView }, { passkey }] = await Promise.all([import('./back-up-view.ts'), vault.state()]);
  try {
    for (;;) {
      const view = Object.assign(new BackUpView(), { clock: frame.clock, passkey, reveal: () => words });
      const screen = frame.stage.open(view, options);
      if ((await screen.next('cbf-continue', 'cbf-later', 'cbf-close')).type !== 'cbf-continue') {
        // Receive, which may follow at once, does not offer the same again.
        noteReminded(frame.clock.date());
        return;
      }
      if (await checkCopy(frame, vault, words, options, 3)) return;
    }
  } finally {
    words.fill('');
  }
}

/** Asks for three of the words, from paper. False on Back, which returns to the words. `steps` as in `choosePin`. */
export async function checkCopy(
  frame: Frame,
  vault: Vault,
  words: readonly string[],
  options: OpenOptions,
  steps: number,
): Promise<boolean> {
  const { CheckCopyView } = await import('./back-up-view.ts');
  const check = (position: number, word: string): boolean => words[position - 1] === word;
  const copy = frame.stage.open(Object.assign(new CheckCopyView(), { check, progressOf: steps }), options);
  const { type } = await copy.next('cbf-finish', 'cbf-back', 'cbf-close');
  if (type === 'cbf-finish') await vault.confirmBackup();
  return type !== 'cbf-back';
}

/** Imports a phrase, if there is no vault yet, or a private key or key file. Undefined on Back. */
export async function importWallet(
  frame: Frame,
  vault: Vault,
  secretType: SecretType,
  options: OpenOptions,
): Promise<ChosenWallet | undefined> {
  const { Import } = await import('./import-flow.ts');
  return new Import(frame, vault, secretType, options).run();
}

export async function using<T>(
  frame: Frame,
  vault: Vault,
  unlocked: Unlocked,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } finally {
    await release(frame, vault, unlocked);
  }
}

/** Closes it. If there is an encrypted copy, it gets what has changed first, while the user goes on. */
export async function release(frame: Frame, vault: Vault, unlocked: Unlocked): Promise<void> {
  if (!(await mayKeepCopy(frame, vault))) return unlocked.close();
  void import('../copy/keep-flow.ts')
    .then(({ keepUp }) => keepUp(frame, vault, unlocked))
    .catch(() => {})
    .finally(() => unlocked.close());
}

/** After a passkey was made: offers an encrypted copy that it opens, if there is a service that keeps it. */
export async function offerCopy(
  frame: Frame,
  vault: Vault,
  unlocked: Unlocked,
  options: OpenOptions,
): Promise<void> {
  if (await mayKeepCopy(frame, vault))
    await (await import('../copy/keep-flow.ts')).offerCopy(frame, vault, unlocked, options);
}

async function mayKeepCopy({ networks }: Frame, vault: Vault): Promise<boolean> {
  return networks.service !== undefined && (await vault.state()).passkey;
}
