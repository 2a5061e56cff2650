/**
 * The current attempt in `sessionStorage`: its id, and whether the bank's challenge is open, so that a reload resumes there.
 * No card data.
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
    // Storage is full or denied: a reload shows the form again, but the service still accepts only one payment.
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
    // Storage is denied, so nothing was kept.
  }
}
