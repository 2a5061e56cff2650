import { expect } from '@open-wc/testing';
import { decodeRlp, toBeArray } from 'ethers/utils';
import { encodeRlp, type RlpItem } from '../../../../src/base/rlp.ts';
import { hexOf } from '../../../../src/base/bytes.ts';
import rlp from '../../../vectors/rlp.vectors.json';

type Input = string | number | Input[];

/** Text stands for its bytes; `#` marks a number that JSON cannot hold. */
function itemOf(input: Input): RlpItem {
  if (Array.isArray(input)) return input.map(itemOf);
  if (typeof input === 'number') return hexOf(toBeArray(input));
  if (input.startsWith('#')) return hexOf(toBeArray(BigInt(input.slice(1))));
  return hexOf(new TextEncoder().encode(input));
}

/** Code that reads transactions re-encodes what it read and requires the same bytes. */
describe('RLP', () => {
  for (const { name, valid, in: input, out } of rlp.vectors as {
    name: string;
    valid: boolean;
    in?: Input;
    out: string;
  }[]) {
    const bytes = `0x${out.toLowerCase().replace(/^0x/, '')}`;
    if (valid)
      it(`writes and reads the published ${name}`, () => {
        expect(encodeRlp(itemOf(input!))).to.equal(bytes);
        expect(encodeRlp(decodeRlp(bytes))).to.equal(bytes);
      });
    else
      it(`never reads the published ${name} as what it would write`, () => {
        let again: string | undefined;
        try {
          again = encodeRlp(decodeRlp(bytes));
        } catch {
          // Refused outright.
        }
        expect(again).to.not.equal(bytes);
      });
  }
});
