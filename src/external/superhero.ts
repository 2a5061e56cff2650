/**
 * Wallets of Aeternity in an extension, such as Superhero: JSON-RPC by messages of the window.
 * https://github.com/aeternity/aepp-sdk-js/tree/develop/src/aepp-wallet-communication
 */
import type { Wallet } from '../api/wallet.ts';
import type { AeternityRequest, AeternitySignRequest } from '../chains/aeternity/payload.ts';
import { CARDS } from '../chains/secret-type.ts';
import { ConnectError, RequestInvalidError, UserRejectedError } from '../base/errors.ts';
import { inJson, messageText } from './data.ts';
import { externalError, notSupported, wrongAnswer } from './external-error.ts';
import { type NamedNetwork, networkOf, networksOf } from './networks.ts';
import { type Message, messageOf } from './superhero-messages.ts';
import type { ExternalHost, ExternalWallet } from './types.ts';

/** Version of the SDK's protocol. */
const VERSION = 1;

/** The SDK's codes, as those of EIP-1193 that mean the same. */
const CODES: Readonly<Record<number, number>> = { 4: 4001, 9: 4001, 10: 4100, 11: 4100, 5: 4200, 13: 4200 };

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

export function openSuperhero(
  name: string,
  host: ExternalHost,
): ExternalWallet<AeternityRequest, AeternitySignRequest> {
  const waiting = new Map<number, Waiting>();
  // The page itself may use the SDK, whose ids start at 1.
  let lastId = crypto.getRandomValues(new Uint32Array(1))[0]! + 2 ** 32;
  let networkId: string | undefined;
  /** Undefined until, on this page load, the user has let this page see them. */
  let shown: string[] | undefined;
  let connecting: Promise<void> | undefined;
  let tell = (_addresses: string[]): void => {};

  addEventListener('message', (event) => {
    const message = messageOf(event);
    if (!message) return;
    if (message.id === undefined) hear(message);
    else if (typeof message.id === 'number') answered(message.id, message);
  });

  /** Answers name their method, too, and some are for other scripts on the page. */
  function answered(id: number, { result, error }: Message): void {
    const asked = waiting.get(id);
    if (!asked || (result === undefined && error === undefined)) return;
    waiting.delete(id);
    if (error === undefined || error === null) asked.resolve(result);
    else asked.reject(error);
  }

  function hear({ method, params }: Message): void {
    if (method === 'address.update' && shown)
      addressesOf(params).then(
        (addresses) => {
          shown = addresses;
          tell(addresses);
        },
        () => {},
      );
    if (method === 'networkId.update' && connecting)
      networkId = (params as { networkId?: string })?.networkId;
    if (method === 'connection.close') {
      connecting = undefined;
      shown = undefined;
      for (const { reject } of waiting.values()) reject({ code: 4900 });
      waiting.clear();
    }
  }

  async function ask(method: string, params: unknown): Promise<unknown> {
    const id = ++lastId;
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    const message = { type: 'to_waellet', data: { jsonrpc: '2.0', id, method, params } };
    // A page without an origin cannot name it.
    window.postMessage(message, origin === 'null' ? '*' : origin);
    try {
      return await answer;
    } catch (error) {
      const { code, message } = (error ?? {}) as { code?: number; message?: string };
      throw externalError({ message, code: CODES[code!] ?? code }, name);
    }
  }

  async function addressesOf(given: unknown): Promise<string[]> {
    const { readAddress } = await import('../chains/aeternity/address.ts');
    try {
      const { current, connected } = given as { current: object; connected: object };
      return [...new Set([...Object.keys(current), ...Object.keys(connected)].map(readAddress))];
    } catch {
      throw wrongAnswer(name, 'a list of addresses');
    }
  }

  function networkIdOf(given: unknown): string {
    const id = (given as { networkId?: unknown } | undefined)?.networkId;
    if (typeof id === 'string' && id) return id;
    throw wrongAnswer(name, 'a network id');
  }

  /** Connects once, for as long as page and wallet live. May prompt the user. */
  function connect(): Promise<void> {
    connecting ??= (async () => {
      const info = await ask('connection.open', {
        name: document.title || location.host,
        version: VERSION,
        connectNode: false,
      });
      networkId = networkIdOf(info);
      const answer = await ask('address.subscribe', { type: 'subscribe', value: 'connected' });
      shown = await addressesOf((answer as { address?: unknown } | undefined)?.address);
    })();
    const opening = connecting;
    opening.catch(() => {
      if (connecting === opening) connecting = undefined;
    });
    return opening;
  }

  /** The wallet signs for the network that it is on. */
  async function switchTo({ genesis, name: title }: NamedNetwork): Promise<void> {
    if (networkId === genesis) return;
    try {
      await ask('networkId.update', { networkId: genesis });
    } catch (error) {
      if (externalError(error, name).code === 'user.rejected') throw error;
    }
    if (networkId !== genesis)
      throw new ConnectError('chain.not-supported', `${name} is on another network. Switch it to ${title}.`);
  }

  /** The network of the linked wallet, whose account the wallet still shows. */
  async function checked(wallet: Wallet): Promise<NamedNetwork> {
    await connect();
    if (!shown?.includes(wallet.address)) throw externalError({ code: 4100 }, name);
    return networkOf(host, wallet, name);
  }

  return {
    async link({ network }) {
      // Its user may have closed its previous popup, which it does not report.
      if (!shown) connecting = undefined;
      await connect();
      if (!shown?.length) throw new UserRejectedError(`No account was linked in ${name}.`);
      const all = await networksOf(host, 'AETERNITY');
      const found = all.find(({ id, genesis }) =>
        network === undefined ? genesis === networkId : id === network,
      );
      if (!found && network !== undefined)
        throw new RequestInvalidError([{ path: 'network', message: 'is not a network of AETERNITY' }]);
      const on = found ?? all[0];
      if (!on) throw notSupported(name, 'AETERNITY');
      return shown.map((address) => ({ address, secretType: 'AETERNITY', network: on.id }));
    },
    accounts: async () => shown ?? [],
    async send(from, request) {
      const network = await checked(from);
      await switchTo(network);
      const rpc = async (method: 'carabiner_unsigned' | 'carabiner_send', ...params: unknown[]) => {
        const answer = await host.rpc({ secretType: 'AETERNITY', network: network.id, method, params });
        if ('result' in answer) return answer.result as string;
        throw externalError(answer.error, name);
      };
      const tx = await rpc('carabiner_unsigned', inJson(request), from.address);
      const answer = await ask('transaction.sign', {
        tx,
        onAccount: from.address,
        // According to the SDK, wallets will no longer send.
        returnSigned: true,
        networkId: network.genesis,
      });
      const signed = (answer as { signedTransaction?: unknown } | undefined)?.signedTransaction;
      if (typeof signed !== 'string') throw wrongAnswer(name, 'a signed transaction');
      const hash = await rpc('carabiner_send', tx, signed);
      if (CARDS.AETERNITY.hash.test(hash)) return hash;
      throw wrongAnswer(name, 'a transaction hash');
    },
    async sign(from, { data }) {
      await checked(from);
      const answer = await ask('message.sign', { message: messageText(data, name), onAccount: from.address });
      const signature = (answer as { signature?: unknown } | undefined)?.signature;
      if (typeof signature === 'string' && /^[0-9a-f]{128}$/i.test(signature))
        return { signature: `0x${signature.toLowerCase()}` };
      throw wrongAnswer(name, 'a signature');
    },
    watch(changed) {
      tell = changed;
    },
  };
}
