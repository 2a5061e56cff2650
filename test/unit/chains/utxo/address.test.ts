import { expect } from '@open-wc/testing';
import { bech32m } from '@scure/base';
import { BITCOIN } from '../../../../src/chains/bitcoin/profile.ts';
import { bytesOf } from '../../../../src/base/bytes.ts';
import { LITECOIN } from '../../../../src/chains/litecoin/profile.ts';
import { decodeAddress, isAddress, readDestination } from '../../../../src/chains/utxo/address.ts';
import { dustLimit } from '../../../../src/chains/utxo/script.ts';
import base58 from '../../../vectors/base58-keys.vectors.json';
import segwit from '../../../vectors/bip173-350.vectors.json';
import bips from '../../../vectors/bip44-84-49-86.vectors.json';
import bitcoin from '../../../vectors/bitcoin.vectors.json';
import litecoin from '../../../vectors/litecoin.vectors.json';

const PARAMS = { bitcoin: BITCOIN, litecoin: LITECOIN } as const;
/** Our network kinds for each of Core's network names. */
const KINDS: Record<string, string[]> = {
  main: ['mainnet'],
  test: ['testnet'],
  signet: ['testnet'],
  regtest: ['local'],
};

function problem(params: typeof BITCOIN, text: unknown): string {
  try {
    readDestination(params, text);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('Bitcoin and Litecoin addresses', () => {
  it('key_io: every published address of both chains has its script, and every invalid one is refused', () => {
    let count = 0;
    for (const v of base58.vectors as {
      coin: 'bitcoin' | 'litecoin';
      valid: boolean;
      string: string;
      scriptPubKey?: string;
      network?: string;
      isPrivkey?: boolean;
      tryCaseFlip?: boolean;
    }[]) {
      const params = PARAMS[v.coin];
      if (!v.valid) expect(decodeAddress(params, v.string), v.string).to.equal(undefined);
      if (!v.valid || v.isPrivkey) continue;
      const decoded = decodeAddress(params, v.string);
      expect(decoded?.script, v.string).to.equal(`0x${v.scriptPubKey}`);
      expect(decoded!.kinds, v.string).to.include.members(KINDS[v.network!]!);
      if (v.tryCaseFlip)
        expect(decodeAddress(params, v.string.toUpperCase())?.address, v.string).to.equal(
          v.string.toLowerCase(),
        );
      count++;
    }
    expect(count).to.be.above(60);
  });

  it('BIP-173 and BIP-350: segwit addresses decode to their programs, and invalid ones are refused', () => {
    let count = 0;
    for (const v of segwit.vectors as {
      bip: number;
      kind: string;
      valid: boolean;
      string: string;
      scriptPubKey?: string;
    }[]) {
      if (v.kind !== 'segwit-address') continue;
      // BIP-350 changed the checksum of versions 1 and above.
      if (v.bip === 173 && v.valid && !v.scriptPubKey!.startsWith('00')) continue;
      const decoded = decodeAddress(BITCOIN, v.string);
      expect(decoded?.script, v.string).to.equal(v.valid ? `0x${v.scriptPubKey}` : undefined);
      count++;
    }
    expect(count).to.be.above(30);
  });

  it('BIP-49, 84 and 86: sends to every address of the examples', () => {
    for (const v of bips.vectors as { network: string; address?: string; bip: number }[]) {
      if (!v.address) continue;
      const kind = v.network === 'mainnet' ? 'mainnet' : 'testnet';
      expect(isAddress(BITCOIN, v.address, kind), v.address).to.equal(true);
    }
  });

  it('wallet-core: addresses of both chains and their scripts', () => {
    for (const [params, { vectors }] of [
      [BITCOIN, bitcoin],
      [LITECOIN, litecoin],
    ] as const)
      for (const v of vectors as {
        kind: string;
        address?: string;
        scriptPubKey?: string;
        valid?: boolean;
        coin?: string;
      }[]) {
        if (v.kind === 'script')
          expect(decodeAddress(params, v.address!)?.script).to.equal(`0x${v.scriptPubKey}`);
        if (v.kind === 'address-valid')
          expect(isAddress(params, v.address!), v.address).to.equal(v.valid ?? true);
      }
  });

  it('says what is wrong, by name', () => {
    const cases: [typeof BITCOIN, unknown, string][] = [
      [BITCOIN, '', 'is required'],
      [BITCOIN, null, 'is required'],
      [BITCOIN, 7, 'must be an address as text'],
      [BITCOIN, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', 'wrong checksum'],
      [BITCOIN, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4', 'mixes upper and lower case'],
      [BITCOIN, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3', 'wrong checksum'],
      [
        BITCOIN,
        'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
        'does not exist yet',
      ],
      [BITCOIN, 'bc1sw50qgdz25j', 'does not exist yet'],
      [BITCOIN, 'bc1gmk9yu', 'not a valid Bitcoin address'],
      [BITCOIN, 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', 'is a Litecoin address, not a Bitcoin one'],
      [BITCOIN, 'LYWKqJhtPeGyBAw7WC8R3F7ovxtzAiubdM', 'is a Litecoin address, not a Bitcoin one'],
      [BITCOIN, 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'is a Tron address, not a Bitcoin one'],
      [
        BITCOIN,
        'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi',
        'is an Aeternity address, not a Bitcoin one',
      ],
      [BITCOIN, 'me', 'is not a Bitcoin address: it begins with bc1, 1 or 3'],
      [BITCOIN, '1'.repeat(5000), 'is not a Bitcoin address'],
      [LITECOIN, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'is a Bitcoin address, not a Litecoin one'],
      [LITECOIN, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'is a Bitcoin address, not a Litecoin one'],
      [LITECOIN, '3L1YkZjdeNSqaZcNKZFXQfyokx3zVYm7r5', 'wrong checksum'],
      [LITECOIN, 'LYWKqJhtPeGyBAw7WC8R3F7ovxtzAiubdN', 'wrong checksum'],
      [LITECOIN, `ltcmweb1${'q'.repeat(110)}`, 'private (MWEB) address'],
    ];
    for (const [params, text, message] of cases)
      expect(problem(params, text), String(text).slice(0, 60)).to.include(message);
  });

  it('knows the network of an address, and both forms of a Litecoin script address', () => {
    expect(isAddress(BITCOIN, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'mainnet')).to.equal(true);
    expect(isAddress(BITCOIN, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'testnet')).to.equal(false);
    expect(isAddress(BITCOIN, 'mhJuoGLgnJC8gdBgBzEigsoyG4omQXejPT', 'local')).to.equal(true);
    expect(isAddress(BITCOIN, 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'local')).to.equal(false);
    const old = readDestination(LITECOIN, '3L1YkZjdeNSqaZcNKZFXQfyokx3zVYm7r6');
    expect(old.usual).to.match(/^M/);
    const today = readDestination(LITECOIN, old.usual);
    expect(today.usual).to.equal(undefined);
    expect(today.script).to.equal(old.script);
  });

  it('of Taproot are refused if no public key has them', () => {
    // BIP-340's test vectors 5 and 14: not on the curve, and the size of the field. Vector 0's key is on it.
    const taproot = (x: string) => bech32m.encode('bc', [1, ...bech32m.toWords(bytesOf(`0x${x}`))]);
    for (const x of [
      'eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34',
      'fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30',
    ])
      expect(() => readDestination(BITCOIN, taproot(x))).to.throw('nobody could ever spend');
    const key = 'f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9';
    expect(readDestination(BITCOIN, taproot(key)).script).to.equal(`0x5120${key}`);
    expect(isAddress(BITCOIN, taproot('00'.repeat(32)))).to.equal(false);
  });

  it('dust is what Bitcoin Core and Litecoin Core call dust', () => {
    const scripts = {
      p2pkh: `0x76a914${'00'.repeat(20)}88ac`,
      p2sh: `0xa914${'00'.repeat(20)}87`,
      p2wpkh: `0x0014${'00'.repeat(20)}`,
      p2wsh: `0x0020${'00'.repeat(32)}`,
      p2tr: `0x5120${'00'.repeat(32)}`,
    };
    const limits = (params: typeof BITCOIN) =>
      Object.values(scripts)
        .map((script) => dustLimit(params, script))
        .join();
    expect(limits(BITCOIN)).to.equal('546,540,294,330,330');
    expect(limits(LITECOIN)).to.equal('5460,5400,2940,3300,3300');
  });
});
