/**
 * Bitcoin wallets that support sats-connect's methods, such as Xverse and Leather:
 * https://github.com/secretkeylabs/sats-connect-core/tree/main/src/request
 */
import type { Wallet } from '../api/wallet.ts';
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
import { networksOf } from './networks.ts';
import type { ExternalHost } from './types.ts';

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
  /** The last known state, for wallets that cannot be queried. */
  let last: State | undefined;

  async function ask(method: string, params: unknown): Promise<unknown> {
    let answer: unknown;
    try {
      answer = await provider.request(method, params);
    } catch (thrown) {
      // Some throw the JSON-RPC answer that sats-connect expects them to return.
      answer = (thrown as { error?: unknown })?.error ? thrown : { error: thrown };
    }
    const { error, result } = (answer ?? {}) as {
      error?: { code?: number; message?: string };
      result?: unknown;
    };
    if (!error && result !== undefined) return result;
    if (!error) throw wrongAnswer(name, 'an answer of its standard');
    const { code, message } = error;
    throw externalError(typeof error === 'string' ? error : { message, code: CODES[code!] ?? code }, name);
  }

  /** Undefined if it cannot be queried without its user. */
  async function state(): Promise<State | undefined> {
    try {
      return (last = stateOf(await ask('wallet_getAccount', null), name));
    } catch (error) {
      const { code } = externalError(error, name);
      if (code === 'wallet.forbidden') return { addresses: [] };
      if (code === 'chain.not-supported') return last;
      throw error;
    }
  }

  /** `wallet_connect` is newer than `getAccounts`, and returns the network. */
  async function connect(network: string | undefined): Promise<State> {
    try {
      const wanted = { addresses: ['payment'], ...(network !== undefined && { network }) };
      return stateOf(await ask('wallet_connect', wanted), name);
    } catch (error) {
      if (externalError(error, name).code !== 'chain.not-supported') throw error;
      return stateOf(await ask('getAccounts', { purposes: ['payment'] }), name);
    }
  }

  async function checked(from: Wallet) {
    return networkFor(from, await state(), host, name);
  }

  const accounts = async () => linkable((await state())?.addresses ?? [], host);

  return {
    async link(wish) {
      const wanted = (await networksOf(host, 'BITCOIN')).find(({ id }) => id === wish.network);
      const shown = await connect(wanted && nameOfNetwork(wanted));
      const linked = await accountsOn(shown.addresses, shown.said, wish, host, name);
      last = shown;
      return linked;
    },
    accounts,
    async send(from, request) {
      checkRecipient(request, await checked(from));
      if (request.feePerByte !== undefined)
        throw notSupported(name, 'a fee set by the request; leave feePerByte out');
      const recipients = [{ address: request.to, amount: Number(request.value) }];
      const { txid } = record(await ask('sendTransfer', { recipients }));
      return hashOf(txid, name);
    },
    async sign(from, message) {
      await checked(from);
      const protocol = message.format === 'bip137' ? 'ECDSA' : 'BIP322';
      const { address } = from;
      const answer = record(
        await ask('signMessage', { address, message: messageText(message.data, name), protocol }),
      );
      if (answer['address'] !== undefined && answer['address'] !== address)
        throw wrongAnswer(name, 'a signature of the account');
      return signatureOf(answer['signature'], message, name);
    },
    watch(changed) {
      const listen = (eventName: string, cb: () => void): void => {
        try {
          provider.addListener?.({ eventName, cb });
        } catch {
          // The wallet does not have this event.
        }
      };
      const look = (): void => {
        last = undefined;
        follow(async () => (await state())?.addresses, host, changed);
      };
      listen('accountChange', look);
      listen('networkChange', look);
      listen('disconnect', () => {
        last = undefined;
        changed([]);
      });
    },
  };
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
