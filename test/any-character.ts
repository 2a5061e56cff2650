import fc from 'fast-check';

/** Any code point but half a surrogate pair, for `fc.string`. fast-check's own `binary` takes seconds to set up in each process. */
export const ANY_CHARACTER = fc
  .integer({ min: 0, max: 0x10_ffff - 0x800 })
  .map((n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800));
