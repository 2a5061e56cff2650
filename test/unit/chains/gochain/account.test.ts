import { expect } from '@open-wc/testing';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeed } from '@scure/bip39';
import { computeAddress, Transaction } from 'ethers/transaction';
import { transactionOf } from '../../../../src/chains/evm/raw-transaction.ts';
import { isAddress } from '../../../../src/chains/contracts/evm-address.ts';
import { withProfile } from '../../../../src/chains/evm/address.ts';
import { GOCHAIN } from '../../../../src/chains/gochain/profile.ts';
import { bytesOf, hexOf } from '../../../../src/base/bytes.ts';
import gochain from '../../../vectors/gochain.vectors.json';
import keystores from '../../../vectors/keystore-v3.vectors.json';
import { gochain as chain } from '../../../families.ts';

const { readAddress } = withProfile(GOCHAIN);

interface Row {
  kind: string;
  nonce: number;
  to: string;
  value: string;
  gasLimit: string;
  gasPrice: string;
  data: string;
  homesteadSigningHash: string;
  signedTx: string;
  sender: string;
  privateKey: string;
  address: string;
}
const rows = (kind: string) => (gochain.vectors as unknown as Row[]).filter((row) => row.kind === kind);

describe('GoChain accounts', () => {
  it("derives m/44'/6060'/0'/0/n", async () => {
    const seed = await mnemonicToSeed('test test test test test test test test test test test junk');
    for (const index of [0, 1, 7]) {
      const expected = HDKey.fromMasterSeed(seed).derive(`m/44'/6060'/0'/0/${index}`).privateKey!;
      const key = await chain.deriveKey(seed, index);
      expect(chain.exportKey(key)).to.equal(hexOf(expected));
      expect(chain.address(key)).to.equal(computeAddress(hexOf(expected)));
    }
  });

  it('has the published address', () => {
    for (const { privateKey, address } of rows('address'))
      expect(chain.address(bytesOf(privateKey))).to.equal(address);
  });

  it('reads and writes the published transactions', () => {
    for (const row of rows('transaction')) {
      const { nonce, to, data } = row;
      const fields = {
        type: 0 as const,
        chainId: 0,
        nonce,
        to,
        data,
        gas: BigInt(row.gasLimit),
        gasPrice: BigInt(row.gasPrice),
        value: BigInt(row.value),
      };
      const transaction = transactionOf(fields);
      expect(transaction.unsignedHash).to.equal(row.homesteadSigningHash);
      transaction.signature = Transaction.from(row.signedTx).signature;
      expect(transaction.serialized).to.equal(row.signedTx);
    }
    expect(rows('eip155-recover')).to.have.length(10);
    for (const { signedTx, sender } of rows('eip155-recover')) {
      const { nonce, gasLimit, gasPrice, to, value, data, signature, from } = Transaction.from(signedTx);
      const fields = {
        type: 0 as const,
        chainId: 1,
        nonce,
        gas: gasLimit,
        gasPrice: gasPrice!,
        to,
        value,
        data,
      };
      const transaction = transactionOf(fields);
      transaction.signature = signature;
      expect(transaction.serialized).to.equal(signedTx);
      expect(from!.toLowerCase()).to.equal(sender);
    }
  });

  it('imports a key as hex and as a keystore', async () => {
    const { privateKey, address } = rows('address')[0]!;
    expect(chain.address(await chain.importKey(privateKey))).to.equal(address);
    const v = keystores.vectors[0] as unknown as { password: string; privateKey: string; keystore: object };
    expect(hexOf(await chain.importKey(JSON.stringify(v.keystore), v.password))).to.equal(v.privateKey);
  });

  it('says what is wrong with an address, in the name of GoChain', () => {
    expect(isAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).to.equal(true);
    for (const [text, message] of [
      ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed', 'wrong checksum'],
      ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'is a Tron address, not a GoChain one'],
      ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', 'has 39 hex digits, a GoChain address has 40'],
      ['nonsense', 'is not a GoChain address'],
      ['', 'is required'],
      [null, 'is required'],
      [42, 'as text'],
    ] as const)
      expect(() => readAddress(text), String(text)).to.throw(message);
  });
});
