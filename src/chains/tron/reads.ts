/**
 * Many calls that change nothing, in one request. A full node has no call for that, so a program makes them: it is never deployed, a node runs
 * it as a contract creation. It uses no instruction newer than Byzantium.
 */
import type { Node } from '../terms.ts';
import { tryCall } from './contract-reads.ts';
import { fromEvm } from './address.ts';

/** `to` is `0x` and 40 hex digits, as contracts have it. */
interface Read {
  to: string;
  data: string;
}

/** Per program: nodes allow less than a second. */
const AT_ONCE = 100;

/** Concurrent requests, if each call takes one. */
const SINGLE_AT_ONCE = 10;

/** Energy per call: one that takes more has no answer. */
const ENERGY = 200_000;

/** Undefined for a call that fails, or that no contract answers. A node without such programs is asked for each call. */
export async function readAll(node: Node, calls: readonly Read[]): Promise<(string | undefined)[]> {
  const groups = slices(calls, AT_ONCE);
  const answers = await Promise.all(groups.map((group) => readGroup(node, group)));
  const missing = groups.filter((_, i) => !answers[i]).flat();
  const single: (string | undefined)[] = [];
  for (const some of slices(missing, SINGLE_AT_ONCE))
    single.push(...(await Promise.all(some.map((call) => readOne(node, call)))));
  return groups.flatMap((group, i) => answers[i] ?? single.splice(0, group.length));
}

async function readOne(node: Node, { to, data }: Read): Promise<string | undefined> {
  const contract = fromEvm(to);
  const { returned } = await tryCall(node, { from: contract, to: contract, data });
  return returned === '0x' ? undefined : returned;
}

/** Undefined where the node runs no programs. */
async function readGroup(node: Node, calls: readonly Read[]): Promise<(string | undefined)[] | undefined> {
  const [first] = calls;
  if (!first || calls.length === 1) return undefined;
  const { returned } = await tryCall(node, {
    from: fromEvm(first.to),
    to: null,
    data: readsProgram(calls),
  });
  return returned === undefined ? undefined : answersIn(returned, calls.length);
}

/** Bytes of the code for one call. */
const CODE = 75;

/**
 * Returns for each call one word, its answer's length plus 1 or 0 if it failed, and the answer. Answers that begin with 0xef would be refused as
 * code (EIP-3541): the first word never does.
 */
export function readsProgram(calls: readonly Read[]): string {
  // The only value on the stack between calls: where in memory the next answer goes.
  const start = '6000';
  const end = '6000f3';
  let offset = (start.length + end.length) / 2 + CODE * calls.length;
  const steps = calls.map(({ to, data }) => {
    const size = (data.length - 2) / 2;
    const word = `61${hex(size, 4)}`;
    const code = [
      // The call's data, behind the word.
      word,
      `62${hex(offset, 6)}`,
      '82602001',
      '39',
      // staticcall
      '60006000',
      word,
      '83602001',
      `73${to.slice(2).toLowerCase()}`,
      `62${hex(ENERGY, 6)}`,
      'fa',
      // The word: 0, or the length and 1.
      '3d60010102',
      '8152',
      // The answer in place of the data.
      '3d6000826020013e',
      // Behind it.
      '8051801515900301602001',
    ].join('');
    offset += size;
    return code;
  });
  return ['0x', start, ...steps, end, ...calls.map(({ data }) => data.slice(2))].join('');
}

/** Undefined unless it is what the program answers. */
function answersIn(returned: string, count: number): (string | undefined)[] | undefined {
  const answers: (string | undefined)[] = [];
  let at = 2;
  for (let i = 0; i < count; i++) {
    const word = returned.slice(at, at + 64);
    at += 64;
    if (word.length < 64 || !/^0{56}/.test(word)) return undefined;
    const length = (Number.parseInt(word, 16) - 1) * 2;
    if (at + length > returned.length) return undefined;
    answers.push(length > 0 ? `0x${returned.slice(at, at + length)}` : undefined);
    if (length > 0) at += length;
  }
  return at === returned.length ? answers : undefined;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

function slices<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}
