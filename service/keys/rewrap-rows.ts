/** Encrypts anew what is under an older version of the master key. */
import type { UpdateResult } from 'kysely';

export interface Rewrapped {
  rewrapped: number;
  /** Ids of the rows that could not be opened. */
  failed: string[];
}

/** `renew` writes one row, unless another process was faster. What cannot be opened is told to `warn`, and stays as it is. */
export async function rewrapRows<R extends { id: string }>(
  rows: readonly R[],
  renew: (row: R) => Promise<UpdateResult>,
  warn: (message: string) => void,
): Promise<Rewrapped> {
  const result: Rewrapped = { rewrapped: 0, failed: [] };
  for (const row of rows)
    try {
      const { numUpdatedRows } = await renew(row);
      result.rewrapped += Number(numUpdatedRows);
    } catch (error) {
      warn((error as Error).message);
      result.failed.push(row.id);
    }
  return result;
}
