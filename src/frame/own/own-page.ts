/** What the wallet's own page shows: all wallets of this browser with what is in them, and everything that starts from there. */
import { ConnectError, FrameBlockedError, UserRejectedError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import { usableNetworks } from '../../chains/nodes/networks.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import type { HostLink } from '../../channel/link.ts';
import type { Vault } from '../../wallets/types.ts';
import { reader } from '../reader.ts';
import type { ChosenWallet } from '../set-up/set-up-flow.ts';
import { Guard } from '../shell/guard.ts';
import { serveOwn } from '../shell/admission.ts';
import { watchReplacements } from '../shell/replacements.ts';
import type { Shell } from '../shell/shell.ts';
import { type ShellFrame, Stage } from '../shell/stage.ts';
import { Turn } from '../shell/turn.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { portfolio } from '../wallets/portfolio-flow.ts';

const nothing = (): void => {};

/** There is no page: what flows would tell one goes nowhere, and nothing comes from there. */
const NO_PAGE: HostLink = {
  origin: location.origin,
  surface: 'popup',
  mode: 'approve',
  locale: undefined,
  tokens: false,
  unlinked: [],
  sheet: false,
  undelivered: false,
  onRequest: nothing,
  onAck: nothing,
  onGone: nothing,
  onBack: nothing,
  onSheet: nothing,
  tellHeight: nothing,
  sendWallets: nothing,
  sendReplaced: nothing,
  accessToken: async () => undefined,
  front: nothing,
  forsake: nothing,
  openWindow: nothing,
  close: nothing,
};

/** Rejects without `networks.json`; else never ends. */
export async function serveUser(shell: Shell): Promise<never> {
  const parts = await reader(NO_PAGE);
  const { clock } = parts;
  const stage = new Stage(shell, new Guard({ surface: 'popup', clock }), NO_PAGE);
  void import('../shell/own-window.ts').then(
    ({ watchWindow }) => watchWindow(shell, clock),
    () => {},
  );
  const frame = adopting({ ...parts, stage });
  serveOwn(frame, new Turn(NO_PAGE.origin), watchReplacements(NO_PAGE, shell, clock));
  return new OwnPage(frame).run();
}

/** Here alone, a copy of another browser becomes this browser's wallet. */
export function adopting(parts: ShellFrame): ShellFrame {
  const frame: ShellFrame = {
    ...parts,
    async joinCopy(...of) {
      const { joinCopy } = await import('../copy/restore-copy-flow.ts');
      return joinCopy(frame, ...of);
    },
  };
  return frame;
}

/** The page, from its opening until it is closed. */
export class OwnPage {
  /** Closes it, as far as the browser lets it. */
  leave = (): void => window.close();
  readonly #frame: ShellFrame;
  /** A site's request waits for this page to bring the wallets back. */
  #isLed: boolean | undefined;
  readonly #options: OpenOptions = {
    signal: new AbortController().signal,
    requestId: crypto.randomUUID(),
    own: true,
    settings: true,
  };

  constructor(frame: ShellFrame) {
    this.#frame = frame;
  }

  async run(): Promise<never> {
    for (;;)
      try {
        await this.#show();
      } catch (error) {
        if (error instanceof FrameBlockedError) this.leave();
        // What the user has left, or has gone on with in another window, ends where it began.
        else if (!(error instanceof UserRejectedError)) await this.#explain(error);
      }
  }

  /** Resolves or rejects when there is something else to show. */
  async #show(): Promise<void> {
    const vault = await this.#frame.vault();
    if (navigator.maxTouchPoints > 0) {
      const { standInApp } = await import('../shell/obstacles-flow.ts');
      const { requestId: id, signal } = this.#options;
      await standInApp(this.#frame, { id, signal }, { address: location.href });
    }
    const [{ exists }, [wallet, other]] = await Promise.all([vault.state(), vault.wallets()]);
    if (!exists) return this.#setUp(vault);
    // All of them are archived.
    if (!wallet) return this.#manage(vault);
    const left = await portfolio(this.#frame, vault, wallet, this.#options, other ? 'all' : 'alone');
    if (left === 'cbf-manage') await this.#manage(vault);
  }

  async #setUp(vault: Vault): Promise<void> {
    const { allSteps, chooseSetUp, createWallet, importOn } = await import('../set-up/set-up-flow.ts');
    const frame = this.#frame;
    const chains = this.#chains();
    if (this.#isLed === undefined) {
      const { isLedHere } = await import('../copy/lead-flow.ts');
      this.#isLed = await isLedHere();
      if (this.#isLed) return this.#restore(vault, chains);
    }
    const begin = await chooseSetUp(frame, vault, this.#options);
    if (begin === 'find') return this.#restore(vault, chains);
    await this.#asking(vault, async (options) => {
      if (begin === 'import') return importOn(frame, vault, chains, options);
      const steps = allSteps(frame, vault, options);
      const wallet = await createWallet(frame, vault, chains[0]!, options, steps);
      return wallet && { wallet, how: 'made' };
    });
  }

  /** Once it is done, whoever came from a site goes on there. */
  async #restore(vault: Vault, chains: readonly SecretType[]): Promise<void> {
    const { findWallet } = await import('../copy/restore-copy-flow.ts');
    await this.#asking(vault, async (options) => {
      const wallet = await findWallet(this.#frame, vault, chains, options);
      if (wallet && this.#isLed) this.leave();
      return wallet && { wallet, how: 'restored' };
    });
  }

  async #manage(vault: Vault): Promise<void> {
    const frame = this.#frame;
    const { chooseNetwork } = await import('../set-up/choose-network-flow.ts');
    const places = this.#chains().flatMap((chain) => usableNetworks(frame.networks, chain).slice(0, 1));
    const place = await chooseNetwork(frame, places, this.#options, msg('Manage wallets'));
    if (!place) return;
    const { manage } = await import('../wallets/manage-flow.ts');
    await this.#asking(vault, (options) => manage(frame, vault, place.secretType, options));
  }

  /** Does `work` in the wallet's turn, as it may ask for the PIN, and then what follows a new wallet. */
  async #asking(
    vault: Vault,
    work: (options: OpenOptions) => Promise<ChosenWallet | undefined>,
  ): Promise<void> {
    const frame = this.#frame;
    const turn = await frame.stage.asks('wallets', this.#options);
    let chosen: ChosenWallet | undefined;
    try {
      chosen = await work({ ...this.#options, signal: turn.signal });
    } finally {
      turn.end();
    }
    if (!chosen) return;
    const { goOnWith } = await import('../wallets/manage-flow.ts');
    await goOnWith(frame, vault, chosen, this.#options);
  }

  /** In the order of `networks.json`. */
  #chains(): SecretType[] {
    const { networks } = this.#frame;
    const types = new Set(networks.networks.map(({ secretType }) => secretType));
    return [...types].filter((chain) => usableNetworks(networks, chain).length > 0);
  }

  /** Resolves when the user tries again. */
  async #explain(error: unknown): Promise<void> {
    const { storageDenied, tryAgain } = await import('../shell/obstacles-flow.ts');
    const isDenied = error instanceof ConnectError && error.code === 'storage.unavailable';
    const view = isDenied ? storageDenied(error.details['reason'] === 'full') : tryAgain();
    await this.#frame.stage.open(view, { ...this.#options, settings: false }).next('cbf-retry', 'cbf-reject');
  }
}
