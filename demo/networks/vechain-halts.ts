/** Why Thor's EVM halted a clause, in its own words (vm/errors.go, vm/interpreter.go, vm/stack_table.go). */

/** The last step of a trace by anvil. */
export interface LastStep {
  pc: number;
  error?: string;
  stack?: string[];
}

const WORDS: Readonly<Record<string, string>> = {
  OutOfGas: 'out of gas',
  MemoryOOG: 'out of gas',
  InvalidOperandOOG: 'out of gas',
  InvalidJump: 'invalid jump destination',
  StateChangeDuringStaticCall: 'write protection',
  CallNotAllowedInsideStatic: 'write protection',
  OutOfOffset: 'return data out of bounds',
  CreateContractStartingWithEF: 'invalid code: must not begin with 0xef',
  CreateContractSizeLimit: 'max code size exceeded',
  CreateCollision: 'contract address collision',
  CallTooDeep: 'max call depth exceeded',
};
const STACK_LIMIT = 1024;

/** `message`: anvil's. `code`: the code that ran. */
export function haltOf(message: string, code: Uint8Array, last: LastStep | undefined): string {
  const kind = /EVM error (\w+)/.exec(message)?.[1] ?? 'OutOfGas';
  const opcode = last ? (code[last.pc] ?? 0) : 0;
  const depth = last?.stack?.length ?? 0;
  if (kind === 'StackUnderflow') return `stack underflow (${depth} <=> ${popsOf(opcode)})`;
  if (kind === 'StackOverflow') return `stack limit reached ${depth} (${STACK_LIMIT})`;
  if (/OpcodeNotFound|InvalidFEOpcode|NotActivated/.test(kind))
    return `invalid opcode 0x${opcode.toString(16)}`;
  return WORDS[kind] ?? 'out of gas';
}

/** Opcodes by how many words they pop. */
const POPS: readonly (readonly [words: number, opcodes: string])[] = [
  [1, '15 19 31 35 3b 3f 40 50 51 54 56 ff'],
  [2, '01 02 03 04 05 06 07 0a 0b 10 11 12 13 14 16 17 18 1a 1b 1c 1d 20 52 53 55 57 a0 f3 fd'],
  [3, '08 09 37 39 3e a1 f0'],
  [4, '3c a2 f5'],
  [5, 'a3'],
  [6, 'a4 f4 fa'],
  [7, 'f1 f2'],
];

function popsOf(opcode: number): number {
  if (opcode >= 0x80 && opcode <= 0x8f) return opcode - 0x7f;
  if (opcode >= 0x90 && opcode <= 0x9f) return opcode - 0x8e;
  const hex = opcode.toString(16).padStart(2, '0');
  return POPS.find(([, opcodes]) => opcodes.split(' ').includes(hex))?.[0] ?? 0;
}
