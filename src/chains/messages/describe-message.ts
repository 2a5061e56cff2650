/** What the approval of a message shows, on chains whose messages are only text. */
import type { Mismatch, SigningScene, SigningSummary } from '../approval/signing.ts';
import { domainMismatch, looksLikeSignIn, parseHead } from './sign-in-head.ts';
import { readable } from './signed-message.ts';

export function describeMessage(data: string, scene?: SigningScene): SigningSummary {
  const text = readable(data);
  if (text === undefined) return { kind: 'blind', hex: data, reason: 'bytes' };
  const mismatches = scene && signInTrouble(text, scene);
  return mismatches ? { kind: 'sign-in', text, hex: data, mismatches } : { kind: 'text', text, hex: data };
}

/**
 * Undefined if it is not a sign-in, or one to the requesting site; empty if it only reads like one. Only a
 * sign-in's first line is compared: the others differ between chains.
 */
export function signInTrouble(text: string, { origin }: SigningScene): Mismatch[] | undefined {
  if (!looksLikeSignIn(text)) return undefined;
  const head = parseHead(text.split('\n', 1)[0]!);
  if (!head) return [];
  const mismatch = domainMismatch(head, origin);
  return mismatch && [mismatch];
}
