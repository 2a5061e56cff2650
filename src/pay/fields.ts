/** The form's fields, how a card's number and expiry date are written as they are typed, and errors in plain words. */
import { COUNTRIES, isPast, PayByCard, type PayPage, securityCodeDigits } from '../api/pay.ts';
import { msg, str } from '../base/localize.ts';

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

/** The fields, in the order of the form. */
export const FIELDS = ['email', 'number', 'expiry', 'code', 'name', 'country'] as const;
export type FieldName = (typeof FIELDS)[number];
export type Fields = Record<FieldName, string>;
export type FieldErrors = { [name in FieldName]?: string };

/** The fields below "Card details", which share one error line. */
export const CARD_FIELDS: readonly FieldName[] = ['number', 'expiry', 'code'];

/** The accepted cards. */
type Cards = readonly Pick<PayPage['cards'][number], 'number'>[];

const SHORTEST_NUMBER = 14;

function numberError(text: string, cards: Cards): string | undefined {
  const digits = digitsOf(text);
  if (!digits) return msg('Enter the card number.');
  if (cards.some(({ number }) => number === digits)) return undefined;
  return digits.length < SHORTEST_NUMBER
    ? msg('This card number is too short. Check that you typed all of it.')
    : msg('This page takes test cards only. Choose one from the list above, and never enter a real card.');
}

function expiryError(text: string): string | undefined {
  if (!text) return msg('Enter the expiry date.');
  const expiry = expiryOf(text);
  if (!expiry) return msg('Enter the month and the year, such as 08 / 29.');
  if (expiry.expiryMonth < 1 || expiry.expiryMonth > 12)
    return msg('The month is a number from 01 to 12. Check the expiry date.');
  return isPast(expiry) ? msg('This card has expired. Check the date or use another card.') : undefined;
}

function codeError(text: string, number: string): string | undefined {
  if (!text) return msg('Enter the security code.');
  const digits = securityCodeDigits(digitsOf(number));
  return text.length === digits ? undefined : msg(str`The security code of this card has ${digits} digits.`);
}

function emailError(text: string): string | undefined {
  if (!text) return msg('Enter your e-mail address.');
  return PayByCard.shape.email.safeParse(text).success
    ? undefined
    : msg('This is not an e-mail address. Check that you typed all of it.');
}

function nameError(text: string): string | undefined {
  if (!text) return msg('Enter the name on the card.');
  return text.length > 128 ? msg('This name is too long. The maximum is 128 characters.') : undefined;
}

/** Undefined if valid. */
export function fieldError(name: FieldName, fields: Fields, cards: Cards): string | undefined {
  const text = fields[name].trim();
  switch (name) {
    case 'email':
      return emailError(text);
    case 'number':
      return numberError(text, cards);
    case 'expiry':
      return expiryError(text);
    case 'code':
      return codeError(text, fields.number);
    case 'name':
      return nameError(text);
    case 'country':
      return text ? undefined : msg('Choose your country.');
  }
}

/** Call only if no field has an error. */
export function paymentOf(fields: Fields): Omit<PayByCard, 'attempt'> {
  return {
    email: fields.email.trim(),
    card: {
      number: digitsOf(fields.number),
      ...expiryOf(fields.expiry)!,
      securityCode: fields.code,
      name: fields.name.trim(),
    },
    country: fields.country,
  };
}

const BY_PATH: Record<string, FieldName> = {
  email: 'email',
  'card.number': 'number',
  'card.expiryMonth': 'expiry',
  'card.expiryYear': 'expiry',
  'card.securityCode': 'code',
  'card.name': 'name',
  country: 'country',
};

/** The field for a path in the service's issues: `card.expiryYear`. */
export function fieldAt(path: string): FieldName | undefined {
  return BY_PATH[path];
}

export interface Country {
  code: string;
  name: string;
}

/** Named and sorted in the customer's language. */
export function countries(locale: string): Country[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  const { compare } = new Intl.Collator(locale);
  return COUNTRIES.map((code) => ({ code, name: names.of(code) ?? code })).sort((a, b) =>
    compare(a.name, b.name),
  );
}

/** The country named by the customer's language tag; empty if it names none. */
export function likelyCountry(locale: string): string {
  const { region = '' } = new Intl.Locale(locale);
  return COUNTRIES.includes(region) ? region : '';
}
