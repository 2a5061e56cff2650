/**
 * What this chain asks its nodes: thor's REST API. Numbers are validated here: a node is not trusted to
 * return them.
 * https://github.com/vechain/thor/blob/master/api/doc/thor.yaml
 */
import type { NativeBalance, TokenBalance } from '../answers.ts';
import { eachBalance, tokenBalance } from '../contracts/token-balances.ts';
import { nativeBalance } from '../nodes/balances.ts';
import type { Node, NodeOptions } from '../terms.ts';
import { checksum } from '../contracts/evm-address.ts';
import { type HttpAnswer, nonsense } from '../nodes/http.ts';
import { listedToken } from '../contracts/listed-token.ts';
import type { Network, Token } from '../network.ts';
import { invalid } from '../requests/payloads.ts';
import { couldNotAnswer, Rest, RestError, restOf } from '../nodes/rest.ts';
import { balanceOf, DECIMALS, NAME, SYMBOL } from '../contracts/token-calls.ts';
import { readLabel, unlistedLabel } from '../contracts/token-facts.ts';
import { COIN, GAS_COIN, withVtho } from './draft.ts';
import { type Clause, numberIn } from './envelope.ts';

/** Holds parameters of the protocol. */
const PARAMS = '0x0000000000000000000000000000506172616d73';
/** `get(bytes32)` of `legacy-tx-base-gas-price`, under the name it always had: `base-gas-price`. */
const GET_BASE_GAS_PRICE = `0x8eaa6ac0${'626173652d6761732d7072696365'.padStart(64, '0')}`;

export function nodeOf(network: Network, options: NodeOptions = {}): Rest {
  return new Rest(withVtho(network), {
    ...options,
    identity: {
      path: '/blocks/0',
      read: ({ text }) => /"id":"(0x[0-9a-f]{64})"/.exec(text)?.[1],
    },
    refusal,
  });
}

/** Nodes refuse in a line of text that begins with what is wrong. */
const REFUSED =
  /^(body|raw|address|revision|clauses?|data|gas|gasPrice|gasPayer|blockRef|value|caller|id|head|pending|options|range|criteriaSet|batch call data|bad tx|tx rejected)\b[^<{\n]*\n?$/;

function refusal({ status, text }: HttpAnswer, path: string): string | undefined {
  // A node of before the fees had a path of their own.
  if (status === 404 && path.startsWith('/fees/') && text.trim() === '404 page not found') return text;
  return [400, 403].includes(status) && REFUSED.test(text) ? text : undefined;
}

/** The year 9999, less what 2^32 blocks take. */
const LATEST = 210_000_000_000;

export interface Block {
  number: number;
  /** First 8 bytes of its id. */
  ref: string;
  /** Seconds. */
  timestamp: number;
  gasLimit: bigint;
  /** Wei of VTHO per gas; absent if only the legacy format is accepted. */
  baseFee: bigint | undefined;
  /** Of the next block, by which nodes price transactions. */
  nextBaseFee: bigint | undefined;
  /** Whether another account may pay the gas (VIP-191). */
  delegation: boolean;
}

/** `hosts` gets the node that answered. */
export function readBest(node: Node, hosts?: Set<string>): Promise<Block> {
  return required(
    restOf(node).get('/blocks/best', (block, { host }) => {
      hosts?.add(host);
      return blockIn(record(block));
    }),
  );
}

function blockIn(block: Record<string, unknown>): Block {
  const { id, timestamp, gasLimit, gasUsed, baseFeePerGas, txsFeatures } = block;
  const ref = String(id).slice(0, 18);
  if (!/^0x[0-9a-f]{16}$/.test(ref)) throw nonsense('a block id');
  const time = Number(count(timestamp));
  if (time > LATEST) throw nonsense('a time');
  const limit = count(gasLimit);
  const baseFee = baseFeePerGas === undefined ? undefined : quantity(baseFeePerGas);
  return {
    number: numberIn(ref),
    ref,
    timestamp: time,
    gasLimit: limit,
    baseFee,
    nextBaseFee: baseFee === undefined ? undefined : baseFeeAfter(baseFee, count(gasUsed), limit),
    delegation: (Number(txsFeatures) & 1) === 1,
  };
}

const LOWEST_BASE_FEE = 10n ** 13n;

/** By the rule of EIP-1559, with a target of three quarters of the gas that a block holds (VIP-251, thor's `CalcBaseFee`). */
function baseFeeAfter(baseFee: bigint, gasUsed: bigint, gasLimit: bigint): bigint {
  const target = (gasLimit * 75n) / 100n;
  if (target === 0n) throw nonsense('a gas limit');
  if (gasUsed > target) {
    const rise = (baseFee * (gasUsed - target)) / target / 8n;
    return baseFee + (rise > 0n ? rise : 1n);
  }
  const fallen = baseFee - (baseFee * (target - gasUsed)) / target / 8n;
  return gasUsed === target || fallen > LOWEST_BASE_FEE ? fallen : LOWEST_BASE_FEE;
}

export async function readAccount(node: Node, address: string): Promise<{ vet: bigint; vtho: bigint }> {
  return required(
    restOf(node).get(`/accounts/${address.toLowerCase()}`, (account) => {
      const { balance, energy } = record(account);
      return { vet: quantity(balance), vtho: quantity(energy) };
    }),
  );
}

/** What is paid on top of the base fee; undefined if the node knows no such fee. */
export async function readPriorityFee(node: Node): Promise<bigint | undefined> {
  return tolerant(
    restOf(node).get('/fees/priority', (answer) => quantity(record(answer)['maxPriorityFeePerGas'])),
  );
}

/** Price per gas of a legacy transaction whose coefficient is 0. */
export async function readLegacyPrice(node: Node): Promise<bigint | undefined> {
  const [answer] = await call(node, [[PARAMS, GET_BASE_GAS_PRICE]]);
  return uint(answer);
}

/** The outcome of one clause in a simulation. */
export interface Output {
  data: string;
  /** Without the intrinsic gas. */
  gasUsed: bigint;
  reverted: boolean;
  vmError: string;
  events: { address: string; topics: string[]; data: string }[];
  transfers: { sender: string; recipient: string; amount: string }[];
}

/** What a contract can see of the transaction, apart from its clauses, and after which block it is simulated. */
export interface Surroundings {
  /** `next` is the upcoming block. */
  revision: 'next' | 'best';
  /** Without the intrinsic gas. */
  gas?: number;
  /** Decimal wei. */
  gasPrice?: string;
  gasPayer?: string;
  blockRef?: string;
  expiration?: number;
}

/** In sequence, each on the state that the previous one left. Stops at the first that fails. */
export async function simulate(
  node: Node,
  caller: string,
  clauses: readonly { to: string | null; value: bigint; data: string }[],
  { revision, ...fields }: Surroundings = { revision: 'next' },
): Promise<Output[]> {
  const body = {
    ...fields,
    caller: caller.toLowerCase(),
    clauses: clauses.map(({ to, value, data }) => ({ to, value: `0x${value.toString(16)}`, data })),
  };
  return restOf(node).post(`/accounts/*?revision=${revision}`, body, (answer) =>
    outputsIn(answer, clauses.length),
  );
}

function outputsIn(answer: unknown, clauses: number): Output[] {
  if (!Array.isArray(answer) || answer.length > clauses) throw nonsense('a trial run');
  return answer.map((item) => {
    const { data, gasUsed, reverted, vmError, events, transfers } = record(item);
    return {
      data: bytes(data),
      gasUsed: count(gasUsed),
      reverted: reverted === true,
      vmError: String(vmError ?? '').slice(0, 200),
      events: list(events) as Output['events'],
      transfers: list(transfers) as Output['transfers'],
    };
  });
}

/** The answers of read-only calls; undefined where a contract fails. One round trip unless one does. */
export async function call(
  node: Node,
  calls: readonly (readonly [to: string, data: string])[],
): Promise<(string | undefined)[]> {
  const answers: (string | undefined)[] = [];
  while (answers.length < calls.length) {
    const clauses = calls.slice(answers.length).map(([to, data]): Clause => ({ to, value: 0n, data }));
    const outputs = await required(simulate(node, PARAMS, clauses));
    if (outputs.length === 0) throw nonsense('a call');
    answers.push(...outputs.map(({ reverted, data }) => (reverted ? undefined : data)));
  }
  return answers;
}

/** The one uint256 that a call answers. Undefined where it answers none. */
export async function readWord(node: Node, contract: string, data: string): Promise<bigint | undefined> {
  const [answer] = await call(node, [[contract, data]]);
  return uint(answer);
}

export async function readSymbol(node: Node, token: string): Promise<string> {
  const [answer] = await call(node, [[token, SYMBOL]]);
  return readLabel(answer);
}

/** Undefined where the node does not say. */
export function readHasCode(node: Node, address: string): Promise<boolean | undefined> {
  return tolerant(
    restOf(node).get(`/accounts/${address.toLowerCase()}`, (account) => {
      const { hasCode } = record(account);
      return typeof hasCode === 'boolean' ? hasCode : undefined;
    }),
  );
}

/** `decimals()` as the contract reports it: to scale a value the user sees, never to hide digits. */
export async function readDecimals(node: Node, token: string): Promise<number | undefined> {
  const [answer] = await call(node, [[token, DECIMALS]]);
  const decimals = uint(answer);
  return decimals !== undefined && decimals <= 255n ? Number(decimals) : undefined;
}

/** A token by the operator's list, else by what its contract says. Throws `request.invalid` where there is none. */
export async function token(address: string, node: Node): Promise<Token> {
  const trusted = listedToken(node.network.tokens, address);
  if (trusted) return trusted;
  const [decimals, [symbol], [name]] = await Promise.all([
    readDecimals(node, address),
    call(node, [[address, SYMBOL]]),
    call(node, [[address, NAME]]),
  ]);
  if (decimals === undefined) throw invalid('tokenAddress', 'is not a token contract on this network');
  return {
    address: checksum(address),
    symbol: unlistedLabel(await readLabel(symbol), checksum(address), node.network.tokens).symbol,
    name: await readLabel(name),
    decimals,
    logo: '',
  };
}

export async function balance(address: string, node: Node): Promise<NativeBalance> {
  const { vet, vtho } = await readAccount(node, address);
  return nativeBalance('VECHAIN', COIN, vet, { coin: GAS_COIN, raw: vtho });
}

/** Calls per request: nodes accept 200 KiB. */
const AT_ONCE = 400;

export async function tokenBalances(
  address: string,
  tokens: readonly Token[],
  node: Node,
): Promise<TokenBalance[]> {
  const calls = tokens.map((token) => [token.address, balanceOf(address)] as const);
  const answers = Array.from({ length: Math.ceil(calls.length / AT_ONCE) }, (_, i) =>
    call(node, calls.slice(i * AT_ONCE, (i + 1) * AT_ONCE)),
  );
  return eachBalance(tokens, async (token, i) => {
    const part = await answers[Math.floor(i / AT_ONCE)]!;
    return tokenBalance(token, uint(part[i % AT_ONCE]), 'VIP180');
  });
}

/** For required simulations and reads: the node's refusal is the error. */
export function required<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw couldNotAnswer(error);
  });
}

/** Undefined where the node refuses. */
async function tolerant<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RestError) return undefined;
    throw error;
  }
}

export function record(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw nonsense('an object');
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** An amount: `0x1f4`. */
export function quantity(value: unknown): bigint {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value);
  throw nonsense('a number');
}

/** A JSON number, which never has a sign or a fraction. */
export function count(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  throw nonsense('a number');
}

export function bytes(value: unknown): string {
  if (typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value)) return value.toLowerCase();
  throw nonsense('bytes');
}

/** One uint256; undefined for the empty answer of an address without code. */
export function uint(data: string | undefined): bigint | undefined {
  return data === undefined || data.length < 66 ? undefined : BigInt(data.slice(0, 66));
}
