/** What became of a call, in one word. */
import { isDeepStrictEqual } from 'node:util';
import type { Answered } from '../service/users-setup.ts';

/**
 * - `right`: as without the fault.
 * - `unreachable`: `node.unreachable`, and nothing was signed.
 * - `unknown`: signed, and `node.unreachable` names the transaction, which is sent once.
 * - `unread`: not available, or a part, which says what is missing.
 * - `behind`: what was right some blocks ago, of a node that is behind.
 */
export type Word = 'right' | 'unreachable' | 'unknown' | 'unread' | 'behind' | 'wrong';

export interface Outcome {
  word: Word;
  /** Of what is wrong. */
  why?: string;
}

export const RIGHT: Outcome = { word: 'right' };
export const UNREAD: Outcome = { word: 'unread' };

export const wrong = (why: string): Outcome => ({ word: 'wrong', why });

/** `earlier`: what a node that is behind may say. */
export function compared(said: unknown, truth: unknown, earlier?: unknown): Outcome {
  if (isDeepStrictEqual(said, truth)) return RIGHT;
  if (earlier !== undefined && isDeepStrictEqual(said, earlier)) return { word: 'behind' };
  return wrong(`${textOf(said)} instead of ${textOf(truth)}`);
}

/** Of an answer of the service that is a problem. */
export function ofProblem({ outcome, body }: Answered<unknown>): Outcome {
  const { detail, details } = body as { detail?: string; details?: { transactionHash?: string } };
  if (outcome === '502 node.unreachable')
    return { word: details?.transactionHash === undefined ? 'unreachable' : 'unknown' };
  return wrong(`${outcome}: ${detail}`);
}

export function textOf(value: unknown): string {
  const text = JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one));
  return (text ?? String(value)).slice(0, 300);
}
