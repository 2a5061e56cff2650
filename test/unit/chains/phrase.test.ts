import { expect } from '@open-wc/testing';
import { loadChain, newPhrase, seedOfPhrase } from '../../../src/chains/index.ts';
import { RequestInvalidError } from '../../../src/base/errors.ts';
import bip39 from '../../vectors/bip39.vectors.json';

const hex = (bytes: Uint8Array) => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
const PHRASE = 'test test test test test test test test test test test junk';

async function refusal(phrase: unknown, passphrase?: unknown): Promise<string> {
  const error = await seedOfPhrase(phrase as string, passphrase as string).catch((e: unknown) => e);
  expect(error).to.be.instanceOf(RequestInvalidError);
  return (error as RequestInvalidError).issues.map(({ path, message }) => `${path} ${message}`).join('; ');
}

describe('recovery phrases of the library', () => {
  it('become the seeds that BIP-39 publishes, with their passphrase', async () => {
    expect(bip39.vectors.length).to.equal(24);
    for (const { mnemonic, passphrase, seed } of bip39.vectors)
      expect(hex(await seedOfPhrase(mnemonic, passphrase)), mnemonic).to.equal(seed);
  });

  it('become keys', async () => {
    const chain = await loadChain('ETHEREUM');
    const seed = await seedOfPhrase(` ${PHRASE.toUpperCase().replaceAll(' ', '\n')} `);
    // Of anvil and Hardhat.
    expect(await chain.address(await chain.deriveKey(seed, 0), 'local')).to.equal(
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    );
  });

  it('are made at random, of every length', async () => {
    for (const words of [12, 15, 18, 21, 24]) {
      const [one, other] = await Promise.all([newPhrase(words), newPhrase(words)]);
      expect(one.split(' ')).to.have.length(words);
      expect(one).not.to.equal(other);
      expect(await seedOfPhrase(one)).to.have.length(64);
    }
    expect((await newPhrase()).split(' ')).to.have.length(12);
    const error = await newPhrase(13).catch((e: unknown) => e);
    expect((error as RequestInvalidError).issues[0]!.path).to.equal('words');
  });

  it('are refused by the place of what is wrong, never by the word', async () => {
    const wrong = PHRASE.replace('junk', 'jnuk');
    expect(await refusal(wrong)).to.equal('phrase.11 word 12 is not in the English word list');
    expect(await refusal(PHRASE.replace('junk', 'test'))).to.match(/^phrase has a wrong checksum/);
    expect(await refusal('test test')).to.match(/^phrase must have 12, 15, 18, 21 or 24 words, has 2/);
    expect(await refusal(5)).to.match(/^phrase must be a text/);
    expect(await refusal(PHRASE, 5)).to.match(/^passphrase must be a text/);
  });
});
