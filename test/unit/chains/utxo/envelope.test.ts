import { expect } from '@open-wc/testing';
import { bytesOf, hexOf } from '../../../../src/base/bytes.ts';
import { publicKey } from '../../../../src/chains/keys/secp256k1.ts';
import { p2pkhScript } from '../../../../src/chains/utxo/address.ts';
import {
  segwitDigest,
  sharedHashes,
  signTransaction,
  unsignedId,
} from '../../../../src/chains/utxo/envelope.ts';
import { readPrevious } from '../../../../src/chains/utxo/read-transaction.ts';
import { hash160 } from '../../../../src/chains/utxo/script.ts';
import bip143 from '../../../vectors/bip143.vectors.json';
import bitcoin from '../../../vectors/bitcoin.vectors.json';
import litecoin from '../../../vectors/litecoin.vectors.json';

interface SignVector {
  kind: string;
  name: string;
  version: number;
  lockTime: number;
  inputs: {
    txid: string;
    vout: number;
    value: number | string;
    type: string;
    privateKey: string;
    sequence: number;
    sighashType?: unknown;
  }[];
  outputs: { value: number | string; scriptPubKey: string }[];
  rawTx: string;
  txid?: string;
}

/** Inputs and outputs of unsigned bytes. */
function parse(hex: string) {
  const bytes = bytesOf(`0x${hex}`);
  const view = new DataView(bytes.buffer);
  const version = view.getUint32(0, true);
  let at = 5;
  const inputs = Array.from({ length: bytes[4]! }, () => {
    const start = at;
    at += 41 + bytes[start + 36]!;
    return {
      txid: hexOf(bytes.slice(start, start + 32).reverse()).slice(2),
      vout: view.getUint32(start + 32, true),
      sequence: view.getUint32(at - 4, true),
      value: 0n,
      script: '0x',
    };
  });
  at++;
  const outputs = Array.from({ length: bytes[at - 1]! }, () => {
    const start = at;
    at += 9 + bytes[start + 8]!;
    return { value: view.getBigUint64(start, true), script: hexOf(bytes.slice(start + 9, at)) };
  });
  return { version, inputs, outputs, lockTime: view.getUint32(at, true) };
}

describe('Bitcoin and Litecoin transactions', () => {
  it('BIP-143: the digests of both examples', () => {
    for (const v of bip143.vectors as unknown as {
      unsignedTx: string;
      inputs: { valueBtc: string | number }[];
      signedInputIndex: number;
      scriptCode: string;
      hashPrevouts: string;
      hashSequence: string;
      hashOutputs: string;
      sigHash: string;
    }[]) {
      const transaction = parse(v.unsignedTx);
      const input = transaction.inputs[v.signedInputIndex]!;
      input.value = BigInt(Math.round(Number(v.inputs[v.signedInputIndex]!.valueBtc) * 1e8));
      const shared = sharedHashes(transaction);
      expect(hexOf(shared.prevouts)).to.equal(`0x${v.hashPrevouts}`);
      expect(hexOf(shared.sequence)).to.equal(`0x${v.hashSequence}`);
      expect(hexOf(shared.outputs)).to.equal(`0x${v.hashOutputs}`);
      // 1976a914 <hash> 88ac
      const keyHash = bytesOf(`0x${v.scriptCode.slice(8, 48)}`);
      expect(hexOf(segwitDigest(transaction, v.signedInputIndex, keyHash, shared))).to.equal(
        `0x${v.sigHash}`,
      );
    }
  });

  it('wallet-core: signs P2WPKH and P2PKH transactions to the published bytes', async () => {
    const names: string[] = [];
    for (const v of [...bitcoin.vectors, ...litecoin.vectors] as unknown as SignVector[]) {
      if (v.kind !== 'sign') continue;
      const keys = new Set(v.inputs.map(({ privateKey }) => privateKey));
      const ours = v.inputs.every(
        ({ type, sighashType }) => /^p2w?pkh$/.test(type) && sighashType === undefined,
      );
      if (!ours || keys.size !== 1) continue;
      const key = bytesOf(`0x${v.inputs[0]!.privateKey}`);
      const hash = hash160(publicKey(key, 'compressed'));
      const transaction = {
        version: v.version,
        lockTime: v.lockTime,
        inputs: v.inputs.map(({ txid, vout, value, type, sequence }) => ({
          txid,
          vout,
          value: BigInt(value),
          sequence,
          script: type === 'p2wpkh' ? `0x0014${hexOf(hash).slice(2)}` : hexOf(p2pkhScript(hash)),
        })),
        outputs: v.outputs.map(({ value, scriptPubKey }) => ({
          value: BigInt(value),
          script: `0x${scriptPubKey}`,
        })),
      };
      const { bytes, txid } = await signTransaction(transaction, key);
      expect(hexOf(bytes), v.name).to.equal(`0x${v.rawTx}`);
      if (v.txid) expect(txid, v.name).to.equal(v.txid);
      if (v.inputs.every(({ type }) => type === 'p2wpkh')) expect(unsignedId(transaction)).to.equal(txid);
      else expect(unsignedId(transaction)).to.equal(undefined);
      names.push(v.name);
    }
    expect(names.length, names.join()).to.be.above(9);
  });

  it('refuses to sign the coins of another key', async () => {
    const inputs = [
      { txid: '00'.repeat(32), vout: 0, value: 1n, script: `0x0014${'00'.repeat(20)}`, sequence: 0 },
    ];
    const transaction = { version: 2, lockTime: 0, inputs, outputs: [] };
    const refused = await signTransaction(transaction, new Uint8Array(32).fill(1)).catch(
      (error: Error) => error,
    );
    expect(refused).to.have.property('message').that.includes('another key');
  });

  it('reads published transactions back, and refuses bytes with another id', () => {
    let count = 0;
    for (const v of [...bitcoin.vectors, ...litecoin.vectors] as unknown as SignVector[]) {
      if (v.kind !== 'sign' || !v.txid) continue;
      const { outputs, spenders } = readPrevious(v.rawTx, v.txid);
      expect(outputs.map(({ value }) => value).join()).to.equal(
        v.outputs.map(({ value }) => String(value)).join(),
      );
      expect(outputs.map(({ script }) => script).join()).to.equal(
        v.outputs.map(({ scriptPubKey }) => `0x${scriptPubKey}`).join(),
      );
      expect(spenders.length).to.equal(v.inputs.length);
      for (const [i, { type, privateKey }] of v.inputs.entries())
        expect(spenders[i]).to.equal(
          type.endsWith('p2wpkh') ? hexOf(publicKey(bytesOf(`0x${privateKey}`), 'compressed')) : undefined,
        );
      expect(() => readPrevious(v.rawTx, '00'.repeat(32))).to.throw('another transaction');
      expect(() => readPrevious(v.rawTx.slice(0, -40), v.txid!)).to.throw();
      count++;
    }
    expect(count).to.be.above(14);
  });
});
