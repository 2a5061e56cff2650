/** Formats a card's number and expiry date as they are typed. */

/** ISO/IEC 7812-1. */
const MAX_DIGITS = 19;

export function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/** Lengths of the groups on the card: American Express 4 6 5, Diners Club 4 6 4, others fours. */
function groupsOf(digits: string): RegExp {
  return /^3(?:[47]|[68]|0[0-5])/.test(digits) && digits.length < 16
    ? /^(\d{1,4})(\d{1,6})?(\d+)?$/
    : /^(\d{1,4})(\d{1,4})?(\d{1,4})?(\d{1,4})?(\d+)?$/;
}

/** `4242 4242 4242 4242`. */
export function numberText(text: string): string {
  const digits = digitsOf(text).slice(0, MAX_DIGITS);
  return (groupsOf(digits).exec(digits) ?? [])
    .slice(1)
    .filter((group) => group !== undefined)
    .join(' ');
}

/** `08 / 29` from anything typed, pasted or autofilled: 8, 829, 8/29, 08/2029, 08 / 29. */
export function expiryText(text: string): string {
  let digits = digitsOf(/^\s*\d\s*[/.-]/.test(text) ? `0${text}` : text);
  if (/^[2-9]/.test(digits)) digits = `0${digits}`;
  if (/^\d\d20\d\d/.test(digits)) digits = digits.slice(0, 2) + digits.slice(4);
  digits = digits.slice(0, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits;
}

export interface Expiry {
  expiryMonth: number;
  expiryYear: number;
}

/** Undefined until month and year are complete. */
export function expiryOf(text: string): Expiry | undefined {
  const digits = digitsOf(text);
  if (digits.length !== 4) return undefined;
  return { expiryMonth: Number(digits.slice(0, 2)), expiryYear: 2000 + Number(digits.slice(2)) };
}

/** Reformats `input`, with the caret between the same digits as before. */
export function retype(input: HTMLInputElement, write: (text: string) => string): string {
  const { value } = input;
  const caret = input.selectionStart ?? value.length;
  const text = write(value);
  if (text === value) return text;
  input.value = text;
  if (caret === value.length || document.activeElement !== input) return text;
  const before = digitsOf(value.slice(0, caret)).length;
  let place = 0;
  for (let digits = 0; place < text.length && digits < before; place++) if (/\d/.test(text[place]!)) digits++;
  input.setSelectionRange(place, place);
  return text;
}
