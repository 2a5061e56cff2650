/**
 * An external wallet, as an extension injects one into a page: EIP-1193, announced by EIP-6963. For tests,
 * with its key in the page. Contains none of Carabiner's code, so that it does what the standards say, not
 * what our adapter expects.
 */
import { getAddress, getBytes, isHexString, toUtf8Bytes, Transaction, Wallet } from 'ethers';

export interface DemoWalletOptions {
  name?: string;
  rdns?: string;
  icon?: string;
  keys: readonly string[];
  /** JSON-RPC URL of each known network. */
  /** Chain id of its initial network. */
  chainId: number;
  nodes: Readonly<Record<number, (method: string, params: readonly unknown[]) => Promise<unknown>>>;
  /** Its user's decision. */
  approves?: (method: string, params: readonly unknown[]) => boolean | Promise<boolean>;
}

type Listener = (value: unknown) => void;

/** https://eips.ethereum.org/EIPS/eip-1193#rpc-errors */
const failure = (code: number, message: string, data?: unknown) =>
  Object.assign(new Error(message), { code, data });
const hex = (value: bigint | number) => `0x${value.toString(16)}`;

const ICON =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"%3E%3Crect width="96" height="96" rx="22" fill="%237a5a2e"/%3E%3Ccircle cx="48" cy="48" r="22" fill="%23fff"/%3E%3C/svg%3E';

export function demoWallet(options: DemoWalletOptions) {
  const {
    name = 'Demo wallet',
    rdns = 'example.demo-wallet',
    icon = ICON,
    nodes,
    approves = () => true,
  } = options;
  const signers = options.keys.map((key) => new Wallet(key));
  const listeners = new Map<string, Set<Listener>>();
  let { chainId } = options;
  /** Addresses that this page may see. */
  let permitted: string[] = [];

  const emit = (event: string, value: unknown) =>
    listeners.get(event)?.forEach((listener) => listener(value));
  const node = (method: string, ...params: unknown[]) => nodes[chainId]!(method, params);

  async function approved(method: string, params: readonly unknown[]): Promise<void> {
    if (!(await approves(method, params))) throw failure(4001, 'User rejected the request.');
  }

  function signerOf(address: unknown): Wallet {
    const found = signers.find((signer) => signer.address === getAddress(String(address)));
    if (found && permitted.includes(found.address)) return found;
    throw failure(4100, 'The requested account has not been authorized by the user.');
  }

  async function sendTransaction(given: Record<string, unknown>): Promise<unknown> {
    const signer = signerOf(given['from']);
    if (given['chainId'] !== undefined && Number(given['chainId']) !== chainId)
      throw failure(-32602, `chainId should be ${chainId}`);
    const { from, gas, ...rest } = given;
    const [nonce, estimate, price] = await Promise.all([
      rest['nonce'] ?? node('eth_getTransactionCount', from, 'pending'),
      gas ?? node('eth_estimateGas', { from, to: rest['to'], value: rest['value'], data: rest['data'] }),
      node('eth_gasPrice'),
    ]);
    const hasPrice = rest['gasPrice'] !== undefined || rest['maxFeePerGas'] !== undefined;
    const transaction = Transaction.from({
      ...rest,
      type: rest['maxFeePerGas'] === undefined ? 0 : 2,
      chainId,
      nonce: Number(nonce),
      gasLimit: BigInt(estimate as string),
      ...(!hasPrice && { gasPrice: BigInt(price as string) * 2n }),
    } as never);
    return node('eth_sendRawTransaction', await signer.signTransaction(transaction));
  }

  const METHODS: Record<string, (...params: never[]) => unknown> = {
    eth_accounts: () => [...permitted],
    async eth_requestAccounts() {
      if (!permitted.length) {
        await approved('eth_requestAccounts', []);
        permitted = signers.map(({ address }) => address);
        emit('connect', { chainId: hex(chainId) });
        emit('accountsChanged', [...permitted]);
      }
      return [...permitted];
    },
    eth_chainId: () => hex(chainId),
    async wallet_switchEthereumChain({ chainId: wanted }: { chainId: string }) {
      if (!nodes[Number(wanted)]) throw failure(4902, `Unrecognized chain ID "${wanted}".`);
      if (Number(wanted) === chainId) return null;
      await approved('wallet_switchEthereumChain', [wanted]);
      chainId = Number(wanted);
      emit('chainChanged', wanted);
      return null;
    },
    async personal_sign(data: string, address: string) {
      const signer = signerOf(address);
      await approved('personal_sign', [data, address]);
      return signer.signMessage(isHexString(data) ? getBytes(data) : toUtf8Bytes(data));
    },
    async eth_signTypedData_v4(address: string, text: string) {
      const signer = signerOf(address);
      const { types, domain, message } = JSON.parse(text);
      if (domain.chainId !== undefined && Number(domain.chainId) !== chainId)
        throw failure(
          -32602,
          `Provided chainId "${domain.chainId}" must match the active chainId "${chainId}"`,
        );
      await approved('eth_signTypedData_v4', [address, text]);
      // MetaMask signs an empty domain if its type is left out (eth-sig-util, `sanitizeData`).
      const { EIP712Domain = [], ...rest } = types;
      const fields = EIP712Domain.map((field: { name: string }) => field.name).join();
      if (fields !== Object.keys(domain).join())
        throw failure(-32602, `EIP712Domain has ${fields || 'no fields'}`);
      return signer.signTypedData(domain, rest, message);
    },
    async eth_sendTransaction(transaction: Record<string, unknown>) {
      signerOf(transaction['from']);
      await approved('eth_sendTransaction', [transaction]);
      return sendTransaction(transaction);
    },
  };

  const provider = {
    async request({
      method,
      params = [],
    }: {
      method: string;
      params?: readonly unknown[];
    }): Promise<unknown> {
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
    addresses: signers.map(({ address }) => address),
    /** https://eips.ethereum.org/EIPS/eip-6963. Returns a function that undoes it. */
    announce(): () => void {
      const info = Object.freeze({ uuid: crypto.randomUUID(), name, icon, rdns });
      const tell = () =>
        window.dispatchEvent(
          new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }),
        );
      window.addEventListener('eip6963:requestProvider', tell);
      tell();
      return () => window.removeEventListener('eip6963:requestProvider', tell);
    },
    /** Its user shows this page other accounts; an empty list revokes the permission. */
    show(addresses: string[]): void {
      permitted = addresses;
      emit('accountsChanged', [...addresses]);
    },
    disconnect(): void {
      emit('disconnect', failure(1013, 'Disconnected from all chains.'));
    },
    get chainId() {
      return chainId;
    },
  };
}
