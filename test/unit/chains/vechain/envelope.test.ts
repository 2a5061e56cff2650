import { expect } from '@open-wc/testing';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeed } from '@scure/bip39';
import { bytesOf, hexOf } from '../../../../src/base/bytes.ts';
import { signDigest } from '../../../../src/chains/keys/secp256k1.ts';
import type { VechainDraft } from '../../../../src/chains/vechain/draft.ts';
import {
  type Body,
  idOf,
  intrinsicGas,
  lastBlockOf,
  parseUnsigned,
  serialize,
  signingHash,
} from '../../../../src/chains/vechain/envelope.ts';
import { chain } from '../../../../src/chains/vechain/index.ts';
import keystores from '../../../vectors/keystore-v3.vectors.json';
import published from '../../../vectors/vechain.vectors.json';

interface Row {
  kind: string;
  name: string;
  src: number;
  body: PublishedBody;
  clauses: PublishedBody['clauses'];
  gas: number;
  privateKey: string;
  gasPayerPrivateKey?: string;
  origin?: string;
  address: string;
  unsigned?: string;
  signingHash?: string;
  signature?: string;
  signed?: string;
  id?: string;
  hash: string;
  encoded: string;
  text: string;
  mnemonic: string;
  basePath: string;
  firstPrivateKey?: string;
  addresses: string[];
}
interface PublishedBody {
  chainTag: number;
  blockRef: string;
  expiration: number;
  clauses: { to: string | null; value: string; data: string }[];
  gasPriceCoef?: number;
  maxFeePerGas?: string | number;
  maxPriorityFeePerGas?: string | number;
  gas: number;
  dependsOn: string | null;
  nonce: string;
  reserved?: { features?: number; unused?: string[] };
}
const rows = (kind: string) => (published.vectors as unknown as Row[]).filter((row) => row.kind === kind);

const clausesOf = (clauses: PublishedBody['clauses']) =>
  clauses.map(({ to, value, data }) => ({ to, value: BigInt(value), data }));
const bodyOf = (body: PublishedBody): Body => ({
  chainTag: body.chainTag,
  blockRef: body.blockRef,
  expiration: body.expiration,
  clauses: clausesOf(body.clauses),
  ...(body.maxFeePerGas === undefined
    ? { gasPriceCoef: body.gasPriceCoef! }
    : { maxFeePerGas: BigInt(body.maxFeePerGas), maxPriorityFeePerGas: BigInt(body.maxPriorityFeePerGas!) }),
  gas: BigInt(body.gas),
  dependsOn: body.dependsOn,
  nonce: BigInt(body.nonce),
  delegated: body.reserved?.features === 1,
});

describe('VeChain transactions', () => {
  for (const row of rows('transaction').filter(({ body }) => !body.reserved?.unused))
    it(`are the published ones: ${row.name}`, async () => {
      const body = bodyOf(row.body);
      const unsigned = serialize(body);
      const key = bytesOf(row.privateKey);
      const from = chain.address(key);
      const hash = signingHash(unsigned);
      if (row.unsigned) expect(unsigned).to.equal(row.unsigned);
      if (row.signingHash) expect(hexOf(hash)).to.equal(row.signingHash);
      if (row.origin) expect(from.toLowerCase()).to.equal(row.origin);
      const asked = idOf(hash, from);
      const payer = row.gasPayerPrivateKey && signDigest(bytesOf(asked), bytesOf(row.gasPayerPrivateKey));
      const sponsor = payer && { host: '', signature: `${payer.r}${payer.s.slice(2)}0${payer.yParity}` };
      const { raw, hash: id } = await chain.sign({ ...body, from, sponsor } as VechainDraft, key);
      if (row.signed) expect(raw).to.equal(row.signed);
      if (row.id) expect(id).to.equal(row.id);
      if (row.signature) expect(raw.endsWith(row.signature.slice(2))).to.equal(true);
      expect(serialize(parseUnsigned(unsigned)!)).to.equal(unsigned);
      expect(lastBlockOf(raw)).to.equal(Number(body.blockRef.slice(0, 10)) + body.expiration);
    });

  it('are hashed as thor hashes them', () => {
    for (const { body, hash } of rows('signing-fields-hash')) {
      const unsigned = serialize(bodyOf(body));
      // thor's test of the dynamic form omits the type byte.
      expect(hexOf(signingHash(unsigned.replace(/^0x51/, '0x')))).to.equal(hash);
    }
  });

  it('are read only in the form in which they are written', () => {
    for (const { encoded } of rows('decode')) expect(parseUnsigned(encoded)).to.equal(undefined);
    for (const { body, unsigned } of rows('transaction'))
      if (body.reserved?.unused) expect(parseUnsigned(unsigned!)).to.equal(undefined);
    const [{ unsigned }] = rows('transaction') as [Row];
    expect(parseUnsigned(unsigned!.replace('0184aabbccdd', '018500aabbccdd'))).to.equal(undefined);
  });

  it('cost the published gas before any code runs', () => {
    for (const { clauses, gas } of rows('intrinsic-gas'))
      if (clauses.length > 0) expect(Number(intrinsicGas(clausesOf(clauses)))).to.equal(gas);
  });

  it('are hashed by blake2b', () => {
    for (const { text, hash } of rows('blake2b-256'))
      expect(hexOf(signingHash(hexOf(new TextEncoder().encode(text))))).to.equal(hash);
  });
});

describe('VeChain accounts', () => {
  it('have the published addresses', async () => {
    const ours = rows('hdnode').filter(({ basePath }) => basePath === "m/44'/818'/0'/0");
    for (const { mnemonic, addresses, firstPrivateKey } of ours) {
      const seed = await mnemonicToSeed(mnemonic);
      const keys = await Promise.all(addresses.map((_, index) => chain.deriveKey(seed, index)));
      expect(keys.map((key) => chain.address(key).toLowerCase())).to.deep.equal(
        addresses.map((address) => address.toLowerCase()),
      );
      if (firstPrivateKey) expect(chain.exportKey(keys[0]!)).to.equal(firstPrivateKey);
    }
    for (const { privateKey, address } of rows('secp256k1'))
      expect(chain.address(bytesOf(privateKey)).toLowerCase()).to.equal(address);
  });

  it("derives m/44'/818'/0'/0/n", async () => {
    const seed = await mnemonicToSeed('test test test test test test test test test test test junk');
    const expected = HDKey.fromMasterSeed(seed).derive("m/44'/818'/0'/0/3").privateKey!;
    expect(hexOf(await chain.deriveKey(seed, 3))).to.equal(hexOf(expected));
  });

  it('takes a key as hex, and a keystore with its password', async () => {
    const key = `0x${'46'.repeat(32)}`;
    expect(chain.exportKey(await chain.importKey(key))).to.equal(key);
    const light = (keystores.vectors as { json?: unknown; keystore?: unknown; password?: string }[]).find(
      (vector) => vector.password !== undefined && JSON.stringify(vector).includes('pbkdf2'),
    )!;
    const opened = await chain.importKey(JSON.stringify(light.keystore ?? light.json), light.password);
    expect(opened.length).to.equal(32);
  });

  it('knows an address by its checksum', () => {
    expect(chain.isAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).to.equal(true);
    expect(chain.isAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD')).to.equal(false);
  });
});
