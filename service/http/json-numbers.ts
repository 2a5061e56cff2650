/**
 * Numbers in JSON that `JSON.parse` would turn into others without a word: `9007199254740993` into …992, `1E400` into infinity. Node 20's
 * does not tell how a number was written, so a text that may have such a number is read once more.
 */

/** A number whose text, as a decimal, differs from the shortest decimal of the double that it is read as. */
export interface LostNumber {
  /** As in an issue: `transactions.0.value`. */
  path: string;
  /** What it would be read as. */
  double: number;
}

/** Up to 15 digits survive, if the exponent has fewer than three. */
const SUSPECT = /(?:^|[:,[\s])-?(?:(?:\d\.?){16}|[\d.]+e[+-]?\d{3})/i;

const NUMBER = /-?\d[\d.eE+-]*/y;

/** The first one in a text that is JSON. */
export function lostNumberOf(json: string): LostNumber | undefined {
  return SUSPECT.test(json) ? new NumberScan(json).lostNumber() : undefined;
}

class NumberScan {
  readonly #json: string;
  /** Names and list positions, from the outermost value inwards. */
  readonly #path: (string | number)[] = [];
  #at = 0;

  constructor(json: string) {
    this.#json = json;
  }

  lostNumber(): LostNumber | undefined {
    let name = '';
    for (; this.#at < this.#json.length; this.#at++) {
      switch (this.#json[this.#at]) {
        case '"':
          name = this.#string();
          break;
        case '{':
          this.#path.push('');
          break;
        case '[':
          this.#path.push(0);
          break;
        case '}':
        case ']':
          this.#path.pop();
          break;
        case ':':
          this.#path[this.#path.length - 1] = JSON.parse(name) as string;
          break;
        case ',': {
          const place = this.#path.at(-1);
          if (typeof place === 'number') this.#path[this.#path.length - 1] = place + 1;
          break;
        }
        default: {
          const number = this.#number();
          if (number !== undefined && isLost(number))
            return { path: this.#path.join('.'), double: Number(number) };
        }
      }
    }
    return undefined;
  }

  /** The string that begins here, with its quotation marks. Stops at its last character. */
  #string(): string {
    const start = this.#at++;
    while (this.#json[this.#at] !== '"') this.#at += this.#json[this.#at] === '\\' ? 2 : 1;
    return this.#json.slice(start, this.#at + 1);
  }

  #number(): string | undefined {
    NUMBER.lastIndex = this.#at;
    const number = NUMBER.exec(this.#json)?.[0];
    if (number !== undefined) this.#at += number.length - 1;
    return number;
  }
}

function isLost(number: string): boolean {
  return scientific(number) !== scientific(String(Number(number)));
}

/** `12e-1` for `1.20`: the same text for every way to write the same decimal. The sign is left out. */
function scientific(number: string): string {
  const parts = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number);
  if (!parts) return number;
  const [, whole = '', fraction = '', exponent = '0'] = parts;
  const digits = (whole + fraction).replace(/^0+/, '');
  // Not by `/0+$/`, which takes quadratic time for a long run of zeros elsewhere.
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  if (end === 0) return '0';
  return `${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
