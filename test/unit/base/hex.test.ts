import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { bytesOf, concat, hexDigits, hexOf } from '../../../src/base/bytes.ts';
import { readLabel } from '../../../src/chains/contracts/token-facts.ts';

describe('hex', () => {
  it('is the same digits with the library and without', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const hex = hexOf(bytes);
        return (
          hex === `0x${hexDigits(bytes)}` &&
          hex === `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
        );
      }),
    );
  });

  it('gives the bytes back, in either case', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const hex = hexOf(bytes);
        return [hex, `0x${hex.slice(2).toUpperCase()}`].every((text) => hexOf(bytesOf(text)) === hex);
      }),
    );
  });

  it('is whole bytes of hex digits, and nothing else', () => {
    for (const text of ['0x0', '0x0g', '0x 0', '0x-1', '0x０１', '0x00\n', '0x1.', '0x+1'])
      expect(() => bytesOf(text), text).to.throw(RangeError);
    expect(bytesOf('0x')).to.have.length(0);
  });

  it('is put together in order', () => {
    expect(hexOf(concat(bytesOf('0x0102'), bytesOf('0x'), bytesOf('0x03')))).to.equal('0x010203');
  });

  it('of a contract that answers something else is no name', async () => {
    expect(await readLabel(`0x4d4b5200${'0'.repeat(56)}`)).to.equal('MKR');
    expect(await readLabel(`0x${'z'.repeat(64)}`)).to.equal('');
  });
});
