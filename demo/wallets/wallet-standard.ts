/**
 * A Bitcoin wallet in the page, by Wallet Standard: https://github.com/wallet-standard/wallet-standard with the
 * features of https://github.com/ExodusMovement/bitcoin-wallet-standard. For tests and the QA page, with a key that is
 * in the page.
 */
import { base64 } from '@scure/base';
import { bitcoinKey, type NetworkName } from './bitcoin-key.ts';

export interface DemoStandardOptions {
  name?: string;
  keys: readonly Uint8Array[];
  network?: NetworkName;
  broadcast?: (raw: string) => Promise<unknown>;
  approves?: (method: string, input: unknown) => boolean | Promise<boolean>;
  /** Features that it lacks. */
  without?: readonly string[];
  /** Beside its own. */
  features?: Record<string, unknown>;
}

interface Account {
  readonly address: string;
  readonly publicKey: Uint8Array;
  readonly chains: readonly string[];
  readonly features: readonly string[];
}

interface ToSign {
  psbt: Uint8Array;
  chain: string;
  inputsToSign: { account: Account; signingIndexes: number[] }[];
}

type Change = (properties: { accounts?: readonly Account[] }) => void;

const CHAINS: Record<NetworkName, string> = {
  Mainnet: 'bitcoin:mainnet',
  Testnet: 'bitcoin:testnet',
  Regtest: 'bitcoin:regtest',
};

export function demoWalletStandard(options: DemoStandardOptions) {
  const { keys, broadcast = async () => {}, approves = () => true, without = [] } = options;
  const listeners = new Set<Change>();
  let network = options.network ?? 'Regtest';
  let accounts: readonly Account[] = [];

  const key = (index: number) => bitcoinKey(keys[index]!, network);
  const accountOf = (index: number): Account => {
    const { address, publicKey } = key(index);
    const features = Object.keys(wallet.features);
    return Object.freeze({ address, publicKey, chains: [CHAINS[network]], features });
  };
  const change = (next: readonly Account[]): void => {
    accounts = next;
    for (const listener of listeners) listener({ accounts });
  };
  const approved = async (method: string, input: unknown): Promise<void> => {
    if (!(await approves(method, input))) throw new Error('User rejected the request.');
  };
  /** Only for objects that it returned itself. */
  const signerOf = (account: Account) => {
    if (!accounts.includes(account)) throw new Error('The account is not authorized.');
    return key(keys.findIndex((_, index) => key(index).address === account.address));
  };
  const signed = async (method: string, { psbt, chain, inputsToSign: [input] }: ToSign) => {
    const signer = signerOf(input!.account);
    if (!input!.account.chains.includes(chain)) throw new Error(`No account on ${chain}.`);
    await approved(method, psbt);
    return signer.signPsbt(psbt, input!.signingIndexes);
  };

  const features: Record<string, unknown> = {
    'standard:events': {
      version: '1.0.0',
      on(_event: 'change', listener: Change) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    'bitcoin:connect': {
      version: '1.0.0',
      async connect(input: { purposes: readonly string[] }) {
        await approved('connect', input);
        change(keys.map((_, index) => accountOf(index)));
        return { accounts };
      },
    },
    'bitcoin:signMessage': {
      version: '1.0.0',
      async signMessage({ account, message }: { account: Account; message: Uint8Array }) {
        const signer = signerOf(account);
        await approved('signMessage', message);
        return [{ signedMessage: message, signature: base64.decode(signer.signEcdsa(message)) }];
      },
    },
    'bitcoin:signTransaction': {
      version: '1.0.0',
      signTransaction: async (input: ToSign) => [
        { signedPsbt: (await signed('signTransaction', input)).toPSBT() },
      ],
    },
    'bitcoin:signAndSendTransaction': {
      version: '1.0.0',
      async signAndSendTransaction(input: ToSign) {
        const transaction = await signed('signAndSendTransaction', input);
        transaction.finalize();
        await broadcast(transaction.hex);
        return [{ txId: transaction.id }];
      },
    },
    ...options.features,
  };
  for (const name of without) delete features[name];

  const wallet = {
    version: '1.0.0',
    name: options.name ?? 'Demo Standard',
    icon: 'data:image/svg+xml;base64,PHN2Zy8+',
    chains: Object.values(CHAINS),
    features,
    get accounts() {
      return accounts;
    },
  };

  return {
    wallet,
    addresses: keys.map((_, index) => key(index).address),
    /** https://github.com/wallet-standard/wallet-standard/blob/master/packages/core/wallet/src/register.ts. Returns the undo. */
    announce(): () => void {
      const callback = ({ register }: { register: (wallet: object) => void }) => register(wallet);
      const ready = (event: Event) => callback((event as CustomEvent).detail);
      window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }));
      window.addEventListener('wallet-standard:app-ready', ready);
      return () => window.removeEventListener('wallet-standard:app-ready', ready);
    },
    /** Its user lets the page see these accounts. */
    show(...indexes: number[]): void {
      change(indexes.map(accountOf));
    },
    go(name: NetworkName): void {
      network = name;
      change(accounts.map((_, index) => accountOf(index)));
    },
  };
}
