/** PINs that whoever finds the device would try first. */
export type PinWeakness = 'common' | 'repeated' | 'sequence' | 'year';

// From published counts of leaked PINs, without those that the rules below catch; and lines on the keypad.
const COMMON = new Set(
  (
    '1004 2580 0852 1342 1397 5683 0007 1379 7913 1425 1590 1470 3690 0258 1236 3698 7410 8520 ' +
    '13579 24680 12321 11223 159753 147258 123321 741852 789456 852456 142536 147852 258456 963852 ' +
    '112233 332211 445566 778899 102030 1122 2211 1221 1123 0911 6969'
  ).split(' '),
);

/** Why a PIN of 4 to 6 digits is easy to guess; undefined when it is not. */
export function pinWeakness(pin: string): PinWeakness | undefined {
  if (/^(\d{1,3})\1+$/.test(pin) || new Set(pin).size < 2) return 'repeated';
  const steps = [...pin].slice(1).map((digit, i) => (Number(digit) - Number(pin[i]) + 10) % 10);
  if (steps.every((step) => step === 1) || steps.every((step) => step === 9)) return 'sequence';
  if (/^(?:19|20)\d\d$/.test(pin)) return 'year';
  return COMMON.has(pin) ? 'common' : undefined;
}
