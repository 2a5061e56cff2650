import { sha256 } from '@noble/hashes/sha2.js';
import { expect } from '@open-wc/testing';
import { createBase58check } from '@scure/base';
import { base58check as own } from '../../../src/base/base58.ts';

const other = createBase58check(sha256);

describe('base58check', () => {
  it('writes and reads bytes as other libraries do, zeros at their beginning included', () => {
    for (let length = 0; length <= 40; length++)
      for (const zeros of [0, 1, 2, length]) {
        const bytes = crypto.getRandomValues(new Uint8Array(length)).fill(0, 0, zeros);
        const text = own.encode(bytes);
        expect(text).to.equal(other.encode(bytes));
        expect(own.decode(text)).to.deep.equal(bytes);
      }
  });

  it('refuses a changed, missing or added letter, and letters that base58 does not have', () => {
    const text = own.encode(crypto.getRandomValues(new Uint8Array(21)));
    for (let i = 0; i < text.length; i++) {
      const changed = text[i] === 'x' ? 'y' : 'x';
      expect(() => own.decode(text.slice(0, i) + changed + text.slice(i + 1))).to.throw();
      expect(() => own.decode(text.slice(0, i) + text.slice(i + 1))).to.throw();
      expect(() => own.decode(`${text.slice(0, i)}1${text.slice(i)}`)).to.throw();
    }
    for (const wrong of ['', '1', '1111', '0', 'O', 'I', 'l', ' ', 'ä', `${text} `, 'z'.repeat(200)])
      expect(() => own.decode(wrong), wrong).to.throw();
  });
});
