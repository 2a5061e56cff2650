/** Signed bytes on their way to the network, and what the books say about them. */
import type { Chain, Node, Signed, TransactionState } from '../../chains/chain.ts';
import { type NetworkChoice, networkFor } from '../../chains/networks.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import type { TransactionResult } from '../../channel/messages.ts';
import { ConnectError, toWire } from '../../errors.ts';
import type { JournalEntry, Vault } from '../../wallets/types.ts';
import type { Reader } from './frame.ts';

/** Time between two looks at a transaction, growing to the second. */
const LOOK = [1000, 8000] as const;

/** Sends. An error counts only if no node knows the transaction: a lost reply, or bytes sent twice, are no failure. */
export async function deliver(chain: Chain, signed: Signed, node: Node): Promise<void> {
  try {
    await chain.broadcast(signed, node);
  } catch (error) {
    const state = await chain.status(signed.hash, node).catch(() => 'unknown' as const);
    if (state === 'unknown') throw error;
  }
}

/** Looks at a transaction until it is confirmed or failed. */
export async function watch(
  chain: Chain,
  hash: string,
  node: Node,
  signal?: AbortSignal,
): Promise<'confirmed' | 'failed'> {
  let wait: number = LOOK[0];
  for (;;) {
    const state = await chain.status(hash, node).catch((): TransactionState => 'unknown');
    if (state === 'confirmed' || state === 'failed') return state;
    await pause(wait, signal);
    wait = Math.min(wait * 1.3, LOOK[1]);
  }
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** The node that an entry's transactions were made for. */
export async function nodeOfEntry(
  frame: Reader,
  vault: Vault,
  entry: JournalEntry,
): Promise<{ chain: Chain; node: Node }> {
  const wallet = await vault.wallet(entry.walletId);
  if (!wallet) throw new ConnectError('wallet.forbidden', 'The wallet of this request is gone.');
  const chain = await frame.chain(wallet.secretType);
  return { chain, node: chain.node(networkOfEntry(frame, wallet.secretType, entry)) };
}

function networkOfEntry({ networks }: Reader, secretType: SecretType, entry: JournalEntry) {
  return (
    networks.networks.find((n) => n.id === entry.networkId && n.nodes.length > 0) ??
    networkFor(networks, secretType, (entry.customNode as NetworkChoice | undefined) ?? null)
  );
}

/** The user gave up what was signed and never sent: no list offers to send it any more. */
export async function dismiss(vault: Vault, entry: Omit<JournalEntry, 'at' | 'acknowledged'>): Promise<void> {
  await vault.journal.put({ ...entry, state: 'dismissed' });
  for (const { hash } of entry.signed) {
    const { state } = (await vault.activity.get(hash)) ?? {};
    if (state === 'unknown') await vault.activity.setState(hash, 'failed');
  }
}

/** What the page gets for the transactions of an entry. */
export function resultOf(
  entry: Pick<JournalEntry, 'action' | 'signed'>,
): TransactionResult | TransactionResult[] {
  const hashes = entry.signed.map(({ hash }) => ({ transactionHash: hash }));
  return entry.action === 'executeAll' ? hashes : hashes[0]!;
}

/** Whether the network has everything that an entry signed. No answer is no. */
export async function isSent(frame: Reader, vault: Vault, entry: JournalEntry): Promise<boolean> {
  try {
    const { chain, node } = await nodeOfEntry(frame, vault, entry);
    const states = await Promise.all(entry.signed.map(({ hash }) => chain.status(hash, node)));
    if (states.includes('unknown')) return false;
    await Promise.all(entry.signed.map(({ hash }, i) => vault.activity.setState(hash, states[i]!)));
    return true;
  } catch {
    return false;
  }
}

/**
 * Finishes an entry whose frame died between signing and answering. It stays `signed` while the network lacks something of it, and
 * while a list is not through: another window may still be at it.
 */
export async function settle(frame: Reader, vault: Vault, entry: JournalEntry): Promise<JournalEntry> {
  if (entry.state !== 'signed' || isCut(entry) || !(await isSent(frame, vault, entry))) return entry;
  return answered(vault, entry);
}

/** The entry with its answer: everything it signed is on the network, and nothing more will be signed for it. */
export async function answered(vault: Vault, entry: JournalEntry): Promise<JournalEntry> {
  const result = resultOf(entry);
  const next: JournalEntry = isCut(entry)
    ? { ...entry, state: 'failed', error: toWire(cutShort(result as TransactionResult[])) }
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
