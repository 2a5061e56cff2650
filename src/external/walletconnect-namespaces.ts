/**
 * What wallets elsewhere take, by namespace of CAIP-2: names of networks, addresses, and requests. https://chainagnostic.org/CAIPs/caip-2
 * Requests: https://docs.reown.com/advanced/multichain/rpc-reference/tron-rpc and `bitcoin-rpc`; VeChain's are those of its dApp kit
 * (https://github.com/vechain/vechain-dapp-kit, `create-wc-signer.ts`).
 */
import type { Wallet } from '../api/wallet.ts';
import { fromBase64, toBase64 } from '../base/base64.ts';
import { bytesOf } from '../base/bytes.ts';
import { ConnectError } from '../base/errors.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { MessageSignature } from '../chains/terms.ts';
import type { TronRequest, TronSignRequest } from '../chains/tron/payload.ts';
import type { NativeRequest, UtxoSignRequest } from '../chains/utxo/payload.ts';
import { inJson, messageText } from './data.ts';
import { externalError, notSupported, wrongAnswer } from './external-error.ts';
import { type NamedNetwork, type NamespaceName, networkOf } from './networks.ts';
import type { ExternalHost, ExternalWallet } from './types.ts';

/** A session on one network. */
export interface SessionCalls {
  /** The wallet's name. */
  name: string;
  /** Accounts on this network, as the wallet wrote them. */
  accounts: readonly string[];
  properties: Readonly<Record<string, unknown>>;
  allows(method: string): boolean;
  /** Throws errors of ours; `chain.not-supported` for a method that the session does not allow. */
  ask(method: string, params: unknown): Promise<unknown>;
}

type Asking<R = object, S = object> = Pick<ExternalWallet<R, S>, 'send' | 'sign'>;

export interface Namespace {
  methods: readonly string[];
  events: readonly string[];
  /** Properties of the session that the page proposes. */
  properties?: Readonly<Record<string, string>>;
  /** Whether signatures of messages are checked: those of contracts cannot be. */
  checks: boolean;
  /** In CAIP-2, without the namespace; undefined for a network whose first block is unknown. */
  referenceOf(network: NamedNetwork): string | undefined;
  /** The address as ours are written. Throws for one of another network. */
  readAddress(text: string, network: NamedNetwork): Promise<string>;
  open(calls: SessionCalls, chainId: number, host: ExternalHost): Promise<Asking>;
}

/** First block of Bitcoin's main network, which networks.json need not name. */
const BITCOIN_GENESIS = '000000000019d6689c085ae165831e93';

export const NAMESPACES: Readonly<Record<NamespaceName, Namespace>> = {
  eip155: {
    methods: ['eth_sendTransaction', 'personal_sign', 'eth_signTypedData_v4'],
    events: ['accountsChanged', 'chainChanged'],
    checks: false,
    referenceOf: ({ chainId }) => String(chainId),
    readAddress: (text) => readHex(text, 'ETHEREUM'),
    async open(calls, chainId, host) {
      const { openEip1193 } = await import('./eip1193.ts');
      const request = async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
        if (method === 'eth_chainId') return `0x${chainId.toString(16)}`;
        return method === 'eth_accounts' ? calls.accounts : calls.ask(method, params);
      };
      return openEip1193({ request }, calls.name, host);
    },
  },
  tron: {
    methods: ['tron_signTransaction', 'tron_signMessage'],
    events: [],
    properties: { tron_method_version: 'v1' },
    checks: true,
    referenceOf: ({ genesis }) => genesis && `0x${genesis.slice(-8)}`,
    readAddress: async (text) => (await import('../chains/tron/address.ts')).readAddress(text),
    open: async (calls, _, host) => new TronSession(calls, host),
  },
  bip122: {
    methods: ['signPsbt', 'sendTransfer', 'signMessage'],
    events: [],
    checks: true,
    referenceOf: ({ genesis, kind }) =>
      genesis?.slice(0, 32) ?? (kind === 'mainnet' ? BITCOIN_GENESIS : undefined),
    async readAddress(text, { kind }) {
      const [{ readDestination }, { BITCOIN }] = await Promise.all([
        import('../chains/utxo/address.ts'),
        import('../chains/bitcoin/profile.ts'),
      ]);
      const { address, kinds } = readDestination(BITCOIN, text);
      if (kinds.includes(kind)) return address;
      throw new Error('is an address of another network');
    },
    open: async (calls, _, host) => new BitcoinSession(calls, host),
  },
  vechain: {
    methods: ['thor_sendTransaction', 'thor_signCertificate'],
    events: [],
    checks: true,
    referenceOf: ({ genesis }) => genesis?.slice(-32),
    readAddress: (text) => readHex(text, 'VECHAIN'),
    async open({ ask, name }, _, host) {
      const { openVechain } = await import('./vechain.ts');
      const asking = (method: string) => (message: unknown, options: object) =>
        ask(method, [{ message, options }]) as Promise<object>;
      const signer = { signTx: asking('thor_sendTransaction'), signCert: asking('thor_signCertificate') };
      return openVechain({ newConnexSigner: () => signer }, name, host);
    },
  },
};

async function readHex(text: string, chain: SecretType): Promise<string> {
  return (await import('../chains/contracts/evm-address.ts')).readHexAddress(text, chain);
}

/** Our node completes the transaction, the wallet signs it, and our node sends it, if it is that one. */
class Handover {
  constructor(
    private readonly host: ExternalHost,
    private readonly name: string,
  ) {}

  unsigned({ secretType, network, address }: Wallet, request: object): Promise<string> {
    return this.#ask({ secretType, network }, 'carabiner_unsigned', [inJson(request), address]);
  }

  send({ secretType, network }: Wallet, unsigned: string, signed: string): Promise<string> {
    return this.#ask({ secretType, network }, 'carabiner_send', [unsigned, signed]);
  }

  async #ask(
    { secretType, network }: Pick<Wallet, 'secretType' | 'network'>,
    method: 'carabiner_unsigned' | 'carabiner_send',
    params: unknown[],
  ): Promise<string> {
    const on = { secretType, ...(network !== undefined && { network }) };
    const answer = await this.host.rpc({ ...on, method, params });
    if ('result' in answer) return answer.result as string;
    throw externalError(answer.error, this.name);
  }
}

class TronSession implements Asking<TronRequest, TronSignRequest> {
  readonly #calls: SessionCalls;
  readonly #handover: Handover;

  constructor(calls: SessionCalls, host: ExternalHost) {
    this.#calls = calls;
    this.#handover = new Handover(host, calls.name);
  }

  async send(from: Wallet, request: TronRequest): Promise<string> {
    const unsigned = await this.#handover.unsigned(from, request);
    const transaction: unknown = JSON.parse(unsigned);
    // Wallets that do not say that they know the newer form take the older one.
    const isNew = this.#calls.properties['tron_method_version'] === 'v1';
    const answer = await this.#calls.ask('tron_signTransaction', {
      address: from.address,
      transaction: isNew ? transaction : { transaction },
    });
    // Some wrap the signed transaction in another object, some return the signature alone.
    const { result = answer } = Object(answer) as { result?: unknown };
    const { signature = result } = Object(result) as { signature?: unknown };
    return this.#handover.send(from, unsigned, JSON.stringify({ signature: [signature].flat() }));
  }

  async sign({ address }: Wallet, { data }: TronSignRequest): Promise<MessageSignature> {
    const { name } = this.#calls;
    const message = messageText(data, name);
    const answer = await this.#calls.ask('tron_signMessage', { address, message });
    const { signature = answer } = Object(answer) as { signature?: unknown };
    const [, digits] = /^(?:0x)?([0-9a-f]{130})$/i.exec(String(signature)) ?? [];
    if (digits) return { signature: `0x${digits.toLowerCase()}` };
    throw wrongAnswer(name, 'a signature of 65 bytes');
  }
}

class BitcoinSession implements Asking<NativeRequest, UtxoSignRequest> {
  readonly #calls: SessionCalls;
  readonly #host: ExternalHost;
  readonly #handover: Handover;

  constructor(calls: SessionCalls, host: ExternalHost) {
    this.#calls = calls;
    this.#host = host;
    this.#handover = new Handover(host, calls.name);
  }

  async send(from: Wallet, request: NativeRequest): Promise<string> {
    const { canHandOver, checkRecipient } = await import('./bitcoin.ts');
    checkRecipient(request, await networkOf(this.#host, from, this.#calls.name));
    const psbt =
      this.#calls.allows('signPsbt') && canHandOver(from.address)
        ? await this.#psbt(from, request)
        : undefined;
    return psbt === undefined ? this.#transfer(from, request) : this.#signed(from, psbt);
  }

  async sign({ address }: Wallet, { data, format }: UtxoSignRequest): Promise<MessageSignature> {
    const { name } = this.#calls;
    const { canHandOver } = await import('./bitcoin.ts');
    if (!canHandOver(address)) throw notSupported(name, 'messages of this account that can be checked');
    const answer = await this.#calls.ask('signMessage', {
      account: address,
      message: messageText(data, name),
      address,
      protocol: format === 'bip137' ? 'ecdsa' : 'bip322',
    });
    const { signature } = Object(answer) as { signature?: unknown };
    if (typeof signature !== 'string') throw wrongAnswer(name, 'a signature');
    // In hex, by its documentation; some return base64, as it is written elsewhere.
    const isHex = /^(?:0x)?(?:[0-9a-f]{2})+$/i.test(signature);
    return { signature: isHex ? toBase64(bytesOf(`0x${signature.replace(/^0x/, '')}`)) : signature };
  }

  /** Undefined where our nodes know too few coins of the account, and the wallet may have others. */
  async #psbt(from: Wallet, request: NativeRequest): Promise<string | undefined> {
    try {
      return await this.#handover.unsigned(from, request);
    } catch (error) {
      const isShort = error instanceof ConnectError && error.code === 'transaction.insufficient-funds';
      if (isShort && this.#leavesOut(request) === undefined && this.#calls.allows('sendTransfer'))
        return undefined;
      throw error;
    }
  }

  async #signed(from: Wallet, psbt: string): Promise<string> {
    const { inputsOf } = await import('./bitcoin.ts');
    const { address } = from;
    const signInputs = Array.from({ length: inputsOf(fromBase64(psbt)) }, (_, index) => ({
      address,
      index,
      sighashTypes: [1],
    }));
    const answer = await this.#calls.ask('signPsbt', {
      account: address,
      psbt,
      signInputs,
      broadcast: false,
    });
    const { psbt: signed } = Object(answer) as { psbt?: unknown };
    if (typeof signed !== 'string') throw wrongAnswer(this.#calls.name, 'a signed transaction');
    return this.#handover.send(from, psbt, signed);
  }

  /** The wallet chooses coins and fee, and sends. */
  async #transfer({ address }: Wallet, request: NativeRequest): Promise<string> {
    const { name } = this.#calls;
    const { hashOf } = await import('./bitcoin.ts');
    const what = this.#leavesOut(request);
    if (what) throw notSupported(name, what);
    const answer = await this.#calls.ask('sendTransfer', {
      account: address,
      recipientAddress: request.to,
      amount: String(request.value),
    });
    return hashOf((Object(answer) as { txid?: unknown }).txid, name);
  }

  /** What a wallet that makes the transaction itself would or might leave out. A payment that should carry an order, and does not, is lost. */
  #leavesOut({ data, feePerByte }: NativeRequest): string | undefined {
    if (data !== undefined) return 'data with a payment from this account';
    return feePerByte === undefined
      ? undefined
      : 'a fee set by the request with this account; leave feePerByte out';
  }
}
