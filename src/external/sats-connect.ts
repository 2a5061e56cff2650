/**
 * Bitcoin wallets that support sats-connect's methods, such as Xverse and Leather:
 * https://github.com/secretkeylabs/sats-connect-core/tree/main/src/request
 */
import type { Wallet } from '../api/wallet.ts';
import type { MessageSignature } from '../chains/terms.ts';
import type { NativeRequest, UtxoSignRequest } from '../chains/utxo/payload.ts';
import {
  accountsOn,
  type BitcoinWallet,
  hashOf,
  checkRecipient,
  follow,
  linkable,
  nameOfNetwork,
  networkFor,
  readAddresses,
  type Shown,
  signatureOf,
} from './bitcoin.ts';
import { messageText } from './data.ts';
import { externalError, notSupported, wrongAnswer } from './external-error.ts';
import { type NamedNetwork, networksOf } from './networks.ts';
import type { Account, ExternalHost, Wish } from './types.ts';

export interface SatsConnect {
  request(method: string, params: unknown): Promise<unknown>;
  addListener?(info: { eventName: string; cb: (event: unknown) => void }): unknown;
}

/** `RpcErrorCode` of sats-connect, as the codes of EIP-1193 that mean the same. */
const CODES: Readonly<Record<number, number>> = { [-32000]: 4001, [-32001]: 4200, [-32002]: 4100 };

/** The addresses that the wallet shares, and the network that it reports. */
interface State {
  addresses: Shown[];
  said?: string | undefined;
}

export function openSatsConnect(provider: SatsConnect, name: string, host: ExternalHost): BitcoinWallet {
  return new SatsConnectWallet(provider, name, host);
}

class SatsConnectWallet implements BitcoinWallet {
  /** The last known state, for wallets that cannot be queried. */
  #last: State | undefined;

  constructor(
    private readonly provider: SatsConnect,
    private readonly name: string,
    private readonly host: ExternalHost,
  ) {}

  async link(wish: Wish): Promise<Account[]> {
    const wanted = (await networksOf(this.host, 'BITCOIN')).find(({ id }) => id === wish.network);
    const state = await this.#connect(wanted && nameOfNetwork(wanted));
    const accounts = await accountsOn(state.addresses, state.said, wish, this.host, this.name);
    this.#last = state;
    return accounts;
  }

  async accounts(): Promise<string[]> {
    return linkable((await this.#state())?.addresses ?? [], this.host);
  }

  async send(from: Wallet, request: NativeRequest): Promise<string> {
    // A payment that should carry an order, and does not, is lost.
    if (request.data !== undefined) throw notSupported(this.name, 'data with a payment');
    checkRecipient(request, await this.#networkFor(from));
    if (request.feePerByte !== undefined)
      throw notSupported(this.name, 'a fee set by the request; leave feePerByte out');
    const recipients = [{ address: request.to, amount: Number(request.value) }];
    const { txid } = record(await this.#ask('sendTransfer', { recipients }));
    return hashOf(txid, this.name);
  }

  async sign(from: Wallet, message: UtxoSignRequest): Promise<MessageSignature> {
    await this.#networkFor(from);
    const { name } = this;
    const protocol = message.format === 'bip137' ? 'ECDSA' : 'BIP322';
    const { address } = from;
    const answer = record(
      await this.#ask('signMessage', { address, message: messageText(message.data, name), protocol }),
    );
    if (answer['address'] !== undefined && answer['address'] !== address)
      throw wrongAnswer(name, 'a signature of the account');
    return signatureOf(answer['signature'], message, name);
  }

  watch(changed: (addresses: string[]) => void): void {
    const look = (): void => {
      this.#last = undefined;
      follow(async () => (await this.#state())?.addresses, this.host, changed);
    };
    this.#listen('accountChange', look);
    this.#listen('networkChange', look);
    this.#listen('disconnect', () => {
      this.#last = undefined;
      changed([]);
    });
  }

  #listen(eventName: string, cb: () => void): void {
    try {
      this.provider.addListener?.({ eventName, cb });
    } catch {
      // The wallet does not have this event.
    }
  }

  async #ask(method: string, params: unknown): Promise<unknown> {
    let answer: unknown;
    try {
      answer = await this.provider.request(method, params);
    } catch (thrown) {
      // Some throw the JSON-RPC answer that sats-connect expects them to return.
      answer = (thrown as { error?: unknown })?.error ? thrown : { error: thrown };
    }
    const { error, result } = (answer ?? {}) as {
      error?: { code?: number; message?: string };
      result?: unknown;
    };
    if (!error && result !== undefined) return result;
    if (!error) throw wrongAnswer(this.name, 'an answer of its standard');
    const { code, message } = error;
    throw externalError(
      typeof error === 'string' ? error : { message, code: CODES[code!] ?? code },
      this.name,
    );
  }

  /** Undefined if it cannot be queried without its user. */
  async #state(): Promise<State | undefined> {
    try {
      return (this.#last = stateOf(await this.#ask('wallet_getAccount', null), this.name));
    } catch (error) {
      const { code } = externalError(error, this.name);
      if (code === 'wallet.forbidden') return { addresses: [] };
      if (code === 'chain.not-supported') return this.#last;
      throw error;
    }
  }

  /** `wallet_connect` is newer than `getAccounts`, and returns the network. */
  async #connect(network: string | undefined): Promise<State> {
    try {
      const wanted = { addresses: ['payment'], ...(network !== undefined && { network }) };
      return stateOf(await this.#ask('wallet_connect', wanted), this.name);
    } catch (error) {
      if (externalError(error, this.name).code !== 'chain.not-supported') throw error;
      return stateOf(await this.#ask('getAccounts', { purposes: ['payment'] }), this.name);
    }
  }

  async #networkFor(from: Wallet): Promise<NamedNetwork> {
    return networkFor(from, await this.#state(), this.host, this.name);
  }
}

function record(answer: unknown): Record<string, unknown> {
  return typeof answer === 'object' && answer ? (answer as Record<string, unknown>) : {};
}

/** `wallet_connect` and `wallet_getAccount` return an object, `getAccounts` only the list. */
function stateOf(answer: unknown, name: string): State {
  const { addresses, network } = Array.isArray(answer) ? { addresses: answer, network: {} } : record(answer);
  if (!Array.isArray(addresses)) throw wrongAnswer(name, 'a list of addresses');
  const payment = addresses.map(record).filter(({ purpose }) => purpose === 'payment');
  const said = record(record(network)['bitcoin'])['name'];
  return {
    addresses: readAddresses(
      payment.map(({ address }) => address),
      name,
    ),
    ...(typeof said === 'string' && { said }),
  };
}
