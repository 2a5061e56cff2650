/**
 * The attempt under way, in `sessionStorage`: its id and whether the bank is asking, so that a reload continues where it was.
 * Nothing of the card.
 */
import * as z from 'zod/mini';

const Attempt = z.object({ id: z.string(), asked: z.boolean() });
type Attempt = z.infer<typeof Attempt>;

const KEY = `carabiner-pay:${location.pathname}`;

export function newAttempt(): string {
  return crypto.randomUUID();
}

export function keepAttempt(attempt: Attempt): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(attempt));
  } catch {
    // Storage is full or refused: a reload shows the form again, and the service still takes one payment only.
  }
}

export function keptAttempt(): Attempt | undefined {
  try {
    return Attempt.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? '')).data;
  } catch {
    return undefined;
  }
}

export function forgetAttempt(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // As above.
  }
}
