/** A customer of the demo's THORChain on each of its chains, who builds transactions with official SDKs and by hand. */
import { createHash } from 'node:crypto';
import * as ecc from '@bitcoinerlab/secp256k1';
import { networks as encodings, payments, Psbt, script } from 'bitcoinjs-lib';
import { JsonRpcProvider, parseEther, type TransactionRequest, Wallet } from 'ethers';
import { utils } from 'tronweb';
import type { LocalUtxo } from '../../demo/networks/esplora.ts';
import type { LocalEthereum } from '../../demo/networks/ethereum.ts';
import { LITECOIN_REGTEST } from '../../demo/networks/litecoind.ts';
import type { LocalTron } from '../../demo/networks/tron.ts';
import { UtxoIndex } from '../../demo/networks/utxo-index.ts';

const keyOf = (name: string): Buffer => createHash('sha256').update(`Carabiner test: ${name}`).digest();

const OP_RETURN = 0x6a;

export interface UtxoOutput {
  address?: string;
  value: bigint;
  /** A data output. */
  data?: string;
}

/** With one P2WPKH address on Bitcoin or Litecoin. */
export async function utxoCustomer(local: LocalUtxo, name: string, chain: 'BTC' | 'LTC') {
  const key = keyOf(name);
  const encoding = chain === 'BTC' ? encodings.regtest : LITECOIN_REGTEST;
  const publicKey = ecc.pointFromScalar(key, true)!;
  const { address, output } = payments.p2wpkh({ pubkey: publicKey, network: encoding });
  const own = Buffer.from(output!).toString('hex');
  const index = new UtxoIndex(local.node);
  const coins = async () => {
    await index.sync();
    const spent = index.spenders();
    return index.outputsOf(own).filter(({ txid, vout }) => !spent.has(`${txid}:${vout}`));
  };
  return {
    address: address!,
    async balance(): Promise<bigint> {
      return (await coins()).reduce((sum, { value }) => sum + BigInt(value), 0n);
    },
    /** Spends all coins: the outputs, and last the change. Resolves with the hash once it is in a block. */
    async send(outputs: readonly UtxoOutput[], { change = address!, locktime = 0 } = {}): Promise<string> {
      const psbt = new Psbt({ network: encoding });
      psbt.setLocktime(locktime);
      let left = -10_000n;
      for (const { txid, vout, value } of await coins()) {
        const witnessUtxo = { script: Buffer.from(own, 'hex'), value: BigInt(value) };
        // With the last sequence, a block may have it before its locktime.
        psbt.addInput({ hash: txid, index: vout, witnessUtxo });
        left += BigInt(value);
      }
      for (const { address: to, value, data } of outputs) {
        if (data === undefined) psbt.addOutput({ address: to!, value });
        else psbt.addOutput({ script: script.compile([OP_RETURN, Buffer.from(data)]), value });
        left -= value;
      }
      psbt.addOutput({ address: change, value: left });
      psbt.signAllInputs({ publicKey, sign: (digest) => ecc.sign(digest, key) });
      const hex = psbt.finalizeAllInputs().extractTransaction().toHex();
      const { hash } = await mined(local, hex);
      return hash;
    },
  };
}

/** Into a block, past the policy of relaying. */
async function mined(local: LocalUtxo, hex: string): Promise<{ hash: string }> {
  const { rpc } = local.node;
  try {
    await rpc('sendrawtransaction', hex);
    await local.mine();
  } catch {
    await rpc('generateblock', await rpc('getnewaddress'), [hex]);
  }
  const { txid } = await rpc<{ txid: string }>('decoderawtransaction', hex);
  return { hash: txid.toUpperCase() };
}

export async function ethereumCustomer({ url, fund }: LocalEthereum, name: string) {
  const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  provider.pollingInterval = 50;
  const wallet = new Wallet(`0x${keyOf(name).toString('hex')}`, provider);
  await fund(wallet.address, parseEther('100'));
  return {
    provider,
    wallet,
    address: wallet.address,
    balance: () => provider.getBalance(wallet.address),
    /** Resolves with the hash, in capitals, once it is in a block, even if it reverts there. */
    async send(request: TransactionRequest): Promise<string> {
      const sent = await wallet.sendTransaction({ gasLimit: 500_000n, ...request });
      await sent.wait().catch(() => undefined);
      return sent.hash.slice(2).toUpperCase();
    },
  };
}

export function tronCustomer({ ledger, url }: LocalTron, name: string) {
  const key = keyOf(name).toString('hex');
  const address = utils.crypto.pkToAddress(key) as string;
  const owner = utils.address.toHex(address).toLowerCase();
  return {
    address,
    balance: () => ledger.machine.balance(`0x${owner.slice(2)}`),
    /** Resolves with the id, in capitals, once it is in a block. */
    async send(type: string, value: object, memo: string): Promise<string> {
      const { id, time } = ledger.head;
      const json = {
        visible: false,
        raw_data: {
          contract: [
            {
              parameter: {
                value: { owner_address: owner, ...value },
                type_url: `type.googleapis.com/protocol.${type}`,
              },
              type,
            },
          ],
          ...(memo && { data: Buffer.from(memo).toString('hex') }),
          ref_block_bytes: id.slice(12, 16),
          ref_block_hash: id.slice(16, 32),
          expiration: Math.max(time, Date.now()) + 60_000,
          timestamp: Date.now(),
          ...(type === 'TriggerSmartContract' && { fee_limit: 100_000_000 }),
        },
      };
      const pb = utils.transaction.txJsonToPb(json);
      const txID = utils.transaction.txPbToTxID(pb).replace(/^0x/, '');
      const raw_data_hex = utils.transaction.txPbToRawDataHex(pb).toLowerCase();
      const signed = utils.crypto.signTransaction(key, { ...json, txID, raw_data_hex });
      const body = JSON.stringify(signed);
      const response = await fetch(`${url}/wallet/broadcasttransaction`, { method: 'POST', body });
      const answer = (await response.json()) as { result?: boolean };
      if (answer.result !== true) throw new Error(JSON.stringify(answer));
      ledger.mine();
      return txID.toUpperCase();
    },
  };
}
