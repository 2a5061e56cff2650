/** Trial runs on the node: what the clauses would use and move, and whether one would fail. The node may lie: a result never removes a warning. */
import type { Node } from '../chain.ts';
import { type Call, revertReason } from '../evm/calls.ts';
import { RestError } from '../rest.ts';
import { type Facts, VTHO } from './draft.ts';
import type { Clause } from './envelope.ts';
import { type Output, quantity, simulate } from './node.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Used for a call that could not be tried: the user may still insist. */
const FALLBACK_GAS = 300_000n;

export interface Trial extends Pick<Facts, 'ran' | 'willFail' | 'changes'> {
  /** Of all clauses, without the intrinsic gas. */
  gasUsed: bigint;
}

export async function trial(
  node: Node,
  from: string,
  clauses: readonly Clause[],
  calls: readonly (Call | undefined)[],
): Promise<Trial> {
  let outputs: Output[] = [];
  try {
    outputs = await simulate(node, from, clauses);
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
  }
  const failed = outputs.findIndex((output, i) => reasonOf(output, calls[i]) !== undefined);
  const complete = outputs.length === clauses.length && failed < 0;
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
    ...(failed < 0
      ? {}
      : { willFail: { clause: failed, reason: reasonOf(outputs[failed]!, calls[failed])! } }),
    ...(complete ? { changes: changesIn(from, outputs) } : {}),
  };
}

function reasonOf({ reverted, data, vmError }: Output, call: Call | undefined): string | undefined {
  if (reverted) return revertReason(data) ?? (vmError || 'it reverts');
  // Some tokens answer false where others revert.
  return call?.effect.kind === 'token' && /^0x0{64}$/.test(data)
    ? 'the token contract answers false'
    : undefined;
}

/** Undefined for a log that cannot be read. */
function changesIn(wallet: string, outputs: readonly Output[]): Facts['changes'] {
  try {
    return changesOf(wallet, outputs);
  } catch {
    return undefined;
  }
}

/** Sums of what comes and goes, per token; VET first, then VTHO. NFTs count as one. */
function changesOf(wallet: string, outputs: readonly Output[]): NonNullable<Facts['changes']> {
  const me = wallet.toLowerCase();
  const sums = new Map<string, bigint>([
    ['', 0n],
    [VTHO.address.toLowerCase(), 0n],
  ]);
  const move = (token: string, from: string, to: string, amount: bigint) => {
    const sum = (sums.get(token) ?? 0n) - (from === me ? amount : 0n) + (to === me ? amount : 0n);
    sums.set(token, sum);
  };
  for (const { transfers, events } of outputs) {
    for (const { sender, recipient, amount } of transfers)
      move('', sender.toLowerCase(), recipient.toLowerCase(), quantity(amount));
    for (const { address, topics, data } of events) {
      if (topics[0] !== TRANSFER || topics.length < 3) continue;
      // A contract may write anything into its log.
      if (topics.length === 3 && data.length !== 66) continue;
      const [from, to] = [topics[1]!, topics[2]!].map((topic) => `0x${topic.slice(-40).toLowerCase()}`);
      move(address.toLowerCase(), from!, to!, topics.length === 4 ? 1n : quantity(data));
    }
  }
  return [...sums]
    .filter(([, sum]) => sum !== 0n)
    .map(([token, sum]) => ({
      ...(token && { token }),
      amount: sum < 0n ? -sum : sum,
      direction: sum < 0n ? ('out' as const) : ('in' as const),
    }));
}
