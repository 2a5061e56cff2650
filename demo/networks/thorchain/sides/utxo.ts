/**
 * THORChain's vaults on the demo's local Bitcoin or Litecoin, as its scanner sees it (`bifrost/pkg/chainclients/utxo`): the first output to a
 * vault, data outputs joined to the memo, and as sender the address of the coin that input 0 spends.
 */
import { createHash } from 'node:crypto';
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
import type { Deposit, LocalSide, Payment } from '../engine.ts';

const ENCODINGS: Record<'BTC' | 'LTC', Encoding> = { BTC: networks.regtest, LTC: LITECOIN_REGTEST };

const MOST_OUTPUTS = 12;
const MOST_PAYMENTS = 10;
const OP_RETURN = 0x6a;
/** Satoshis per byte. */
const RATE = 4n;
/** A locktime above is a time, not a height. */
const LOCKTIME_IS_TIME = 500_000_000;

export async function utxoSide(name: 'BTC' | 'LTC', local: LocalUtxo): Promise<LocalSide> {
  const encoding = ENCODINGS[name];
  const index = new UtxoIndex(local.node);
  const skipped: LocalSide['skipped'] = [];
  const keyOf = (vault: number): Uint8Array =>
    createHash('sha256').update(`Carabiner demo: THORChain vault ${vault} on ${name}`).digest();
  const vaultOf = (vault: number) => {
    const publicKey = ecc.pointFromScalar(keyOf(vault), true)!;
    const { address, output } = payments.p2wpkh({ pubkey: publicKey, network: encoding });
    return { publicKey, address: address!, script: Buffer.from(output!).toString('hex') };
  };
  const addressOf = (vault: number): string => vaultOf(vault).address;
  const scriptOf = (transaction: Transaction, vout: number): string =>
    Buffer.from(transaction.outs[vout]!.script).toString('hex');
  await index.sync();
  let scanned = index.blocks.length - 1;

  /** The script of the coin that an input spends. */
  function spentScript(transaction: Transaction, input: number): Uint8Array | undefined {
    const { hash, index: vout } = transaction.ins[input]!;
    return index.entries.get(Buffer.from(hash).reverse().toString('hex'))?.transaction.outs[vout]?.script;
  }

  function depositIn({ transaction, block }: Entry, vaults: readonly number[]): Deposit | undefined {
    if (transaction.isCoinbase()) return undefined;
    const vout = transaction.outs.findIndex(
      ({ value }, i) =>
        value > 0n && vaults.some((vault) => vaultOf(vault).script === scriptOf(transaction, i)),
    );
    if (vout === -1) return undefined;
    const hash = transaction.getId().toUpperCase();
    const skip = (reason: string): undefined => void skipped.push({ hash, reason });
    const input = spentScript(transaction, 0);
    if (!input) return skip('sender is unknown');
    // Change of a payment.
    if (vaults.some((vault) => vaultOf(vault).script === Buffer.from(input).toString('hex')))
      return undefined;
    if (transaction.outs.length > MOST_OUTPUTS) return skip('too many outputs');
    if (transaction.outs.filter(({ value }) => value > 0n).length > MOST_PAYMENTS)
      return skip('too many outputs with value');
    const { locktime } = transaction;
    if (locktime >= LOCKTIME_IS_TIME ? locktime > block!.time : locktime > block!.height)
      return skip('locktime in the future');
    const { value } = transaction.outs[vout]!;
    return {
      hash,
      from: addresses.fromOutputScript(input, encoding),
      vault: vaults.find((vault) => vaultOf(vault).script === scriptOf(transaction, vout))!,
      asset: `${name}.${name}`,
      amount: value,
      memo: memoOf(transaction),
      block: block!.height,
    };
  }

  /** Coins of a vault that nothing spends, confirmed or not. */
  function coinsOf(vault: number): { txid: string; vout: number; value: bigint }[] {
    const spent = index.spenders();
    return index
      .outputsOf(vaultOf(vault).script)
      .filter(({ txid, vout }) => !spent.has(`${txid}:${vout}`))
      .map(({ txid, vout, value }) => ({ txid, vout, value: BigInt(value) }));
  }

  async function pay({ vault, to, amount, memo }: Payment): Promise<{ hash: string; gas: bigint }> {
    await index.sync();
    const { publicKey, script: own, address } = vaultOf(vault);
    const psbt = new Psbt({ network: encoding });
    let paid = 0n;
    const cost = (inputs: number): bigint => RATE * BigInt(11 + 68 * inputs + 43 + 31 + 11 + memo.length);
    for (const { txid, vout, value } of coinsOf(vault)) {
      if (psbt.inputCount > 0 && paid >= amount + cost(psbt.inputCount)) break;
      const witnessUtxo = { script: Buffer.from(own, 'hex'), value };
      psbt.addInput({ hash: txid, index: vout, witnessUtxo });
      paid += value;
    }
    const gas = cost(psbt.inputCount);
    if (paid < amount + gas) throw new Error(`Vault ${vault} on ${name} has too few coins to pay ${amount}.`);
    psbt.addOutput({ address: to, value: amount });
    psbt.addOutput({ address, value: paid - amount - gas });
    psbt.addOutput({ script: script.compile([OP_RETURN, Buffer.from(memo)]), value: 0n });
    psbt.signAllInputs({ publicKey, sign: (digest) => ecc.sign(digest, keyOf(vault)) });
    const response = await fetch(`${local.url}/tx`, {
      method: 'POST',
      body: psbt.finalizeAllInputs().extractTransaction().toHex(),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${name} refuses a payment of vault ${vault}: ${answer}`);
    return { hash: answer.toUpperCase(), gas };
  }

  return {
    name,
    skipped,
    addressOf,
    isAddress(text) {
      try {
        return addresses.toOutputScript(text, encoding).length > 0;
      } catch {
        return false;
      }
    },
    async height() {
      await index.sync();
      return index.blocks.length - 1;
    },
    async scan(vaults) {
      await index.sync();
      const height = index.blocks.length - 1;
      const fresh = [...index.entries.values()].filter(
        ({ block }) => block && block.height > scanned && block.height <= height,
      );
      scanned = height;
      return fresh
        .sort((a, b) => a.block!.height - b.block!.height)
        .flatMap((entry) => depositIn(entry, vaults) ?? []);
    },
    pay,
    mine: () => local.mine(),
    fund: async (vault, _, amount) => void (await local.fund(addressOf(vault), amount)),
    close: async () => {},
  };
}

/** What data outputs hold, one after the other. */
function memoOf({ outs }: Transaction): string {
  return outs
    .filter(({ script: code }) => code[0] === OP_RETURN)
    .flatMap(({ script: code }) => script.decompile(code)?.slice(1) ?? [])
    .map((push) => (typeof push === 'number' ? '' : Buffer.from(push).toString()))
    .join('');
}
