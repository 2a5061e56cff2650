/**
 * Wallets of Bitcoin that register by Wallet Standard: https://github.com/wallet-standard/wallet-standard
 * Features: https://github.com/ExodusMovement/bitcoin-wallet-standard/tree/main/packages/core/features/src
 */
import type { Wallet } from '../api/wallet.ts';
import { fromBase64, toBase64 } from '../base/bytes.ts';
import {
  accountsOn,
  type BitcoinWallet,
  hashOf,
  canHandOver,
  checkRecipient,
  follow,
  linkable,
  networkFor,
  readAddresses,
  type Shown,
  signatureOf,
} from './bitcoin.ts';
import { bytesOf, inJson } from './data.ts';
import { externalError, notSupported, wrongAnswer } from './external-error.ts';
import type { NamedNetwork } from './networks.ts';
import type { ExternalHost } from './types.ts';

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
  function feature<T>(id: string): T | undefined {
    return wallet.features[`bitcoin:${id}`] as T | undefined;
  }

  async function ask<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw externalError(error, name);
    }
  }

  const shown = (): Shown[] => {
    const accounts = [...(wallet.accounts ?? [])];
    return readAddresses(
      accounts.map((each) => each?.address),
      name,
    );
  };
  const accounts = async () => linkable(shown(), host);

  /** The account as the wallet itself gave it, and the network that it is linked on. */
  async function checked(from: Wallet): Promise<{ account: StandardAccount; network: NamedNetwork }> {
    const network = await networkFor(from, { addresses: shown() }, host, name);
    const account = wallet.accounts[shown().findIndex(({ address }) => address === from.address)]!;
    return { account, network };
  }

  return {
    async link(wish) {
      const connect = feature<Connect>('connect')!;
      const answer = await ask(() => connect.connect({ purposes: ['payment'] }));
      const given = Array.isArray(answer?.accounts) ? answer.accounts : [];
      const addresses = readAddresses(
        given.map((each) => each?.address),
        name,
      );
      return accountsOn(addresses, undefined, wish, host, name);
    },
    accounts,
    async send(from, request) {
      const { account, network } = await checked(from);
      checkRecipient(request, network);
      const chain = CHAINS[network.kind];
      const sender = feature<SignAndSend>('signAndSendTransaction');
      const signer = feature<SignTransaction>('signTransaction');
      if (
        !(account.chains ?? wallet.chains).includes(chain) ||
        !(sender || signer) ||
        !canHandOver(from.address)
      )
        throw notSupported(name, `transactions of this account on ${network.name}`);
      const rpc = async (method: 'carabiner_unsigned' | 'carabiner_send', ...params: unknown[]) => {
        const answer = await host.rpc({ secretType: 'BITCOIN', network: network.id, method, params });
        if ('result' in answer) return answer.result as string;
        throw externalError(answer.error, name);
      };
      const unsigned = await rpc('carabiner_unsigned', inJson(request), from.address);
      const psbt = fromBase64(unsigned);
      const input = {
        psbt,
        inputsToSign: [
          { account, signingIndexes: Array.from({ length: inputsOf(psbt) }, (_, index) => index) },
        ],
        chain,
      };
      if (sender) {
        const [sent] = listOf(await ask(() => sender.signAndSendTransaction(input)));
        return hashOf(sent?.txId, name);
      }
      const [signed] = listOf(await ask(() => signer!.signTransaction(input)));
      if (!(signed?.signedPsbt instanceof Uint8Array)) throw wrongAnswer(name, 'a signed transaction');
      return rpc('carabiner_send', unsigned, toBase64(signed.signedPsbt));
    },
    async sign(from, request) {
      const signer = feature<SignMessage>('signMessage');
      if (!signer) throw notSupported(name, 'messages');
      const { account } = await checked(from);
      const [answer] = listOf(
        await ask(() => signer.signMessage({ account, message: bytesOf(request.data) })),
      );
      const signature = answer?.signature;
      return signatureOf(signature instanceof Uint8Array ? toBase64(signature) : undefined, request, name);
    },
    watch(changed) {
      const events = wallet.features['standard:events'] as Events | undefined;
      events?.on?.('change', ({ accounts: given }) => {
        if (given) follow(async () => shown(), host, changed);
      });
    },
  };
}

function listOf<T>(answer: readonly T[]): readonly (T | undefined)[] {
  return Array.isArray(answer) ? answer : [];
}

/** The number of inputs, which follows key, length and version in the first record, the unsigned transaction. */
function inputsOf(psbt: Uint8Array): number {
  const length = psbt[7]! < 253 ? 1 : 3;
  return psbt[7 + length + 4]!;
}
