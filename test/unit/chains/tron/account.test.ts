import { expect } from '@open-wc/testing';
import { sha256 } from '@noble/hashes/sha2.js';
import { mnemonicToSeedSync } from '@scure/bip39';
import { bytesOf, concat, hexOf } from '../../../../src/base/bytes.ts';
import { address, deriveKey, exportKey, importKey } from '../../../../src/chains/tron/account.ts';
import { addressBytes, fromEvm, isAddress, readAddress, toEvm } from '../../../../src/chains/tron/address.ts';
import type { Contract, TronDraft } from '../../../../src/chains/tron/draft.ts';
import { expirationOf, rawData, sign } from '../../../../src/chains/tron/envelope.ts';
import { bytes, fields, integer } from '../../../../src/chains/tron/envelope.ts';
import type { RequestInvalidError } from '../../../../src/base/errors.ts';
import published from '../../../vectors/tron.vectors.json';
import { LISTED } from './fake-tron.ts';

type Row = Record<string, any>;
const rows = (kind: string) => (published.vectors as Row[]).filter((v) => v['kind'] === kind);

describe('Tron keys and addresses', () => {
  it('are those of the published vectors', async () => {
    expect(rows('address').length).to.equal(3);
    for (const { privateKey, address: wanted } of rows('address')) {
      const key = await importKey(privateKey);
      expect(address(key)).to.equal(wanted);
      expect(exportKey(key)).to.equal(privateKey);
      expect(await importKey(`0x${exportKey(key)}`)).to.deep.equal(key);
    }
    for (const { address: text, valid } of rows('address-valid'))
      expect(isAddress(text), text).to.equal(valid);
  });

  it('come from a phrase by m/44’/195’/0’/0/n', async () => {
    const phrase = `${'abandon '.repeat(11)}about`;
    const wanted = ['TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH', 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK'];
    const seed = mnemonicToSeedSync(phrase);
    for (const [i, expected] of wanted.entries())
      expect(address(await deriveKey(seed, i))).to.equal(expected);
  });

  it('are read as base58 and as hex', () => {
    const base58 = 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC';
    const hex = '415cd0fb0ab3ce40f3051414c604b27756e69e43db';
    expect(readAddress(base58)).to.equal(base58);
    expect(readAddress(hex)).to.equal(base58);
    expect(readAddress(hex.toUpperCase())).to.equal(base58);
    expect(hexOf(addressBytes(base58))).to.equal(`0x${hex}`);
    expect(fromEvm(toEvm(base58))).to.equal(base58);
  });

  for (const [text, message] of [
    [undefined, /is required/],
    ['', /is required/],
    [5, /must be an address as text/],
    ['TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeD', /wrong checksum/],
    ['TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDec', /wrong checksum/],
    ['TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDe', /not a Tron address/],
    ['425cd0fb0ab3ce40f3051414c604b27756e69e43db', /not a Tron address/],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', /Ethereum, GoChain or VeChain, not a Tron one/],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', /is a Bitcoin address, not a Tron one/],
    ['ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', /is a Litecoin address, not a Tron one/],
    ['ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi', /is an Aeternity address, not a Tron one/],
  ] as [unknown, RegExp][])
    it(`refuses the address ${String(text)}`, () => {
      expect(() => readAddress(text)).to.throw(message);
    });

  for (const [text, message] of [
    ['zz', /64 hex digits/],
    ['0x12', /has 2/],
    ['00'.repeat(32), /not a valid private key/],
    ['ff'.repeat(32), /not a valid private key/],
  ] as const)
    it(`refuses the key ${text.slice(0, 6)}`, async () => {
      const error = await importKey(text).then(
        () => undefined,
        (e: RequestInvalidError) => e,
      );
      expect(error?.issues[0]?.path).to.equal('key');
      expect(error?.issues[0]?.message).to.match(message);
    });
});

/** https://github.com/tronprotocol/java-tron: BlockHeader.raw; the reference hash is bytes 8 to 15 of its hash. */
function reference(header: Row) {
  const hash = sha256(
    concat(
      integer(1, header['timestamp']),
      bytes(2, bytesOf(`0x${header['tx_trie_root']}`)),
      bytes(3, bytesOf(`0x${header['parent_hash']}`)),
      integer(7, header['number']),
      bytes(9, bytesOf(`0x${header['witness_address']}`)),
      integer(10, header['version']),
    ),
  );
  const number = header['number'].toString(16).padStart(16, '0');
  return { refBlockBytes: `0x${number.slice(12)}`, refBlockHash: hexOf(hash.subarray(8, 16)) };
}

function contractOf({ transaction, rawData: raw }: Row): { from: string; contract: Contract } {
  const { transfer, transfer_asset: asset, transfer_trc20_contract: token } = transaction;
  if (transfer)
    return {
      from: transfer.owner_address,
      contract: { kind: 'coin', to: transfer.to_address, amount: BigInt(transfer.amount) },
    };
  if (asset)
    return {
      from: asset.owner_address,
      contract: {
        kind: 'asset',
        token: asset.asset_name,
        to: asset.to_address,
        amount: BigInt(asset.amount),
      },
    };
  // In these bytes the address argument has the prefix 41, which Tron's own SDK omits.
  const { data } = raw.contract[0].parameter.value;
  return {
    from: token.owner_address,
    contract: { kind: 'call', to: token.contract_address, value: 0n, data: `0x${data}` },
  };
}

describe('Tron transactions', () => {
  for (const row of rows('sign'))
    it(`${row['name']} has the published id and signature`, async () => {
      const { transaction, rawDataHex, rawData: raw } = row;
      const draft: TronDraft = {
        secretType: 'TRON',
        network: LISTED,
        ...contractOf(row),
        ...reference(transaction.block_header),
        timestamp: transaction.timestamp,
        expiration: transaction.expiration ?? raw.expiration,
        memo: hexOf(new TextEncoder().encode(transaction.memo ?? '')),
        feeLimit: 0n,
        facts: {} as TronDraft['facts'],
      };
      if (rawDataHex) expect(hexOf(rawData(draft))).to.equal(`0x${rawDataHex}`);
      const signed = await sign(draft, bytesOf(`0x${row['privateKey']}`));
      expect(signed.hash).to.equal(row['txID']);
      // Signers write the recovery id as 0 and 1, or as 27 and 28.
      expect(signed.raw.slice(-130, -2)).to.equal(row['signature'].slice(0, 128));
      expect(Number.parseInt(signed.raw.slice(-2), 16) % 27).to.equal(
        Number.parseInt(row['signature'].slice(128), 16) % 27,
      );
      expect(expirationOf(signed.raw)).to.equal(draft.expiration);
    });

  it('are read back field by field, and nonsense is refused', () => {
    const message = concat(integer(1, (1n << 63n) - 1n), integer(2, 0n), bytes(3, Uint8Array.of(1, 2)));
    expect([...fields(message)].map(([field, value]) => `${field}:${value}`)).to.deep.equal([
      `1:${(1n << 63n) - 1n}`,
      '3:1,2',
    ]);
    for (const broken of [[0x0a], [0x0a, 5, 1], [0x08, 0x80], [0x0d, 1], Array(12).fill(0xff)])
      expect(() => [...fields(Uint8Array.from(broken))]).to.throw(RangeError);
    for (const wire of ['0x', '0x0102', '0x0a00', '0x1234']) expect(expirationOf(wire)).to.equal(undefined);
  });
});
