/** The network that a page has set on an element. Loaded only for one that has it: which wallets are on it, and whether there is such a network. */
import type { Wallet } from '../api/wallet.ts';
import { type ConnectError, RequestInvalidError } from '../base/errors.ts';
import { SECRET_TYPES, type SecretType } from '../chains/secret-type.ts';
import type { ConnectElement } from './connect-element.ts';
import type { ElementAction } from './events.ts';

export type Networked = ConnectElement & { network: string | undefined };

export class PageNetwork {
  #key = '';
  #walletIds: ReadonlySet<string> | undefined;

  constructor(
    private readonly host: Networked,
    /** What fails if there is no such network. */
    private readonly action: ElementAction,
  ) {}

  /** Before each update. `chain`: the only one that the element is for. */
  follow(chain?: SecretType): void {
    const { network, linked } = this.host;
    const key = network && linked ? [network, chain, ...linked.map(({ id }) => id)].join(' ') : '';
    if (key === this.#key) return;
    this.#key = key;
    this.#walletIds = undefined;
    if (network && linked) void this.#read(key, network, linked, chain ? [chain] : SECRET_TYPES);
  }

  /** Whether a wallet is on it; any may be until that is known. */
  has({ id }: Wallet): boolean {
    return this.#walletIds?.has(id) ?? true;
  }

  async #read(
    key: string,
    network: string,
    wallets: readonly Wallet[],
    chains: readonly SecretType[],
  ): Promise<void> {
    const { host } = this;
    const isOn = async (of: string) => (await host.current.networks(of)).some(({ id }) => id === network);
    try {
      const ofChains = await Promise.all(chains.map(isOn));
      const exists = ofChains.includes(true);
      const ofWallets = exists ? await Promise.all(wallets.map(({ id }) => isOn(id))) : [];
      if (key !== this.#key) return;
      if (exists) this.#walletIds = new Set(wallets.flatMap(({ id }, i) => (ofWallets[i] ? [id] : [])));
      else if (host.status.kind !== 'waiting')
        host.fail(this.action, unknownNetwork(network) as ConnectError);
      host.requestUpdate();
    } catch {
      // The wallet does not answer, or is of an older version. It checks each request itself.
    }
  }
}

function unknownNetwork(network: string): RequestInvalidError {
  return new RequestInvalidError([
    { path: 'network', message: `“${network}” is not a network of this wallet` },
  ]);
}
