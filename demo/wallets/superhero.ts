/**
 * An Aeternity wallet in an extension, as a page sees it:
 * https://github.com/aeternity/aepp-sdk-js/blob/develop/src/AeSdkWallet.ts. For tests and the QA page, with a
 * key that is in the page.
 */
import { getPublicKeyAsync, signAsync } from '@noble/ed25519';
import { blake2b } from '@noble/hashes/blake2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base64, createBase58check, hex } from '@scure/base';
import { concat, encodeRlp, getBytes } from 'ethers';

export interface DemoSuperheroOptions {
  name?: string;
  keys: readonly Uint8Array[];
  networkId?: string;
  /** It knows these networks. */
  networkIds?: readonly string[];
  approves?: (method: string, params: any) => boolean | Promise<boolean>;
}

const base58check = createBase58check(sha256);
const utf8 = (text: string) => new TextEncoder().encode(text);
const blake = (bytes: Uint8Array) => blake2b(bytes, { dkLen: 32 });

/** `RpcError`s of src/aepp-wallet-communication/schema.ts. */
const failure = (code: number, message: string, data?: unknown) =>
  Object.assign(new Error(message), { code, data });
const rejected = () => failure(4, 'Operation rejected by user');

export async function demoSuperhero(options: DemoSuperheroOptions) {
  const { name = 'Demo Superhero', approves = () => true } = options;
  const keys = new Map(
    await Promise.all(
      options.keys.map(
        async (key): Promise<[string, Uint8Array]> => [
          `ak_${base58check.encode(await getPublicKeyAsync(key))}`,
          key,
        ],
      ),
    ),
  );
  const addresses = [...keys.keys()];
  let networkId = options.networkId ?? 'ae_dev';
  let permitted = addresses;
  let connected = false;
  let subscribed = false;

  const say = (data: object): void =>
    window.postMessage({ type: 'to_aepp', data: { jsonrpc: '2.0', ...data } }, location.origin);
  const info = () => ({ id: name, name, networkId, origin: location.origin, type: 'extension' });
  const accounts = () => {
    const [current, ...others] = permitted;
    return {
      current: current ? { [current]: {} } : {},
      connected: Object.fromEntries(others.map((address) => [address, {}])),
    };
  };
  const approved = async (method: string, params: unknown): Promise<void> => {
    if (!(await approves(method, params))) throw rejected();
  };
  const keyOf = (address: string): Uint8Array => {
    if (!connected) throw failure(10, 'You are not connected to the wallet');
    if (!permitted.includes(address)) throw failure(11, `You are not subscribed for account ${address}`);
    return keys.get(address)!;
  };

  const METHODS: Record<string, (params: any) => unknown> = {
    async 'connection.open'(params) {
      if (params.version !== 1) throw failure(5, 'Unsupported Protocol Version');
      if (!(await approves('connection.open', params)))
        throw failure(9, 'Wallet deny your connection request');
      connected = true;
      return info();
    },
    async 'address.subscribe'({ value }) {
      if (!connected) throw failure(10, 'You are not connected to the wallet');
      await approved('address.subscribe', value);
      subscribed = true;
      return { subscription: [value], address: accounts() };
    },
    async 'message.sign'({ message, onAccount }) {
      const key = keyOf(onAccount);
      await approved('message.sign', message);
      const mark = utf8('aeternity Signed Message:\n');
      const text = utf8(message);
      const digest = blake(
        getBytes(concat([Uint8Array.of(mark.length), mark, Uint8Array.of(text.length), text])),
      );
      return { signature: hex.encode(await signAsync(digest, key)) };
    },
    async 'transaction.sign'(params) {
      const { tx, onAccount, returnSigned } = params;
      const key = keyOf(onAccount);
      await approved('transaction.sign', params);
      if (!returnSigned) throw failure(12, 'This demo sends nothing itself.');
      const bytes = base64.decode(tx.slice(3)).subarray(0, -4);
      const signature = await signAsync(getBytes(concat([utf8(networkId), blake(bytes)])), key);
      const signed = getBytes(encodeRlp(['0x0b', '0x01', [signature], bytes]));
      const check = sha256(sha256(signed)).subarray(0, 4);
      return { signedTransaction: `tx_${base64.encode(getBytes(concat([signed, check])))}` };
    },
    async 'networkId.update'(params) {
      if (!connected) throw failure(10, 'You are not connected to the wallet');
      const known = options.networkIds ?? [networkId];
      if (!known.includes(params.networkId))
        throw failure(13, `Wallet can't find a network by id "${params.networkId}"`);
      await approved('networkId.update', params);
      go(params.networkId);
      return null;
    },
    'connection.close'() {
      connected = false;
    },
  };

  function go(to: string): void {
    networkId = to;
    if (connected) say({ method: 'networkId.update', params: { networkId } });
  }

  const hear = async ({ source, data }: MessageEvent): Promise<void> => {
    if (source !== window || data?.type !== 'to_waellet') return;
    const { id, method, params } = data.data;
    try {
      const run = METHODS[method];
      if (!run) throw failure(-32601, 'Method not found');
      say({ id, method, result: await run(params) });
    } catch (error) {
      const { code = 12, message, data } = error as { code?: number; message?: string; data?: unknown };
      say({ id, method, error: { code, message, data } });
    }
  };
  window.addEventListener('message', hear);

  return {
    addresses,
    announce: () => say({ method: 'connection.announcePresence', params: info() }),
    show(...shown: string[]): void {
      permitted = shown;
      if (subscribed) say({ method: 'address.update', params: accounts() });
    },
    go,
    close(): void {
      connected = false;
      say({ method: 'connection.close', params: { reason: 'bye' } });
    },
    remove: () => window.removeEventListener('message', hear),
  };
}
