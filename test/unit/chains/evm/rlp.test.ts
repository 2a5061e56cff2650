import { expect } from '@open-wc/testing';
import { hexOf } from '../../../../src/chains/hex.ts';
import { decodeRlpList, encodeRlp, type Rlp, uintDigits } from '../../../../src/chains/rlp.ts';
import rlp from '../../../vectors/rlp.vectors.json';

type Input = string | number | Input[];

/** Text is bytes, and `#` marks a number that JSON cannot hold. */
function itemOf(input: Input): Rlp {
  if (Array.isArray(input)) return input.map(itemOf);
  if (typeof input === 'number') return uintDigits(input);
  if (input.startsWith('#')) return uintDigits(BigInt(input.slice(1)));
  return hexOf(new TextEncoder().encode(input)).slice(2);
}

describe('RLP', () => {
  for (const { name, valid, in: input, out } of rlp.vectors as {
    name: string;
    valid: boolean;
    in?: Input;
    out: string;
  }[]) {
    const bytes = out.toLowerCase().replace(/^0x/, '');
    if (valid)
      it(`writes and reads the published ${name}`, () => {
        const item = itemOf(input!);
        expect(encodeRlp(item)).to.equal(bytes);
        expect(decodeRlpList(encodeRlp([item]))).to.deep.equal([item]);
      });
    else
      it(`never reads the published ${name} as what it would write`, () => {
        let read: Rlp | undefined;
        try {
          read = decodeRlpList(bytes);
        } catch (error) {
          expect(error).to.be.instanceOf(RangeError);
        }
        expect(read && encodeRlp(read)).to.not.equal(bytes);
      });
  }
});
