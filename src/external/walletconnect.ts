/**
 * A wallet elsewhere, such as on a phone, reached through a relay by WalletConnect 2 (https://specs.walletconnect.com/2.0). Once it has
 * approved a session, it gets the requests of EIP-1193. Each names its chain, so the wallet never has to switch.
 */
import type { Wallet } from '../api/wallet.ts';
import type { EvmRequest, EvmSignRequest } from '../chains/evm/payload.ts';
import {
  ConnectError,
  FrameUnreachableError,
  RequestInvalidError,
  UserRejectedError,
} from '../base/errors.ts';
import { inertText } from '../base/text.ts';
import { type Eip1193, openEip1193 } from './eip1193.ts';
import { externalError, notSupported, wrongAnswer } from './external-error.ts';
import { type NamedNetwork, networkOf, networksOf } from './networks.ts';
import type { Account, ExternalHost, ExternalWallet, Pairing, Wish } from './types.ts';
import { type OpenStore, sessionStore } from './walletconnect-store.ts';
import type { ClientModule, Session, SignClient, WalletConnectOptions } from './walletconnect-types.ts';

/** The chains that are `eip155` in CAIP-2. */
const CHAINS = ['ETHEREUM', 'GOCHAIN'] as const;
const METHODS = ['eth_sendTransaction', 'personal_sign', 'eth_signTypedData_v4'];
const EVENTS = ['accountsChanged', 'chainChanged'];

/** https://docs.reown.com/cloud/relay */
const RELAY = 'wss://relay.walletconnect.org';
/** The client retries silently and without end. */
const RELAY_MS = 20_000;
/** Seconds that a request stays valid: the user may have to fetch the phone first. */
const ANSWER_S = 900;
const NAME = 32;

/** The codes of https://specs.walletconnect.com/2.0/specs/clients/sign/error-codes, and those of EIP-1193 with the same meaning. */
const CODES: Readonly<Record<number, number>> = {
  3001: 4200,
  5000: 4001,
  5001: 4001,
  5002: 4001,
  5003: 4001,
  5100: 4200,
  5101: 4200,
  5102: 4200,
  6000: 4900,
  6001: 4900,
};
const DISCONNECTED = { code: 6000, message: 'User disconnected.' };

interface Network extends NamedNetwork {
  secretType: (typeof CHAINS)[number];
}

/** Each session has a client of its own, so that the entries of two sessions never mix. */
interface Open {
  /** Id of the stored session; absent while the user has not approved it yet. */
  id?: string;
  client: SignClient;
}

/** The origin of our own wallet that the page uses, and a signal that aborts when the page is done with it. */
export interface Place {
  frame: string;
  ended: AbortSignal;
}

export function openWalletConnect(
  options: WalletConnectOptions,
  title: string,
  host: ExternalHost,
  { frame, ended }: Place,
): ExternalWallet<EvmRequest, EvmSignRequest> {
  const { projectId, relayUrl = RELAY } = options;
  if (typeof projectId !== 'string' || !/^[0-9a-f]{32}$/.test(projectId))
    throw new RequestInvalidError([
      {
        path: 'walletConnect.projectId',
        message: 'must be the 32 hex digits that dashboard.reown.com shows',
      },
    ]);
  const store = sessionStore(frame);
  let opening: Promise<Open> | undefined;
  let openId: string | undefined;
  let tell = (_addresses: string[]): void => {};

  store.onOther(() => {
    if (store.id() !== openId) void current().catch(() => {});
  }, ended);
  ended.addEventListener('abort', () => void opening?.then(close, () => {}));

  async function networks(): Promise<Network[]> {
    const all = await Promise.all(
      CHAINS.map(async (secretType) =>
        (await networksOf(host, secretType)).map((each) => ({ ...each, secretType })),
      ),
    );
    return all.flat();
  }

  async function start({ prefix, storage }: OpenStore): Promise<SignClient> {
    const load = options.client ?? (await import('./walletconnect-client.ts')).load;
    const found = (await load()) as ClientModule;
    const SignClient = found.SignClient ?? found.default;
    if (typeof SignClient?.init !== 'function')
      throw new RequestInvalidError([
        {
          path: 'walletConnect.client',
          message: "must resolve with what import('@walletconnect/sign-client') does",
        },
      ]);
    const client = await SignClient.init({
      projectId,
      relayUrl,
      metadata: { name: document.title || location.host, description: '', url: location.origin, icons: [] },
      storage,
      customStoragePrefix: prefix,
      telemetryEnabled: false,
      logger: 'silent',
    });
    // Otherwise the next client of this page would pick up what this one leaves there.
    for (const name of ['', '_count'])
      Reflect.deleteProperty(globalThis, `_walletConnectCore_${prefix}${name}`);
    // Requests are encrypted for the wallet. Beside them, the client would tell the relay their method, chain and contract.
    const { relayer } = client.core;
    const publish = relayer.publish.bind(relayer);
    relayer.publish = (topic, message, more) => publish(topic, message, { ...more, tvf: undefined });
    // Reown attests the page's origin, which wallets show. Another relay does not pass that on, and each request would wait for it.
    if (relayUrl !== RELAY) client.core.verify.register = async () => '';
    return client;
  }

  /** The page's session, which another tab may have ended or replaced. Undefined if there is none. */
  async function current(): Promise<{ client: SignClient; session: Session } | undefined> {
    const id = store.id();
    if (openId !== id) {
      opening?.then(close, () => {});
      openId = id;
      opening =
        id === undefined ? undefined : start(store.open(id)).then((client) => following({ id, client }));
      const mine = opening;
      mine?.catch(() => {
        if (opening === mine) opening = openId = undefined;
      });
    }
    const open = await opening;
    if (!open) return undefined;
    const { client } = open;
    const [session] = client.session.getAll();
    if (session) return { client, session };
    // It has expired, or the wallet ended it while the page was away.
    end(open);
    return undefined;
  }

  /** Listens to the wallet's own notifications. */
  function following(open: Open): Open {
    const { id, client } = open;
    const renew = (): void => void told().catch(() => {});
    client.on('session_update', renew);
    client.on('session_delete', () => end(open));
    client.on('session_expire', () => end(open));
    client.on('session_event', ({ params: { event } }) => {
      if (event.name === 'accountsChanged') void told(event.data).catch(() => {});
      else renew();
    });

    /** `shown`: the accounts that the wallet now uses. Only those of the session count: a user adds others through an update of the session. */
    async function told(shown?: unknown): Promise<void> {
      const [session] = client.session.getAll();
      if (!session || store.id() !== id) return;
      const approved = addressesOf(await approvedIn(session));
      const used = Array.isArray(shown)
        ? await Promise.all(shown.map((each) => readAddress(String(each).split(':').pop())))
        : approved;
      const addresses = approved.filter((address) => used.includes(address));
      if (addresses.length || shown === undefined) tell(addresses);
    }
    return open;
  }

  function end(open: Open): void {
    if (openId === open.id) opening = openId = undefined;
    if (store.id() === open.id) {
      store.forget();
      tell([]);
    }
    close(open);
  }

  /** The accounts of a session that are on our networks. */
  async function approvedIn(session: Session): Promise<Account[]> {
    const all = await networks();
    const accounts = await Promise.all(
      accountsIn(session).map(async ({ chainId, address: given }) => {
        const address = await readAddress(given).catch(() => {
          throw wrongAnswer(nameOf(session), 'a list of accounts');
        });
        return all
          .filter((each) => each.chainId === chainId)
          .map(({ secretType, id }) => ({ address, secretType, network: id }));
      }),
    );
    return accounts.flat();
  }

  /** The name that the wallet gives itself. */
  const nameOf = ({ peer }: Session): string => {
    const { name } = Object(peer?.metadata) as { name?: unknown };
    return (typeof name === 'string' && inertText(name, NAME)) || title;
  };

  async function link(wish: Wish, pairing: Pairing): Promise<Account[]> {
    const all = await networks();
    const wished = all.filter(
      ({ id, secretType }) =>
        wish.secretTypes.includes(secretType) && (wish.network === undefined || wish.network === id),
    );
    if (!wished.length && wish.network !== undefined)
      throw new RequestInvalidError([
        { path: 'network', message: `is not a network of ${wish.secretTypes.join(' or ')}` },
      ]);
    if (!wished.length) throw notSupported(title, wish.secretTypes.join(' or '));
    const draft = store.open();
    const client = await start(draft).catch((error: unknown) => {
      throw errorOf(error, title);
    });
    const open: Open = { client };
    try {
      const session = await pair(client, [...wished, ...all], pairing);
      const accounts = linkable(await approvedIn(session), wished, host.linked());
      if (!accounts.length) throw refused(session, wished);
      const before = await current().catch(() => undefined);
      if (pairing.signal.aborted) throw gone();
      const old = opening;
      open.id = openId = draft.keep();
      opening = Promise.resolve(following(open));
      if (before) leave(before);
      else old?.then(close, () => {});
      return accounts.map((account) => ({ ...account, name: nameOf(session) }));
    } catch (error) {
      const [session] = client.session.getAll();
      if (session) leave({ client, session });
      else close(open);
      throw errorOf(error, title);
    }
  }

  function refused(session: Session, wished: readonly Network[]): Error {
    const name = nameOf(session);
    if (!accountsIn(session).length) return new UserRejectedError(`No account was linked in ${name}.`);
    return new ConnectError(
      'chain.not-supported',
      `${name} approved other networks than ${wished.map((each) => each.name).join(', ')}.`,
      { chainId: wished[0]!.chainId },
    );
  }

  /** Shows the code and waits for the wallet's answer. */
  async function pair(
    client: SignClient,
    on: readonly Network[],
    { show, answered, signal }: Pairing,
  ): Promise<Session> {
    const { relayer } = client.core;
    let stop = (_why: Error): void => {};
    const stopped = new Promise<never>((_, reject) => (stop = reject));
    const unreachable = (what: string) =>
      stop(new FrameUnreachableError(`${relayUrl} ${what}. The page's policy must allow it in connect-src.`));
    const left = () => stop(gone());
    signal.addEventListener('abort', left);
    if (signal.aborted) left();
    const cancel = host.clock.after(RELAY_MS, () => unreachable('did not answer'), 'limit');
    relayer.on('relayer_error', ({ message }) => unreachable(`refused this page: ${inertText(message)}`));
    try {
      const chains = [...new Set(on.map(({ chainId }) => `eip155:${chainId}`))];
      const namespace = { chains, methods: METHODS, events: EVENTS };
      // A wallet may approve fewer. What it must approve is checked afterwards.
      const asked = client.connect({ optionalNamespaces: { eip155: namespace } });
      const { uri, approval } = await Promise.race([asked, stopped]);
      cancel();
      relayer.on('relayer_message', answered);
      show(uri!);
      return await Promise.race([approval(), stopped]);
    } finally {
      cancel();
      signal.removeEventListener('abort', left);
    }
  }

  /** The session as a provider on the network of `from`. */
  async function providerFor(from: Wallet): Promise<{ name: string; provider: Eip1193 }> {
    const open = await current();
    if (!open) throw externalError({ code: 4100 }, from.alias);
    const { client, session } = open;
    const name = nameOf(session);
    const { chainId } = await networkOf(host, from, name);
    async function request({ method, params = [] }: Parameters<Eip1193['request']>[0]): Promise<unknown> {
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
    }
    return { name, provider: { request } };
  }

  return {
    link: (wish, pairing) => link(wish, pairing!),
    async accounts() {
      const open = await current();
      if (open) return addressesOf(await approvedIn(open.session));
      tell([]);
      return [];
    },
    async send(from, request) {
      const { name, provider } = await providerFor(from);
      return openEip1193(provider, name, host).send(from, request);
    },
    async sign(from, request) {
      const { name, provider } = await providerFor(from);
      return openEip1193(provider, name, host).sign(from, request);
    },
    watch(changed) {
      tell = changed;
    },
    async forget() {
      const open = await current().catch(() => undefined);
      opening = openId = undefined;
      store.forget();
      if (open) leave(open);
    },
  };
}

const gone = () => new UserRejectedError('The user left before a wallet answered.');

/** Tells the wallet, if the relay can be reached. */
function leave({ client, session }: { client: SignClient; session: Session }): void {
  const { topic } = session;
  void client
    .disconnect({ topic, reason: DISCONNECTED })
    .catch(() => {})
    .finally(() => close({ client }));
}

function close({ client }: Open): void {
  client.core.heartbeat.stop();
  client.core.relayer.transportClose().catch(() => {});
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
  const asked = CHAINS.flatMap((secretType) => {
    const on = wished.find(
      (each) => each.secretType === secretType && approved.some(({ network }) => network === each.id),
    );
    return approved.filter(({ network }) => network === on?.id);
  });
  if (!asked.length) return [];
  const before = approved.filter(({ address, network }) =>
    linked.some((it) => it.address === address && it.network === network),
  );
  return [...new Set([...asked, ...before])];
}

/** The client's own failures have no code, and do not say whether the wallet got the request. */
function errorOf(error: unknown, name: string): Error {
  if (error instanceof ConnectError) return error;
  const { code, message } = Object(error) as { code?: number; message?: string };
  const reason = inertText(String(message ?? error));
  if (!code)
    return new FrameUnreachableError(
      `${name} did not answer: ${reason}. Check the wallet before you try again.`,
    );
  // Some wallets use this code for everything; only their text tells a rejection.
  return externalError({ message, code: code === -32000 ? undefined : (CODES[code] ?? code) }, name);
}
