import { expect } from '@open-wc/testing';
import { address, deriveKey, exportKey, signBytes } from '../../../../src/chains/aeternity/account.ts';
import { isAddress, readAddress } from '../../../../src/chains/aeternity/address.ts';
import { decode58 } from '../../../../src/chains/aeternity/encoding.ts';
import { importKey } from '../../../../src/chains/aeternity/import-key.ts';
import { chain } from '../../../../src/chains/aeternity/index.ts';
import { deriveEd25519 } from '../../../../src/chains/aeternity/slip10.ts';
import { bytesOf, concat, hexOf } from '../../../../src/base/bytes.ts';
import { RequestInvalidError } from '../../../../src/base/errors.ts';
import keystores from '../../../vectors/aeternity-keystore.vectors.json';
import published from '../../../vectors/aeternity.vectors.json';
import slip10 from '../../../vectors/slip10-ed25519.vectors.json';

type Row = Record<string, string>;
const rows = (kind: string) => published.vectors.filter((v) => v.kind === kind) as unknown as Row[];
const SEED = bytesOf(`0x${rows('hd-wallet')[0]!['seed']}`);
const SECRET = rows('account')[0]!['secretKey']!;
const KEY = decode58(SECRET)!;

async function refused(text: string): Promise<string> {
  try {
    await importKey(text);
  } catch (error) {
    expect(error).to.be.instanceOf(RequestInvalidError);
    const { path, message } = (error as RequestInvalidError).issues[0]!;
    expect(path).to.equal('key');
    return message;
  }
  throw new Error('was imported');
}

describe('Aeternity keys', () => {
  it('SLIP-10: derives the published keys', async () => {
    expect(slip10.vectors.length).to.equal(12);
    for (const v of slip10.vectors) {
      const steps = v.path
        .split('/')
        .slice(1)
        .map((step) => Number.parseInt(step, 10));
      const { key, chainCode } = deriveEd25519(bytesOf(`0x${v.seed}`), steps);
      expect(hexOf(key), v.path).to.equal(`0x${v.privateKey}`);
      expect(hexOf(chainCode), v.path).to.equal(`0x${v.chainCode}`);
      const ofKey = decode58(await address(key))!;
      expect(`00${hexOf(ofKey).slice(2)}`, v.path).to.equal(v.publicKey);
    }
  });

  it('gives a recovery phrase the addresses that the official SDK gives it', async () => {
    for (const v of rows('hd-account')) {
      const index = Number.parseInt(v['path']!.split('/')[3]!, 10);
      expect(await address(await deriveKey(SEED, index))).to.equal(v['address']);
    }
  });

  it('derives without changing the seed', async () => {
    const seed = SEED.slice();
    await deriveKey(seed, 0);
    expect(hexOf(seed)).to.equal(hexOf(SEED));
  });

  it('signs bytes as published', async () => {
    for (const v of rows('raw-signature'))
      expect(hexOf(await signBytes(bytesOf(`0x${v['dataHex']}`), decode58(v['secretKey']!)!))).to.equal(
        `0x${v['signature']}`,
      );
  });

  it('imports a secret in every form that wallets write, and exports the newest', async () => {
    const { address: expected } = rows('account')[0]!;
    const hex = hexOf(KEY).slice(2);
    const whole = hex + hexOf(decode58(expected!)!).slice(2);
    for (const text of [SECRET, ` ${SECRET}\n`, hex, `0x${hex}`, hex.toUpperCase(), whole, `0x${whole}`])
      expect(await address(await importKey(text))).to.equal(expected);
    expect(exportKey(KEY)).to.equal(SECRET);
    expect(await address(await chain.importKey(SECRET))).to.equal(expected);
  });

  it('refuses a secret with a mistake, without repeating it', async () => {
    const hex = hexOf(KEY).slice(2);
    const other = hexOf(concat(KEY, KEY)).slice(2);
    const cases: [string, RegExp][] = [
      [SECRET.slice(0, -1), /wrong checksum/],
      [`${SECRET.slice(0, -1)}1`, /wrong checksum/],
      ['sk_', /wrong checksum/],
      [hex.slice(1), /has 63/],
      [`${hex}00`, /has 66/],
      ['', /has 0/],
      [other, /second half/],
      [`${hex.slice(1)}g`, /must begin with sk_/],
      [rows('account')[0]!['address']!, /is an address/],
      ['{"crypto":{}}', /keystore/],
      ['{"crypto', /not readable JSON/],
    ];
    for (const [text, words] of cases) {
      const message = await refused(text);
      expect(message).to.match(words);
      if (text.length > 20) expect(message).not.to.contain(text.slice(3, 20));
    }
  });
});

describe('an Aeternity keystore', () => {
  const { keystore, password, secretKey } = keystores;
  const key = bytesOf(`0x${secretKey.slice(0, 64)}`);
  const opened = async (file: object, word?: string): Promise<string> =>
    importKey(JSON.stringify(file), word).then(hexOf, (error: RequestInvalidError) => {
      const { path, message } = error.issues[0]!;
      return `${path} ${message}`;
    });
  const withParams = (params: object): object => {
    const { crypto } = keystore;
    return { ...keystore, crypto: { ...crypto, kdf_params: { ...crypto.kdf_params, ...params } } };
  };

  it('opens with its password, as published', async () => {
    expect(await opened(keystore, password)).to.equal(hexOf(key));
    expect(await opened({ ...keystore, public_key: await address(key) }, password)).to.equal(hexOf(key));
  });

  it('tells what is wrong', async () => {
    expect(await opened(keystore, 'Test')).to.equal('password does not open this keystore');
    expect(await opened(keystore)).to.equal('password is required to open a keystore');
    const other = { ...keystore, public_key: rows('account')[0]!['address'] };
    expect(await opened(other, password)).to.match(/^key holds the key of another address/);
    for (const params of [
      { memlimit_kib: 1 << 21 },
      { opslimit: 1000 },
      { memlimit_kib: 7 },
      { parallelism: 1e9 },
    ])
      expect(await opened(withParams(params), password), JSON.stringify(params)).to.match(/^key asks for/);
    for (const file of [{ ...keystore, version: 3 }, withParams({ salt: '00' }), withParams({ opslimit: 0 })])
      expect(await opened(file, password)).to.match(/^key is not a keystore with argon2id/);
  });
});

describe('Aeternity addresses', () => {
  it('reads the published ones', () => {
    for (const v of rows('address')) {
      expect(hexOf(decode58(v['address']!)!)).to.equal(`0x${v['publicKey']}`);
      expect(readAddress(v['address'])).to.equal(v['address']);
    }
    for (const v of rows('address-valid')) expect(isAddress(v['address']!)).to.equal(v['valid'] as never);
    for (const v of rows('decode')) if (!v['valid']) expect(isAddress(v['string']!)).to.equal(false);
  });

  it('refuses every single mistyped character', () => {
    const good = rows('address')[0]!['address']!;
    for (let i = 3; i < good.length; i++)
      expect(isAddress(good.slice(0, i) + (good[i] === 'a' ? 'b' : 'a') + good.slice(i + 1))).to.equal(false);
  });

  it('says what is wrong, and names the chain of another address', () => {
    const good = rows('address')[0]!['address']!;
    const cases: [unknown, string | RegExp][] = [
      [undefined, 'is required'],
      [null, 'is required'],
      ['', 'is required'],
      [7, 'must be an address as text'],
      [good.slice(0, -1), /wrong checksum/],
      ['ak_0OIl', /after ak_ come about 50/],
      [good.replace('ak_', 'ct_'), /is a contract/],
      ['shop.chain', /or a name/],
      ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', /Ethereum, GoChain or VeChain/],
      ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'is a Tron address, not an Aeternity one'],
      ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'is a Bitcoin address, not an Aeternity one'],
      ['nobody', /is not an Aeternity address/],
    ];
    for (const [value, words] of cases) expect(() => readAddress(value), String(value)).to.throw(words);
  });
});
