/**
 * The effects of a call and its nested calls: multicalls, batches, Safe, smart accounts, and what Permit2,
 * Seaport and the Universal Router are asked for. One unreadable call makes the whole unreadable, because
 * nobody knows what it moves.
 */
import { type AbiValue, decodeExactly } from '../contracts/abi.ts';
import { checksum } from '../contracts/evm-address.ts';
import type { Call, Effect } from '../contracts/calls.ts';
import { decodeCall, listedEffects } from './decode-call.ts';
import { Holdings } from './holdings.ts';
import { PERMIT2 } from './permit2.ts';
import { readOrder } from './seaport.ts';
import { readCommands } from './universal-router.ts';

/** One thing that a call does. */
export interface Deed {
  effect: Effect;
  /** Name of the function that does it; null for a plain transfer of the coin. */
  name: string | null;
  /** The contract that is called for it. */
  contract: string;
  /** The contract that does it in its own name, if not the wallet. */
  by?: string | undefined;
}

export interface Reading {
  /** The call itself, as its selector says. */
  call: Call;
  /** What it does, calls inside it included, in order. */
  deeds: readonly Deed[];
  /** Whether anything in it cannot be read. */
  unreadable: boolean;
  /** Whether the deeds are those of calls inside it, or of a trade. */
  nested: boolean;
  /** Whether something in it is given for something, or goes to somebody whom an argument names. */
  trade: boolean;
}

/** Maximum nesting depth. */
const MAX_DEPTH = 5;
/** Nobody reads more than this before approving. */
const MAX_DEEDS = 64;

/** What is known of the coin in a call. */
export interface Coins {
  /** Sent with it. */
  value?: bigint;
  /** The tokens that stand for the coin. */
  wrapped?: readonly string[];
}

/** What `wallet` does when it calls `to` with `data`, which is not empty. All addresses are of Ethereum's form. */
export function readCall(
  to: string,
  data: string,
  wallet: string,
  { value = 0n, wrapped = [] }: Coins = {},
): Reading {
  const deeds: Deed[] = [];
  const call = decodeCall(data);
  const state: Walk = { deeds, trade: false, wallet: checksum(wallet) };
  const unreadable = !walk({ to }, call, state, 0);
  const { trade } = state;
  const nested = trade || isContainer(call);
  // A plain call shows the coins that go with it as sent to the contract. What a call does with them that cannot be read is not known.
  const sent = { contract: checksum(to), value: nested && !unreadable ? value : 0n };
  // What was found before the part that cannot be read is still true: its warnings are kept.
  return { call, deeds: new Holdings(wrapped).after(deeds, sent), unreadable, nested, trade };
}

interface Inner {
  to: string;
  value: bigint;
  data: string;
  by?: string | undefined;
  /** Its code runs as `by`. */
  delegate?: boolean;
}

interface Walk {
  deeds: Deed[];
  trade: boolean;
  wallet: string;
}

/** Adds what it does to the deeds. False where a part of it cannot be read. */
function walk({ to, by }: Pick<Inner, 'to' | 'by'>, call: Call, state: Walk, depth: number): boolean {
  if (call.signature === null) return false;
  const { deeds, wallet } = state;
  const contract = checksum(to);
  const place = { name: call.name, contract, ...(by && { by }) };
  const open = CONTAINERS[call.signature];
  if (!open) {
    const effects = effectsOf(call, contract, by ?? wallet);
    if (!effects) return false;
    if (
      isTrade(call) ||
      effects.some(({ kind }) => kind === 'pay' || kind === 'receive' || kind === 'pass-on')
    )
      state.trade = true;
    deeds.push(...effects.map((effect) => ({ effect, ...place })));
    return deeds.length <= MAX_DEEDS && !handsOn(call);
  }
  const inside = depth < MAX_DEPTH ? open(named(call), to, by) : undefined;
  if (!inside || inside.length > MAX_DEEDS) return false;
  let readable = true;
  for (const inner of inside) {
    if (deeds.length >= MAX_DEEDS) return false;
    if (inner.delegate)
      deeds.push({ effect: { kind: 'foreign-code', to: checksum(inner.to) }, ...place, contract: inner.by! });
    if (inner.value !== 0n)
      deeds.push({
        effect: { kind: 'coin', to: checksum(inner.to), amount: inner.value },
        name: null,
        contract: checksum(inner.to),
        by: inner.by,
      });
    if (inner.data === '0x') continue;
    const next = decodeCall(inner.data);
    // Of code that runs as the account, only Safe's batches can be read; the danger of the rest is shown
    // above.
    if (inner.delegate && next.name !== null && next.signature !== 'multiSend(bytes)') continue;
    if (!walk(inner, next, state, depth + 1)) readable = false;
  }
  return readable;
}

/** Whether it has bytes for whoever gets or may take the tokens, whose code runs at once and does with them what nobody can read. */
function handsOn({ name, values }: Call): boolean {
  const data = values.find((value) => value.name === 'data')?.value as string | undefined;
  return HANDING.test(name!) && data !== undefined && !/^0x0*$/.test(data);
}

const HANDING = /^(transfer|approve)AndCall$|^safe(Batch)?TransferFrom$/;

function isContainer({ signature }: Call): boolean {
  return signature !== null && signature in CONTAINERS;
}

function isTrade({ name, signature }: Call): boolean {
  return signature !== null && (signature in TRADES || name!.startsWith('fulfill'));
}

type Named = Record<string, AbiValue>;

function named({ values }: Call): Named {
  return Object.fromEntries(values.map(({ name, value }) => [name, value]));
}

/** Undefined where the arguments do not show the calls. `self`: who is called; `by`: who calls, undefined for the wallet. */
type Open = (args: Named, self: string, by: string | undefined) => Inner[] | undefined;

/** Calls of the contract itself, in the caller's name. */
const own: Open = ({ data }, self, by) =>
  (data as string[]).map((inner) => ({ to: self, value: 0n, data: inner, by }));

/**
 * `(target, data)` or `(target, mayFail, data)`, or with a value before the data: called in the contract's
 * own name.
 */
const targets: Open = ({ calls }, self) =>
  (calls as AbiValue[][]).map((parts) => ({
    to: parts[0] as string,
    value: (parts.find((part) => typeof part === 'bigint') as bigint | undefined) ?? 0n,
    data: parts.at(-1) as string,
    by: checksum(self),
  }));

const single: Open = ({ to, value, data }, self) => [
  { to: to as string, value: value as bigint, data: data as string, by: checksum(self) },
];

/** Safe: operation 1 is a delegatecall. https://github.com/safe-global/safe-smart-account */
const safe: Open = (args, self) => {
  const { operation, gasPrice = 0n } = args;
  // With a gas price, `refundReceiver` is refunded the call's cost: the amount is unknown.
  if (gasPrice !== 0n || (operation !== 0n && operation !== 1n)) return undefined;
  const [inner] = single(args, self, undefined)!;
  return operation === 1n ? [{ ...inner!, value: 0n, delegate: true }] : [inner!];
};

/** Packed: operation 1 byte, to 20, value 32, length 32, data. */
const multiSend: Open = ({ transactions }, self, by = self) => {
  const hex = (transactions as string).slice(2);
  const calls: Inner[] = [];
  for (let at = 0; at < hex.length; ) {
    const [operation, to] = [hex.slice(at, at + 2), `0x${hex.slice(at + 2, at + 42)}`];
    const [value, length] = [hex.slice(at + 42, at + 106), hex.slice(at + 106, at + 170)];
    const end = at + 170 + (length.length === 64 ? Number(`0x${length}`) * 2 : Number.NaN);
    if (!(end <= hex.length) || !/^0[01]$/.test(operation) || calls.length > MAX_DEEDS) return undefined;
    calls.push({
      to,
      value: BigInt(`0x${value}`),
      data: `0x${hex.slice(at + 170, end)}`,
      by: checksum(by),
      ...(operation === '01' && { delegate: true }),
    });
    at = end;
  }
  return calls;
};

const together: Open = ({ to, value, data }, self) => {
  const [targetsOf, values, datas] = [to, value, data] as [string[], bigint[] | undefined, string[]];
  if (targetsOf.length !== datas.length || (values && values.length !== datas.length)) return undefined;
  return targetsOf.map((target, i) => ({
    to: target,
    value: values?.[i] ?? 0n,
    data: datas[i]!,
    by: checksum(self),
  }));
};

/** The first byte of the mode: one call, several, or a delegatecall. https://github.com/ethereum/ERCs/blob/master/ERCS/erc-7579.md */
const modular: Open = ({ mode, executionCalldata }, self, by) => {
  const [kind, hex] = [(mode as string).slice(2, 4), (executionCalldata as string).slice(2)];
  const to = `0x${hex.slice(0, 40)}`;
  if (kind === '01') {
    const calls = tried(() => decodeExactly(['(address,uint256,bytes)[]'], `0x${hex}`)[0]);
    return calls === undefined ? undefined : targets({ calls }, self, by);
  }
  if (kind === '00' && hex.length >= 104)
    return [
      { to, value: BigInt(`0x${hex.slice(40, 104)}`), data: `0x${hex.slice(104)}`, by: checksum(self) },
    ];
  if (kind === 'ff' && hex.length >= 40)
    return [{ to, value: 0n, data: `0x${hex.slice(40)}`, by: checksum(self), delegate: true }];
  return undefined;
};

const CONTAINERS: Readonly<Record<string, Open>> = {
  'multicall(bytes[])': own,
  'multicall(uint256,bytes[])': own,
  'multicall(bytes32,bytes[])': own,
  'aggregate((address,bytes)[])': targets,
  'blockAndAggregate((address,bytes)[])': targets,
  'tryAggregate(bool,(address,bytes)[])': targets,
  'tryBlockAndAggregate(bool,(address,bytes)[])': targets,
  'aggregate3((address,bool,bytes)[])': targets,
  'aggregate3Value((address,bool,uint256,bytes)[])': targets,
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)': safe,
  'execTransactionFromModule(address,uint256,bytes,uint8)': safe,
  'multiSend(bytes)': multiSend,
  'execute(address,uint256,bytes)': single,
  'executeBatch(address[],bytes[])': together,
  'executeBatch(address[],uint256[],bytes[])': together,
  'executeBatch((address,uint256,bytes)[])': targets,
  'execute(bytes32,bytes)': modular,
  'executeFromExecutor(bytes32,bytes)': modular,
};

/** `caller`: in whose name. Undefined where the arguments do not show the effects. */
type Trade = (args: Named, self: string, caller: string) => Effect[] | undefined;

const ROUTER: Trade = ({ commands, inputs }, self, caller) =>
  readCommands(commands as string, inputs as string[], self, caller);

/** Functions of several effects that are a trade. */
const TRADES: Readonly<Record<string, Trade>> = {
  'execute(bytes,bytes[])': ROUTER,
  'execute(bytes,bytes[],uint256)': ROUTER,
};

function effectsOf(call: Call, self: string, caller: string): Effect[] | undefined {
  const signature = call.signature!;
  if (call.name?.startsWith('fulfill')) {
    const effects = readOrder(call.name, named(call), caller);
    // It sends back the coins that it does not need.
    return effects && [...effects, { kind: 'use' }];
  }
  if (signature === 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)') {
    const { from, to, ids, amounts } = named(call) as Named & { ids: bigint[]; amounts: bigint[] };
    if (ids.length !== amounts.length) return undefined;
    return ids.map((id, i) => ({
      kind: 'nft',
      from: from as string,
      to: to as string,
      id,
      amount: amounts[i]!,
    }));
  }
  const trade = TRADES[signature];
  if (trade) return trade(named(call), self, caller);
  const permit = PERMIT2[signature];
  return permit ? permit(named(call)) : listedEffects(call, { self, caller });
}

function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
