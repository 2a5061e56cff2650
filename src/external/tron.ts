/**
 * Wallets of Tron: https://github.com/tronprotocol/tips/blob/master/tip-1193.md. They inject a TronWeb, which builds transactions with the
 * wallet's own node and has the wallet sign them.
 */
import type { Wallet } from '../api/wallet.ts';
import type { MessageSignature } from '../chains/chain.ts';
import { CARDS } from '../chains/secret-type.ts';
import type { TronRequest, TronSignRequest } from '../chains/tron/payload.ts';
import { ConnectError, UserRejectedError } from '../base/errors.ts';
import { inertText } from '../base/text.ts';
import { textOf } from './data.ts';
import { externalError, notSupported, wrongAnswer } from './external-error.ts';
import { type NamedNetwork, networkFor, networkOf, switchTo } from './networks.ts';
import type { Account, ExternalHost, ExternalWallet, Wish } from './types.ts';

/** A transaction as TronWeb has it: only TronWeb completes, signs and reads it. */
interface Unsigned {
  txID?: unknown;
}

/** The part of https://tronweb.network/docu/docs/intro that wallets inject. */
interface TronWeb {
  defaultAddress?: { base58?: unknown };
  transactionBuilder: {
    sendTrx(to: string, sun: number, from: string): Promise<Unsigned>;
    addUpdateData(transaction: Unsigned, data: string, form: 'hex'): Promise<Unsigned>;
    sendToken(to: string, amount: number, token: string, from: string): Promise<Unsigned>;
    triggerSmartContract(
      contract: string,
      signature: string,
      options: { feeLimit?: number; callValue: number; rawParameter: string },
      parameters: [],
      from: string,
    ): Promise<{ transaction?: Unsigned }>;
  };
  trx: {
    getBlockByNumber(number: 0): Promise<{ blockID?: unknown }>;
    sign(transaction: Unsigned): Promise<Unsigned>;
    sendRawTransaction(signed: Unsigned): Promise<{ result?: unknown; code?: unknown; message?: unknown }>;
    signMessageV2(text: string): Promise<unknown>;
  };
}

export interface TronProvider {
  request(asked: { method: string; params?: unknown[] }): Promise<unknown>;
  on?(event: string, listener: () => void): unknown;
  /** False until the page may see an account. */
  tronWeb?: TronWeb | false | null;
}

/** After it has answered with an account, a wallet may take a moment to provide its TronWeb. */
const LOOK_MS = 50;
const LOOKS = 40;

export function openTron(
  provider: TronProvider,
  name: string,
  host: ExternalHost,
): ExternalWallet<TronRequest, TronSignRequest> {
  async function asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw externalError(error, name);
    }
  }

  async function addressOf(given: unknown): Promise<string> {
    const { readAddress } = await import('../chains/tron/address.ts');
    try {
      return readAddress(given);
    } catch {
      throw wrongAnswer(name, 'an address of Tron');
    }
  }

  async function accounts(): Promise<string[]> {
    const address = provider.tronWeb ? provider.tronWeb.defaultAddress?.base58 : undefined;
    return address ? [await addressOf(address)] : [];
  }

  async function tronWeb(): Promise<TronWeb> {
    for (let look = 0; look < LOOKS && !provider.tronWeb; look++)
      await new Promise<void>((done) => host.clock.after(LOOK_MS, done));
    if (provider.tronWeb) return provider.tronWeb;
    throw externalError({ code: 4900 }, name);
  }

  async function isCurrent(): Promise<(network: NamedNetwork) => boolean> {
    const { trx } = await tronWeb();
    const { blockID } = await asked(() => trx.getBlockByNumber(0));
    return ({ genesis }) => genesis !== undefined && genesis === blockID;
  }

  async function link(wish: Wish): Promise<Account[]> {
    const [given] = [await asked(() => provider.request({ method: 'eth_requestAccounts' }))].flat();
    if (!given) throw new UserRejectedError(`No account was linked in ${name}.`);
    const address = await addressOf(given);
    return [{ address, ...(await networkFor(host, wish, name, isCurrent)) }];
  }

  /** Its user may have revoked the account there, or selected another, which would then sign. */
  async function checkAccount({ address }: Wallet): Promise<void> {
    if (!(await accounts()).includes(address)) throw externalError({ code: 4100 }, name);
  }

  /** Chain ids are the last 4 bytes of the first block's id. */
  async function switchFor(wallet: Wallet): Promise<void> {
    const network = await networkOf(host, wallet, name);
    const { genesis } = network;
    if (!genesis)
      throw notSupported(name, `${network.name}, because networks.json does not have its genesis`);
    const request = (question: { method: string; params: unknown[] }) => provider.request(question);
    await switchTo({ chainId: `0x${genesis.slice(-8)}`, name: network.name }, { name, request }, async () =>
      (await isCurrent())(network),
    );
  }

  async function built(request: TronRequest, from: string): Promise<Unsigned> {
    const { transactionBuilder: build } = await tronWeb();
    switch (request.type) {
      case 'TRX_TRANSACTION': {
        const transaction = await build.sendTrx(request.to, exact(request.value, name), from);
        const memo = request.data?.slice(2);
        return memo ? build.addUpdateData(transaction, memo, 'hex') : transaction;
      }
      case 'TRC10_TRANSACTION':
        if (/^\d+$/.test(request.token))
          return build.sendToken(request.to, exact(request.value, name), request.token, from);
        break;
      case 'TRON_CONTRACT_EXECUTION':
        break;
      default:
        throw notSupported(name, request.type);
    }
    const { to, signature, value, parameters } = await callOf(request);
    const { feeLimit } = request;
    const options = {
      ...(feeLimit !== undefined && { feeLimit: exact(feeLimit, name) }),
      callValue: exact(value, name),
      rawParameter: parameters,
    };
    const { transaction } = await build.triggerSmartContract(to, signature, options, [], from);
    return transaction ?? {};
  }

  async function send(from: Wallet, request: TronRequest): Promise<string> {
    await checkAccount(from);
    await switchFor(from);
    return signAndSend(from, await asked(() => built(request, from.address)));
  }

  async function signAndSend(from: Wallet, unsigned: Unsigned): Promise<string> {
    const { txID } = unsigned;
    if (typeof txID !== 'string' || !CARDS.TRON.hash.test(txID)) throw wrongAnswer(name, 'a transaction');
    // Building takes time, in which the account may have changed.
    await checkAccount(from);
    const { trx } = await tronWeb();
    const transaction = await asked(() => trx.sign(unsigned));
    if (transaction?.txID !== txID) throw wrongAnswer(name, 'the transaction that it was asked to sign');
    await broadcast(trx, transaction, txID);
    return txID;
  }

  async function broadcast(
    trx: TronWeb['trx'],
    transaction: Unsigned,
    transactionHash: string,
  ): Promise<void> {
    const answer = await trx.sendRawTransaction(transaction).catch(() => undefined);
    if (!answer || typeof answer !== 'object')
      throw new ConnectError(
        'node.unreachable',
        `${name} does not say whether it sent the transaction. Check its activity before you try again.`,
        { transactionHash },
      );
    if (answer.result === true || answer.code === 'DUP_TRANSACTION_ERROR') return;
    throw externalError({ message: reasonOf(answer) }, name);
  }

  async function sign(from: Wallet, { data }: TronSignRequest): Promise<MessageSignature> {
    const text = textOf(data);
    if (text === undefined) throw notSupported(name, 'messages that are not UTF-8 text');
    await checkAccount(from);
    const { trx } = await tronWeb();
    const signature = await asked(() => trx.signMessageV2(text));
    // The wallet does not report which account signed.
    await checkAccount(from);
    if (typeof signature === 'string' && /^0x[0-9a-f]{128}(1b|1c)$/i.test(signature)) return { signature };
    throw wrongAnswer(name, 'a signature of 65 bytes');
  }

  return {
    link,
    accounts,
    send,
    sign,
    watch(changed, reachable) {
      // Handles events in order: reading an address takes longer than finding that there is none.
      let heard: Promise<unknown> = Promise.resolve();
      provider.on?.('accountsChanged', () => {
        const shown = accounts();
        heard = Promise.allSettled([heard, shown]).then(() => shown.then(changed, () => {}));
      });
      provider.on?.('disconnect', () => reachable(false));
      provider.on?.('connect', () => reachable(true));
    },
  };
}

interface Call {
  to: string;
  /** `transfer(address,uint256)`. */
  signature: string;
  /** Sun. */
  value: bigint;
  /** The arguments, in hex without `0x`. */
  parameters: string;
}

/** The arguments are encoded here, as our wallet does it: TronWeb versions differ in what they accept. */
async function callOf(
  request: Extract<TronRequest, { type: 'TRC10_TRANSACTION' | 'TRON_CONTRACT_EXECUTION' }>,
): Promise<Call> {
  const { readAddress, toEvm } = await import('../chains/tron/address.ts');
  const { encodeCall } = await import('../chains/contracts/abi.ts');
  if (request.type === 'TRC10_TRANSACTION') {
    const types = ['address', 'uint256'];
    const data = encodeCall('transfer', types, [toEvm(request.to), request.value]);
    return { to: request.token, signature: `transfer(${types})`, value: 0n, parameters: data.slice(10) };
  }
  const { abiTypeOf, readArgument } = await import('../chains/contracts/arguments.ts');
  const { to, value = 0n, functionName, inputs } = request;
  const abiTypes = inputs.map(({ type }) => abiTypeOf(type)!);
  const values = inputs.map(({ value }, i) => readArgument(abiTypes[i]!, value, (it) => toEvm(readAddress(it))));
  // The wallet's node hashes the signature, which has the full names of types.
  const types = abiTypes.map(({ text }) => text);
  const data = encodeCall(functionName, types, values);
  return { to, signature: `${functionName}(${types})`, value, parameters: data.slice(10) };
}

/** TronWeb takes JavaScript numbers. */
function exact(value: bigint, name: string): number {
  if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  throw notSupported(name, 'amounts above 2^53 smallest units');
}

/** Nodes write their reasons in hex. */
function reasonOf({ code, message }: { code?: unknown; message?: unknown }): string {
  const text = String(message ?? '');
  const words = /^([0-9a-f]{2})+$/i.test(text) ? textOf(`0x${text}`) : text;
  return inertText([code, words].filter(Boolean).join(': '));
}
