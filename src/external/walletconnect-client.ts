/**
 * WalletConnect's client: how it is loaded, started and closed. Of its types only what the adapter uses, so that they stay out of ours: a
 * page may bring a newer version. https://specs.walletconnect.com/2.0/specs/clients/sign/namespaces
 */
import { ConnectError, FrameUnreachableError, RequestInvalidError } from '../base/errors.ts';
import { inertText } from '../base/text.ts';
import { externalError } from './external-error.ts';

/** The client's file, in builds for the script tag. */
declare const __WALLETCONNECT__: string | undefined;

/** https://docs.reown.com/cloud/relay */
export const RELAY = 'wss://relay.walletconnect.org';

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

/** A page's settings for WalletConnect. */
export interface WalletConnectOptions {
  /** The page's project, from https://dashboard.reown.com: 32 hex digits, not a secret. */
  projectId: string;
  /** Loads the client: `() => import('@walletconnect/sign-client')`. The script tag brings 2.21.8. */
  client?: () => Promise<object>;
  /** Default: `wss://relay.walletconnect.org`. */
  relayUrl?: string;
}

export interface Namespace {
  /** CAIP-10: `eip155:1:0x…`. */
  accounts: string[];
  methods: string[];
  events: string[];
}

/** What a page asks of the chains of a namespace. */
export interface Proposal {
  /** CAIP-2: `eip155:1`. */
  chains: string[];
  methods: string[];
  events: string[];
}

export interface Session {
  topic: string;
  namespaces: Record<string, Namespace | undefined>;
  sessionProperties?: Record<string, string>;
  peer: { metadata: { name: string; redirect?: { native?: string; universal?: string } } };
}

export interface SessionEvent {
  topic: string;
  params: { event: { name: string; data: unknown }; chainId: string };
}

export interface SignClient {
  connect(asked: {
    optionalNamespaces: Record<string, Proposal>;
    sessionProperties?: Record<string, string>;
  }): Promise<{ uri?: string; approval(): Promise<Session> }>;
  request(asked: {
    topic: string;
    chainId: string;
    request: { method: string; params: unknown };
    expiry: number;
  }): Promise<unknown>;
  disconnect(asked: { topic: string; reason: { code: number; message: string } }): Promise<void>;
  session: { getAll(): Session[] };
  on(event: 'session_event', listener: (it: SessionEvent) => void): unknown;
  on(
    event: 'session_delete' | 'session_expire' | 'session_update',
    listener: (it: { topic: string }) => void,
  ): unknown;
  core: {
    relayer: {
      on(event: string, listener: (it: { topic: string; message: string }) => void): unknown;
      publish(topic: string, message: string, more?: object): Promise<void>;
      transportClose(): Promise<void>;
    };
    heartbeat: { stop(): void };
    verify: { register(asked: object): Promise<string | undefined> };
  };
}

/** The client's `IKeyValueStorage`. */
export interface ClientStorage {
  getKeys(): Promise<string[]>;
  getEntries(): Promise<[string, unknown][]>;
  getItem(key: string): Promise<unknown>;
  setItem(key: string, value: unknown): Promise<void>;
  removeItem(key: string): Promise<void>;
}

interface ClientModule {
  SignClient?: ClientClass;
  default?: ClientClass;
}

interface ClientClass {
  init(options: {
    projectId: string;
    relayUrl?: string | undefined;
    metadata: { name: string; description: string; url: string; icons: string[] };
    storage: ClientStorage;
    customStoragePrefix: string;
    telemetryEnabled: boolean;
    logger: string;
  }): Promise<SignClient>;
}

export function checkProject({ projectId }: WalletConnectOptions): void {
  if (typeof projectId === 'string' && /^[0-9a-f]{32}$/.test(projectId)) return;
  throw new RequestInvalidError([
    {
      path: 'walletConnect.projectId',
      message: 'must be the 32 hex digits that dashboard.reown.com shows',
    },
  ]);
}

/** `prefix`: of the names of its entries in `storage`. */
export async function startClient(
  { projectId, relayUrl = RELAY, client: load = loadOwn }: WalletConnectOptions,
  storage: ClientStorage & { prefix: string },
): Promise<SignClient> {
  const { prefix } = storage;
  const module = (await load()) as ClientModule;
  const SignClient = module.SignClient ?? module.default;
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

/** For pages that bring none. With the script tag it is a separate file beside connect.js; bundled applications bring their own. */
async function loadOwn(): Promise<object> {
  if (typeof __WALLETCONNECT__ === 'string')
    return import(/* @vite-ignore */ new URL(__WALLETCONNECT__, import.meta.url).href);
  throw new RequestInvalidError([
    { path: 'walletConnect.client', message: "must be () => import('@walletconnect/sign-client')" },
  ]);
}

/** Closes the client; tells the wallet if there is a session, and the relay can be reached. */
export function leave(client: SignClient): void {
  const [session] = client.session.getAll();
  if (!session) return close(client);
  void client
    .disconnect({ topic: session.topic, reason: DISCONNECTED })
    .catch(() => {})
    .finally(() => close(client));
}

export function close(client: SignClient): void {
  client.core.heartbeat.stop();
  client.core.relayer.transportClose().catch(() => {});
}

/** The client's own failures have no code, and do not say whether the wallet got the request. */
export function errorOf(error: unknown, name: string): Error {
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
