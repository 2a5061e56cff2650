import { expect } from '@open-wc/testing';
import { mnemonicToSeed } from '@scure/bip39';
import { bytesOf, hexOf } from '../../../../src/base/bytes.ts';
import type { NetworkKind } from '../../../../src/chains/network.ts';
import type { RequestInvalidError } from '../../../../src/base/errors.ts';
import base58 from '../../../vectors/base58-keys.vectors.json';
import bips from '../../../vectors/bip44-84-49-86.vectors.json';
import bitcoinVectors from '../../../vectors/bitcoin.vectors.json';
import litecoinVectors from '../../../vectors/litecoin.vectors.json';
import slip44 from '../../../vectors/slip44.vectors.json';
import { bitcoin, litecoin } from '../../../families.ts';

const CHAINS = { bitcoin, litecoin };
const KINDS: Record<string, NetworkKind> = {
  main: 'mainnet',
  test: 'testnet',
  signet: 'testnet',
  regtest: 'local',
};

async function problem(chain: typeof bitcoin, text: string, kind?: NetworkKind): Promise<string> {
  try {
    await chain.importKey(text, undefined, kind);
    return '';
  } catch (error) {
    const [issue] = (error as RequestInvalidError).issues;
    return `${issue?.path}: ${issue?.message}`;
  }
}

describe('Bitcoin and Litecoin accounts', () => {
  it("BIP-84: m/84'/0'/0'/0/n gives the published keys and addresses", async () => {
    let count = 0;
    for (const v of bips.vectors as {
      bip: number;
      mnemonic: string;
      path?: string;
      wif?: string;
      address?: string;
    }[]) {
      const index = /^m\/84'\/0'\/0'\/0\/(\d+)$/.exec(v.path ?? '')?.[1];
      if (v.bip !== 84 || index === undefined) continue;
      const key = await bitcoin.deriveKey(await mnemonicToSeed(v.mnemonic), Number(index));
      expect(bitcoin.address(key, 'mainnet')).to.equal(v.address);
      expect(bitcoin.exportKey(key, 'mainnet')).to.equal(v.wif);
      count++;
    }
    expect(count).to.equal(2);
  });

  it("derives Litecoin at m/84'/2'/0'/0/n, with coin types of SLIP-44", async () => {
    for (const chain of [bitcoin, litecoin])
      expect(slip44.vectors.find(({ symbol }) => symbol === chain.coin.symbol)?.coinType).to.equal(
        chain.slip44,
      );
    const { HDKey } = await import('@scure/bip32');
    const seed = await mnemonicToSeed('test test test test test test test test test test test junk');
    expect(hexOf(await litecoin.deriveKey(seed, 3))).to.equal(
      hexOf(HDKey.fromMasterSeed(seed).derive("m/84'/2'/0'/0/3").privateKey!),
    );
  });

  it('wallet-core: P2WPKH addresses of private keys', () => {
    let count = 0;
    for (const [chain, { vectors }] of [
      [bitcoin, bitcoinVectors],
      [litecoin, litecoinVectors],
    ] as const)
      for (const v of vectors as { kind: string; type?: string; privateKey?: string; address?: string }[]) {
        if (v.kind !== 'address' || v.type !== 'p2wpkh' || !v.privateKey) continue;
        expect(chain.address(bytesOf(`0x${v.privateKey}`), 'mainnet')).to.equal(v.address);
        count++;
      }
    expect(count).to.be.above(3);
  });

  it('key_io: every published WIF key is read and written, or refused for what it is', async () => {
    let read = 0;
    let uncompressed = 0;
    for (const v of base58.vectors as {
      coin: 'bitcoin' | 'litecoin';
      string: string;
      scriptPubKey?: string;
      privateKey?: string;
      isPrivkey?: boolean;
      isCompressed?: boolean;
      network?: string;
      valid: boolean;
    }[]) {
      const chain = CHAINS[v.coin];
      if (!v.valid) {
        expect(await problem(chain, v.string), v.string).to.not.equal('');
        continue;
      }
      if (!v.isPrivkey) continue;
      const kind = KINDS[v.network!]!;
      const hex = v.privateKey ?? v.scriptPubKey;
      if (v.isCompressed === false) {
        expect(await problem(chain, v.string, kind)).to.include('uncompressed');
        uncompressed++;
        continue;
      }
      const key = await chain.importKey(v.string, undefined, kind);
      expect(hexOf(key)).to.equal(`0x${hex}`);
      expect(chain.exportKey(key, kind)).to.equal(v.string);
      read++;
    }
    expect(read).to.be.above(10);
    expect(uncompressed).to.be.above(5);
  });

  it('reads hex, and names what it refuses', async () => {
    const hex = '11'.repeat(32);
    expect(hexOf(await bitcoin.importKey(hex))).to.equal(`0x${hex}`);
    expect(hexOf(await litecoin.importKey(` 0x${hex}\n`))).to.equal(`0x${hex}`);
    const key = bytesOf(`0x${hex}`);
    const cases: [typeof bitcoin, string, NetworkKind | undefined, string][] = [
      [bitcoin, litecoin.exportKey(key, 'mainnet'), 'mainnet', 'key: is a Litecoin key, not a Bitcoin one'],
      [litecoin, bitcoin.exportKey(key, 'mainnet'), undefined, 'key: is a Bitcoin key, not a Litecoin one'],
      [bitcoin, bitcoin.exportKey(key, 'testnet'), 'mainnet', 'key: is a key of a test network'],
      [bitcoin, bitcoin.exportKey(key, 'mainnet'), 'local', 'key: is a key of Bitcoin’s live network'],
      [bitcoin, bitcoin.exportKey(key, 'mainnet').replace(/.$/, '1'), 'mainnet', 'key: has a wrong checksum'],
      [bitcoin, '6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg', undefined, 'BIP-38'],
      [
        bitcoin,
        'zprvAWgYBBk7JR8Gjrh4UJQ2uJdG1r3WNRRfURiABBE3RvMXYSrRJL62XuezvGdPvG6GFBZduosCc1YP5wixPox7zhZLfiUm8aunE96BBa4Kei5',
        undefined,
        'extended key',
      ],
      [bitcoin, '00'.repeat(32), undefined, 'key: is not a valid private key'],
      [bitcoin, '11', undefined, 'key: must have 64 hex digits, has 2'],
      [bitcoin, '', undefined, 'key: must have 64 hex digits, has 0'],
      [bitcoin, 'hello there', undefined, 'key: must be a private key as WIF text or 64 hex digits'],
    ];
    for (const [chain, text, kind, message] of cases)
      expect(await problem(chain, text, kind), text).to.include(message);
  });
});
