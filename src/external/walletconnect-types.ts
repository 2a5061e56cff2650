/**
 * The part of WalletConnect's client that the adapter uses, so that its types stay out of ours: a page may bring a newer version.
 * https://specs.walletconnect.com/2.0/specs/clients/sign/namespaces
 */

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

export interface Session {
  topic: string;
  namespaces: Record<string, Namespace | undefined>;
  peer: { metadata: { name: string } };
}

export interface SessionEvent {
  topic: string;
  params: { event: { name: string; data: unknown }; chainId: string };
}

export interface SignClient {
  connect(asked: {
    optionalNamespaces: Record<string, { chains: string[]; methods: string[]; events: string[] }>;
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

/** Its `IKeyValueStorage`. */
export interface ClientStorage {
  getKeys(): Promise<string[]>;
  getEntries(): Promise<[string, unknown][]>;
  getItem(key: string): Promise<unknown>;
  setItem(key: string, value: unknown): Promise<void>;
  removeItem(key: string): Promise<void>;
}

export interface ClientModule {
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
