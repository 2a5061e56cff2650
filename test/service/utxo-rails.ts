/** Litecoin, and Bitcoin's stand-in, as a shop's customers use them: what is sent waits for a block, and blocks come by hand. */
import { randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { address as addresses, networks, Transaction } from 'bitcoinjs-lib';
import { startBitcoinNetwork } from '../../demo/networks/bitcoin.ts';
import type { LocalUtxo } from '../../demo/networks/esplora.ts';
import { startLitecoinNetwork } from '../../demo/networks/litecoin.ts';
import { LITECOIN_REGTEST } from '../../demo/networks/litecoind.ts';
import type { KeyChain } from '../../src/api/secret-type.ts';

/** `vpub`: of native segwit addresses of test networks. */
const VERSIONS = { public: 0x045f1cf6, private: 0x045f18bc };

export type Outputs = readonly (readonly [address: string, amount: bigint])[];

interface Coin {
  txid: string;
  vout: number;
  amount: number;
}

export class UtxoRail {
  constructor(
    readonly secretType: KeyChain,
    readonly local: LocalUtxo,
  ) {
    local.mining = false;
  }

  static async start(secretType: KeyChain): Promise<UtxoRail> {
    const start = secretType === 'BITCOIN' ? startBitcoinNetwork : startLitecoinNetwork;
    return new UtxoRail(secretType, await start({ port: 0 }));
  }

  /** Nobody else has it. */
  newKey(): string {
    return HDKey.fromMasterSeed(randomBytes(32), VERSIONS).derive("m/84'/1'/0'").publicExtendedKey;
  }

  scriptOf(address: string): string {
    const encoding = address.startsWith('bcrt1') ? networks.regtest : LITECOIN_REGTEST;
    return Buffer.from(addresses.toOutputScript(address, encoding)).toString('hex');
  }

  /** Sends one transaction, which waits for a block. `replaces`: the transaction that it spends the coins of, for a higher fee. */
  async send(outputs: Outputs, { replaces }: { replaces?: string } = {}): Promise<string> {
    const { node } = this.local;
    const spends = replaces === undefined ? await this.#coin() : await this.#coinOf(replaces);
    const transaction = new Transaction();
    transaction.version = 2;
    // Replaceable (BIP-125).
    transaction.addInput(Buffer.from(spends.txid, 'hex').reverse(), spends.vout, 0xfffffffd);
    for (const [address, amount] of outputs)
      transaction.addOutput(Buffer.from(this.scriptOf(address), 'hex'), amount);
    const feeRate = replaces === undefined ? 0.0001 : 0.001;
    const { hex } = await node.rpc<{ hex: string }>('fundrawtransaction', transaction.toHex(), {
      feeRate,
      changePosition: outputs.length,
    });
    const signed = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', hex);
    return node.rpc<string>('sendrawtransaction', signed.hex);
  }

  /** Mines one transaction that nodes would not relay. */
  async mineUnrelayed(outputs: Outputs): Promise<void> {
    const { node } = this.local;
    const { txid, vout, amount } = await this.#coin();
    const transaction = new Transaction();
    transaction.version = 2;
    transaction.addInput(Buffer.from(txid, 'hex').reverse(), vout);
    for (const [address, each] of outputs)
      transaction.addOutput(Buffer.from(this.scriptOf(address), 'hex'), each);
    const own = await node.rpc<string>('getnewaddress', '', 'bech32');
    const sum = outputs.reduce((all, [, each]) => all + each, 0n);
    const change = BigInt(Math.round(amount * 1e8)) - sum - 10_000_000n;
    transaction.addOutput(Buffer.from(this.scriptOf(own), 'hex'), change);
    const { hex } = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', transaction.toHex());
    await node.rpc('generateblock', own, [hex]);
  }

  async #coin(): Promise<Coin> {
    const coins = await this.local.node.rpc<Coin[]>('listunspent', 1);
    return coins.find(({ amount }) => amount > 1)!;
  }

  async #coinOf(hash: string): Promise<Coin> {
    const { vin } = await this.local.node.rpc<{ vin: Coin[] }>('getrawtransaction', hash, true);
    return vin[0]!;
  }

  mine(blocks = 1): Promise<void> {
    return this.local.mine(blocks);
  }

  /** Replaces the newest blocks by as many and one more, with nothing in them. */
  async reorganise(blocks = 1): Promise<void> {
    const { node } = this.local;
    const height = await node.rpc<number>('getblockcount');
    await node.rpc('invalidateblock', await node.rpc('getblockhash', height - blocks + 1));
    const miner = await node.rpc<string>('getnewaddress', '', 'bech32');
    for (let i = 0; i <= blocks; i++) await node.rpc('generateblock', miner, []);
  }

  /** What the addresses have in blocks. */
  async balance(all: readonly string[]): Promise<bigint> {
    const descriptors = all.map((address) => `raw(${this.scriptOf(address)})`);
    const { unspents } = await this.local.node.rpc<{ unspents: { amount: number }[] }>(
      'scantxoutset',
      'start',
      descriptors,
    );
    return unspents.reduce((sum, { amount }) => sum + BigInt(Math.round(amount * 1e8)), 0n);
  }

  close(): Promise<void> {
    return this.local.close();
  }
}
