/**
 * Simulations on the node: what the clauses would use and move, and whether one would fail. The node may lie:
 * a result never removes a warning.
 */
import type { Node } from '../terms.ts';
import type { Reading } from '../call-reading/inner-calls.ts';
import { revertReason } from '../contracts/calls.ts';
import { movesToken } from '../contracts/deeds.ts';
import { RestError } from '../nodes/rest.ts';
import {
  type Change,
  compareRuns,
  movesIn,
  sumUp,
  type Transfer,
  type TrialRun,
} from '../contracts/trial-runs.ts';
import { type Facts, type VechainDraft, VTHO } from './draft.ts';
import { type Clause, intrinsicGas } from './envelope.ts';
import { type Output, quantity, simulate } from './node.ts';

/** Used for a call that could not be simulated: the user may still insist. */
const FALLBACK_GAS = 300_000n;

export interface Trial extends Pick<Facts, 'ran' | 'willFail'> {
  /** Of all clauses, without the intrinsic gas. */
  gasUsed: bigint;
}

/** For the clauses' gas, before the transaction's fields are known. */
export async function trial(
  node: Node,
  from: string,
  clauses: readonly Clause[],
  readings: readonly (Reading | undefined)[],
): Promise<Trial> {
  let outputs: Output[] = [];
  try {
    outputs = await simulate(node, from, clauses);
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
  }
  return {
    gasUsed: clauses.reduce((sum, { data }, i) => {
      const output = outputs[i];
      if (output && !output.reverted) return sum + output.gasUsed;
      return sum + (data === '0x' ? 0n : FALLBACK_GAS);
    }, 0n),
    ran: clauses.map((_, i) => {
      const output = outputs[i];
      return output && (output.gasUsed > 0n || output.reverted);
    }),
    willFail: await failureIn(outputs, readings),
  };
}

/**
 * The draft, with what two runs come to under the fields that will be signed, in the block to come and after the one that is there. One
 * round; none where no code runs. What the node lets nobody choose (time, number, signer of the block) stays its own.
 */
export async function tried(
  draft: VechainDraft,
  node: Node,
  readings: readonly (Reading | undefined)[],
): Promise<Pick<Facts, 'trial' | 'changes'> & { willFail?: Facts['willFail'] }> {
  const { from, clauses, facts } = draft;
  if (!clauses.some(({ data }, i) => facts.ran[i] ?? data !== '0x')) return {};
  const fields = {
    gas: Number(draft.gas - intrinsicGas(clauses)),
    gasPrice: facts.gasPrice.toString(),
    gasPayer: (firstPayer(draft) ?? from).toLowerCase(),
    blockRef: draft.blockRef,
    expiration: draft.expiration,
  };
  // Code without any gas cannot be simulated; 0 would mean the node's own limit. What failed with that fails
  // with less.
  if (fields.gas <= 0) return facts.willFail ? {} : { trial: 'untried' };
  let runs: Output[][];
  try {
    runs = await Promise.all(
      (['next', 'best'] as const).map((revision) => simulate(node, from, clauses, { revision, ...fields })),
    );
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return { trial: 'untried' };
  }
  const failures = await Promise.all(runs.map((outputs) => failureIn(outputs, readings)));
  if (runs.some(({ length }, i) => length !== clauses.length && !failures[i])) return { trial: 'untried' };
  let ends: TrialRun[];
  try {
    ends = await Promise.all(runs.map((outputs, i) => runOf(from, outputs, failures[i])));
  } catch {
    // Logs that cannot be read are skipped.
    return { willFail: failures[0] };
  }
  const { outcome, changes } = compareRuns(ends[0]!, ends[1]!);
  return { trial: outcome, changes: changes?.sort(byCoin), willFail: outcome ? undefined : failures[0] };
}

/** Who would pay by credit, before it is known whether they can. */
function firstPayer({ gas, facts: { credit, gasPrice } }: VechainDraft): string | undefined {
  return credit && credit.credit >= gas * gasPrice ? (credit.sponsor ?? credit.contract) : undefined;
}

/** VET, VTHO, other tokens. */
function byCoin(one: Change, other: Change): number {
  const place = ({ token }: Change) => ['', VTHO.address.toLowerCase()].indexOf(token ?? '') >>> 0;
  return place(one) - place(other);
}

async function runOf(from: string, outputs: readonly Output[], failed: Facts['willFail']): Promise<TrialRun> {
  if (failed) return { willFail: failed.reason, moves: new Map() };
  const transfers = await Promise.all(outputs.map(transfersIn));
  return { moves: sumUp(from, transfers.flat()) };
}

async function transfersIn({ transfers, events }: Output): Promise<Transfer[]> {
  const coins = transfers.map(({ sender, recipient, amount }) => ({
    token: '',
    from: sender.toLowerCase(),
    to: recipient.toLowerCase(),
    amount: quantity(amount),
  }));
  return [...coins, ...(await movesIn(events))];
}

async function failureIn(
  outputs: readonly Output[],
  readings: readonly (Reading | undefined)[],
): Promise<Facts['willFail']> {
  for (const [clause, output] of outputs.entries()) {
    const reason = await reasonOf(output, readings[clause]);
    if (reason !== undefined) return { clause, reason };
  }
  return undefined;
}

async function reasonOf(
  { reverted, data, vmError }: Output,
  reading: Reading | undefined,
): Promise<string | undefined> {
  if (reverted) return (await revertReason(data)) ?? (vmError || 'it reverts');
  return reading && movesToken(reading) && /^0x0{64}$/.test(data)
    ? 'the token contract answers false'
    : undefined;
}
