/**
 * TronLink, as its extension puts it into a page: TIP-1193, announced by TIP-6963, with a TronWeb that asks the user before it signs. For tests,
 * with keys that are in the page; nothing of Carabiner's is in it, so that it does what the standards say and not what our adapter expects.
 */
import { TronWeb } from 'tronweb';

export interface DemoTronLinkOptions {
  name?: string;
  rdns?: string;
  /** Hex, without 0x. */
  keys: readonly string[];
  /** Chain id of its initial network: the last 4 bytes of the genesis block's id. */
  chainId: string;
  /** HTTP node of each known network, by chain id. */
  nodes: Readonly<Record<string, string>>;
  /** Its user's decision. */
  approves?: (method: string, params: readonly unknown[]) => boolean | Promise<boolean>;
}

type Listener = (value: unknown) => void;

const failure = (code: number, message: string) => Object.assign(new Error(message), { code });

export function demoTronLink(options: DemoTronLinkOptions) {
  const { name = 'TronLink', rdns = 'org.tronlink.www', keys, nodes, approves = () => true } = options;
  const listeners = new Map<string, Set<Listener>>();
  let { chainId } = options;
  /** Which key signs. */
  let current = 0;

  const emit = (event: string, value: unknown) =>
    listeners.get(event)?.forEach((listener) => listener(value));

  /** The TronWeb that the page gets has no key. */
  function pageTronWeb(): TronWeb {
    const fullHost = nodes[chainId]!;
    const signer = new TronWeb({ fullHost, privateKey: keys[current]! });
    const inPage = new TronWeb({ fullHost });
    inPage.setAddress(signer.defaultAddress.base58 as string);
    const asked = async (method: string, ...params: unknown[]) => {
      // As in the extension: a string, not an Error.
      if (!(await approves(method, params))) throw 'Confirmation declined by user';
      // Its user may have chosen another account meanwhile.
      return new TronWeb({ fullHost, privateKey: keys[current]! }).trx;
    };
    inPage.trx.sign = (async (transaction: never) =>
      (await asked('sign', transaction)).sign(transaction)) as never;
    inPage.trx.signMessageV2 = (async (text: string) =>
      (await asked('signMessageV2', text)).signMessageV2(text)) as never;
    return inPage;
  }

  const METHODS: Record<string, (...params: never[]) => unknown> = {
    async eth_requestAccounts() {
      if (!provider.tronWeb) {
        if (!(await approves('eth_requestAccounts', []))) throw failure(4001, 'User rejected the request.');
        provider.tronWeb = pageTronWeb();
        emit('connect', { chainId });
      }
      return [provider.tronWeb.defaultAddress.base58];
    },
    async wallet_switchEthereumChain({ chainId: wanted }: { chainId: string }) {
      if (!nodes[wanted]) throw failure(4902, `Unrecognized chain ID ${wanted}`);
      if (!(await approves('wallet_switchEthereumChain', [wanted])))
        throw failure(4001, 'User rejected the request.');
      chainId = wanted;
      provider.tronWeb = pageTronWeb();
      // An object, unlike Ethereum's.
      emit('chainChanged', { chainId });
      return null;
    },
  };

  const provider = {
    isTronLink: true,
    tronWeb: false as TronWeb | false,
    async request({ method, params = [] }: { method: string; params?: unknown[] }): Promise<unknown> {
      if (Object.hasOwn(METHODS, method)) return METHODS[method]!(...(params as never[]));
      throw failure(4200, `The provider does not support ${method}.`);
    },
    on(event: string, listener: Listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
      return provider;
    },
    removeListener(event: string, listener: Listener) {
      listeners.get(event)?.delete(listener);
      return provider;
    },
  };

  return {
    provider,
    /** https://github.com/tronprotocol/tips/blob/master/tip-6963.md. Returns a function that undoes it. */
    announce(): () => void {
      const info = Object.freeze({ uuid: crypto.randomUUID(), name, icon: '', rdns });
      const tell = () =>
        window.dispatchEvent(
          new CustomEvent('TIP6963:announceProvider', { detail: Object.freeze({ info, provider }) }),
        );
      window.addEventListener('TIP6963:requestProvider', tell);
      tell();
      return () => window.removeEventListener('TIP6963:requestProvider', tell);
    },
    /** Its user chooses another account, or with -1 revokes the page's permission. */
    show(index: number): void {
      current = Math.max(index, 0);
      provider.tronWeb = index < 0 ? false : pageTronWeb();
      emit('accountsChanged', provider.tronWeb ? [provider.tronWeb.defaultAddress.base58] : []);
    },
    get chainId() {
      return chainId;
    },
  };
}
