/**
 * A wallet elsewhere, such as on a phone, reached through a relay by WalletConnect 2 (https://specs.walletconnect.com/2.0). Once it has
 * approved a session, it gets the requests of its chains' namespaces. Each names its chain, so the wallet never has to switch.
 */
import type { Wallet } from '../api/wallet.ts';
import type { AnySignature } from '../chains/terms.ts';
import { CARDS, chainsThat, type SecretType } from '../chains/secret-type.ts';
import {
  ConnectError,
  RequestInvalidError,
  UserRejectedError,
  FrameUnreachableError,
} from '../base/errors.ts';
import { inertText } from '../base/text.ts';
import { externalError, notSupported, wrongAnswer } from './external-error.ts';
import { type NamedNetwork, type NamespaceName, namespaceOf, networkOf, networksOf } from './networks.ts';
import type { Account, ExternalHost, ExternalWallet, Pairing, Wish } from './types.ts';
import {
  checkProject,
  errorOf,
  leave,
  type Proposal,
  RELAY,
  type Session,
  type SessionEvent,
  type SignClient,
  startClient,
  type WalletConnectOptions,
} from './walletconnect-client.ts';
import { NAMESPACES, type SessionCalls } from './walletconnect-namespaces.ts';
import { ClientEntries, type OpenSession, PageSession, SessionStore } from './walletconnect-session.ts';

const CHAINS = chainsThat(namespaceOf);
/** Seconds that a request stays valid: the user may have to fetch the phone first. */
const ANSWER_S = 900;
const NAME = 32;

interface Network extends NamedNetwork {
  secretType: SecretType;
  /** In CAIP-2: `eip155:1`. */
  caip: string;
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
): ExternalWallet<object, object> {
  checkProject(options);
  return new WalletConnect(options, title, host, place);
}

/** Its requests are those of the linked wallet's chain. */
class WalletConnect implements ExternalWallet<object, object> {
  readonly #options: WalletConnectOptions;
  readonly #title: string;
  readonly #host: ExternalHost;
  readonly #store: SessionStore;
  readonly #session: PageSession;
  #report: Parameters<ExternalWallet['watch']>[0] = () => {};
  #move: NonNullable<Parameters<ExternalWallet['watch']>[2]> = () => {};

  constructor(options: WalletConnectOptions, title: string, host: ExternalHost, { frame, ended }: Place) {
    this.#options = options;
    this.#title = title;
    this.#host = host;
    this.#store = new SessionStore(frame);
    const start = (entries: ClientEntries) => startClient(options, entries);
    const listener = {
      changed: (session: Session, told?: SessionEvent['params']) => this.#changed(session, told),
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

  async accounts(secretType?: SecretType): Promise<string[]> {
    const open = await this.#session.current();
    if (open) return addressesOf(await this.#approved(open.session), secretType);
    this.#report([]);
    return [];
  }

  async send(from: Wallet, request: object): Promise<string> {
    return (await this.#walletOf(from)).send(from, request);
  }

  async sign(from: Wallet, request: object): Promise<AnySignature> {
    const answer = await (await this.#walletOf(from)).sign(from, request);
    const { secretType, address, alias } = from;
    if (!NAMESPACES[namespaceFor(secretType)].checks) return answer;
    const params = [request, answer, address];
    const proof = await this.#host.rpc({ secretType, method: 'carabiner_signed', params });
    if ('result' in proof && proof.result === true) return answer;
    throw wrongAnswer(alias, 'a signature of this message by the linked account');
  }

  watch(
    changed: Parameters<ExternalWallet['watch']>[0],
    _reachable: (yes: boolean) => void,
    moved: Parameters<ExternalWallet['watch']>[2] = () => {},
  ): void {
    this.#report = changed;
    this.#move = moved;
  }

  forget(): Promise<void> {
    return this.#session.forget();
  }

  /** Those that CAIP-2 can name. */
  async #networks(): Promise<Network[]> {
    const all = await Promise.all(
      CHAINS.map(async (secretType) => {
        const namespace = namespaceFor(secretType);
        return (await networksOf(this.#host, secretType)).flatMap((each) => {
          const reference = NAMESPACES[namespace].referenceOf(each);
          return reference ? [{ ...each, secretType, caip: `${namespace}:${reference}` }] : [];
        });
      }),
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
    const session = await pair(client, this.#asked(wished, all), pairing, this.#host, relayUrl);
    const accounts = linkable(await this.#approved(session), wished, this.#host.linked());
    if (!accounts.length) throw this.#refused(session, wished);
    const before = await this.#session.current().catch(() => undefined);
    if (pairing.signal.aborted) throw userLeft();
    const app = pairing.opened && appOf(session, pairing.opened());
    if (app) await entries.setItem(APP, { href: app });
    this.#session.replace(client, entries, before);
    return accounts.map((account) => ({ ...account, name: this.#nameOf(session) }));
  }

  /** The networks of what is wished, and of what is linked already, which the new session replaces. */
  #asked(wished: readonly Network[], all: readonly Network[]): Network[] {
    const namespaces = new Set(
      [...wished, ...this.#host.linked()].map(({ secretType }) => namespaceFor(secretType)),
    );
    return [...wished, ...all.filter(({ secretType }) => namespaces.has(namespaceFor(secretType)))];
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

  async #changed(session: Session, told?: SessionEvent['params']): Promise<void> {
    const approved = await this.#approved(session);
    const linked = this.#host.linked();
    const used = told?.event.name === 'accountsChanged' ? told.event.data : undefined;
    for (const secretType of new Set(linked.map((each) => each.secretType))) {
      const own = addressesOf(approved, secretType);
      const isMeant = Array.isArray(used) && told?.chainId.startsWith(`${namespaceFor(secretType)}:`);
      const addresses = isMeant ? await this.#usedOf(own, used, secretType) : own;
      if (addresses.length || !isMeant) this.#report(addresses, secretType);
    }
    if (told?.event.name === 'chainChanged') await this.#follow(approved, linked, told);
  }

  /** Of the accounts that a wallet says it now uses, those of the session: a user adds others through an update of the session. */
  async #usedOf(
    approved: readonly string[],
    used: readonly unknown[],
    secretType: SecretType,
  ): Promise<string[]> {
    const [network] = (await this.#networks()).filter((each) => each.secretType === secretType);
    const { readAddress } = NAMESPACES[namespaceFor(secretType)];
    const read = (each: unknown) => readAddress(String(each).split(':').pop()!, network!).catch(() => '');
    const addresses = await Promise.all(used.map(read));
    return approved.filter((address) => addresses.includes(address));
  }

  /** The user has switched the wallet to another chain: wallets that are approved there are moved, but never between real and test coins. */
  async #follow(
    approved: readonly Account[],
    linked: readonly Wallet[],
    { event, chainId }: SessionEvent['params'],
  ): Promise<void> {
    const [namespace] = chainId.split(':');
    const names = [event.data, `${namespace}:${event.data}`, `${namespace}:${Number(event.data)}`];
    const all = await this.#networks();
    for (const { id, secretType, kind } of all.filter(({ caip }) => names.includes(caip))) {
      const kindOf = ({ network }: Wallet) => all.find((each) => each.id === network)?.kind;
      const isOn = ({ address }: Wallet) =>
        approved.some((each) => each.address === address && each.network === id);
      const own = linked.filter((each) => each.secretType === secretType);
      if (own.length && own.every((each) => isOn(each) && kindOf(each) === kind)) this.#move(secretType, id);
    }
  }

  /** The accounts of a session that are on our networks. */
  async #approved(session: Session): Promise<Account[]> {
    const all = await this.#networks();
    const accounts = await Promise.all(
      accountsIn(session).flatMap((account) =>
        all
          .filter(({ caip }) => caip === account.caip)
          .map(async (network) => {
            const { secretType, id } = network;
            const { readAddress } = NAMESPACES[namespaceFor(secretType)];
            const address = await readAddress(account.address, network).catch(() => {
              throw wrongAnswer(this.#nameOf(session), 'a list of accounts');
            });
            return { address, secretType, network: id };
          }),
      ),
    );
    return accounts;
  }

  /** The session as a wallet on the network of `from`. */
  async #walletOf(from: Wallet): Promise<Pick<ExternalWallet<object, object>, 'send' | 'sign'>> {
    const open = await this.#session.current();
    if (!open) throw externalError({ code: 4100 }, from.alias);
    const name = this.#nameOf(open.session);
    const { id, chainId } = await networkOf(this.#host, from, name);
    const approved = await this.#approved(open.session);
    const isShared = approved.some(({ address, network }) => address === from.address && network === id);
    if (!isShared) throw externalError({ code: 4100 }, name);
    const namespace = namespaceFor(from.secretType);
    const { caip } = (await this.#networks()).find(
      (each) => each.id === id && each.secretType === from.secretType,
    )!;
    return NAMESPACES[namespace].open(callsOf(open, caip, name), chainId, this.#host);
  }

  /** The name that the wallet gives itself. */
  #nameOf({ peer }: Session): string {
    const { name } = Object(peer?.metadata) as { name?: unknown };
    return (typeof name === 'string' && inertText(name, NAME)) || this.#title;
  }
}

function callsOf({ client, session }: OpenSession, caip: string, name: string): SessionCalls {
  const { topic, sessionProperties = {} } = session;
  const allows = (method: string) => methodsOf(session, caip).includes(method);
  return {
    name,
    accounts: accountsIn(session).flatMap((each) => (each.caip === caip ? [each.address] : [])),
    properties: sessionProperties,
    allows,
    async ask(method, params) {
      if (!allows(method)) throw externalError({ code: 4200 }, name);
      try {
        return await client.request({ topic, chainId: caip, request: { method, params }, expiry: ANSWER_S });
      } catch (error) {
        throw errorOf(error, name);
      }
    },
  };
}

const namespaceFor = (secretType: SecretType): NamespaceName => namespaceOf(CARDS[secretType])!;

/** Of one chain, or of all. */
const addressesOf = (accounts: readonly Account[], secretType?: SecretType): string[] => [
  ...new Set(
    accounts.flatMap((each) =>
      secretType === undefined || each.secretType === secretType ? [each.address] : [],
    ),
  ),
];

/** A namespace may be for all its chains or for one: https://chainagnostic.org/CAIPs/caip-217. Accounts are those of CAIP-10. */
function accountsIn({ namespaces }: Session): { caip: string; address: string }[] {
  return Object.values(namespaces).flatMap((each) =>
    (each?.accounts ?? []).flatMap((account) => {
      const [, caip, address] = /^([-a-z0-9]{3,8}:[-\w]{1,32}):(.+)$/.exec(account) ?? [];
      return caip && address ? [{ caip, address }] : [];
    }),
  );
}

function methodsOf({ namespaces }: Session, caip: string): string[] {
  return [caip.split(':')[0]!, caip].flatMap((key) => namespaces[key]?.methods ?? []);
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

/** A wallet may approve fewer. What it must approve is checked afterwards. */
function proposalOf(networks: readonly Network[]): Parameters<SignClient['connect']>[0] {
  const optionalNamespaces: Record<string, Proposal> = {};
  const sessionProperties: Record<string, string> = {};
  for (const { secretType, caip } of networks) {
    const name = namespaceFor(secretType);
    const { methods, events, properties } = NAMESPACES[name];
    const { chains } = (optionalNamespaces[name] ??= {
      chains: [],
      methods: [...methods],
      events: [...events],
    });
    if (!chains.includes(caip)) chains.push(caip);
    Object.assign(sessionProperties, properties);
  }
  return {
    optionalNamespaces,
    ...(Object.keys(sessionProperties).length && { sessionProperties }),
  };
}

/** Where the client looks for the link of the app that it opens with each request, while the user's tap lasts. */
const APP = 'WALLETCONNECT_DEEPLINK_CHOICE';
const APP_LINK = /^(https|(?!http|javascript|data|blob|file)[a-z][a-z\d+.-]*):\/\/[^\s"'<>]*$/i;

/** What opens the wallet again, if it is on this device: as it says itself, else as the user opened it. */
function appOf({ peer }: Session, opened: string | undefined): string | undefined {
  if (opened === undefined) return undefined;
  const { universal, native } = Object(peer?.metadata?.redirect) as Record<string, unknown>;
  const links = [universal, native, opened.replace(/\/?(wc)?\?uri=.*/, '')];
  return links.find((link): link is string => typeof link === 'string' && APP_LINK.test(link));
}

/** The client retries silently and without end. */
const RELAY_MS = 20_000;

export async function pair(
  client: SignClient,
  networks: readonly Network[],
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
    const proposal = client.connect(proposalOf(networks));
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
