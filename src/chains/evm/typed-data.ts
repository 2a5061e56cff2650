/**
 * Typed data (https://eips.ethereum.org/EIPS/eip-712): parsed strictly, and hashed by ethers. Wallets differ
 * in how they treat values that do not fit their type; here such a value is refused, so that what is shown is
 * what every verifier hashes.
 */
import { keccak256 } from 'ethers/crypto';
import { TypedDataEncoder } from 'ethers/hash';
import { concat } from 'ethers/utils';
import { invalid } from '../requests/payloads.ts';
import type { SecretType } from '../secret-type.ts';
import type { TypedDataDigests, TypedField } from '../approval/signing.ts';
import { readHexAddress } from '../contracts/evm-address.ts';

interface Member {
  name: string;
  type: string;
}
type Types = ReadonlyMap<string, readonly Member[]>;

export interface TypedData {
  types: Types;
  primaryType: string;
  domain: TypedField[];
  message: TypedField[];
  /** Names of what was given besides, in `domain › chainId`'s form: no part of what is shown and signed. */
  unsigned: readonly string[];
}

/** Enough for every form in use; a list of orders is the largest. */
const MAX_TYPES = 64;
const MAX_MEMBERS = 64;
const MAX_DEPTH = 16;
const MAX_VALUES = 2000;

const DOMAIN = 'EIP712Domain';
/** In the order in which they are hashed where the data does not say. */
const DOMAIN_MEMBERS: readonly Member[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];

// A name with a comma, a space or a bracket in it could make two different types hash the same.
const NAME = /^[A-Za-z_$][A-Za-z0-9_$]{0,63}$/;
/** Names that a struct must not have: they are, or look like, Solidity's own types. */
const RESERVED = /^(?:address|bool|string|function|u?int\d*|bytes\d*|u?fixed(?:\d+x\d+)?)$/;

/**
 * Reads the JSON text of typed data. Throws `request.invalid` at `data.…`, with the path of the field that does not fit. What no type
 * declares, and types that nothing uses, do not change the hash: they are refused, or with `omit` left out.
 */
export function readTypedData(text: string, chain: SecretType, unsignedFields?: 'omit'): TypedData {
  const unsigned: string[] = [];
  const omits = unsignedFields === 'omit';
  const surplus: Surplus = (path, why) => {
    if (!omits) throw invalid(path, why);
    unsigned.push(path.replace(/^data\.(?:types\.|message\.)?/, '').replaceAll('.', ' › '));
  };
  const fields = readRecord(
    parseJson(text),
    'data',
    ['types', 'primaryType', 'domain', 'message'],
    surplus,
    'is not a part of typed data; leave it out',
  );
  const declared = readObject(fields['types'], 'data.types');
  const { primaryType } = fields;
  if (typeof primaryType !== 'string' || primaryType === DOMAIN || !Object.hasOwn(declared, primaryType))
    throw invalid('data.primaryType', `must be one of data.types, other than ${DOMAIN}`);
  const types = readTypes(declared, primaryType, surplus);
  const isDeclared = types.has(DOMAIN);
  types.set(DOMAIN, readDomainType(types.get(DOMAIN), fields['domain']));
  for (const name of types.keys())
    if (holdsItself(name, types)) throw invalid(`data.types.${name}`, 'holds itself');
  const reader: Reader = { types, chain, surplus, values: 0 };
  return {
    types,
    primaryType,
    // Without a declaration every field of the domain is meant.
    domain: readStruct(
      DOMAIN,
      fields['domain'],
      'data.domain',
      isDeclared ? reader : { ...reader, surplus: refuse },
      0,
    ),
    message: readStruct(primaryType, fields['message'], 'data.message', reader, 0),
    unsigned,
  };
}

/** Takes what is given and not signed. */
type Surplus = (path: string, why: string) => void;

const refuse: Surplus = (path, why) => {
  throw invalid(path, why);
};

/** keccak256(0x1901 ‖ hashStruct(domain) ‖ hashStruct(message)), as `0x…`. */
export function typedDataDigest(data: TypedData): string {
  return typedDataDigests(data).digest;
}

/** What ERC-8213 calls the digests that people compare on a second device. The terms are the same in every language. */
export const DIGEST_TERMS = {
  typedData: 'EIP-712 Digest',
  domain: 'Domain Hash',
  message: 'Message Hash',
} as const;

/** What is signed, and the hashes of its two parts. */
export function typedDataDigests({ types, primaryType, domain, message }: TypedData): TypedDataDigests {
  const [domainHash, messageHash] = [
    hashStruct(DOMAIN, domain, types),
    hashStruct(primaryType, message, types),
  ];
  return { digest: keccak256(concat(['0x1901', domainHash, messageHash])), domainHash, messageHash };
}

/** The network that it is for. Tokens from before `chainId` was common have it as the salt (https://github.com/maticnetwork/pos-portal). */
export function chainIdOf({ domain }: TypedData): { chainId: bigint; name: string } | undefined {
  const valueOf = (wanted: string) => domain.find(({ name }) => name === wanted)?.value;
  const [chainId, salt] = [valueOf('chainId'), valueOf('salt')];
  if (chainId !== undefined) return { chainId: chainId as bigint, name: 'chainId' };
  const salted = salt === undefined ? 0n : BigInt(salt as string);
  // A salt that is not a chain id is random, or a hash.
  return salted > 0n && salted < 1n << 64n ? { chainId: salted, name: 'salt' } : undefined;
}

export function contractOf({ domain }: TypedData): string | undefined {
  return domain.find(({ name }) => name === 'verifyingContract')?.value as string | undefined;
}

/** Throws `request.invalid` for data of a contract that is one of these accounts, and for delegations of one. */
export function refuseOwn(data: TypedData, accounts: readonly string[]): void {
  const own = accounts.map((address) => address.toLowerCase());
  const isOwn = (value: unknown) => typeof value === 'string' && own.includes(value.toLowerCase());
  if (isOwn(contractOf(data)))
    throw invalid('data.domain.verifyingContract', 'is an account of this wallet, and no contract');
  const visit = (fields: readonly TypedField[], path: string): void => {
    const names = fields.map(({ name }) => name);
    for (const { name, value } of fields) {
      if (name === 'delegator' && names.includes('delegate') && isOwn(value))
        throw invalid(
          `${path}.${name}`,
          'is this wallet: the delegation would let others act as it, and is never signed',
        );
      if (Array.isArray(value)) visit(value, `${path}.${name}`);
    }
  };
  visit(data.message, 'data.message');
}

/** `Mail(Person from,string text)Person(address wallet)`: what a type's hash is made of. */
export function encodeType(name: string, types: Types): string {
  return encoderOf(name, types).encodeType(name);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('data', 'must be typed data as JSON text');
  }
}

/** An object with these fields. */
function readRecord(
  value: unknown,
  path: string,
  fields: readonly string[],
  surplus: Surplus,
  why = 'is not declared in data.types, so it is not signed; leave it out',
): Record<string, unknown> {
  const record = readObject(value, path);
  for (const key of Object.keys(record)) if (!fields.includes(key)) surplus(`${path}.${key}`, why);
  for (const name of fields)
    if (!Object.hasOwn(record, name)) throw invalid(`${path}.${name}`, 'is required');
  return record;
}

function readObject(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(path, 'must be an object');
  return value as Record<string, unknown>;
}

/** Those that the primary type or the domain uses. */
function readTypes(
  declared: Record<string, unknown>,
  primaryType: string,
  surplus: Surplus,
): Map<string, readonly Member[]> {
  const entries = Object.entries(declared);
  if (entries.length > MAX_TYPES) throw invalid('data.types', `must have at most ${MAX_TYPES} types`);
  const types = new Map<string, readonly Member[]>();
  const used = usedTypes(declared, primaryType);
  for (const [name, members] of entries) {
    const path = `data.types.${name}`;
    if (!used.has(name)) {
      surplus(path, `is not part of ${primaryType}, so it is not signed; leave it out`);
      continue;
    }
    if (!isName(name) || RESERVED.test(name)) throw invalid(path, 'is not a name that a struct can have');
    if (!Array.isArray(members) || members.length > MAX_MEMBERS)
      throw invalid(path, `must be a list of at most ${MAX_MEMBERS} members`);
    types.set(
      name,
      Array.from(members, (member, i) => readMember(member, `${path}.${i}`, surplus)),
    );
  }
  for (const [name, members] of types) {
    const names = new Set<string>();
    for (const [i, member] of members.entries()) {
      const path = `data.types.${name}.${i}`;
      if (names.has(member.name)) throw invalid(`${path}.name`, 'is there twice');
      names.add(member.name);
      if (!isKnown(member.type, types)) throw invalid(`${path}.type`, 'is not a type');
    }
  }
  return types;
}

/** Of types that nobody has checked yet. */
function usedTypes(types: Record<string, unknown>, primaryType: string): Set<string> {
  const used = new Set([primaryType, DOMAIN]);
  // Iterating a set includes what is added meanwhile.
  for (const name of used) {
    const members = Object.hasOwn(types, name) && types[name];
    if (!Array.isArray(members)) continue;
    for (const member of members) {
      const type = (member as Partial<Member> | null)?.type;
      if (typeof type === 'string') used.add(baseOf(type));
    }
  }
  return used;
}

function readMember(value: unknown, path: string, surplus: Surplus): Member {
  if (typeof value !== 'object' || value === null) throw invalid(path, 'must be an object');
  const { name, type, ...more } = value as Record<string, unknown>;
  if (typeof name !== 'string' || !isName(name))
    throw invalid(`${path}.name`, 'is not a name that a member can have');
  if (typeof type !== 'string') throw invalid(`${path}.type`, 'must be text');
  for (const key of Object.keys(more)) surplus(`${path}.${key}`, 'is not a field of a member; leave it out');
  return { name, type };
}

function isName(text: string): boolean {
  return NAME.test(text) && text !== '__proto__';
}

/** `Person` of `Person[][2]`. */
function baseOf(type: string): string {
  return type.replace(/(?:\[(?:[1-9]\d{0,5})?\])+$/, '');
}

function isKnown(type: string, types: Types): boolean {
  const base = baseOf(type);
  return types.has(base) ? base !== DOMAIN : isAtomic(base);
}

function isAtomic(type: string): boolean {
  if (/^(?:address|bool|string|bytes)$/.test(type)) return true;
  const [, kind, size] = /^(bytes|u?int)([1-9]\d{0,2})$/.exec(type) ?? [];
  if (kind === 'bytes') return Number(size) <= 32;
  return kind !== undefined && Number(size) % 8 === 0 && Number(size) <= 256;
}

/** The type and all that it contains. */
function typesOf(name: string, types: Types): string[] {
  const names = new Set([name]);
  // Iterating a set includes what is added meanwhile.
  for (const each of names)
    for (const { type } of types.get(each)!) if (types.has(baseOf(type))) names.add(baseOf(type));
  return [...names];
}

/** ethers hashes no such struct. */
function holdsItself(name: string, types: Types): boolean {
  return types
    .get(name)!
    .map(({ type }) => baseOf(type))
    .some((base) => types.has(base) && typesOf(base, types).includes(name));
}

function readDomainType(declared: readonly Member[] | undefined, domain: unknown): readonly Member[] {
  const values = readObject(domain, 'data.domain');
  const members = declared ?? DOMAIN_MEMBERS.filter(({ name }) => Object.hasOwn(values, name));
  if (members.length === 0)
    throw invalid('data.domain', 'must say what the data is for: a name, chainId or verifyingContract');
  for (const [i, { name, type }] of members.entries())
    if (DOMAIN_MEMBERS.find((one) => one.name === name)?.type !== type)
      throw invalid(`data.types.${DOMAIN}.${i}`, 'is not a member that a domain can have');
  return members;
}

interface Reader {
  types: Types;
  chain: SecretType;
  surplus: Surplus;
  /** Read so far. */
  values: number;
}

function readStruct(name: string, value: unknown, path: string, reader: Reader, depth: number): TypedField[] {
  const members = reader.types.get(name)!;
  const fields = readRecord(
    value,
    path,
    members.map((member) => member.name),
    reader.surplus,
  );
  return members.map((member) => ({
    ...member,
    value: readValue(member.type, fields[member.name], `${path}.${member.name}`, reader, depth + 1),
  }));
}

function readValue(
  type: string,
  value: unknown,
  path: string,
  reader: Reader,
  depth: number,
): TypedField['value'] {
  if (++reader.values > MAX_VALUES) throw invalid('data', `has more than ${MAX_VALUES} values`);
  if (depth > MAX_DEPTH) throw invalid(path, `is nested more than ${MAX_DEPTH} deep`);
  const list = listOf(type);
  if (list) {
    if (!Array.isArray(value)) throw invalid(path, `must be a list for ${type}`);
    if (list.length !== undefined && value.length !== list.length)
      throw invalid(path, `must have ${list.length} items for ${type}, has ${value.length}`);
    if (value.length > MAX_VALUES) throw invalid('data', `has more than ${MAX_VALUES} values`);
    return Array.from(value, (item, i) => ({
      name: String(i),
      type: list.item,
      value: readValue(list.item, item, `${path}.${i}`, reader, depth + 1),
    }));
  }
  if (reader.types.has(type)) return readStruct(type, value, path, reader, depth);
  return readAtom(type, value, path, reader.chain);
}

function listOf(type: string): { item: string; length: number | undefined } | undefined {
  const match = /^(.*)\[(\d*)\]$/.exec(type);
  return match ? { item: match[1]!, length: match[2] ? Number(match[2]) : undefined } : undefined;
}

function readAtom(type: string, value: unknown, path: string, chain: SecretType): string | boolean | bigint {
  if (type === 'bool') {
    if (typeof value !== 'boolean') throw invalid(path, 'must be true or false');
    return value;
  }
  if (type === 'string') {
    if (typeof value !== 'string') throw invalid(path, 'must be text');
    // Verifiers differ in what they substitute for it.
    if (/\p{Surrogate}/u.test(value)) throw invalid(path, 'has half a character in it');
    return value;
  }
  if (type === 'address') {
    try {
      return readHexAddress(value, chain);
    } catch (error) {
      throw invalid(path, (error as Error).message);
    }
  }
  const [, size] = /^bytes(\d*)$/.exec(type) ?? [];
  if (size === undefined) return readInteger(type, value, path);
  if (typeof value !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value))
    throw invalid(path, `must be 0x and pairs of hex digits for ${type}`);
  if (size && value.length !== 2 + Number(size) * 2)
    throw invalid(path, `must have ${size} bytes for ${type}, has ${(value.length - 2) / 2}`);
  return value.toLowerCase();
}

function readInteger(type: string, value: unknown, path: string): bigint {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw invalid(path, 'is not exact as a JSON number; write it as decimal text');
  if (
    typeof value !== 'number' &&
    !(typeof value === 'string' && /^(?:-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value))
  )
    throw invalid(path, `must be an integer, as decimal text, for ${type}`);
  const integer = BigInt(value);
  const bits = Number(/\d+$/.exec(type)![0]);
  const fits = type.startsWith('u') ? BigInt.asUintN(bits, integer) : BigInt.asIntN(bits, integer);
  if (fits !== integer) throw invalid(path, `does not fit in ${type}`);
  return integer;
}

function hashStruct(name: string, fields: readonly TypedField[], types: Types): string {
  return encoderOf(name, types).hashStruct(name, plainStruct(fields));
}

function encoderOf(name: string, types: Types): TypedDataEncoder {
  return TypedDataEncoder.from(
    Object.fromEntries(typesOf(name, types).map((each) => [each, [...types.get(each)!]])),
  );
}

/** As ethers takes it. */
function plainStruct(fields: readonly TypedField[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.name, plainValue(field)]));
}

function plainValue({ type, value }: TypedField): unknown {
  if (!Array.isArray(value)) return value;
  return listOf(type) ? value.map(plainValue) : plainStruct(value);
}
