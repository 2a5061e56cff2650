/** Types of Solidity's ABI. https://docs.soliditylang.org/en/latest/abi-spec.html#types */

/** An ABI type, taken apart. */
export interface AbiType {
  /** In full: `uint256`, `(address,uint256)[]`. */
  text: string;
  /** Of a list: its items. */
  item?: AbiType;
  /** Of a list: how many items it has; -1 for any number. */
  length?: number;
  /** Of a tuple. */
  parts?: AbiType[];
}

const LIST = /^(.*)\[(0|[1-9]\d*|)\]$/s;
const BYTES = /^bytes(?:[1-9]|[12]\d|3[0-2])?$/;
const INTEGER = /^(u?int)([1-9]\d*)?$/;

/** Undefined if it is none: `uint` and `int` mean 256 bits, and nothing has a name. */
export function abiTypeOf(text: string): AbiType | undefined {
  const [, itemText, length] = LIST.exec(text) ?? [];
  if (itemText !== undefined) {
    const item = abiTypeOf(itemText);
    return item && { text: `${item.text}[${length}]`, item, length: length === '' ? -1 : Number(length) };
  }
  if (text.startsWith('(') && text.endsWith(')')) {
    const parts = partsOf(text.slice(1, -1))?.map(abiTypeOf);
    if (!parts?.every((part) => part !== undefined)) return undefined;
    return { text: `(${parts.map((part) => part.text).join(',')})`, parts };
  }
  if (/^(address|bool|string)$/.test(text) || BYTES.test(text)) return { text };
  const [, kind, bits = '256'] = INTEGER.exec(text) ?? [];
  return kind !== undefined && Number(bits) % 8 === 0 && Number(bits) <= 256
    ? { text: kind + bits }
    : undefined;
}

/** What the commas of a tuple separate, those of inner tuples aside. Undefined if a parenthesis has no other. */
export function partsOf(text: string): string[] | undefined {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return undefined;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return depth === 0 ? parts : undefined;
}

/** Whether its size depends on the value. */
export function isDynamic({ text, item, length, parts }: AbiType): boolean {
  if (item) return length === -1 || isDynamic(item);
  return parts ? parts.some(isDynamic) : text === 'string' || text === 'bytes';
}

/** Bytes of `bytes32`, bits of `uint8`; NaN where the type has no number. */
export function sizeOf({ text }: AbiType): number {
  return Number(/\d+$/.exec(text)?.[0]);
}

/** What an integer of the type keeps of `integer`: all of one in range. */
export function lowBits(type: AbiType, integer: bigint): bigint {
  return type.text.startsWith('u')
    ? BigInt.asUintN(sizeOf(type), integer)
    : BigInt.asIntN(sizeOf(type), integer);
}
