/**
 * What an operator lists to put the calls of a contract into words: a descriptor (https://eips.ethereum.org/EIPS/eip-7730), or the contract's
 * ABI. The server reads it at its start, to refuse what is wrong; the wallet, once such a contract is called. All texts become inert.
 */
import * as z from 'zod/mini';
import { inertText } from '../../base/text.ts';
import { selector } from '../contracts/abi.ts';
import type { Network } from '../network.ts';
import { leads, type Path, readAbi, readPath, readSignature, type Signature } from './parameters.ts';

export type Format =
  | { as: 'raw' | 'address' | 'coins' | 'date' | 'block' | 'duration' }
  /** `token`: its address, or where the call names it; `coins`: addresses that stand for the coin; `message` is for `threshold` and more. */
  | {
      as: 'tokens';
      token: string | Path | undefined;
      coins: readonly string[];
      threshold?: bigint;
      message?: string;
    }
  | { as: 'unit'; base: string; decimals: number }
  | { as: 'enum'; texts: ReadonlyMap<string, string> };

export interface DescribedField {
  label: string;
  /** Where its value is, or a text that is always the same. */
  source: Path | string;
  format: Format;
}

export interface DescribedFunction extends Signature {
  /** What it is for. Empty if the file does not say. */
  intent: string;
  fields: readonly DescribedField[];
}

export interface Descriptor {
  /** Whose contract it is. Empty if the file does not say. */
  owner: string;
  /** By selector. */
  functions: ReadonlyMap<string, DescribedFunction>;
}

/** The contract that calls are described of. */
export interface Place {
  chainId: number;
  address: string;
}

const hex = (digits: number) =>
  z.string().check(z.regex(new RegExp(`^0x[0-9a-fA-F]{${digits}}$`), `must be 0x and ${digits} hex digits`));

/** Code at an address, and keccak256 of it, as it runs. */
const CODE = { address: hex(40), codeHash: hex(64) };

/** An entry of `descriptors` in `networks.json`: words for the calls of a contract that has this code and no other. */
export const DescriptorEntry = z.object({
  ...CODE,
  /** Path of the file, beside `networks.json`. */
  file: z.string(),
  /** Of the file. */
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits in lower case')),
  /** Required of a proxy (EIP-1967): what it runs. */
  implementation: z.optional(z.object(CODE)),
});
export type DescriptorEntry = z.infer<typeof DescriptorEntry>;

/** Those for the contract. */
export function entriesFor(
  { descriptors = [] }: Pick<Network, 'descriptors'>,
  contract: string,
): DescriptorEntry[] {
  return descriptors.flatMap((entry) => {
    const { data } = DescriptorEntry.safeParse(entry);
    return data?.address.toLowerCase() === contract.toLowerCase() ? data : [];
  });
}

/** Characters of a label, of a name, and of what a call is for. */
const LONGEST = { label: 40, name: 60, intent: 80 };
/** Nobody reads more of one call. */
const MOST_FIELDS = 40;
const DEEPEST = 6;

const Field = z.object({
  path: z.optional(z.string()),
  value: z.optional(z.unknown()),
  label: z.optional(z.string()),
  format: z.optional(z.string()),
  params: z.optional(z.unknown()),
  $ref: z.optional(z.string()),
  fields: z.optional(z.array(z.unknown())),
});
type Field = z.infer<typeof Field>;

const Formatted = z.object({ intent: z.optional(z.unknown()), fields: z.optional(z.array(z.unknown())) });

const File = z.object({
  includes: z.optional(z.unknown()),
  context: z.object({
    contract: z.object({
      abi: z.optional(z.unknown()),
      deployments: z.optional(z.array(z.object({ chainId: z.int(), address: z.string() }))),
    }),
  }),
  metadata: z.optional(
    z.object({
      owner: z.optional(z.string()),
      constants: z.optional(z.unknown()),
      enums: z.optional(z.unknown()),
    }),
  ),
  display: z.object({ definitions: z.optional(z.unknown()), formats: z.unknown() }),
});
type File = z.infer<typeof File>;

/** Throws an error that says what is wrong with the file, or that it is for another contract than `place`. */
export function readDescriptor(text: string, place: Place): Descriptor {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`is not JSON: ${(error as Error).message}`, { cause: error });
  }
  if (Array.isArray(json)) return { owner: '', functions: bySelector(readAbi(json).map(undescribed)) };
  const { data: file, error } = File.safeParse(json);
  if (error) {
    const where = error.issues.map(({ path }) => path.join('.') || 'its beginning');
    throw new Error(`is neither a descriptor of a contract by ERC-7730 nor an ABI: see ${where.join(', ')}`);
  }
  if (file.includes !== undefined) throw new Error('includes another file: put both into one');
  const { deployments } = file.context.contract;
  const isHere = deployments?.some(
    ({ chainId, address }) =>
      chainId === place.chainId && address.toLowerCase() === place.address.toLowerCase(),
  );
  if (deployments && !isHere)
    throw new Error(`is not for ${place.address} on chain ${place.chainId}, as its deployments say`);
  return {
    owner: inertText(file.metadata?.owner ?? '', LONGEST.name),
    functions: bySelector(
      Object.entries(recordOf(file.display.formats)).map(([key, format]) =>
        named(key, () => readFunction(key, format, file)),
      ),
    ),
  };
}

/** With the function in the error. */
function named<T>(key: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`display.formats: “${inertText(key, LONGEST.name)}” ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function undescribed(signature: Signature): DescribedFunction {
  return { ...signature, intent: '', fields: [] };
}

function bySelector(functions: readonly DescribedFunction[]): Map<string, DescribedFunction> {
  const selectors = new Map<string, DescribedFunction>();
  for (const one of functions) {
    const key = selectorOf(one);
    if (selectors.has(key)) throw new Error(`describes ${one.name} (${key}) twice`);
    selectors.set(key, one);
  }
  return selectors;
}

function selectorOf({ name, parameters }: Signature): string {
  return selector(
    name,
    parameters.map(({ type }) => type),
  );
}

function readFunction(key: string, format: unknown, file: File): DescribedFunction {
  const signature = signatureOf(key.trim(), file);
  const { data } = Formatted.safeParse(format);
  if (!data) throw new Error('has a format that cannot be read');
  const { intent = '', fields = [] } = data;
  const lines = Object.entries(recordOf(intent)).map(([name, text]) => `${name}: ${String(text)}`);
  const words = typeof intent === 'string' ? intent : lines.join(', ');
  const read = fields.flatMap((field) => readField(field, { file, signature, depth: 0 }));
  if (read.length > MOST_FIELDS) throw new Error(`has more than ${MOST_FIELDS} fields`);
  return { ...signature, intent: inertText(words, LONGEST.intent), fields: read };
}

/** Where the key is a selector or has no names, the file's own ABI has them. */
function signatureOf(key: string, { context }: File): Signature {
  const { abi } = context.contract;
  const signatures = Array.isArray(abi) ? readAbi(abi) : [];
  if (/^0x[0-9a-f]{8}$/i.test(key)) {
    const signature = signatures.find((one) => selectorOf(one) === key.toLowerCase());
    if (!signature) throw new Error('is a selector, and no ABI in the file has its function');
    return signature;
  }
  const signature = readSignature(key);
  const isNamed = signature.parameters.every(({ name }) => name !== '');
  if (isNamed) return signature;
  return signatures.find((one) => selectorOf(one) === selectorOf(signature)) ?? signature;
}

interface Within {
  file: File;
  signature: Signature;
  depth: number;
  base?: Path;
}

function readField(json: unknown, within: Within): DescribedField[] {
  const { file, signature, depth, base } = within;
  const { data, error } = Field.safeParse(json);
  if (error) throw new Error('has a field that cannot be read');
  const field = data.$ref === undefined ? data : defined(data, data.$ref, file);
  const { label = '', value, fields } = field;
  const isText = value !== undefined && value !== null && typeof value !== 'object';
  const source = isText ? String(value as string | number | boolean) : pathOf(field.path ?? '', file, base);
  if (typeof source !== 'string' && !leads(source, signature.parameters) && field.path !== undefined)
    throw new Error(`has no “${inertText(field.path, LONGEST.name)}”`);
  if (fields) {
    if (depth >= DEEPEST || typeof source === 'string') throw new Error('has groups that cannot be read');
    return fields.flatMap((one) => readField(one, { ...within, depth: depth + 1, base: source }));
  }
  const shown = inertText(label || (field.path ?? ''), LONGEST.label);
  return [{ label: shown, source, format: formatOf(field, within) }];
}

function defined(field: Field, ref: string, file: File): Field {
  const [, name = ''] = /^\$\.display\.definitions\.([\w$-]+)$/.exec(ref) ?? [];
  const { data } = Field.safeParse(recordOf(file.display.definitions)[name]);
  if (!data) throw new Error(`refers to “${inertText(ref, LONGEST.name)}”, which is not in the file`);
  return { ...data, ...field, params: { ...recordOf(data.params), ...recordOf(field.params) } };
}

/** A path into the call, or the text of a constant. */
function pathOf(text: string, file: File, base: Path | undefined): Path | string {
  return text.startsWith('$') ? constant(text, file) : readPath(text, base);
}

/** A value of the file's, or the text itself. */
function constant(text: string, file: File): string {
  if (!text.startsWith('$')) return text;
  const [, name = ''] = /^\$\.metadata\.constants\.([\w$-]+)$/.exec(text) ?? [];
  const value = recordOf(file.metadata?.constants)[name];
  if (value === undefined || value === null || typeof value === 'object')
    throw new Error(`refers to “${inertText(text, LONGEST.name)}”, which is not in the file`);
  return String(value as string | number | boolean);
}

/** `raw` for formats that are not known here. */
function formatOf(field: Field, { file, base }: Within): Format {
  const { format = 'raw' } = field;
  const params = recordOf(field.params);
  switch (format) {
    case 'amount':
      return { as: 'coins' };
    case 'tokenAmount': {
      const { token, tokenPath, nativeCurrencyAddress, threshold, message } = params;
      const limit = typeof threshold === 'string' ? wholeOf(constant(threshold, file)) : undefined;
      return {
        as: 'tokens',
        token:
          typeof tokenPath === 'string'
            ? pathOf(tokenPath, file, base)
            : typeof token === 'string'
              ? constant(token, file)
              : undefined,
        coins: [nativeCurrencyAddress]
          .flat()
          .flatMap((one) => (typeof one === 'string' ? constant(one, file) : [])),
        ...(limit !== undefined &&
          typeof message === 'string' && { threshold: limit, message: inertText(message, LONGEST.label) }),
      };
    }
    case 'addressName':
    case 'tokenTicker':
      return { as: 'address' };
    case 'date':
      return { as: params['encoding'] === 'blockheight' ? 'block' : 'date' };
    case 'duration':
      return { as: 'duration' };
    case 'unit': {
      const { base: unit, decimals = 0 } = params;
      const isClear = typeof unit === 'string' && Number.isInteger(decimals) && (decimals as number) >= 0;
      if (!isClear || (decimals as number) > 36) throw new Error('has a unit that cannot be read');
      return { as: 'unit', base: inertText(unit, 12), decimals: decimals as number };
    }
    case 'enum': {
      const [, name = ''] = /^\$\.metadata\.enums\.([\w$-]+)$/.exec(String(params['$ref'])) ?? [];
      const texts = recordOf(file.metadata?.enums)[name];
      if (!texts) throw new Error('refers to an enum that is not in the file');
      const pairs = Object.entries(recordOf(texts)).map(
        ([key, text]) => [key, inertText(String(text), LONGEST.label)] as const,
      );
      return { as: 'enum', texts: new Map(pairs) };
    }
    default:
      return { as: 'raw' };
  }
}

/** Of a JSON object; empty for anything else. */
function recordOf(json: unknown): Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? (json as Record<string, unknown>)
    : {};
}

function wholeOf(text: string): bigint | undefined {
  return /^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(text) ? BigInt(text) : undefined;
}
