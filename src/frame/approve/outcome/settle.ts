/** Finds out what became of signed requests whose answer was lost. */
import { ConnectError, toWire } from '../../../base/errors.ts';
import type { Summary } from '../../../chains/approval/summary.ts';
import type { Chain } from '../../../chains/chain.ts';
import type { Amount } from '../../../chains/coin.ts';
import type { Network } from '../../../chains/network.ts';
import { stateOn } from '../../../chains/nodes/confirmations.ts';
import { networkFor } from '../../../chains/nodes/network-choice.ts';
import type { NetworkChoice } from '../../../chains/nodes/networks.ts';
import type { Arrival, Node, Receipt } from '../../../chains/terms.ts';
import type { TransactionResult } from '../../../channel/messages.ts';
import type { HeldWallet, JournalEntry, Vault } from '../../../wallets/types.ts';
import type { Reader } from '../../frame.ts';
import { resultOf } from './delivery.ts';

/** The node for which an entry's transactions were made. */
export async function nodeOfEntry(
  frame: Reader,
  vault: Vault,
  entry: JournalEntry,
): Promise<{ chain: Chain; node: Node }> {
  const wallet = await vault.wallet(entry.walletId);
  if (!wallet) throw new ConnectError('wallet.forbidden', 'The wallet of this request is gone.');
  const chain = await frame.chain(wallet.secretType);
  return { chain, node: chain.node(networkOfEntry(frame, wallet, entry)) };
}

function networkOfEntry({ networks }: Reader, wallet: HeldWallet, entry: JournalEntry) {
  return (
    networks.networks.find((n) => n.id === entry.networkId && n.nodes.length > 0) ??
    networkFor(networks, wallet, entry.customNode as NetworkChoice | undefined, entry.origin)
  );
}

/** Receipts of everything signed for an entry; undefined while the network may still accept some of it, or if no node answers. */
export async function receiptsOf(
  frame: Reader,
  vault: Vault,
  entry: JournalEntry,
): Promise<Receipt[] | undefined> {
  try {
    const { chain, node } = await nodeOfEntry(frame, vault, entry);
    const { signed } = entry;
    const receipts = await Promise.all(signed.map(({ hash, raw }) => chain.receipt(hash, node, raw)));
    if (receipts.some(({ state }) => state === 'unknown')) return undefined;
    await Promise.all(
      signed.map(async ({ hash }, i) => {
        const record = await vault.activity.get(hash);
        await vault.activity.setReceipt(hash, await recorded(node.network, record?.summary, receipts[i]!));
      }),
    );
    return receipts;
  } catch {
    return undefined;
  }
}

/**
 * Completes an entry whose frame died between signing and answering. It stays `signed` while the network lacks part of it, and while a list
 * is unfinished: another window may still be working on it.
 */
export async function settle(frame: Reader, vault: Vault, entry: JournalEntry): Promise<JournalEntry> {
  if (entry.state !== 'signed' || entry.asked || isCut(entry)) return entry;
  const receipts = await receiptsOf(frame, vault, entry);
  return receipts ? answered(vault, entry, receipts) : entry;
}

/**
 * Stores an entry's answer, and returns the entry. Call when nothing more will be signed for it, and the network has all of it except what
 * `receipts` report as expired.
 */
export async function answered(
  vault: Vault,
  entry: JournalEntry,
  receipts: readonly Receipt[] = [],
): Promise<JournalEntry> {
  const result = resultOf(entry);
  const error = receipts.some(({ expired }) => expired)
    ? tooLate(Array.isArray(result) ? result.filter((_, i) => !receipts[i]?.expired) : undefined)
    : isCut(entry)
      ? cutShort(result as TransactionResult[])
      : undefined;
  const next: JournalEntry = error
    ? { ...entry, state: 'failed', error: toWire(error) }
    : { ...entry, state: 'done', result };
  await vault.journal.put(next);
  return next;
}

function isCut({ params, signed }: JournalEntry): boolean {
  return signed.length < ((params as { requests?: unknown[] }).requests?.length ?? 1);
}

function cutShort(completed: TransactionResult[]): ConnectError {
  return new ConnectError('frame.unreachable', 'The wallet closed before all transactions were sent.', {
    completed,
  });
}

function tooLate(completed: TransactionResult[] | undefined): ConnectError {
  return new ConnectError('transaction.refused', 'The transaction was not sent before its time was over.', {
    reason: 'expired',
    ...(completed && { completed }),
  });
}

// What the activity keeps of a receipt.

/** Decided once it has the network's confirmations, with what a swap brought by the transaction's logs. */
export async function recorded(
  network: Network,
  summary: Pick<Summary, 'swap' | 'from' | 'to' | 'parts'> | undefined,
  { mined, ...receipt }: Receipt,
): Promise<Omit<Receipt, 'mined'> & { got?: bigint }> {
  const record = { ...receipt, state: stateOn(network, { ...receipt, mined }) };
  const part = summary?.parts?.find(({ swap }) => swap);
  const swapped = part ? { swap: part.swap, from: summary!.from, to: part.to } : summary;
  if (!swapped?.swap) return record;
  const { got } = await swapMoved(network, swapped, receipt.arrivals);
  return got ? { ...record, got: got.raw } : record;
}

/** What a swap actually took and yielded, according to its transaction's logs; undefined if they do not show it. */
export async function swapMoved(
  network: Network,
  { swap, from, to }: Pick<Summary, 'swap' | 'from' | 'to'>,
  arrivals: readonly Arrival[] = [],
): Promise<{ paid?: Amount | undefined; got?: Amount | undefined }> {
  const [{ movedBy }, { exchangeAt }] = await Promise.all([
    import('../../../swaps/outcome.ts'),
    import('../../../swaps/terms.ts'),
  ]);
  const exchange = to === null ? undefined : exchangeAt(network, to);
  if (!swap || !exchange) return {};
  const { input, output, recipient } = swap;
  const ends = { fromToken: input.token ?? '', toToken: output.token ?? '', from, to: recipient };
  const moved = movedBy(arrivals, exchange, ends);
  const amount = (of: Amount, raw: bigint | undefined) => (raw === undefined ? undefined : { ...of, raw });
  return { paid: amount(input, moved.input), got: amount(output, moved.output) };
}
