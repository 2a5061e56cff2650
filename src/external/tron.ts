/**
 * Wallets of Tron: https://github.com/tronprotocol/tips/blob/master/tip-1193.md. They inject a TronWeb, which builds transactions with the
 * wallet's own node and has the wallet sign them.
 */
import type { Wallet } from '../api/wallet.ts';
import type { MessageSignature } from '../chains/terms.ts';
import { CARDS } from '../chains/secret-type.ts';
import type { TronRequest, TronSignRequest } from '../chains/tron/payload.ts';
import { ConnectError, UserRejectedError } from '../base/errors.ts';
import { inertText } from '../base/text.ts';
import { textOf } from './data.ts';
import { answerOf, externalError, notSupported, wrongAnswer } from './external-error.ts';
import { type NamedNetwork, networkFor, networkOf, switchTo } from './networks.ts';
import type { Account, ExternalHost, ExternalWallet, Wish } from './types.ts';

/** A transaction as TronWeb has it: only TronWeb completes, signs and reads it. */
interface Unsigned {
  txID?: unknown;
  raw_data?: { data?: unknown } | undefined;
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
  return new TronWallet(provider, name, host);
}

class TronWallet implements ExternalWallet<TronRequest, TronSignRequest> {
  constructor(
    private readonly provider: TronProvider,
    private readonly name: string,
    private readonly host: ExternalHost,
  ) {}

  async link(wish: Wish): Promise<Account[]> {
    const { provider, name } = this;
    const list = await answerOf(name, () => provider.request({ method: 'eth_requestAccounts' }));
    const [first] = [list].flat();
    if (!first) throw new UserRejectedError(`No account was linked in ${name}.`);
    const address = await this.#addressOf(first);
    return [{ address, ...(await networkFor(this.host, wish, name, () => this.#isCurrent())) }];
  }

  async accounts(): Promise<string[]> {
    const { tronWeb } = this.provider;
    const address = tronWeb ? tronWeb.defaultAddress?.base58 : undefined;
    return address ? [await this.#addressOf(address)] : [];
  }

  async send(from: Wallet, request: TronRequest): Promise<string> {
    await this.#checkAccount(from);
    await this.#switchFor(from);
    return this.#signAndSend(from, await answerOf(this.name, () => this.#build(request, from.address)));
  }

  async sign(from: Wallet, { data }: TronSignRequest): Promise<MessageSignature> {
    const text = textOf(data);
    if (text === undefined) throw notSupported(this.name, 'messages that are not UTF-8 text');
    await this.#checkAccount(from);
    const { trx } = await this.#tronWeb();
    const signature = await answerOf(this.name, () => trx.signMessageV2(text));
    // The wallet does not report which account signed.
    await this.#checkAccount(from);
    if (typeof signature === 'string' && /^0x[0-9a-f]{128}(1b|1c)$/i.test(signature)) return { signature };
    throw wrongAnswer(this.name, 'a signature of 65 bytes');
  }

  watch(changed: (addresses: string[]) => void, reachable: (yes: boolean) => void): void {
    // Handles events in order: reading an address takes longer than finding that there is none.
    let last: Promise<unknown> = Promise.resolve();
    this.provider.on?.('accountsChanged', () => {
      const accounts = this.accounts();
      last = Promise.allSettled([last, accounts]).then(() => accounts.then(changed, () => {}));
    });
    this.provider.on?.('disconnect', () => reachable(false));
    this.provider.on?.('connect', () => reachable(true));
  }

  async #addressOf(value: unknown): Promise<string> {
    const { readAddress } = await import('../chains/tron/address.ts');
    try {
      return readAddress(value);
    } catch {
      throw wrongAnswer(this.name, 'an address of Tron');
    }
  }

  async #tronWeb(): Promise<TronWeb> {
    const { provider, host } = this;
    for (let look = 0; look < LOOKS && !provider.tronWeb; look++)
      await new Promise<void>((done) => host.clock.after(LOOK_MS, done));
    if (provider.tronWeb) return provider.tronWeb;
    throw externalError({ code: 4900 }, this.name);
  }

  async #isCurrent(): Promise<(network: NamedNetwork) => boolean> {
    const { trx } = await this.#tronWeb();
    const { blockID } = await answerOf(this.name, () => trx.getBlockByNumber(0));
    return ({ genesis }) => genesis !== undefined && genesis === blockID;
  }

  /** Its user may have revoked the account there, or selected another, which would then sign. */
  async #checkAccount({ address }: Wallet): Promise<void> {
    if (!(await this.accounts()).includes(address)) throw externalError({ code: 4100 }, this.name);
  }

  /** Chain ids are the last 4 bytes of the first block's id. */
  async #switchFor(wallet: Wallet): Promise<void> {
    const { provider, name } = this;
    const network = await networkOf(this.host, wallet, name);
    const { genesis } = network;
    if (!genesis)
      throw notSupported(name, `${network.name}, because networks.json does not have its genesis`);
    const target = { chainId: `0x${genesis.slice(-8)}`, name: network.name };
    const request = (call: { method: string; params: unknown[] }) => provider.request(call);
    await switchTo(target, { name, request }, async () => (await this.#isCurrent())(network));
  }

  async #build(request: TronRequest, from: string): Promise<Unsigned> {
    const { name } = this;
    const { transactionBuilder: build } = await this.#tronWeb();
    const withMemo = async (transaction: Unsigned, memo = '0x'): Promise<Unsigned> => {
      if (memo === '0x') return transaction;
      const built = await build.addUpdateData(transaction, memo.slice(2), 'hex');
      // A payment that should carry an order, and does not, is lost.
      if (String(built.raw_data?.data).toLowerCase() === memo.slice(2)) return built;
      throw wrongAnswer(name, 'a transaction with the memo');
    };
    switch (request.type) {
      case 'TRX_TRANSACTION':
        return withMemo(await build.sendTrx(request.to, exact(request.value, name), from), request.data);
      case 'TRC10_TRANSACTION':
        if (/^\d+$/.test(request.token))
          return withMemo(
            await build.sendToken(request.to, exact(request.value, name), request.token, from),
            request.memo,
          );
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
    return withMemo(transaction ?? {}, request.memo);
  }

  async #signAndSend(from: Wallet, unsigned: Unsigned): Promise<string> {
    const { name } = this;
    const { txID } = unsigned;
    if (typeof txID !== 'string' || !CARDS.TRON.hash.test(txID)) throw wrongAnswer(name, 'a transaction');
    // Building takes time, in which the account may have changed.
    await this.#checkAccount(from);
    const { trx } = await this.#tronWeb();
    const transaction = await answerOf(name, () => trx.sign(unsigned));
    if (transaction?.txID !== txID) throw wrongAnswer(name, 'the transaction that it was asked to sign');
    await this.#broadcast(trx, transaction, txID);
    return txID;
  }

  async #broadcast(trx: TronWeb['trx'], transaction: Unsigned, transactionHash: string): Promise<void> {
    const answer = await trx.sendRawTransaction(transaction).catch(() => undefined);
    if (!answer || typeof answer !== 'object')
      throw new ConnectError(
        'node.unreachable',
        `${this.name} does not say whether it sent the transaction. Check its activity before you try again.`,
        { transactionHash },
      );
    if (answer.result === true || answer.code === 'DUP_TRANSACTION_ERROR') return;
    throw externalError({ message: reasonOf(answer) }, this.name);
  }
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
  const { abiTypeOf } = await import('../chains/contracts/abi-types.ts');
  const { readArgument } = await import('../chains/contracts/arguments.ts');
  const { to, value = 0n, functionName, inputs } = request;
  const abiTypes = inputs.map(({ type }) => abiTypeOf(type)!);
  const values = inputs.map(({ value }, i) =>
    readArgument(abiTypes[i]!, value, (it) => toEvm(readAddress(it))),
  );
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
