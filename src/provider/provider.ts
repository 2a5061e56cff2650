/**
 * A linked wallet as an EIP-1193 provider. Each method is one of the calls that a page could make itself: the
 * wallet's approval is the same, whoever asked.
 */
import type { Wallet } from '../api/wallet.ts';
import type { TransactionRequest } from '../chains/requests.ts';
import { type ChainNetworks, NODE_METHODS } from '../channel/node-methods.ts';
import type { SignResult } from '../channel/messages.ts';
import { RequestInvalidError } from '../base/errors.ts';
import { hexDigits } from '../base/bytes.ts';
import { kept } from './kept.ts';
import { showNotice } from './notice.ts';
import {
  addressOf,
  bytesOf,
  chainIdOf,
  checkPermission,
  fieldsOf,
  hexOf,
  isAddress,
  isBytes,
  listOf,
  noMethod,
  textOf,
} from './params.ts';
import { prompt } from './prompt.ts';
import { CODE, invalidParam, ProviderRpcError, toRpcError } from './rpc-error.ts';
import type { EvmNetwork, ProviderSettings, Session } from './session.ts';
import { namedChain, requestOf } from './transaction.ts';
import type { EthereumProvider, ProviderEvents, ProviderHost, ProviderRequest } from './types.ts';

/** Few pages send calls in batches, add networks or tokens. */
const calls = () => import('./calls.ts');
const additions = () => import('./additions.ts');

const SIGNATURES = {
  ETHEREUM: { message: 'ETHEREUM_RAW', typed: 'ETHEREUM_TYPED_DATA' },
  GOCHAIN: { message: 'GOCHAIN_RAW', typed: 'GOCHAIN_TYPED_DATA' },
} as const;

export function openProvider(settings: ProviderSettings): EthereumProvider {
  const { host, chain, origin, theme, clock, ended, show = showNotice } = settings;
  if (!Object.hasOwn(SIGNATURES, chain)) throw invalidParam('chain', 'must be ETHEREUM or GOCHAIN');
  const store = kept(`${origin}:${chain}`, clock);
  const { ask } = prompt(show, theme);
  const listeners = new Map<string, Set<(value: never) => void>>();
  /** Networks that the page added: for this page alone, and only while it lives. */
  const added: EvmNetwork[] = [];
  let known: Promise<ChainNetworks> | undefined;
  /** The network that the page switched to. Until then, the first linked wallet's. */
  let chosen = store.read().network;
  /** As last reported to the page. */
  let told: { chainId: string; accounts: string } | undefined;
  /** False after no node has answered. */
  let isConnected = true;

  const session: Session = {
    ...settings,
    kept: store,
    ask,
    networks: async () => [...(await listed()).networks, ...added],
    customNodes: async () => (await listed()).customNodes,
    addNetwork(custom) {
      added.push({ id: `custom ${custom.chainId}`, chainId: custom.chainId, name: custom.name, custom });
    },
    current,
    accounts,
    walletAt,
    read,
  };

  /** A throwing listener is not our problem. */
  function emit<E extends keyof ProviderEvents>(event: E, value: ProviderEvents[E]): void {
    for (const listener of listeners.get(event) ?? []) queueMicrotask(() => listener(value as never));
  }

  function listed(): Promise<ChainNetworks> {
    return (known ??= host
      .rpc({ secretType: chain, method: 'carabiner_networks', params: [] })
      .then(resultOf)
      .then((answer) => {
        const networks = answer as ChainNetworks;
        if (!networks.networks.length)
          throw new ProviderRpcError(CODE.unsupported, `This wallet has no node for ${chain}.`);
        return networks;
      })
      .catch((error: unknown) => {
        known = undefined;
        throw toRpcError(error);
      }));
  }

  // Wallets and networks.

  /** Our wallets only: an external wallet has its own provider. */
  async function linked(): Promise<Wallet[]> {
    return (await host.wallets()).filter(
      ({ secretType, archived, walletType }) =>
        secretType === chain && !archived && walletType !== 'EXTERNAL',
    );
  }

  /** A wallet is on one network. On one that the page added, any wallet of this browser counts. */
  async function walletsOn({ id, custom }: EvmNetwork): Promise<Wallet[]> {
    const [first] = (await listed()).networks;
    return (await linked()).filter(({ network = first!.id, walletType }) =>
      custom ? walletType === 'BROWSER' : network === id,
    );
  }

  async function current(): Promise<EvmNetwork> {
    const all = await session.networks();
    const [wallet] = await linked();
    const home = wallet && (wallet.network ?? all[0]!.id);
    return all.find(({ id }) => id === chosen) ?? all.find(({ id }) => id === home) ?? all[0]!;
  }

  async function accounts(): Promise<string[]> {
    const wallets = await walletsOn(await current());
    return [...new Set(wallets.map(({ address }) => address))];
  }

  async function walletAt(address: unknown, path: string, network: EvmNetwork): Promise<Wallet> {
    const wanted = addressOf(address, path).toLowerCase();
    const found = (await walletsOn(network)).find((wallet) => wallet.address.toLowerCase() === wanted);
    if (found) return found;
    throw new ProviderRpcError(
      CODE.unauthorized,
      `${path} is not an account that is linked to this site on ${network.name}. Call eth_requestAccounts.`,
    );
  }

  /** Reports what has changed since the last report: the network before its accounts. */
  async function tell(): Promise<void> {
    const chainId = hexOf((await current()).chainId);
    const list = await accounts();
    const now = { chainId, accounts: list.join() };
    const before = told;
    told = now;
    // The initial state is not a change: wagmi would connect by itself.
    if (!before) return;
    if (before.chainId !== now.chainId) emit('chainChanged', chainId);
    if (!before.accounts && now.accounts) emit('connect', { chainId });
    if (before.accounts !== now.accounts) emit('accountsChanged', list);
  }

  function connected(chainId: string): void {
    if (isConnected || ended.aborted) return;
    isConnected = true;
    emit('connect', { chainId });
  }

  // Questions to the user.

  /** Restricted to `network`, if the chain has more than one. */
  async function link(network?: string): Promise<void> {
    const { networks } = await listed();
    const only =
      networks.length > 1 && networks.some(({ id }) => id === network) ? { network: network! } : {};
    await ask('link', (options) =>
      host.linkWallets({ secretTypes: [chain], ...only, external: 'off' }, options),
    );
    await tell();
  }

  async function requestAccounts(): Promise<string[]> {
    const before = await accounts();
    if (before.length) return before;
    await link(chosen);
    return someAccounts();
  }

  async function someAccounts(): Promise<string[]> {
    const now = await accounts();
    if (now.length) return now;
    throw new ProviderRpcError(CODE.rejected, 'No wallet was linked.');
  }

  const permissionFor = (value: string[]) => [
    {
      invoker: location.origin,
      parentCapability: 'eth_accounts',
      caveats: [{ type: 'restrictReturnedAccounts', value }],
    },
  ];

  async function switchChain(params: unknown): Promise<null> {
    const [asked] = listOf(params, ['chain']);
    const chainId = chainIdOf(fieldsOf(asked, 'params[0]')['chainId'], 'params[0].chainId');
    const target = (await session.networks()).find((network) => network.chainId === chainId);
    if (!target)
      throw new ProviderRpcError(
        CODE.unknownChain,
        `This wallet has no network with the chain id ${chainId}.`,
      );
    if (target.id === (await current()).id) return null;
    // A user with wallets here, but none there, chooses or creates one: a chain without accounts would end
    // the page's session.
    if ((await linked()).length && !(await walletsOn(target)).length) {
      await link(target.id);
      if (!(await walletsOn(target)).length)
        throw new ProviderRpcError(CODE.rejected, `No wallet on ${target.name} was linked.`);
    }
    chosen = target.id;
    store.change((contents) => {
      if (!target.custom) contents.network = target.id;
    });
    await tell();
    return null;
  }

  async function sign(
    type: string,
    address: string,
    path: string,
    data: string,
    at: string,
    how: { unsignedFields?: 'omit' } = {},
  ): Promise<string> {
    const { id } = await walletAt(address, path, await current());
    const request = { type, walletId: id, data };
    const { result } = await ask<SignResult>(
      'approve',
      (options) =>
        host.signRaw({ ...request, ...how }, options).catch((error: unknown) => {
          if (!isUnknownThere(error, how)) throw error;
          return host.signRaw(request, options);
        }),
      (name) => name.replace(/^data\b/, at),
    );
    return result.signature;
  }

  async function personalSign(params: unknown): Promise<string> {
    let [data, address] = listOf(params, ['data', 'address']);
    let [dataAt, addressAt] = ['params[0]', 'params[1]'];
    // As in MetaMask: a message of 20 bytes stays the message.
    if (isAddress(data) && !isAddress(address)) {
      [data, address] = [address, data];
      [dataAt, addressAt] = [addressAt, dataAt];
    }
    if (typeof data !== 'string') throw invalidParam(dataAt, 'must be a text, or bytes in hex');
    const hex = isBytes(data) ? data : utf8(data);
    return sign(SIGNATURES[chain].message, addressOf(address, addressAt), addressAt, hex, dataAt);
  }

  /** The message first, as in MetaMask. */
  async function ecRecover(params: unknown): Promise<unknown> {
    const [data, signature] = listOf(params, ['data', 'signature']);
    if (typeof data !== 'string') throw invalidParam('params[0]', 'must be a text, or bytes in hex');
    const message = isBytes(data) ? data : utf8(data);
    return read(await current(), 'carabiner_signer', [message, bytesOf(signature, 'params[1]')]);
  }

  async function signTyped(params: unknown): Promise<string> {
    const [address, data] = listOf(params, ['address', 'typedData']);
    const text = typeof data === 'object' && data ? jsonOf(data) : textOf(data, 'params[1]', 128 * 1024);
    const signer = addressOf(address, 'params[0]');
    // dApps send fields and types that are not signed, and other wallets leave them out.
    return sign(SIGNATURES[chain].typed, signer, 'params[0]', text, 'params[1]', { unsignedFields: 'omit' });
  }

  async function sendTransaction(params: unknown): Promise<string> {
    const path = 'params[0]';
    const [given] = listOf(params, ['transaction']);
    const { from } = fieldsOf(given, path);
    const network = await current();
    const named = namedChain(given, path);
    if (named !== undefined && named !== network.chainId)
      throw invalidParam(
        `${path}.chainId`,
        `is ${named}, but the wallet is on ${network.chainId}: switch it first`,
      );
    const body = requestOf(given, path, { chain, custom: network.custom });
    const { id } = await walletAt(from, `${path}.from`, network);
    const request = { ...body, walletId: id } as TransactionRequest;
    const { transactionHash } = await ask(
      'approve',
      (options) => host.execute(request, options),
      (name) => (name ? `${path}.${name}` : path),
    );
    return transactionHash;
  }

  // Reads.

  async function read(network: EvmNetwork, method: string, params: readonly unknown[]): Promise<unknown> {
    const { id, custom } = network;
    try {
      const answer = await host.rpc({
        secretType: chain,
        ...(custom ? { custom } : { network: id }),
        method: method as (typeof NODE_METHODS)[number],
        params: [...params],
      });
      connected(hexOf(network.chainId));
      return resultOf(answer);
    } catch (error) {
      const known = toRpcError(error, (path) => path.replace(/^params\.(\d+)/, 'params[$1]'));
      if (known.code === CODE.chainDisconnected) disconnected();
      throw known;
    }
  }

  /** With the code for "try again later", after which clients keep the accounts. */
  function disconnected(): void {
    if (!isConnected) return;
    isConnected = false;
    emit('disconnect', new ProviderRpcError(1013, 'No node of the network answers.'));
  }

  type Method = (params: unknown) => unknown;
  const METHODS: Record<string, Method> = {
    eth_accounts: accounts,
    eth_requestAccounts: requestAccounts,
    eth_coinbase: async () => (await accounts())[0] ?? null,
    eth_chainId: async () => hexOf((await current()).chainId),
    net_version: async () => String((await current()).chainId),
    async wallet_requestPermissions(params) {
      checkPermission(params);
      await link((await accounts()).length ? (await current()).id : chosen);
      return permissionFor(await someAccounts());
    },
    async wallet_getPermissions() {
      const list = await accounts();
      return list.length ? permissionFor(list) : [];
    },
    async wallet_revokePermissions(params) {
      checkPermission(params);
      for (const { id } of await linked()) await host.unlink(id);
      await tell();
      return null;
    },
    personal_sign: personalSign,
    personal_ecRecover: ecRecover,
    eth_signTypedData_v4: signTyped,
    eth_sendTransaction: sendTransaction,
    wallet_switchEthereumChain: switchChain,
    wallet_addEthereumChain: async (params) => (await additions()).addChain(session, params),
    wallet_watchAsset: async (params) => (await additions()).watchAsset(session, params),
    wallet_getCapabilities: async (params) => (await calls()).getCapabilities(session, params),
    wallet_sendCalls: async (params) => (await calls()).sendCalls(session, params),
    wallet_getCallsStatus: async (params) => (await calls()).getCallsStatus(session, params),
    wallet_showCallsStatus: async (params) => (await calls()).showCallsStatus(session, params),
    // Clients try this if `eth_sendTransaction` failed: with this code they report the first failure.
    wallet_sendTransaction: () => Promise.reject(noMethod('wallet_sendTransaction', CODE.noMethod)),
  };

  const quiet = (): void => void tell().catch(() => {});
  const stop = host.onWallets(quiet);
  ended.addEventListener('abort', () => {
    stop();
    emit('disconnect', new ProviderRpcError(CODE.disconnected, 'The page ended its connect.'));
  });
  quiet();

  async function request(asked: ProviderRequest): Promise<unknown> {
    if (ended.aborted)
      throw new ProviderRpcError(CODE.disconnected, 'This connect was destroyed. Make a new one.');
    const { method, params } = checkedRequest(asked);
    try {
      if (Object.hasOwn(METHODS, method)) return await METHODS[method]!(params);
      if (!(NODE_METHODS as readonly string[]).includes(method)) throw noMethod(method);
      return await read(await current(), method, listOf(params ?? [], [], 0));
    } catch (error) {
      throw toRpcError(error);
    }
  }

  const provider: EthereumProvider = {
    request,
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
      return provider;
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener);
      return provider;
    },
  };
  return provider;
}

function checkedRequest(asked: ProviderRequest): { method: string; params: unknown } {
  const { method, params } = fieldsOf(asked, 'the request');
  return { method: textOf(method, 'method', 100), params };
}

function resultOf(answer: Awaited<ReturnType<ProviderHost['rpc']>>): unknown {
  if ('result' in answer) return answer.result;
  const { code, message, data } = answer.error;
  throw new ProviderRpcError(code, message, data);
}

/** A wallet that is older than this page refuses what it does not know, before anything is shown. */
function isUnknownThere(error: unknown, fields: object): boolean {
  return error instanceof RequestInvalidError && error.issues.some(({ path }) => Object.hasOwn(fields, path));
}

/** A bigint stands for its digits. */
function jsonOf(data: object): string {
  return JSON.stringify(data, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

function utf8(text: string): string {
  return `0x${hexDigits(new TextEncoder().encode(text))}`;
}
