import type { Summary } from '../approval/summary.ts';

/** A figure that is worse by more than one part in this many is another one. */
const TOLERANCE = 100n;

/** Whether the simulated balance changes are of other assets or directions than before, or a figure is worse by more than 1 %. */
export function worsened({ changes: before = [] }: Summary, { changes: after = [] }: Summary): boolean {
  if (before.length !== after.length) return true;
  return after.some(({ amount, direction }) => {
    const was = before.find((one) => one.amount.token === amount.token && one.direction === direction);
    if (!was) return true;
    const loss = direction === 'in' ? was.amount.raw - amount.raw : amount.raw - was.amount.raw;
    return loss * TOLERANCE > was.amount.raw;
  });
}
