/** Which pools an exchange has. A pool's address never changes, so it is cached; its absence is cached for a minute. */
import { decode } from '../chains/contracts/abi.ts';
import type { Caller } from './caller.ts';
import { swapError } from './failures.ts';

const ABSENT_MS = 60_000;
const PRESENT_MS = 60 * 60_000;
const MAX_CACHED = 20_000;

/** Two token contracts, in lower case. */
export type Hop = readonly [a: string, b: string];

export interface PoolSource {
  exchange: string;
  factory: string;
  /** The calls that ask the factory for the pools of two tokens, the lower address first. */
  questions(a: string, b: string): readonly string[];
}

export class Pools {
  readonly #cache = new Map<string, { address: string | undefined; until: number }>();

  constructor(private readonly source: PoolSource) {}

  /**
   * By hop (`hopKey`), an answer to each of the source's questions: an address in lower case, or undefined if there is no such pool. One round trip, or none if
   * all are cached. Throws `swap.<dex>.exchange-not-found` if the factory does not answer.
   */
  async find(caller: Caller, hops: readonly Hop[]): Promise<Map<string, readonly (string | undefined)[]>> {
    const wanted = new Map(hops.map((hop) => [hopKey(hop), this.source.questions(...sorted(hop))]));
    const now = Date.now();
    const poolByQuestion = new Map<string, string | undefined>();
    const unknown = new Set<string>();
    for (const question of [...wanted.values()].flat()) {
      const fact = this.#cache.get(question);
      if (fact && fact.until > now) poolByQuestion.set(question, fact.address);
      else unknown.add(question);
    }
    if (unknown.size) await this.#ask(caller, [...unknown], now, poolByQuestion);
    return new Map(
      [...wanted].map(([key, questions]) => [key, questions.map((data) => poolByQuestion.get(data))]),
    );
  }

  async #ask(
    caller: Caller,
    questions: readonly string[],
    now: number,
    poolByQuestion: Map<string, string | undefined>,
  ): Promise<void> {
    const { exchange, factory } = this.source;
    const answers = await caller.read(questions.map((data) => ({ to: factory, data })));
    if (this.#cache.size + answers.length > MAX_CACHED) this.#cache.clear();
    for (const [i, answer] of answers.entries()) {
      const pool = addressIn(answer);
      if (pool === undefined)
        throw swapError(exchange, 'exchange-not-found', `${exchange} has no contracts on this network.`);
      const address = BigInt(pool) === 0n ? undefined : pool;
      poolByQuestion.set(questions[i]!, address);
      this.#cache.set(questions[i]!, { address, until: now + (address ? PRESENT_MS : ABSENT_MS) });
    }
  }
}

/** The hop's name, which is the same in both directions. */
export function hopKey(hop: Hop): string {
  return sorted(hop).join('/');
}

export function hopsOf(path: readonly string[]): Hop[] {
  return path.slice(1).map((to, i) => [path[i]!, to]);
}

/** The direct path, and one through each base. */
export function pathsBetween(from: string, to: string, bases: readonly string[]): string[][] {
  const between = bases.filter((base) => base !== from && base !== to);
  return [[from, to], ...between.map((base) => [from, base, to])];
}

function sorted([a, b]: Hop): [string, string] {
  return a < b ? [a, b] : [b, a];
}

function addressIn(answer: string | undefined): string | undefined {
  try {
    return (decode(['address'], answer ?? '0x')[0] as string).toLowerCase();
  } catch {
    return undefined;
  }
}
