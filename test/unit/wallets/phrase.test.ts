import { expect } from '@open-wc/testing';
import { checkPhrase, entropyOf, seedOf, wordsOf } from '../../../src/wallets/phrase.ts';
import { PHRASE } from './setup.ts';

const hex = (bytes: Uint8Array) => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');

describe('recovery phrases', () => {
  it('turn into entropy and seed as BIP-39 says', async () => {
    expect(hex(entropyOf(PHRASE))).to.equal('7f'.repeat(16));
    expect(wordsOf(new Uint8Array(16).fill(0x7f)).join(' ')).to.equal(PHRASE);
    // The published vectors use the passphrase "TREZOR"; with the empty one the seed is computed by WebCrypto's PBKDF2 below.
    const base = await crypto.subtle.importKey('raw', new TextEncoder().encode(PHRASE), 'PBKDF2', false, [
      'deriveBits',
    ]);
    const bits = await crypto.subtle.deriveBits(
      { name: 'PBKDF2', hash: 'SHA-512', iterations: 2048, salt: new TextEncoder().encode('mnemonic') },
      base,
      512,
    );
    expect(hex(await seedOf(new Uint8Array(16).fill(0x7f)))).to.equal(hex(new Uint8Array(bits)));
  });

  it('are read through numbers, commas, line breaks, capitals and wide letters', () => {
    const typed = PHRASE.split(' ')
      .map((word, i) => `${i + 1}. ${word.toUpperCase()},`)
      .join('\n');
    expect(checkPhrase(typed)).to.deep.equal({ words: PHRASE.split(' '), unknown: [], valid: true });
    expect(checkPhrase(` ｌｅｇａｌ\u00a0winner `).words).to.deep.equal(['legal', 'winner']);
  });

  it('with a typo name the word and the one probably meant', () => {
    for (const [typo, near] of [
      ['sausag', 'sausage'],
      ['sasuage', 'sausage'],
      ['sausagee', 'sausage'],
      ['savsage', 'sausage'],
    ]) {
      const { unknown, valid } = checkPhrase(PHRASE.replace('sausage', typo!));
      expect(unknown).to.deep.equal([{ index: 5, word: typo, near }]);
      expect(valid).to.equal(false);
    }
    expect(checkPhrase('acheive').unknown[0]!.near).to.equal('achieve');
  });

  it('whose words are known can still be wrong', () => {
    expect(checkPhrase('')).to.deep.equal({ words: [], unknown: [], valid: false });
    expect(checkPhrase(PHRASE.replace('yellow', 'zoo'))).to.include({ valid: false });
    expect(() => entropyOf('legal winner')).to.throw('12 words, here are 2');
  });
});
