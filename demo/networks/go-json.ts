/** Errors of Go's `encoding/json`, with unknown fields disallowed, on a body with wrong types: https://pkg.go.dev/encoding/json */

/** `amount`: go-ethereum's `math.HexOrDecimal256`; `address` and `bytes32`: Thor's. */
export type GoKind =
  | 'string'
  | 'bool'
  | 'uint32'
  | 'uint64'
  | 'amount'
  | 'address'
  | 'bytes32'
  | GoStruct
  | { each: GoStruct; type: string };

export interface GoStruct {
  /** Go type name, without the package. */
  name: string;
  fields: Readonly<Record<string, GoKind>>;
}

/** Go's error for an invalid body. */
export class GoJsonError extends Error {}

/** Parses and checks a body. `outer`: the Go type, with its package. */
export function goJson(text: string, outer: string, struct: GoStruct): Record<string, unknown> | null {
  const value = parse(text);
  if (value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value))
    throw new GoJsonError(`json: cannot unmarshal ${kindOf(value)} into Go value of type ${outer}`);
  checkFields(value as Record<string, unknown>, struct, []);
  return value as Record<string, unknown>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const first = text.trimStart()[0];
    if (first === undefined) throw new GoJsonError('EOF');
    if (/[{["\-\dtfn]/.test(first)) throw new GoJsonError('unexpected EOF');
    throw new GoJsonError(`invalid character '${first}' looking for beginning of value`);
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function checkFields(value: Record<string, unknown>, { name, fields }: GoStruct, path: string[]): void {
  for (const [key, field] of Object.entries(value)) {
    const kind = fields[key];
    if (kind === undefined) throw new GoJsonError(`json: unknown field "${key}"`);
    // Go ignores null.
    if (field !== null) check(field, kind, name, [...path, key]);
  }
}

const GO_TYPES = {
  amount: '*math.HexOrDecimal256',
  address: 'string',
  bytes32: 'string',
  string: 'string',
  bool: 'bool',
  uint32: 'uint32',
  uint64: 'uint64',
} as const;
const MAX = { uint32: 2 ** 32 - 1, uint64: Number.MAX_SAFE_INTEGER } as const;

function check(value: unknown, kind: GoKind, struct: string, path: string[]): void {
  const place = `Go struct field ${struct}.${path.join('.')}`;
  const wrong = (type: string, what = kindOf(value)): never => {
    throw new GoJsonError(`json: cannot unmarshal ${what} into ${place} of type ${type}`);
  };
  if (typeof kind === 'object') {
    if ('each' in kind) {
      if (!Array.isArray(value)) return wrong(kind.type);
      for (const item of value)
        if (item !== null) {
          if (typeof item !== 'object' || Array.isArray(item))
            return wrong(`api.${kind.each.name}`, kindOf(item));
          checkFields(item as Record<string, unknown>, kind.each, path);
        }
      return;
    }
    if (typeof value !== 'object' || Array.isArray(value)) return wrong(`api.${kind.name}`);
    return checkFields(value as Record<string, unknown>, kind, path);
  }
  const type = GO_TYPES[kind];
  if (kind === 'bool') return typeof value === 'boolean' ? undefined : wrong(type);
  if (kind === 'uint32' || kind === 'uint64') {
    if (typeof value !== 'number') return wrong(type);
    if (!Number.isInteger(value) || value < 0 || value > MAX[kind]) return wrong(type, `number ${value}`);
    return;
  }
  if (typeof value !== 'string') return wrong(type);
  if (kind === 'amount' && !isAmount(value))
    throw new GoJsonError(`invalid hex or decimal integer "${value}"`);
  const hex =
    kind === 'address' || kind === 'bytes32' ? wrongBytes(value, kind === 'address' ? 20 : 32) : undefined;
  if (hex) throw new GoJsonError(hex);
}

function isAmount(text: string): boolean {
  if (!/^(0[xX][0-9a-fA-F]*|\d*)$/.test(text)) return false;
  return BigInt(/^0x$/i.test(text) ? 0 : text) >> 256n === 0n;
}

/** Thor's error for hex that is not `bytes` long, with or without 0x. */
export function wrongBytes(text: string, bytes: number): string | undefined {
  if (text.length === bytes * 2 + 2 && !/^0x/i.test(text)) return 'invalid prefix';
  if (text.length !== bytes * 2 + 2 && text.length !== bytes * 2) return 'invalid length';
  const bad = /[^0-9a-f]/i.exec(text.slice(-bytes * 2))?.[0];
  if (bad === undefined) return undefined;
  return `encoding/hex: invalid byte: U+${bad.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')} '${bad}'`;
}

/** A number as `strconv.ParseUint(text, 0, 64)` parses it, or its error. */
export function goUint(text: string): bigint | string {
  const octal = /^0([0-7]+)$/.exec(text)?.[1];
  const number = octal ? `0o${octal}` : text;
  if (!/^(\d+|0x[0-9a-f]+|0b[01]+|0o[0-7]+)$/i.test(number))
    return `strconv.ParseUint: parsing "${text}": invalid syntax`;
  const value = BigInt(number.toLowerCase());
  return value >> 64n ? `strconv.ParseUint: parsing "${text}": value out of range` : value;
}
