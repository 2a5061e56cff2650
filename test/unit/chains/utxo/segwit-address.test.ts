import { expect } from '@open-wc/testing';
import { bech32, bech32m } from '@scure/base';
import { decodeSegwit, encodeSegwit, hasChecksum } from '../../../../src/chains/utxo/segwit-address.ts';

const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
const coder = (version: number) => (version === 0 ? bech32 : bech32m);

/** As @scure/base decodes it. */
function other(text: string): unknown {
  for (const version of [0, 1]) {
    const read = coder(version).decodeUnsafe(text, false);
    const program = read && coder(version).fromWordsUnsafe(read.words.slice(1));
    if (read?.words.length && program && (read.words[0] === 0) === (version === 0))
      return { prefix: read.prefix, version: read.words[0], program: Uint8Array.from(program) };
  }
  return undefined;
}

describe('segwit addresses', () => {
  it('are written and read as other libraries do', () => {
    for (let length = 0; length <= 60; length++)
      for (const version of [0, 1, 2, 16, 31])
        for (const prefix of ['bc', 'ltc', 'bcrt', 'a1b', '1', '!~']) {
          const program = random(length);
          const text = encodeSegwit({ prefix, version, program });
          expect(text).to.equal(
            coder(version).encode(prefix, [version, ...coder(version).toWords(program)], false),
          );
          for (const written of [text, text.toUpperCase()])
            expect(decodeSegwit(written), written).to.deep.equal({ prefix, version, program });
          expect(hasChecksum(text)).to.equal(true);
        }
  });

  it('are refused with a changed, missing or added letter, or padding that is not zeros, as by other libraries', () => {
    const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
    for (const length of [2, 3, 4, 5, 20, 32, 40])
      for (const version of [0, 1]) {
        const text = encodeSegwit({ prefix: 'bc', version, program: random(length) });
        for (let i = 0; i < text.length; i++)
          for (const letter of [...'qp1bB!', letters[i % 32]!])
            for (const changed of [
              text.slice(0, i) + letter + text.slice(i + 1),
              text.slice(0, i) + text.slice(i + 1),
              text.slice(0, i) + letter + text.slice(i),
            ])
              expect(decodeSegwit(changed), changed).to.deep.equal(other(changed));
        // Each way to end the data in other words, with a checksum that fits.
        for (let word = 0; word < 32; word++)
          for (const words of [
            [version, word],
            [version, 1, word],
            [version, 1, 2, 3, word],
            [version, 1, 2, 3, 4, 5, 6, word],
          ]) {
            const written = coder(version).encode('bc', words, false);
            expect(decodeSegwit(written), written).to.deep.equal(other(written));
          }
      }
  });

  it('are refused in mixed case, with letters beyond ASCII, of the other version’s checksum, and without data', () => {
    const program = random(20);
    const [v0, v1] = [bech32m, bech32].map((wrong, version) =>
      wrong.encode('bc', [version, ...wrong.toWords(program)]),
    );
    for (const text of [v0!, v1!]) {
      expect(decodeSegwit(text)).to.equal(undefined);
      expect(hasChecksum(text)).to.equal(true);
    }
    const good = encodeSegwit({ prefix: 'bk', version: 0, program });
    const mixed = good.slice(0, -1) + good.slice(-1).toUpperCase();
    const kelvin = good.toUpperCase().replace('K', '\u212a');
    const empty = bech32.encode('bc', []);
    for (const text of [
      /[a-z]$/.test(good) ? mixed : '',
      kelvin,
      empty,
      'bc1',
      '',
      '1',
      ` ${good}`,
      `${good}\n`,
      'é1qqqqqqq',
    ]) {
      expect(decodeSegwit(text), text).to.equal(undefined);
      expect(hasChecksum(text), text).to.equal(text === empty);
    }
  });
});
