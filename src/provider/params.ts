/** Checks of what a dApp passes. Every failure is -32602 and names the field: `params[0].value`. */
import { ProviderRpcError, CODE, invalidParam } from './rpc-error.ts';

export type Fields = Record<string, unknown>;

/** A method's parameters, at least `least` of them; missing ones are undefined. */
export function listOf(params: unknown, names: readonly string[], least = names.length): unknown[] {
  if (!Array.isArray(params)) throw invalidParam('params', `must be a list: ${names.join(', ')}`);
  if (params.length < least) throw invalidParam('params', `must have ${names.slice(0, least).join(', ')}`);
  return params;
}

/** Own fields, without those that are null or undefined. */
export function fieldsOf(value: unknown, path: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidParam(path, 'must be an object');
  const own = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  return Object.assign(Object.create(null), Object.fromEntries(own));
}

/** Unknown fields are refused, not dropped, in something that moves money. */
export function only(fields: Fields, known: readonly string[], path: string): void {
  for (const name of Object.keys(fields))
    if (!known.includes(name)) throw invalidParam(`${path}.${name}`, 'is not supported; leave it out');
}

export function textOf(value: unknown, path: string, maxLength = 4096): string {
  if (typeof value !== 'string' || value === '') throw invalidParam(path, 'is required: a text');
  if (value.length > maxLength) throw invalidParam(path, `must be at most ${maxLength} characters`);
  return value;
}

export function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value);
}

export function addressOf(value: unknown, path: string): string {
  if (isAddress(value)) return value;
  throw invalidParam(path, 'must be an address: 0x and 40 hex digits');
}

/** The digits of a quantity, which JSON-RPC writes in hex. A number is accepted if it is exact. */
export function quantityOf(value: unknown, path: string): string {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return String(BigInt(value));
  if ((typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) || typeof value === 'bigint')
    return String(value);
  throw invalidParam(path, 'must be a quantity in hex, such as 0x5208');
}

export function isBytes(value: unknown): value is string {
  return typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value);
}

export function bytesOf(value: unknown, path: string): string {
  if (isBytes(value)) return value;
  throw invalidParam(path, 'must be bytes in hex: 0x and two digits each');
}

export function chainIdOf(value: unknown, path: string): number {
  const id = typeof value === 'string' && /^0x[1-9a-f][0-9a-f]*$/i.test(value) ? Number(value) : 0;
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw invalidParam(path, 'must be a chain id in hex without leading zeros, such as 0x1');
}

/** The form of quantities in JSON-RPC. */
export function hexOf(value: number): string {
  return `0x${value.toString(16)}`;
}

export function noMethod(method: string, code: number = CODE.unsupported): ProviderRpcError {
  // ethers recognises this sentence, and polls where a node has no filters.
  return new ProviderRpcError(code, `the method ${method} does not exist/is not available`);
}
