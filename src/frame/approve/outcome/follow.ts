/** Follows a transaction at the network's nodes: to its first block, and to the confirmations from which it is final. */
import type { Receipt } from '../../../chains/terms.ts';
import type { Clock } from '../../../base/clock.ts';
import { type Decided, deliverAgain, type Outgoing, pause } from './delivery.ts';
import { recorded } from './settle.ts';

/** Polling interval in milliseconds: initial and maximum. */
const LOOK = [1000, 8000] as const;

/** Polls until a block has the transaction, or the one that it was to replace. */
export async function watch(clock: Clock, { chain, node, signed, replaces }: Outgoing): Promise<Decided> {
  let wait: number = LOOK[0];
  const ask = (hash: string, raw?: string) =>
    chain.receipt(hash, node, raw).catch((): Receipt => ({ state: 'unknown' }));
  for (;;) {
    const [receipt, before] = await Promise.all([
      ask(signed.hash, signed.raw),
      replaces === undefined ? undefined : ask(replaces),
    ]);
    if (isDecided(receipt)) return receipt;
    if (before && isDecided(before)) return { ...before, first: true };
    await pause(clock, wait);
    wait = Math.min(wait * 1.3, LOOK[1]);
  }
}

/** Records what a block has, and follows it until that is final. */
export async function recordUntilFinal(clock: Clock, outgoing: Outgoing, decided: Decided): Promise<void> {
  const isFinal = await record(outgoing, decided);
  if (!isFinal) void followUntilFinal(clock, outgoing, decided).catch(() => {});
}

/** Records what became of the transaction, and returns whether that is final: then the page has been told. */
async function record(outgoing: Outgoing, { first, ...receipt }: Decided): Promise<boolean> {
  const { task, vault, signed, replaces, summary, node } = outgoing;
  const record = await recorded(node.network, first ? undefined : summary, receipt);
  await vault.activity.setReceipt(first ? replaces! : signed.hash, record);
  const isFinal = record.state !== 'pending';
  // The page is told about its own request, not about the user's replacement.
  if (isFinal && !first) task.progress(record.state as Decided['state'], signed.hash);
  return isFinal;
}

/** Polls until the block has its confirmations. What a reorganisation removes is sent again. */
async function followUntilFinal(clock: Clock, outgoing: Outgoing, decided: Decided): Promise<void> {
  const { chain, node, signed, replaces } = outgoing;
  const { first } = decided;
  for (;;) {
    await pause(clock, LOOK[1]);
    const receipt = await chain
      .receipt(first ? replaces! : signed.hash, node, first ? undefined : signed.raw)
      .catch(() => undefined);
    if (receipt && isDecided(receipt)) {
      outgoing.onMined?.(receipt);
      if (await record(outgoing, { ...receipt, ...(first && { first }) })) return;
    } else if (receipt?.state === 'unknown' && !first)
      await deliverAgain(chain, signed, node).catch(() => {});
  }
}

/** Polls until it has the network's confirmations. */
export async function finalState(
  clock: Clock,
  { chain, node }: Outgoing,
  hash: string,
): Promise<Decided['state']> {
  for (;;) {
    const state = await chain.status(hash, node).catch(() => undefined);
    if (state === 'confirmed' || state === 'failed') return state;
    await pause(clock, LOOK[1]);
  }
}

function isDecided(receipt: Receipt): receipt is Decided {
  return receipt.state === 'confirmed' || receipt.state === 'failed';
}
