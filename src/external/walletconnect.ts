/**
 * A wallet elsewhere, such as on a phone, reached through a relay by WalletConnect 2 (https://specs.walletconnect.com/2.0). Once it has
 * approved a session, it gets the requests of EIP-1193. Each names its chain, so the wallet never has to switch.
 */
import type { Wallet } from '../api/wallet.ts';
import type { AnySignature } from '../chains/terms.ts';
import type { EvmRequest, EvmSignRequest } from '../chains/evm/payload.ts';
import {
  ConnectError,
  RequestInvalidError,
  UserRejectedError,
  FrameUnreachableError,
} from '../base/errors.ts';
import { inertText } from '../base/text.ts';
import { type Eip1193, openEip1193 } from './eip1193.ts';
import { externalError, notSupported, wrongAnswer } from './external-error.ts';
import { type NamedNetwork, networkOf, networksOf } from './networks.ts';
import type { Account, ExternalHost, ExternalWallet, Pairing, Wish } from './types.ts';
import {
  checkProject,
  errorOf,
  leave,
  RELAY,
  type Session,
  type SignClient,
  startClient,
  type WalletConnectOptions,
} from './walletconnect-client.ts';
import { type OpenSession, PageSession } from './walletconnect-session.ts';
import { ClientEntries, SessionStore } from './walletconnect-store.ts';

/** The chains that are `eip155` in CAIP-2. */
const CHAINS = ['ETHEREUM', 'GOCHAIN'] as const;
/** Seconds that a request stays valid: the user may have to fetch the phone first. */
const ANSWER_S = 900;
const NAME = 32;

interface Network extends NamedNetwork {
  secretType: (typeof CHAINS)[number];
}

/** The origin of our own wallet that the page uses, and a signal that aborts when the page is done with it. */
export interface Place {
  frame: string;
  ended: AbortSignal;
}

/** Throws `request.invalid` for a project id that is none. */
export function openWalletConnect(
  options: WalletConnectOptions,
  title: string,
  host: ExternalHost,
  place: Place,
): ExternalWallet<EvmRequest, EvmSignRequest> {
  checkProject(options);
  return new WalletConnect(options, title, host, place);
}

class WalletConnect implements ExternalWallet<EvmRequest, EvmSignRequest> {
  readonly #options: WalletConnectOptions;
  readonly #title: string;
  readonly #host: ExternalHost;
  readonly #store: SessionStore;
  readonly #session: PageSession;
  #report = (_addresses: string[]): void => {};

  constructor(options: WalletConnectOptions, title: string, host: ExternalHost, { frame, ended }: Place) {
    this.#options = options;
    this.#title = title;
    this.#host = host;
    this.#store = new SessionStore(frame);
    const start = (entries: ClientEntries) => startClient(options, entries);
    const listener = {
      changed: (session: Session, shown?: unknown) => this.#changed(session, shown),
      ended: () => this.#report([]),
    };
    this.#session = new PageSession(this.#store, start, listener, ended);
  }

  async link(wish: Wish, pairing?: Pairing): Promise<Account[]> {
    const all = await this.#networks();
    const wished = this.#wished(all, wish);
    const entries = new ClientEntries(this.#store);
    const client = await startClient(this.#options, entries).catch((error: unknown) => {
      throw errorOf(error, this.#title);
    });
    try {
      return await this.#pair(client, entries, pairing!, wished, all);
    } catch (error) {
      leave(client);
      throw errorOf(error, this.#title);
    }
  }

  async accounts(): Promise<string[]> {
    const open = await this.#session.current();
    if (open) return addressesOf(await this.#approved(open.session));
    this.#report([]);
    return [];
  }

  async send(from: Wallet, request: EvmRequest): Promise<string> {
    return (await this.#walletOf(from)).send(from, request);
  }

  async sign(from: Wallet, request: EvmSignRequest): Promise<AnySignature> {
    return (await this.#walletOf(from)).sign(from, request);
  }

  watch(changed: (addresses: string[]) => void): void {
    this.#report = changed;
  }

  forget(): Promise<void> {
    return this.#session.forget();
  }

  async #networks(): Promise<Network[]> {
    const all = await Promise.all(
      CHAINS.map(async (secretType) =>
        (await networksOf(this.#host, secretType)).map((each) => ({ ...each, secretType })),
      ),
    );
    return all.flat();
  }

  /** The wished networks, at least one. */
  #wished(all: readonly Network[], { secretTypes, network }: Wish): Network[] {
    const wished = all.filter(
      ({ id, secretType }) => secretTypes.includes(secretType) && (network === undefined || network === id),
    );
    if (wished.length) return wished;
    if (network === undefined) throw notSupported(this.#title, secretTypes.join(' or '));
    throw new RequestInvalidError([
      { path: 'network', message: `is not a network of ${secretTypes.join(' or ')}` },
    ]);
  }

  /** Has the user approve a session in a wallet, which becomes the page's. */
  async #pair(
    client: SignClient,
    entries: ClientEntries,
    pairing: Pairing,
    wished: readonly Network[],
    all: readonly Network[],
  ): Promise<Account[]> {
    const { relayUrl = RELAY } = this.#options;
    const chainIds = new Set([...wished, ...all].map(({ chainId }) => chainId));
    const session = await pair(client, chainIds, pairing, this.#host, relayUrl);
    const accounts = linkable(await this.#approved(session), wished, this.#host.linked());
    if (!accounts.length) throw this.#refused(session, wished);
    const before = await this.#session.current().catch(() => undefined);
    if (pairing.signal.aborted) throw userLeft();
    this.#session.replace(client, entries, before);
    return accounts.map((account) => ({ ...account, name: this.#nameOf(session) }));
  }

  #refused(session: Session, wished: readonly Network[]): Error {
    const name = this.#nameOf(session);
    if (!accountsIn(session).length) return new UserRejectedError(`No account was linked in ${name}.`);
    return new ConnectError(
      'chain.not-supported',
      `${name} approved other networks than ${wished.map((each) => each.name).join(', ')}.`,
      { chainId: wished[0]!.chainId },
    );
  }

  /** `shown`: the accounts that the wallet now uses. Only those of the session count: a user adds others through an update of the session. */
  async #changed(session: Session, shown: unknown): Promise<void> {
    const approved = addressesOf(await this.#approved(session));
    const used = Array.isArray(shown)
      ? await Promise.all(shown.map((each) => readAddress(String(each).split(':').pop())))
      : approved;
    const addresses = approved.filter((address) => used.includes(address));
    if (addresses.length || shown === undefined) this.#report(addresses);
  }

  /** The accounts of a session that are on our networks. */
  async #approved(session: Session): Promise<Account[]> {
    const all = await this.#networks();
    const accounts = await Promise.all(
      accountsIn(session).map(async ({ chainId, address: given }) => {
        const address = await readAddress(given).catch(() => {
          throw wrongAnswer(this.#nameOf(session), 'a list of accounts');
        });
        return all
          .filter((each) => each.chainId === chainId)
          .map(({ secretType, id }) => ({ address, secretType, network: id }));
      }),
    );
    return accounts.flat();
  }

  /** The session as a wallet on the network of `from`. */
  async #walletOf(from: Wallet): Promise<ExternalWallet<EvmRequest, EvmSignRequest>> {
    const open = await this.#session.current();
    if (!open) throw externalError({ code: 4100 }, from.alias);
    const name = this.#nameOf(open.session);
    const { chainId } = await networkOf(this.#host, from, name);
    return openEip1193(providerOf(open, chainId, name), name, this.#host);
  }

  /** The name that the wallet gives itself. */
  #nameOf({ peer }: Session): string {
    const { name } = Object(peer?.metadata) as { name?: unknown };
    return (typeof name === 'string' && inertText(name, NAME)) || this.#title;
  }
}

/** A session as a provider that is on one network. */
function providerOf({ client, session }: OpenSession, chainId: number, name: string): Eip1193 {
  return {
    async request({ method, params = [] }) {
      if (method === 'eth_chainId') return `0x${chainId.toString(16)}`;
      if (method === 'eth_accounts')
        return accountsIn(session).flatMap((each) => (each.chainId === chainId ? [each.address] : []));
      if (!methodsOf(session, chainId).includes(method)) throw externalError({ code: 4200 }, name);
      try {
        return await client.request({
          topic: session.topic,
          chainId: `eip155:${chainId}`,
          request: { method, params },
          expiry: ANSWER_S,
        });
      } catch (error) {
        throw errorOf(error, name);
      }
    },
  };
}

const addressesOf = (accounts: readonly Account[]): string[] => [
  ...new Set(accounts.map(({ address }) => address)),
];

async function readAddress(given: unknown): Promise<string> {
  const { readHexAddress } = await import('../chains/contracts/evm-address.ts');
  return readHexAddress(given, 'ETHEREUM');
}

/** The accounts of `eip155`. A namespace may be for all its chains or for one: https://chainagnostic.org/CAIPs/caip-217 */
function accountsIn({ namespaces }: Session): { chainId: number; address: string }[] {
  return Object.values(namespaces).flatMap((each) =>
    (each?.accounts ?? []).flatMap((account) => {
      const [, chainId, address] = /^eip155:([1-9]\d{0,15}):(.+)$/.exec(account) ?? [];
      return address ? [{ chainId: Number(chainId), address }] : [];
    }),
  );
}

function methodsOf({ namespaces }: Session, chainId: number): string[] {
  return ['eip155', `eip155:${chainId}`].flatMap((key) => namespaces[key]?.methods ?? []);
}

/** For each requested chain, the accounts on the first approved network; and those that are linked already and were approved again. */
function linkable(
  approved: readonly Account[],
  wished: readonly Network[],
  linked: readonly Wallet[],
): Account[] {
  const first = CHAINS.flatMap((secretType) => {
    const on = wished.find(
      (each) => each.secretType === secretType && approved.some(({ network }) => network === each.id),
    );
    return approved.filter(({ network }) => network === on?.id);
  });
  if (!first.length) return [];
  const before = approved.filter(({ address, network }) =>
    linked.some((it) => it.address === address && it.network === network),
  );
  return [...new Set([...first, ...before])];
}

const METHODS = ['eth_sendTransaction', 'personal_sign', 'eth_signTypedData_v4'];
const EVENTS = ['accountsChanged', 'chainChanged'];
/** The client retries silently and without end. */
const RELAY_MS = 20_000;

export async function pair(
  client: SignClient,
  chainIds: ReadonlySet<number>,
  { show, answered, signal }: Pairing,
  { clock }: ExternalHost,
  relayUrl: string,
): Promise<Session> {
  const { relayer } = client.core;
  let stop = (_why: Error): void => {};
  const stopped = new Promise<never>((_, reject) => (stop = reject));
  const unreachable = (what: string) =>
    stop(new FrameUnreachableError(`${relayUrl} ${what}. The page's policy must allow it in connect-src.`));
  const left = () => stop(userLeft());
  signal.addEventListener('abort', left);
  if (signal.aborted) left();
  const cancel = clock.after(RELAY_MS, () => unreachable('did not answer'), 'limit');
  relayer.on('relayer_error', ({ message }) => unreachable(`refused this page: ${inertText(message)}`));
  try {
    const chains = [...chainIds].map((chainId) => `eip155:${chainId}`);
    const namespace = { chains, methods: METHODS, events: EVENTS };
    // A wallet may approve fewer. What it must approve is checked afterwards.
    const proposal = client.connect({ optionalNamespaces: { eip155: namespace } });
    const { uri, approval } = await Promise.race([proposal, stopped]);
    cancel();
    relayer.on('relayer_message', answered);
    show(uri!);
    return await Promise.race([approval(), stopped]);
  } finally {
    cancel();
    signal.removeEventListener('abort', left);
  }
}

export const userLeft = () => new UserRejectedError('The user left before a wallet answered.');
