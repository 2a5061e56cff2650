/** Contract call data, encoded by hand: the page carries no ABI library. */

/** A 32-byte word. */
function word(value: bigint | string): string {
  return BigInt(value).toString(16).padStart(64, '0');
}

function call(selector: string, ...words: (bigint | string)[]): string {
  return selector + words.map(word).join('');
}

export const transferCall = (to: string, amount: bigint) => call('0xa9059cbb', to, amount);
export const approveCall = (spender: string, amount: bigint) => call('0x095ea7b3', spender, amount);
export const approveAllCall = (operator: string) => call('0xa22cb465', operator, 1n);
/** `burnFrom`. */
export const burnCall = (owner: string, amount: bigint) => call('0x79cc6790', owner, amount);

/** More than the supply of any demo token. */
export const TOO_MUCH = 10n ** 30n;
export const UNLIMITED = 2n ** 256n - 1n;
