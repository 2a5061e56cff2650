/**
 * Calls over Thor's REST API: `POST /accounts/*` runs clauses one after the other, and stops at the first
 * that fails.
 */
import type { Node } from '../chains/terms.ts';
import { revertReason } from '../chains/contracts/calls.ts';
import { nonsense } from '../chains/nodes/http.ts';
import { readBest, readLegacyPrice, readPriorityFee } from '../chains/vechain/node.ts';
import { couldNotAnswer, restOf } from '../chains/nodes/rest.ts';
import { ConnectError } from '../base/errors.ts';
import type { Caller, Outcome, ContractRead, Step } from './caller.ts';

/** The most clauses in one request: nodes take bodies of 200 KiB. */
const MAX = 200;

export function vechainCaller(node: Node): Caller {
  const rest = restOf(node);

  async function run(steps: readonly Step[], from?: string): Promise<Outcome[]> {
    const body = {
      ...(from && { caller: from.toLowerCase() }),
      clauses: steps.map(({ to, value, data }) => ({ to, value: `0x${value.toString(16)}`, data })),
    };
    const answer = await rest.post('/accounts/*?revision=next', body).catch((error: unknown) => {
      throw couldNotAnswer(error);
    });
    if (!Array.isArray(answer) || answer.length === 0 || answer.length > steps.length)
      throw nonsense('a trial run');
    return Promise.all(answer.map(readOutcome));
  }

  /** Takes a second round trip if a call fails: the calls after it are then made again, each on its own. */
  async function readGroup(calls: readonly ContractRead[]): Promise<(string | undefined)[]> {
    const steps = calls.map((call) => ({ ...call, value: 0n }));
    const first = await run(steps);
    const rest = await Promise.all(steps.slice(first.length).map((step) => run([step])));
    return [...first, ...rest.flat()].map((outcome) =>
      'data' in outcome && outcome.data !== '0x' ? outcome.data : undefined,
    );
  }

  return {
    runsSequences: true,
    async read(calls) {
      const groups: Promise<(string | undefined)[]>[] = [];
      for (let i = 0; i < calls.length; i += MAX) groups.push(readGroup(calls.slice(i, i + MAX)));
      return (await Promise.all(groups)).flat();
    },
    attempt: async (from, step) => (await run([step], from))[0]!,
    async trial(from, steps) {
      const outcomes = await run(steps, from);
      const last = outcomes.at(-1)!;
      if ('failed' in last && /insufficient balance/i.test(last.failed))
        throw new ConnectError(
          'transaction.insufficient-funds',
          'The wallet does not hold enough for the swap.',
        );
      return outcomes;
    },
    async gasPrice() {
      const [{ nextBaseFee }, tip, legacy] = await Promise.all([
        readBest(node),
        readPriorityFee(node),
        readLegacyPrice(node),
      ]);
      const price = nextBaseFee === undefined ? legacy : nextBaseFee + (tip ?? 0n);
      if (price === undefined) throw nonsense('a price of gas');
      return price;
    },
    async now() {
      const block = (await rest.get('/blocks/best')) as { timestamp?: unknown } | null;
      const time = block?.timestamp;
      if (typeof time !== 'number' || !Number.isSafeInteger(time)) throw nonsense('a block');
      return time;
    },
  };
}

async function readOutcome(item: unknown): Promise<Outcome> {
  const { data, reverted, vmError } = (item ?? {}) as Record<string, unknown>;
  const text = typeof data === 'string' && /^0x([0-9a-f]{2})*$/i.test(data) ? data.toLowerCase() : undefined;
  if (reverted !== false)
    return { failed: (await revertReason(text)) ?? (String(vmError ?? '').slice(0, 200) || 'it reverts') };
  if (text === undefined) throw nonsense('bytes');
  return { data: text };
}
