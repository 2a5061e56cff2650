/** The stored record of a swap in progress, and which panel shows it. */
import type { TransactionResult } from '../../channel/messages.ts';
import type { Run } from './swap-run.ts';

const STORE = 'carabiner:swap';

/** Swaps whose answer this load of the page awaits, whichever panel started them. */
export const running = new Map<string, Promise<TransactionResult[]>>();
/** Ids of the swaps that a panel shows; no other panel shows them. */
const shown = new Set<string>();

/** Stored for this tab only. What the wallet knows of the request comes from the wallet. */
export function keepRun(run: Run | undefined): void {
  try {
    if (run) sessionStorage.setItem(STORE, JSON.stringify(run));
    else sessionStorage.removeItem(STORE);
  } catch {
    // Without storage, the wallet's answer still arrives after a reload, but not what the swap was.
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

/** The panel is gone; another one may show the swap. */
export function release({ requestId }: Run): void {
  shown.delete(requestId);
}
