/**
 * Wallets of Aeternity in an extension, such as Superhero: JSON-RPC by messages of the window.
 * https://github.com/aeternity/aepp-sdk-js/tree/develop/src/aepp-wallet-communication
 */
import type { Wallet } from '../api/wallet.ts';
import type { AeternityRequest, AeternitySignRequest } from '../chains/aeternity/payload.ts';
import type { MessageSignature } from '../chains/terms.ts';
import { CARDS } from '../chains/secret-type.ts';
import { ConnectError, RequestInvalidError, UserRejectedError } from '../base/errors.ts';
import { inJson, messageText } from './data.ts';
import { externalError, notSupported, wrongAnswer } from './external-error.ts';
import { type NamedNetwork, networkOf, networksOf } from './networks.ts';
import { type Message, messageOf } from './superhero-messages.ts';
import type { Account, ExternalHost, ExternalWallet, Wish } from './types.ts';

/** Version of the SDK's protocol. */
const VERSION = 1;

/** The SDK's codes, as those of EIP-1193 that mean the same. */
const CODES: Readonly<Record<number, number>> = { 4: 4001, 9: 4001, 10: 4100, 11: 4100, 5: 4200, 13: 4200 };

export function openSuperhero(
  name: string,
  host: ExternalHost,
): ExternalWallet<AeternityRequest, AeternitySignRequest> {
  return new Superhero(name, host);
}

class Superhero implements ExternalWallet<AeternityRequest, AeternitySignRequest> {
  readonly #name: string;
  readonly #host: ExternalHost;
  readonly #wire: Wire;
  #networkId: string | undefined;
  /** Undefined until, on this page load, the user has let this page see them. */
  #shown: string[] | undefined;
  #connecting: Promise<void> | undefined;
  #report = (_addresses: string[]): void => {};

  constructor(name: string, host: ExternalHost) {
    this.#name = name;
    this.#host = host;
    this.#wire = new Wire(name, (message) => this.#hear(message));
  }

  async link({ network }: Wish): Promise<Account[]> {
    // Its user may have closed its previous popup, which it does not report.
    if (!this.#shown) this.#connecting = undefined;
    await this.#connect();
    if (!this.#shown?.length) throw new UserRejectedError(`No account was linked in ${this.#name}.`);
    const all = await networksOf(this.#host, 'AETERNITY');
    const own = all.find(({ id, genesis }) =>
      network === undefined ? genesis === this.#networkId : id === network,
    );
    if (!own && network !== undefined)
      throw new RequestInvalidError([{ path: 'network', message: 'is not a network of AETERNITY' }]);
    const on = own ?? all[0];
    if (!on) throw notSupported(this.#name, 'AETERNITY');
    return this.#shown.map((address) => ({ address, secretType: 'AETERNITY', network: on.id }));
  }

  async accounts(): Promise<string[]> {
    return this.#shown ?? [];
  }

  async send(from: Wallet, request: AeternityRequest): Promise<string> {
    const network = await this.#networkFor(from);
    await this.#switchTo(network);
    const tx = await this.#rpc(network, 'carabiner_unsigned', inJson(request), from.address);
    const answer = await this.#wire.ask('transaction.sign', {
      tx,
      onAccount: from.address,
      // According to the SDK, wallets will no longer send.
      returnSigned: true,
      networkId: network.genesis,
    });
    const signed = (answer as { signedTransaction?: unknown } | undefined)?.signedTransaction;
    if (typeof signed !== 'string') throw wrongAnswer(this.#name, 'a signed transaction');
    const hash = await this.#rpc(network, 'carabiner_send', tx, signed);
    if (CARDS.AETERNITY.hash.test(hash)) return hash;
    throw wrongAnswer(this.#name, 'a transaction hash');
  }

  async sign(from: Wallet, { data }: AeternitySignRequest): Promise<MessageSignature> {
    await this.#networkFor(from);
    const answer = await this.#wire.ask('message.sign', {
      message: messageText(data, this.#name),
      onAccount: from.address,
    });
    const signature = (answer as { signature?: unknown } | undefined)?.signature;
    if (typeof signature === 'string' && /^[0-9a-f]{128}$/i.test(signature))
      return { signature: `0x${signature.toLowerCase()}` };
    throw wrongAnswer(this.#name, 'a signature');
  }

  watch(changed: (addresses: string[]) => void): void {
    this.#report = changed;
  }

  /** Connects once, for as long as page and wallet live. May prompt the user. */
  #connect(): Promise<void> {
    this.#connecting ??= this.#open();
    const opening = this.#connecting;
    opening.catch(() => {
      if (this.#connecting === opening) this.#connecting = undefined;
    });
    return opening;
  }

  async #open(): Promise<void> {
    const info = await this.#wire.ask('connection.open', {
      name: document.title || location.host,
      version: VERSION,
      connectNode: false,
    });
    this.#networkId = this.#networkIdOf(info);
    const answer = await this.#wire.ask('address.subscribe', { type: 'subscribe', value: 'connected' });
    this.#shown = await this.#addressesOf((answer as { address?: unknown } | undefined)?.address);
  }

  #hear({ method, params }: Message): void {
    if (method === 'address.update' && this.#shown)
      this.#addressesOf(params).then(
        (addresses) => {
          this.#shown = addresses;
          this.#report(addresses);
        },
        () => {},
      );
    if (method === 'networkId.update' && this.#connecting)
      this.#networkId = (params as { networkId?: string })?.networkId;
    if (method === 'connection.close') {
      this.#connecting = undefined;
      this.#shown = undefined;
      this.#wire.close();
    }
  }

  /** The wallet signs for the network that it is on. */
  async #switchTo({ genesis, name: title }: NamedNetwork): Promise<void> {
    if (this.#networkId === genesis) return;
    try {
      await this.#wire.ask('networkId.update', { networkId: genesis });
    } catch (error) {
      if (externalError(error, this.#name).code === 'user.rejected') throw error;
    }
    if (this.#networkId !== genesis)
      throw new ConnectError(
        'chain.not-supported',
        `${this.#name} is on another network. Switch it to ${title}.`,
      );
  }

  /** The network of the linked wallet, whose account the wallet still shows. */
  async #networkFor(wallet: Wallet): Promise<NamedNetwork> {
    await this.#connect();
    if (!this.#shown?.includes(wallet.address)) throw externalError({ code: 4100 }, this.#name);
    return networkOf(this.#host, wallet, this.#name);
  }

  async #addressesOf(list: unknown): Promise<string[]> {
    const { readAddress } = await import('../chains/aeternity/address.ts');
    try {
      const { current, connected } = list as { current: object; connected: object };
      return [...new Set([...Object.keys(current), ...Object.keys(connected)].map(readAddress))];
    } catch {
      throw wrongAnswer(this.#name, 'a list of addresses');
    }
  }

  #networkIdOf(info: unknown): string {
    const id = (info as { networkId?: unknown } | undefined)?.networkId;
    if (typeof id === 'string' && id) return id;
    throw wrongAnswer(this.#name, 'a network id');
  }

  async #rpc(
    { id }: NamedNetwork,
    method: 'carabiner_unsigned' | 'carabiner_send',
    ...params: unknown[]
  ): Promise<string> {
    const answer = await this.#host.rpc({ secretType: 'AETERNITY', network: id, method, params });
    if ('result' in answer) return answer.result as string;
    throw externalError(answer.error, this.#name);
  }
}

interface Call {
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** JSON-RPC over messages of the window. */
class Wire {
  readonly #name: string;
  readonly #calls = new Map<number, Call>();
  // The page itself may use the SDK, whose ids start at 1.
  #lastId = crypto.getRandomValues(new Uint32Array(1))[0]! + 2 ** 32;

  constructor(name: string, onNotification: (message: Message) => void) {
    this.#name = name;
    addEventListener('message', (event) => {
      const message = messageOf(event);
      if (!message) return;
      if (message.id === undefined) onNotification(message);
      else if (typeof message.id === 'number') this.#settle(message.id, message);
    });
  }

  async ask(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject }));
    const message = { type: 'to_waellet', data: { jsonrpc: '2.0', id, method, params } };
    // A page without an origin cannot name it.
    window.postMessage(message, origin === 'null' ? '*' : origin);
    try {
      return await answer;
    } catch (error) {
      const { code, message } = (error ?? {}) as { code?: number; message?: string };
      throw externalError({ message, code: CODES[code!] ?? code }, this.#name);
    }
  }

  /** The wallet has closed its end. */
  close(): void {
    for (const { reject } of this.#calls.values()) reject({ code: 4900 });
    this.#calls.clear();
  }

  /** Answers name their method, too, and some are for other scripts on the page. */
  #settle(id: number, { result, error }: Message): void {
    const call = this.#calls.get(id);
    if (!call || (result === undefined && error === undefined)) return;
    this.#calls.delete(id);
    if (error === undefined || error === null) call.resolve(result);
    else call.reject(error);
  }
}
