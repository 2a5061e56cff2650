/** Stores concurrent rows of one account by one statement, which costs the database one commit instead of one for each. */
import { ConnectError } from '../../src/base/errors.ts';

/** A larger batch would delay every row in it. */
const MAX_BATCH = 100;

interface Waiting<Row> {
  row: Row;
  stored(): void;
  failed(error: unknown): void;
}

/**
 * Rows that come while the account's last statement is under way go together in the next one; a row that comes alone goes at once. `insert`
 * stores all rows that it gets, or none. A row fails for its own reason, and not for another's.
 */
export function batchedInsert<Row>(
  insert: (account: string, rows: Row[]) => Promise<unknown>,
): (account: string, row: Row) => Promise<void> {
  /** Of each account with a statement under way. */
  const queues = new Map<string, Waiting<Row>[]>();

  async function insertAll(account: string, batch: Waiting<Row>[]): Promise<void> {
    try {
      await insert(
        account,
        batch.map(({ row }) => row),
      );
      for (const { stored } of batch) stored();
    } catch (error) {
      // With an unreachable database nobody knows whether the rows were stored, so nothing is sent twice.
      if (batch.length === 1 || error instanceof ConnectError) for (const { failed } of batch) failed(error);
      else for (const one of batch) await insertAll(account, [one]);
    }
  }

  async function insertQueue(account: string, queue: Waiting<Row>[]): Promise<void> {
    while (queue.length > 0) await insertAll(account, queue.splice(0, MAX_BATCH));
    queues.delete(account);
  }

  return (account, row) =>
    new Promise((stored, failed) => {
      const one = { row, stored, failed };
      const running = queues.get(account);
      if (running) return void running.push(one);
      const queue = [one];
      queues.set(account, queue);
      void insertQueue(account, queue);
    });
}
