/** The note of a swap on its way, and which panel shows it. */
import type { TransactionResult } from '../channel/messages.ts';
import type { Run } from './swap-run.ts';

const STORE = 'carabiner:swap';

/** Swaps that this page waits for itself, whichever panel asked for them. */
export const running = new Map<string, Promise<TransactionResult[]>>();
/** Shown by a panel: no other shows them, too. */
const shown = new Set<string>();

/** Of this tab only: what the wallet itself knows of the request comes from the wallet. */
export function keepRun(run: Run | undefined): void {
  try {
    if (run) sessionStorage.setItem(STORE, JSON.stringify(run));
    else sessionStorage.removeItem(STORE);
  } catch {
    // Without storage the wallet's answer still arrives after a reload, without its words.
  }
}

export function keptRun(): Run | undefined {
  try {
    const run = JSON.parse(sessionStorage.getItem(STORE) ?? 'null') as Run | null;
    return run && Array.isArray(run.steps) && !shown.has(run.requestId) ? run : undefined;
  } catch {
    return undefined;
  }
}

export function claim({ requestId }: Run): void {
  shown.add(requestId);
}

/** The panel is gone; another may take its place. */
export function release({ requestId }: Run): void {
  shown.delete(requestId);
}
