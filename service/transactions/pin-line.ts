/** PINs in line, so that a busy wallet does not lock itself. */
import { Turns } from '../custody/turns.ts';
import type { StoredWallet } from '../wallets/stored-wallets.ts';

const MOST_WAITING = 100;

/** `work` calls `proven` as soon as the PIN was right. Throws `request.rate-limited` when too many wait. */
export type PinLine = <T>(wallet: StoredWallet, work: (proven: () => void) => Promise<T>) => Promise<T>;

/** A try counts as wrong until it is known to be right: many right ones side by side would lock the PIN. So a process tries one at a time. */
export function pinLine(): PinLine {
  const lines = new Map<string, { turns: Turns; users: number }>();
  return async <T>(
    { id, owner_id, has_own_pin }: StoredWallet,
    work: (proven: () => void) => Promise<T>,
  ): Promise<T> => {
    const pinId = has_own_pin ? id : owner_id;
    const line = lines.get(pinId) ?? { turns: new Turns(1, MOST_WAITING), users: 0 };
    lines.set(pinId, line);
    line.users++;
    try {
      return await new Promise<T>((resolve, reject) => {
        const turn = () =>
          new Promise<void>((leave) => {
            work(leave).then(resolve, reject).finally(leave);
          });
        line.turns.run(turn).catch(reject);
      });
    } finally {
      if (--line.users === 0) lines.delete(pinId);
    }
  };
}
