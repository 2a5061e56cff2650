/**
 * What a wallet on another device does with requests of Tron, Bitcoin and VeChain, with the SDKs of those chains: for tests, with its own
 * keys. It refuses what such a wallet refuses.
 * https://docs.reown.com/advanced/multichain/rpc-reference/tron-rpc, `bitcoin-rpc`
 */
import { base64, hex } from '@scure/base';
import { Address as BitcoinAddress, OutScript, Transaction } from '@scure/btc-signer';
import { TronWeb, utils } from 'tronweb';
import { bitcoinKey, type Coin } from './bitcoin-key.ts';
import { demoVeworld, type DemoVeworldOptions } from './veworld.ts';

/** A namespace that the wallet approves. */
export interface PhoneChain {
  /** CAIP-2. */
  chain: string;
  addresses: readonly string[];
  methods: readonly string[];
  properties?: Record<string, string>;
  answer(method: string, params: never): Promise<unknown>;
}

/** https://specs.walletconnect.com/2.0/specs/clients/sign/error-codes */
export const REJECTED = { code: 5000, message: 'User rejected.' };

const failure = (message: string) => Object.assign(new Error(message), { code: -32602 });

interface Common {
  approves?: (method: string, params: unknown) => boolean | Promise<boolean>;
  /** Changes what it answers, as a dishonest wallet does. */
  alters?: (answer: never, method: string) => unknown;
}

async function decided<T>(
  { approves = () => true, alters = (answer) => answer }: Common,
  method: string,
  params: unknown,
  answer: () => Promise<T>,
): Promise<unknown> {
  const prepared = await answer();
  if (!(await approves(method, params))) throw Object.assign(new Error(REJECTED.message), REJECTED);
  return alters(prepared as never, method);
}

export interface PhoneTronOptions extends Common {
  /** Hex, without 0x. */
  keys: readonly string[];
  /** Last 4 bytes of the genesis block's id: `0x2b6653dc`. */
  chainId: string;
  /** Whether it takes a transaction as it is, or inside another object. */
  isNew?: boolean;
}

interface TronTransaction {
  txID: string;
  raw_data: { contract: { parameter: { value: { owner_address: string } } }[] };
  raw_data_hex: string;
  signature?: string[];
}

export function phoneTron({ keys, chainId, isNew = true, ...common }: PhoneTronOptions): PhoneChain {
  const tronWeb = new TronWeb({ fullHost: 'http://unused.example' });
  const accounts = keys.map((key) => ({ key, address: TronWeb.address.fromPrivateKey(key) as string }));
  const keyOf = (address: string): string => {
    const account = accounts.find((each) => each.address === address);
    if (account) return account.key;
    throw failure(`Unknown account: ${address}`);
  };

  async function signTransaction(address: string, transaction: TronTransaction) {
    const key = keyOf(address);
    const owner = transaction?.raw_data?.contract?.[0]?.parameter.value.owner_address;
    if (owner !== TronWeb.address.toHex(address).toLowerCase()) throw failure('Invalid owner');
    // What it shows its user is what it signs.
    if (!utils.transaction.txCheck(transaction as never)) throw failure('Invalid transaction');
    return tronWeb.trx.sign(structuredClone(transaction) as never, key);
  }

  return {
    chain: `tron:${chainId}`,
    addresses: accounts.map(({ address }) => address),
    methods: ['tron_signTransaction', 'tron_signMessage'],
    ...(isNew && { properties: { tron_method_version: 'v1' } }),
    answer: (
      method,
      params: {
        address: string;
        message: string;
        transaction: TronTransaction & { transaction: TronTransaction };
      },
    ) =>
      decided(common, method, params, async () => {
        const { address, message, transaction } = params;
        if (method === 'tron_signTransaction')
          return signTransaction(address, isNew ? transaction : transaction.transaction);
        return { signature: await tronWeb.trx.signMessageV2(message, keyOf(address)) };
      }),
  };
}

export interface PhoneBitcoinOptions extends Common {
  keys: readonly Uint8Array[];
  /** The first 32 digits of the genesis block's id. */
  reference: string;
  /** Coins that only the wallet knows, on another address of the account. */
  coins?: readonly Coin[];
  /** Gets what the wallet sends itself. */
  broadcast?: (raw: string) => void;
  methods?: readonly string[];
}

interface BitcoinParams {
  account: string;
  psbt: string;
  signInputs: { address: string; index: number; sighashTypes?: number[] }[];
  broadcast?: boolean;
  recipientAddress: string;
  amount: string;
  message: string;
  address?: string;
  protocol?: 'ecdsa' | 'bip322';
}

export function phoneBitcoin(options: PhoneBitcoinOptions): PhoneChain {
  const { reference, coins = [], broadcast = () => {}, ...common } = options;
  const keys = options.keys.map((key) => bitcoinKey(key, 'Regtest'));
  const keyOf = (address: string) => {
    const key = keys.find((each) => each.address === address);
    if (key) return key;
    throw failure(`Unknown address: ${address}`);
  };
  const METHODS: Record<string, (params: BitcoinParams) => Promise<unknown>> = {
    async signPsbt({ account, psbt, signInputs, broadcast: sends }) {
      if (sends) throw failure('It does not broadcast');
      const key = keyOf(account);
      const bytes = base64.decode(psbt);
      const given = Transaction.fromPSBT(bytes);
      for (const { address, index, sighashTypes = [1] } of signInputs) {
        const { script } = given.getInput(index).witnessUtxo!;
        const owner = BitcoinAddress(REGTEST).encode(OutScript.decode(script));
        if (owner !== address || address !== key.address || String(sighashTypes) !== '1')
          throw failure(`Input ${index}`);
      }
      const indexes = signInputs.map(({ index }) => index);
      return { psbt: base64.encode(key.signPsbt(bytes, indexes).toPSBT()) };
    },
    async sendTransfer({ account, recipientAddress, amount }) {
      if (typeof amount !== 'string' || !/^[1-9]\d*$/.test(amount)) throw failure('amount');
      const raw = keyOf(account).pay(coins, [{ address: recipientAddress, amount: Number(amount) }]);
      broadcast(raw);
      return { txid: Transaction.fromRaw(hex.decode(raw)).id };
    },
    async signMessage({ account, message, address = account, protocol = 'ecdsa' }) {
      const key = keyOf(address);
      const bytes = new TextEncoder().encode(message);
      const signature = protocol === 'ecdsa' ? key.signEcdsa(bytes) : key.signBip322(bytes);
      return { address, signature: hex.encode(base64.decode(signature)) };
    },
  };
  return {
    chain: `bip122:${reference}`,
    addresses: keys.map(({ address }) => address),
    methods: options.methods ?? Object.keys(METHODS),
    answer: (method, params: BitcoinParams) =>
      decided(common, method, params, () => METHODS[method]!(params)),
  };
}

const REGTEST = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };

export interface PhoneVechainOptions extends Common, Pick<DemoVeworldOptions, 'keys' | 'nodes' | 'host'> {
  genesis: string;
}

type Signer = ReturnType<ReturnType<typeof demoVeworld>['provider']['newConnexSigner']>;

export function phoneVechain({ keys, nodes, host, genesis, ...common }: PhoneVechainOptions): PhoneChain {
  const veworld = demoVeworld({ keys, nodes, ...(host !== undefined && { host }) });
  const signer = veworld.provider.newConnexSigner(genesis);
  return {
    chain: `vechain:${genesis.slice(-32)}`,
    addresses: veworld.addresses,
    methods: ['thor_sendTransaction', 'thor_signCertificate'],
    async answer(method, params: [{ message: never; options: object }]) {
      const [{ message, options }] = params;
      const isSent = method === 'thor_sendTransaction';
      const ask = (
        signer as { [Name in keyof Signer]: (message: never, options: object) => Promise<unknown> }
      )[isSent ? 'signTx' : 'signCert'];
      // A transaction is on its way once it is signed.
      if (isSent && !((await common.approves?.(method, params)) ?? true))
        throw Object.assign(new Error(REJECTED.message), REJECTED);
      return isSent
        ? decided({ ...common, approves: () => true }, method, params, () => ask(message, options))
        : decided(common, method, params, () => ask(message, options));
    },
  };
}
