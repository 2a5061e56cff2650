/**
 * A Bitcoin wallet in the page, by sats-connect's methods:
 * https://github.com/secretkeylabs/sats-connect-core/tree/main/src/request. For tests and the QA page, with a
 * key that is in the page.
 */
import { base64, hex } from '@scure/base';
import { Transaction } from '@scure/btc-signer';
import { bitcoinKey, type Coin, type NetworkName } from './bitcoin-key.ts';

export interface DemoSatsConnectOptions {
  name?: string;
  keys: readonly Uint8Array[];
  network?: NetworkName;
  coins?: readonly Coin[] | (() => Promise<readonly Coin[]>);
  broadcast?: (raw: string) => Promise<unknown>;
  /** Its user's decision. */
  approves?: (method: string, params: unknown) => boolean | Promise<boolean>;
  /** Methods that this version does not have. */
  without?: readonly string[];
}

/** `RpcErrorCode` in src/types.ts. */
const REJECTED = -32000;
const ACCESS_DENIED = -32002;
const NOT_FOUND = -32601;

class Failure extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

interface ListenerInfo {
  eventName: string;
  cb: (event: unknown) => void;
}

export function demoSatsConnect(options: DemoSatsConnectOptions) {
  const { coins = [], broadcast = async () => {}, approves = () => true, without = [] } = options;
  const listeners = new Set<ListenerInfo>();
  let network = options.network ?? 'Regtest';
  let current = 0;
  let connected = false;

  const key = (index = current) => bitcoinKey(options.keys[index]!, network);
  const emit = (eventName: string, more: object = {}) => {
    for (const each of listeners) if (each.eventName === eventName) each.cb({ type: eventName, ...more });
  };
  const approved = async (method: string, params: unknown) => {
    if (!(await approves(method, params))) throw new Failure(REJECTED, 'User rejected request');
  };
  const addresses = (purposes?: readonly string[]) => {
    const { address, publicKey } = key();
    return ['payment', 'ordinals', 'stacks']
      .filter((purpose) => !purposes || purposes.includes(purpose))
      .map((purpose) => ({
        // Its addresses for ordinals and Stacks belong to nobody here.
        address: purpose === 'payment' ? address : `${purpose}-of-${address}`,
        publicKey: hex.encode(publicKey),
        purpose,
        addressType: purpose === 'payment' ? 'p2wpkh' : purpose === 'ordinals' ? 'p2tr' : 'stacks',
        walletType: 'software',
      }));
  };
  const account = (purposes?: readonly string[]) => ({
    id: `account-${current}`,
    addresses: addresses(purposes),
    walletType: 'software',
    network: { bitcoin: { name: network }, stacks: { name: 'mainnet' }, spark: { name: 'mainnet' } },
  });
  const mine = (address: string) => {
    if (!connected) throw new Failure(ACCESS_DENIED, 'Access denied');
    if (address !== key().address) throw new Failure(-32602, 'The address is not of this account.');
    return key();
  };

  const METHODS: Record<string, (params: any) => unknown> = {
    async wallet_connect(params) {
      await approved('wallet_connect', params);
      if (params?.network !== undefined) network = params.network;
      connected = true;
      return account(params?.addresses);
    },
    async getAccounts(params) {
      await approved('getAccounts', params);
      connected = true;
      return addresses(params.purposes);
    },
    wallet_getAccount() {
      if (!connected) throw new Failure(ACCESS_DENIED, 'Access denied');
      return account();
    },
    async signMessage(params) {
      const { address, message, protocol = 'ECDSA' } = params;
      const signer = mine(address);
      await approved('signMessage', params);
      const bytes = new TextEncoder().encode(message);
      const signature = protocol === 'BIP322' ? signer.signBip322(bytes) : signer.signEcdsa(bytes);
      return { address, protocol, signature, messageHash: '' };
    },
    async sendTransfer(params) {
      mine(key().address);
      await approved('sendTransfer', params);
      const raw = key().pay(typeof coins === 'function' ? await coins() : coins, params.recipients);
      await broadcast(raw);
      return { txid: Transaction.fromRaw(hex.decode(raw)).id };
    },
    async signPsbt(params) {
      mine(key().address);
      await approved('signPsbt', params);
      const indexes = Object.values(params.signInputs as Record<string, number[]>).flat();
      return { psbt: base64.encode(key().signPsbt(base64.decode(params.psbt), indexes).toPSBT()) };
    },
  };

  const provider = {
    async request(method: string, params: unknown): Promise<unknown> {
      const id = crypto.randomUUID();
      try {
        const run = without.includes(method) ? undefined : METHODS[method];
        if (!run) throw new Failure(NOT_FOUND, `${method} is not supported`);
        return { jsonrpc: '2.0', id, result: await run(params) };
      } catch (error) {
        const { code = -32603, message } = error as Partial<Failure>;
        return { jsonrpc: '2.0', id, error: { code, message } };
      }
    },
    addListener(info: ListenerInfo): () => void {
      listeners.add(info);
      return () => listeners.delete(info);
    },
  };

  return {
    provider,
    get address() {
      return key().address;
    },
    /** https://github.com/secretkeylabs/sats-connect-core/blob/main/src/provider/types.ts. Returns the undo. */
    announce(id: string): () => void {
      const page = window as unknown as { btc_providers?: object[] } & Record<string, unknown>;
      page.btc_providers ??= [];
      const entry = {
        id,
        name: options.name ?? 'Demo Bitcoin',
        icon: 'data:image/svg+xml,%3Csvg/%3E',
        methods: [],
      };
      page.btc_providers.push(entry);
      page[id] = provider;
      return () => {
        page.btc_providers!.splice(page.btc_providers!.indexOf(entry), 1);
        delete page[id];
      };
    },
    /** Its user switches to another account. */
    show(index: number): void {
      current = index;
      emit('accountChange');
    },
    go(name: NetworkName): void {
      network = name;
      emit('networkChange', { bitcoin: { name } });
    },
    disconnect(): void {
      connected = false;
      emit('disconnect');
    },
  };
}
