/**
 * THORChain's vaults on the demo's local Bitcoin or Litecoin, as its scanner sees it (`bifrost/pkg/chainclients/utxo`): the first output to a
 * vault, data outputs joined to the memo, and as sender the address of the coin that input 0 spends.
 */
import * as ecc from '@bitcoinerlab/secp256k1';
import {
  address as addresses,
  type Network as Encoding,
  networks,
  payments,
  Psbt,
  script,
  type Transaction,
} from 'bitcoinjs-lib';
import type { LocalUtxo } from '../../esplora.ts';
import { LITECOIN_REGTEST } from '../../litecoind.ts';
import { type Entry, UtxoIndex } from '../../utxo-index.ts';
import { type Deposit, type LocalSide, type Payment, vaultKey } from '../engine.ts';

const ENCODINGS: Record<'BTC' | 'LTC', Encoding> = { BTC: networks.regtest, LTC: LITECOIN_REGTEST };

const MOST_OUTPUTS = 12;
const MOST_PAYMENTS = 10;
const OP_RETURN = 0x6a;
/** Satoshis per byte. */
const RATE = 4n;
/** A locktime above is a time, not a height. */
const LOCKTIME_IS_TIME = 500_000_000;

export class UtxoSide implements LocalSide {
  readonly skipped: LocalSide['skipped'] = [];
  readonly #index: UtxoIndex;
  readonly #encoding: Encoding;
  /** Height of the last block that was read. */
  #scanned = 0;

  private constructor(
    readonly name: 'BTC' | 'LTC',
    private readonly local: LocalUtxo,
  ) {
    this.#index = new UtxoIndex(local.node);
    this.#encoding = ENCODINGS[name];
  }

  static async start(name: 'BTC' | 'LTC', local: LocalUtxo): Promise<UtxoSide> {
    const side = new UtxoSide(name, local);
    side.#scanned = await side.height();
    return side;
  }

  addressOf(vault: number): string {
    return this.#wallet(vault).address;
  }

  isAddress(text: string): boolean {
    try {
      return addresses.toOutputScript(text, this.#encoding).length > 0;
    } catch {
      return false;
    }
  }

  async height(): Promise<number> {
    await this.#index.sync();
    return this.#index.blocks.length - 1;
  }

  async scan(vaults: readonly number[]): Promise<Deposit[]> {
    const height = await this.height();
    const fresh = [...this.#index.entries.values()].filter(
      ({ block }) => block && block.height > this.#scanned && block.height <= height,
    );
    this.#scanned = height;
    return fresh
      .sort((a, b) => a.block!.height - b.block!.height)
      .flatMap((entry) => this.#depositIn(entry, vaults) ?? []);
  }

  async pay({ vault, to, amount, memo }: Payment): Promise<{ hash: string; gas: bigint }> {
    await this.#index.sync();
    const { key, publicKey, address, code } = this.#wallet(vault);
    const psbt = new Psbt({ network: this.#encoding });
    const cost = (inputs: number): bigint => RATE * BigInt(11 + 68 * inputs + 43 + 31 + 11 + memo.length);
    let paid = 0n;
    for (const { txid, vout, value } of this.#coinsOf(vault)) {
      if (psbt.inputCount > 0 && paid >= amount + cost(psbt.inputCount)) break;
      psbt.addInput({ hash: txid, index: vout, witnessUtxo: { script: code, value } });
      paid += value;
    }
    const gas = cost(psbt.inputCount);
    if (paid < amount + gas)
      throw new Error(`Vault ${vault} on ${this.name} has too little to pay ${amount}.`);
    psbt.addOutput({ address: to, value: amount });
    psbt.addOutput({ address, value: paid - amount - gas });
    psbt.addOutput({ script: script.compile([OP_RETURN, Buffer.from(memo)]), value: 0n });
    psbt.signAllInputs({ publicKey, sign: (digest) => ecc.sign(digest, key) });
    const body = psbt.finalizeAllInputs().extractTransaction().toHex();
    const response = await fetch(`${this.local.url}/tx`, { method: 'POST', body });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${this.name} refuses a payment of vault ${vault}: ${answer}`);
    return { hash: answer.toUpperCase(), gas };
  }

  mine(): Promise<void> {
    return this.local.mine();
  }

  async fund(vault: number, _asset: string, amount: bigint): Promise<void> {
    await this.local.fund(this.addressOf(vault), amount);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #wallet(vault: number) {
    const key = vaultKey(this.name, vault);
    const publicKey = ecc.pointFromScalar(key, true)!;
    const { address, output } = payments.p2wpkh({ pubkey: publicKey, network: this.#encoding });
    return { key, publicKey, address: address!, code: output! };
  }

  #depositIn({ transaction, block }: Entry, vaults: readonly number[]): Deposit | undefined {
    const { outs } = transaction;
    const vaultAt = (code: Uint8Array): number | undefined =>
      vaults.find((vault) => hexOf(this.#wallet(vault).code) === hexOf(code));
    const output = outs.find((each) => each.value > 0n && vaultAt(each.script) !== undefined);
    if (transaction.isCoinbase() || !output) return undefined;
    const hash = transaction.getId().toUpperCase();
    const skip = (reason: string): undefined => void this.skipped.push({ hash, reason });
    const sender = this.#spentScript(transaction);
    if (!sender) return skip('sender is unknown');
    // Change of a payment.
    if (vaultAt(sender) !== undefined) return undefined;
    if (outs.length > MOST_OUTPUTS) return skip('too many outputs');
    if (outs.filter(({ value }) => value > 0n).length > MOST_PAYMENTS)
      return skip('too many outputs with value');
    const { locktime } = transaction;
    if (locktime > (locktime >= LOCKTIME_IS_TIME ? block!.time : block!.height))
      return skip('locktime in the future');
    return {
      hash,
      from: addresses.fromOutputScript(sender, this.#encoding),
      vault: vaultAt(output.script)!,
      asset: `${this.name}.${this.name}`,
      amount: output.value,
      memo: memoOf(transaction),
      block: block!.height,
    };
  }

  /** The script of the coin that input 0 spends. */
  #spentScript({ ins }: Transaction): Uint8Array | undefined {
    const { hash, index } = ins[0]!;
    return this.#index.entries.get(Buffer.from(hash).reverse().toString('hex'))?.transaction.outs[index]
      ?.script;
  }

  /** Coins of a vault that nothing spends, confirmed or not. */
  #coinsOf(vault: number): { txid: string; vout: number; value: bigint }[] {
    const spent = this.#index.spenders();
    return this.#index
      .outputsOf(hexOf(this.#wallet(vault).code))
      .filter(({ txid, vout }) => !spent.has(`${txid}:${vout}`))
      .map(({ txid, vout, value }) => ({ txid, vout, value: BigInt(value) }));
  }
}

/** What data outputs hold, one after the other. */
function memoOf({ outs }: Transaction): string {
  return outs
    .filter(({ script: code }) => code[0] === OP_RETURN)
    .flatMap(({ script: code }) => script.decompile(code)?.slice(1) ?? [])
    .map((push) => (typeof push === 'number' ? '' : Buffer.from(push).toString()))
    .join('');
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
