/** https://github.com/bitcoin/bips/blob/master/bip-0380.mediawiki#checksum */

/** Characters that a descriptor may have, in groups of 32 of which those that are often mistaken for each other are in the same place. */
const INPUT =
  '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ ';
const OUTPUT = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATORS = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn];
const LENGTH = 8;

/** Of a descriptor without `#`: eight characters. Undefined if it has a character that no descriptor has. */
export function descriptorChecksum(descriptor: string): string | undefined {
  let sum = 1n;
  let groups = 0;
  let count = 0;
  for (const character of descriptor) {
    const place = INPUT.indexOf(character);
    if (place < 0) return undefined;
    sum = next(sum, place & 31);
    groups = groups * 3 + (place >> 5);
    if (++count % 3 === 0) {
      sum = next(sum, groups);
      groups = 0;
    }
  }
  if (count % 3 > 0) sum = next(sum, groups);
  for (let i = 0; i < LENGTH; i++) sum = next(sum, 0);
  sum ^= 1n;
  return Array.from({ length: LENGTH }, (_, i) => OUTPUT[Number((sum >> (5n * BigInt(7 - i))) & 31n)]).join(
    '',
  );
}

function next(sum: bigint, value: number): bigint {
  const top = sum >> 35n;
  const shifted = ((sum & 0x7ffffffffn) << 5n) ^ BigInt(value);
  return GENERATORS.reduce((all, generator, i) => ((top >> BigInt(i)) & 1n ? all ^ generator : all), shifted);
}
