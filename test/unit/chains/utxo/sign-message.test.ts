import { expect } from '@open-wc/testing';
import { BITCOIN } from '../../../../src/chains/bitcoin/profile.ts';
import { bytesOf, hexOf } from '../../../../src/base/bytes.ts';
import { messageHash, toSpendId } from '../../../../src/chains/utxo/sign-message.ts';
import { readDestination } from '../../../../src/chains/utxo/address.ts';
import { fromPage } from '../from-page.ts';
import { published } from '../messages/published.ts';
import { issuesOf } from '../payload-issues.ts';
import {
  bitcoin as bitcoinChain,
  bitcoinPayloads,
  litecoin as litecoinChain,
  litecoinPayloads,
} from '../../../families.ts';

const bitcoin = fromPage(bitcoinChain, bitcoinPayloads);
const litecoin = fromPage(litecoinChain, litecoinPayloads);
const utf8 = (text: string) => hexOf(new TextEncoder().encode(text));
const request = (text: string, more: object = {}) => ({
  type: 'BITCOIN_MESSAGE',
  walletId: 'w',
  data: utf8(text),
  ...more,
});
const decoded = (base64: string) => hexOf(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)));

describe('Messages of Bitcoin and Litecoin', () => {
  it('BIP-322: hashes messages, and makes the transaction to spend, as published', () => {
    for (const { message, messageHash: hash, toSpend, address } of published('bip322-hashes')) {
      const { script } = readDestination(BITCOIN, address);
      expect(hexOf(messageHash(utf8(message!)))).to.equal(`0x${hash}`);
      expect(toSpendId(utf8(message!), script)).to.equal(toSpend);
    }
  });

  it('BIP-322: signs as published', async () => {
    const vectors = published('bip322-simple');
    expect(vectors).to.have.length(3);
    for (const { message, privateKey, signatures } of vectors) {
      const key = await bitcoin.importKey(privateKey!, undefined, 'mainnet');
      for (const more of [{}, { format: 'bip322' }, { format: null }])
        expect(signatures).to.include((await bitcoin.signData(request(message!, more), key)).signature);
    }
  });

  it('BIP-137: signs like wallets for P2PKH addresses, with the header byte of P2WPKH addresses', async () => {
    const vectors = published('recoverable');
    expect(vectors).to.have.length(2);
    for (const { message, privateKey, signature } of vectors) {
      const signed = await bitcoin.signData(
        request(message!, { format: 'bip137' }),
        bytesOf(`0x${privateKey}`),
      );
      const [ours, theirs] = [decoded(signed.signature), decoded(signature!)];
      expect(ours.slice(4)).to.equal(theirs.slice(4));
      expect(Number(ours.slice(0, 4))).to.equal(Number(theirs.slice(0, 4)) + 8);
    }
  });

  it('tells whose signature a P2WPKH address’s message has, in both formats', async () => {
    for (const { message, privateKey, signatures } of published('bip322-simple')) {
      const key = await bitcoin.importKey(privateKey!, undefined, 'mainnet');
      const address = await bitcoinChain.address(key, 'mainnet');
      const parse = (text: string, format: string) => bitcoinPayloads.parseSigning(request(text, { format }));
      const { signature: recoverable } = await bitcoin.signData(request(message!, { format: 'bip137' }), key);
      const all = signatures!.map((signature) => ['bip322', signature] as const);
      for (const [format, signature] of [...all, ['bip137', recoverable] as const]) {
        const isBy = (text: string, owner: string, given = signature) =>
          bitcoinChain.isSignedBy(parse(text, format), { signature: given }, owner);
        expect(await isBy(message!, address), format).to.equal(true);
        expect(await isBy(`${message}.`, address), format).to.equal(false);
        expect(await isBy(message!, 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'), format).to.equal(false);
        // Not of an address that pays to a script, or to a key without a witness.
        expect(await isBy(message!, '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'), format).to.equal(false);
        for (const given of ['', 'no base64', btoa(`\x02${'\x00'.repeat(64)}`), signature.slice(4)])
          expect(await isBy(message!, address, given), format).to.equal(false);
      }
    }
  });

  it('BIP-137: Litecoin has its own prefix; in BIP-322 it has none', async () => {
    const key = new Uint8Array(32).fill(7);
    const of = async (format: string) => [
      (await bitcoin.signData(request('Hello', { format }), key)).signature,
      (await litecoin.signData(request('Hello', { type: 'LITECOIN_MESSAGE', format }), key)).signature,
    ];
    const [one, other] = await of('bip137');
    expect(one).to.not.equal(other);
    const [same, asWell] = await of('bip322');
    expect(same).to.equal(asWell);
  });

  it('takes long messages, whose length has more bytes', async () => {
    const key = new Uint8Array(32).fill(7);
    const signed = new Set<string>();
    for (const length of [252, 253, 65_535, 65_536])
      signed.add((await bitcoin.signData(request('a'.repeat(length), { format: 'bip137' }), key)).signature);
    expect(signed.size).to.equal(4);
  });

  for (const [change, path, message] of [
    [{ data: 'Hello' }, 'data', /0x/],
    [{ data: undefined }, 'data', /required/],
    [{ format: 'ecdsa' }, 'format', /bip322 or bip137/],
    [{ format: '' }, 'format', /bip322 or bip137/],
    [{ prefix: true }, 'prefix', /not a field/],
    [{ purpose: 'agreement' }, 'purpose', /not a field/],
    [{ type: 'LITECOIN_MESSAGE' }, 'type', /BITCOIN_MESSAGE/],
  ] as const)
    it(`refuses ${JSON.stringify(change)}`, () => {
      const [issue] = issuesOf({ ...request('Hello'), ...change }, bitcoinPayloads.parseSigning);
      expect(issue!.path).to.equal(path);
      expect(issue!.message).to.match(message);
    });
});
