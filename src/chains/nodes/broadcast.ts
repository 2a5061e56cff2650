/** Giving a signed transaction to all nodes of a network, and what it means that none of them took it. */
import { ConnectError } from '../../base/errors.ts';
import type { Node, Signed } from '../terms.ts';
import { unreachable } from './http.ts';

/**
 * What a node's refusal of a transaction says:
 * - `known`: it has the transaction.
 * - `transaction`: no node takes the transaction as it is.
 * - `funds`: the same, because the wallet does not hold enough.
 * - `over`: the same, unless the chain has it: its nonce or its coins are used, or its time is over.
 * - `seen`: it was given the transaction before. Only the chain and the pool tell what became of it.
 * - `node`: this node does not take it now, because it is full, busy or behind, or asks for more; or nobody knows what it says.
 */
export type Meaning = 'known' | 'transaction' | 'funds' | 'over' | 'seen' | 'node';

/** Rows of words and what they mean, of which the first that matches counts. */
export type RefusalTable = readonly (readonly [says: RegExp, means: Meaning])[];

/** A refusal in the node's own words. */
export interface Refusal {
  words: string;
  means: Meaning;
}

export function refusalOf(table: RefusalTable, words: string): Refusal {
  return { words, means: table.find(([says]) => says.test(words))?.[1] ?? 'node' };
}

/** No node took what all of them were given. `errors`: what each did instead, in the order of the nodes. */
export class NotTaken extends Error {
  override name = 'NotTaken';
  constructor(readonly errors: readonly unknown[]) {
    super('no node took it');
  }
}

/** Resolves as soon as one node takes it. Rejects with `NotTaken` once none did, or with the reason of `signal`. */
export async function giveToAll<T>(
  { nodes }: { nodes: readonly string[] },
  give: (url: string) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  try {
    return await Promise.any(nodes.map(give));
  } catch (error) {
    signal?.throwIfAborted();
    throw new NotTaken(error instanceof AggregateError ? error.errors : [error]);
  }
}

export interface Broadcast {
  /** Gives it to all nodes, as `giveToAll` does. */
  send(): Promise<unknown>;
  /** Undefined for what is not a refusal of a node: it did not answer. */
  read(error: unknown): Refusal | undefined;
  /** Whether the chain or a pool has it. */
  isThere(): Promise<boolean>;
  /** Whether its time is over, so that no block takes it any more. Absent if the chain's transactions do not expire. */
  isExpired?(): Promise<boolean>;
  /** The node's words as a sentence goes on: "The network refused the transaction: … ." */
  say?(words: string): string;
  /** A sentence for `transaction.insufficient-funds`. */
  short?: string;
}

/** Ends what is said of a transaction that may be on its way: a second one would pay twice. */
export const NO_OTHER = 'Do not make another one: the same can be sent again.';

/**
 * Resolves with the hash if a node has the transaction. It is refused only if every node answered, each for a reason of the transaction
 * itself: then rejects with `transaction.refused` or `transaction.insufficient-funds`. After anything else a node may have it, or take it
 * later: then rejects with `node.unreachable` and `details.transactionHash`.
 */
export async function broadcastTo(
  node: Node,
  { hash, given }: Signed,
  { send, read, isThere, isExpired, say = (words) => words, short }: Broadcast,
): Promise<string> {
  let cause: NotTaken;
  try {
    await send();
    return hash;
  } catch (error) {
    if (!(error instanceof NotTaken)) throw error;
    cause = error;
  }
  const { network, host } = node;
  const answers = cause.errors.map(read);
  const refusals = answers.filter((answer) => answer !== undefined);
  const [refusal] = refusals;
  if (!refusal) {
    const { shortMessage, details } = unreachable(network, host, cause.errors);
    throw mayBeThere(hash, shortMessage, details, cause);
  }
  // It may be in a block since it was sent before, or at the node whose answer was lost.
  const there = await isThere().catch(() => undefined);
  if (there) return hash;
  const hasAnswered = refusals.length === answers.length;
  const isMissing = there === false;
  const isOver = isMissing && refusals.some(({ means }) => means === 'seen') && (await expired(isExpired));
  // The nonce may be used, or the wallet empty, because of the transaction itself: whoever was asked for it may be behind.
  const isFinal = ({ means }: Refusal): boolean =>
    means === 'transaction' ||
    (means === 'funds' && !given) ||
    (means === 'over' && isMissing && !given) ||
    (means === 'seen' && isOver);
  const words = say(refusal.words).replace(/\.$/, '');
  const details = { reason: refusal.words, host };
  if (!hasAnswered)
    throw mayBeThere(
      hash,
      `It is not known whether ${network.name} has the transaction: a node refused it (${words}), and not every node answered.`,
      details,
      cause,
    );
  if (!refusals.every(isFinal))
    throw mayBeThere(hash, `${network.name} does not take the transaction now: ${words}.`, details, cause);
  if (refusal.means === 'funds')
    throw new ConnectError(
      'transaction.insufficient-funds',
      short ?? 'The wallet does not hold enough for the amount and the fee.',
      details,
      { cause },
    );
  throw new ConnectError('transaction.refused', `The network refused the transaction: ${words}.`, details, {
    cause,
  });
}

/** False if nobody tells. */
async function expired(isExpired: Broadcast['isExpired']): Promise<boolean> {
  return (await isExpired?.().catch(() => false)) ?? false;
}

function mayBeThere(
  hash: string,
  why: string,
  details: Readonly<Record<string, unknown>>,
  cause: NotTaken,
): ConnectError {
  return new ConnectError(
    'node.unreachable',
    `${why} ${NO_OTHER}`,
    { ...details, transactionHash: hash },
    { cause },
  );
}
