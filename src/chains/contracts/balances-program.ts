/**
 * A program that asks many tokens for an owner's balance and returns all of them at once. It is never
 * deployed: a node runs it as a contract creation in a call that changes no state. It uses no instruction
 * newer than Constantinople, which GoChain and Tron's VM have too.
 */

/** Gas per token: even proxies take a third of it. A token that takes more yields no balance. */
const GAS = '0186a0';

/** Per program: its output is limited to a contract's size (EIP-170), its gas to what nodes grant a call. */
export const TOKENS_AT_ONCE = 400;

const ADDRESSES_AT = 0x65;

/** `0x…`. Addresses are `0x` and 40 hex digits. */
export function balancesProgram(owner: string, tokens: readonly string[]): string {
  const hex = (address: string): string => address.slice(2).toLowerCase();
  return [
    // The call at 0: balanceOf(owner).
    '0x6370a0823160e01b60005273',
    hex(owner),
    // Offset of the first address in this code, and of the first answer in memory. The byte before it is 0:
    // code that begins with 0xef is refused (EIP-3541).
    '600452',
    `61${ADDRESSES_AT.toString(16).padStart(4, '0')}6061`,
    // 0x28: with no address left, return the answers.
    '5b813811603657606081036060f3',
    // 0x36: bring the next address to 0x40 and call it.
    '5b601482604c396020816024600060405162',
    GAS,
    'fa',
    // An answer shorter than a word, or none, becomes the maximum value.
    '601f3d11166059576000198152',
    // 0x59: on to the next.
    '5b6020019060140190602856',
    ...tokens.map(hex),
  ].join('');
}

/** Undefined for a token without an answer. Undefined altogether if the answer does not match the number of tokens. */
export function balancesIn(answer: string, count: number): (bigint | undefined)[] | undefined {
  if (answer.length !== 4 + count * 64) return undefined;
  return Array.from({ length: count }, (_, i) => {
    const word = answer.slice(4 + i * 64, 4 + (i + 1) * 64);
    return /^f{64}$/i.test(word) ? undefined : BigInt(`0x${word}`);
  });
}
