/** Parameters of functions with their names, from an ABI or from a signature as ERC-7730 writes it, and its paths to their values. */
import * as z from 'zod/mini';
import type { AbiValue } from '../contracts/abi.ts';
import { type AbiType, abiTypeOf, partsOf } from '../contracts/abi-types.ts';

export interface Parameter {
  /** Empty if it has none. */
  name: string;
  type: AbiType;
  /** Of a tuple, or of the tuples in a list. */
  parts?: readonly Parameter[] | undefined;
}

export interface Signature {
  name: string;
  parameters: readonly Parameter[];
}

/** No compiler allows so many on the stack. */
const MOST_PARTS = 100;
const DEEPEST = 8;
/** Of a list whose length the type gives: a call has room for no more. */
const LONGEST_LIST = 1024;
const NAME = /^[A-Za-z_$][\w$]*$/;

/** `swap((address token, uint256 amount)[] orders, bytes)`, with `tuple` before the parenthesis or without. Throws an error. */
export function readSignature(text: string): Signature {
  const [, name, inside] = /^\s*([^\s(]+)\s*\((.*)\)\s*$/s.exec(text) ?? [];
  if (name === undefined || !NAME.test(name)) throw new Error('is not a function with its parameters');
  return { name, parameters: checked(listOf(inside!, 0)) };
}

function listOf(text: string, depth: number): Parameter[] {
  if (text.trim() === '') return [];
  if (depth > DEEPEST) throw new Error('has tuples in tuples, too many to read');
  const parts = partsOf(text);
  if (!parts) throw new Error('has a parenthesis without its other');
  return parts.map((part) => parameterOf(part.trim(), depth));
}

function parameterOf(text: string, depth: number): Parameter {
  const [, inside, lists, name = ''] =
    /^(?:tuple\s*)?\((.*)\)((?:\[\d*\])*)(?:\s+([\w$]+))?$/s.exec(text) ?? [];
  if (inside !== undefined) return tuple(name, listOf(inside, depth + 1), lists!);
  const [, type, , plainName = ''] =
    /^([a-z]\w*(?:\[\d*\])*)(\s+(?:memory|calldata|payable))?(?:\s+([\w$]+))?$/.exec(text) ?? [];
  return { name: plainName, type: typeOf(type ?? text) };
}

function tuple(name: string, parts: readonly Parameter[], lists: string): Parameter {
  return { name, type: typeOf(`(${parts.map(({ type }) => type.text).join(',')})${lists}`), parts };
}

function typeOf(text: string): AbiType {
  const type = abiTypeOf(text);
  if (!type) throw new Error(`has a parameter that is not of the ABI: ${text.slice(0, 40)}`);
  for (let inner: AbiType | undefined = type; inner; inner = inner.item)
    if (inner.length === 0 || inner.length! > LONGEST_LIST)
      throw new Error(`has a list of an impossible length: ${text.slice(0, 40)}`);
  return type;
}

const AbiInput = z.object({
  name: z.optional(z.string()),
  type: z.string(),
  components: z.optional(z.array(z.unknown())),
});

/** An item of an ABI in JSON: a function, an event, a constructor. https://docs.soliditylang.org/en/latest/abi-spec.html#json */
const AbiItem = z.object({
  type: z.string(),
  name: z.optional(z.string()),
  inputs: z.optional(z.array(z.unknown())),
});

/** The functions of an ABI in JSON. Throws an error. */
export function readAbi(json: unknown): Signature[] {
  const items = z.array(AbiItem).safeParse(json);
  if (!items.success) throw new Error('has no ABI that can be read');
  return items.data
    .filter(({ type }) => type === 'function')
    .map(({ name = '', inputs = [] }) => {
      if (!NAME.test(name)) throw new Error('has a function without a name');
      return { name, parameters: checked(inputs.map((input) => inputOf(input, 0))) };
    });
}

function inputOf(json: unknown, depth: number): Parameter {
  const { data } = AbiInput.safeParse(json);
  if (!data) throw new Error('has no ABI that can be read');
  const { name = '', type, components = [] } = data;
  const [, lists] = /^tuple((?:\[\d*\])*)$/.exec(type) ?? [];
  if (lists === undefined) return { name, type: typeOf(type) };
  if (depth > DEEPEST) throw new Error('has tuples in tuples, too many to read');
  return tuple(
    name,
    components.map((part) => inputOf(part, depth + 1)),
    lists,
  );
}

function checked(parameters: readonly Parameter[]): readonly Parameter[] {
  const count = (list: readonly Parameter[]): number =>
    list.reduce((sum, { parts = [] }) => sum + 1 + count(parts), 0);
  if (count(parameters) > MOST_PARTS) throw new Error(`has more than ${MOST_PARTS} parameters`);
  return parameters;
}

// Paths to their values: `params.path.[-1].token`, `#.data.[0:20]`, `@.value`.

type Step =
  | { name: string }
  /** From the end if negative. */
  | { at: number }
  | { all: true }
  /** Of a list or of bytes: up to `to`, without it. */
  | { from: number | undefined; to: number | undefined };

export interface Path {
  /** The arguments, or the transaction around them. */
  root: 'data' | 'transaction';
  steps: readonly Step[];
}

export interface Leaf {
  type: AbiType;
  value: AbiValue;
}

const BYTES = abiTypeOf('bytes')!;

/** `base`: what a relative path starts from. Throws an error. */
export function readPath(text: string, base?: Path): Path {
  const [, root, rest] = /^([#@$]?)\.?(.*)$/s.exec(text)!;
  if (root === '$') throw new Error(`is no path into a call: ${text.slice(0, 60)}`);
  const steps: Step[] = [];
  const pattern = /\.?(?:([A-Za-z_$][\w$]*)|\[(-?\d*)(:)?(-?\d*)\])/gy;
  let end = 0;
  for (const [all, name, from, colon, to] of rest!.matchAll(pattern)) {
    end += all.length;
    if (name !== undefined) steps.push({ name });
    else if (colon) steps.push({ from: numberOf(from!), to: numberOf(to!) });
    else steps.push(from === '' ? { all: true } : { at: Number(from) });
  }
  if (end !== rest!.length) throw new Error(`has a path that cannot be read: ${text.slice(0, 60)}`);
  if (root === '@') return { root: 'transaction', steps };
  return { root: 'data', steps: root === '' ? [...(base?.steps ?? []), ...steps] : steps };
}

const numberOf = (digits: string): number | undefined => (digits === '' ? undefined : Number(digits));

interface Spot {
  type: AbiType;
  parts: readonly Parameter[] | undefined;
  value: AbiValue;
}

/** Whether the path leads anywhere in calls of these parameters. */
export function leads({ root, steps }: Path, parameters: readonly Parameter[]): boolean {
  if (root === 'transaction') return true;
  let parts: readonly Parameter[] | undefined = parameters;
  let type: AbiType | undefined;
  for (const step of steps) {
    if ('name' in step) {
      const part: Parameter | undefined = type?.item
        ? undefined
        : parts?.find(({ name }) => name === step.name);
      if (!part) return false;
      ({ type, parts } = part);
    } else if (type?.item) {
      if (!('from' in step)) type = type.item;
    } else if (!('from' in step) || type?.text !== 'bytes') return false;
  }
  return steps.length > 0;
}

/** The values there, those of lists one by one: as many as `most`. None where a list is too short. */
export function leavesAt(
  { steps }: Path,
  { parameters, values }: { parameters: readonly Parameter[]; values: readonly AbiValue[] },
  most: number,
): Leaf[] {
  let spots: Spot[] | undefined;
  for (const step of steps) {
    if (spots === undefined) spots = 'name' in step ? inTuple(step.name, parameters, values) : [];
    else spots = spots.flatMap((spot) => inside(spot, step)).slice(0, most);
  }
  return leavesOf(spots ?? [], most);
}

function inTuple(name: string, parts: readonly Parameter[], values: readonly AbiValue[]): Spot[] {
  const i = parts.findIndex((part) => part.name === name);
  return i < 0 ? [] : [{ type: parts[i]!.type, parts: parts[i]!.parts, value: values[i]! }];
}

function inside({ type, parts, value }: Spot, step: Step): Spot[] {
  if ('name' in step) return type.parts && parts ? inTuple(step.name, parts, value as AbiValue[]) : [];
  const { item } = type;
  if (!item) {
    if (!('from' in step) || type.text !== 'bytes') return [];
    const digits = (value as string).slice(2).match(/../g) ?? [];
    return [{ type: BYTES, parts: undefined, value: `0x${digits.slice(step.from, step.to).join('')}` }];
  }
  const items = value as AbiValue[];
  const chosen =
    'all' in step
      ? items
      : 'at' in step
        ? items.slice(step.at, step.at === -1 ? undefined : step.at + 1)
        : items.slice(step.from, step.to);
  return chosen.map((one) => ({ type: item, parts, value: one }));
}

function leavesOf(spots: readonly Spot[], most: number): Leaf[] {
  const leaves: Leaf[] = [];
  for (const { type, parts, value } of spots) {
    if (leaves.length >= most) break;
    const { item } = type;
    if (!item) leaves.push({ type, value });
    else {
      const items = (value as AbiValue[]).slice(0, most - leaves.length);
      leaves.push(
        ...leavesOf(
          items.map((one) => ({ type: item, parts, value: one })),
          most - leaves.length,
        ),
      );
    }
  }
  return leaves;
}
