/**
 * Wallets of Bitcoin that register by Wallet Standard: https://github.com/wallet-standard/wallet-standard
 * Features: https://github.com/ExodusMovement/bitcoin-wallet-standard/tree/main/packages/core/features/src
 */
import type { Wallet } from '../api/wallet.ts';
import { fromBase64, toBase64 } from '../base/base64.ts';
import type { MessageSignature } from '../chains/terms.ts';
import type { NativeRequest, UtxoSignRequest } from '../chains/utxo/payload.ts';
import {
  accountsOn,
  type BitcoinWallet,
  hashOf,
  canHandOver,
  checkRecipient,
  follow,
  inputsOf,
  linkable,
  networkFor,
  readAddresses,
  type Shown,
  signatureOf,
} from './bitcoin.ts';
import { bytesOf, inJson } from './data.ts';
import { answerOf, externalError, notSupported, wrongAnswer } from './external-error.ts';
import type { NamedNetwork } from './networks.ts';
import type { Account, ExternalHost, Wish } from './types.ts';

export interface StandardAccount {
  readonly address: string;
  readonly chains?: readonly string[];
}

export interface StandardWallet {
  readonly name: string;
  readonly icon?: unknown;
  readonly chains: readonly string[];
  readonly features: Readonly<Record<string, unknown>>;
  readonly accounts: readonly StandardAccount[];
}

interface Connect {
  connect(input: { purposes: string[] }): Promise<{ accounts: readonly StandardAccount[] }>;
}
interface SignMessage {
  signMessage(input: {
    account: StandardAccount;
    message: Uint8Array;
  }): Promise<readonly { signature: Uint8Array }[]>;
}
interface Psbt {
  psbt: Uint8Array;
  inputsToSign: { account: StandardAccount; signingIndexes: number[] }[];
  chain: string;
}
interface SignAndSend {
  signAndSendTransaction(input: Psbt): Promise<readonly { txId: string }[]>;
}
interface SignTransaction {
  signTransaction(input: Psbt): Promise<readonly { signedPsbt: Uint8Array }[]>;
}
interface Events {
  on(event: 'change', listener: (properties: { accounts?: unknown }) => void): unknown;
}

const CHAINS = { mainnet: 'bitcoin:mainnet', testnet: 'bitcoin:testnet', local: 'bitcoin:regtest' } as const;

export function openWalletStandard(wallet: StandardWallet, name: string, host: ExternalHost): BitcoinWallet {
  return new WalletStandardWallet(wallet, name, host);
}

class WalletStandardWallet implements BitcoinWallet {
  constructor(
    private readonly wallet: StandardWallet,
    private readonly name: string,
    private readonly host: ExternalHost,
  ) {}

  async link(wish: Wish): Promise<Account[]> {
    const connect = this.#feature<Connect>('connect')!;
    const answer = await answerOf(this.name, () => connect.connect({ purposes: ['payment'] }));
    const accounts = Array.isArray(answer?.accounts) ? answer.accounts : [];
    return accountsOn(addressesOf(accounts, this.name), undefined, wish, this.host, this.name);
  }

  async accounts(): Promise<string[]> {
    return linkable(this.#shown(), this.host);
  }

  async send(from: Wallet, request: NativeRequest): Promise<string> {
    const { name } = this;
    const { account, network } = await this.#accountOf(from);
    checkRecipient(request, network);
    const chain = CHAINS[network.kind];
    const sender = this.#feature<SignAndSend>('signAndSendTransaction');
    const signer = this.#feature<SignTransaction>('signTransaction');
    if (
      !(account.chains ?? this.wallet.chains).includes(chain) ||
      !(sender || signer) ||
      !canHandOver(from.address)
    )
      throw notSupported(name, `transactions of this account on ${network.name}`);
    const unsigned = await this.#rpc(network, 'carabiner_unsigned', inJson(request), from.address);
    const psbt = fromBase64(unsigned);
    const signingIndexes = Array.from({ length: inputsOf(psbt) }, (_, index) => index);
    const input = { psbt, inputsToSign: [{ account, signingIndexes }], chain };
    if (sender) {
      const [sent] = listOf(await answerOf(name, () => sender.signAndSendTransaction(input)));
      return hashOf(sent?.txId, name);
    }
    const [signed] = listOf(await answerOf(name, () => signer!.signTransaction(input)));
    if (!(signed?.signedPsbt instanceof Uint8Array)) throw wrongAnswer(name, 'a signed transaction');
    return this.#rpc(network, 'carabiner_send', unsigned, toBase64(signed.signedPsbt));
  }

  async sign(from: Wallet, request: UtxoSignRequest): Promise<MessageSignature> {
    const { name } = this;
    const signer = this.#feature<SignMessage>('signMessage');
    if (!signer) throw notSupported(name, 'messages');
    const { account } = await this.#accountOf(from);
    const message = bytesOf(request.data);
    const [answer] = listOf(await answerOf(name, () => signer.signMessage({ account, message })));
    const signature = answer?.signature;
    return signatureOf(signature instanceof Uint8Array ? toBase64(signature) : undefined, request, name);
  }

  watch(changed: (addresses: string[]) => void): void {
    const events = this.wallet.features['standard:events'] as Events | undefined;
    events?.on?.('change', ({ accounts }) => {
      if (accounts) follow(async () => this.#shown(), this.host, changed);
    });
  }

  #feature<T>(id: string): T | undefined {
    return this.wallet.features[`bitcoin:${id}`] as T | undefined;
  }

  #shown(): Shown[] {
    return addressesOf(this.wallet.accounts ?? [], this.name);
  }

  /** The account as the wallet itself gave it, and the network that it is linked on. */
  async #accountOf(from: Wallet): Promise<{ account: StandardAccount; network: NamedNetwork }> {
    const network = await networkFor(from, { addresses: this.#shown() }, this.host, this.name);
    const index = this.#shown().findIndex(({ address }) => address === from.address);
    return { account: this.wallet.accounts[index]!, network };
  }

  async #rpc(
    { id }: NamedNetwork,
    method: 'carabiner_unsigned' | 'carabiner_send',
    ...params: unknown[]
  ): Promise<string> {
    const answer = await this.host.rpc({ secretType: 'BITCOIN', network: id, method, params });
    if ('result' in answer) return answer.result as string;
    throw externalError(answer.error, this.name);
  }
}

function addressesOf(accounts: readonly StandardAccount[], name: string): Shown[] {
  return readAddresses(
    [...accounts].map((each) => each?.address),
    name,
  );
}

function listOf<T>(answer: readonly T[]): readonly (T | undefined)[] {
  return Array.isArray(answer) ? answer : [];
}
