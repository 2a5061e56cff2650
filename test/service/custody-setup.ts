/** Custody on a separate database, with a cheap argon2id. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Custody } from '../../service/custody/custody.ts';
import type { NewWallet } from '../../service/custody/store-wallet.ts';
import { Semaphore } from '../../service/concurrency/semaphore.ts';
import type { Database } from '../../service/database/database.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { startTested, type Tested } from './harness.ts';

export const PIN = '739154';
export const OTHER_PIN = '840265';
export const QUICK = { memory: 64, iterations: 1, parallelism: 1 };

export interface CustodyTest {
  service: Tested;
  db: Database;
  custody: Custody;
  warnings: string[];
  /** Creates an account that may own wallets. */
  account(): Promise<string>;
  /** Creates a wallet of a new account, with its own PIN unless `order` says otherwise. */
  wallet(order?: Partial<NewWallet>): Promise<{ id: string; ownerId: string; recoveryCode: string }>;
}

export async function startCustody(): Promise<CustodyTest> {
  const service = await startTested();
  const { db, keys } = service.service;
  const warnings: string[] = [];
  const custody = new Custody(db, keys, {
    cost: QUICK,
    semaphore: new Semaphore(2),
    warn: (line) => void warnings.push(line),
  });
  const account = async (): Promise<string> => {
    const id = randomUUID();
    await db.insertInto('accounts').values({ id, issuer: 'test', subject: id, application: false }).execute();
    return id;
  };
  return {
    service,
    db,
    custody,
    warnings,
    account,
    async wallet(order = {}) {
      const ownerId = order.ownerId ?? (await account());
      const { wallet, recoveryCode } = await custody.createWallet(newWallet(ownerId, order));
      return { id: wallet.id, ownerId, recoveryCode: recoveryCode! };
    },
  };
}

export function newWallet(ownerId: string, order: Partial<NewWallet> = {}): NewWallet {
  return {
    ownerId,
    applicationId: ownerId,
    walletType: 'WHITE_LABEL',
    secretType: 'ETHEREUM',
    kind: 'mainnet',
    pin: PIN,
    pinOf: 'wallet',
    ...order,
  };
}

/** The error's code and its details: `pincode.wrong 4`, `pincode.locked 15 min`; `ok` without an error. */
export async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'ok';
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    const { attemptsLeft, retryAfter, hard } = error.details;
    const minutes = typeof retryAfter === 'number' ? `${Math.ceil(retryAfter / 60)} min` : undefined;
    return [error.code, attemptsLeft, minutes, hard && 'hard']
      .filter((x) => x !== undefined && x !== false)
      .join(' ');
  }
}

/** Advances the time that locks are measured by. */
export async function advanceLocks(db: Database, pinId: string, minutes: number): Promise<void> {
  await db
    .updateTable('pins')
    .set({ locked_until: sql<Date>`locked_until - make_interval(mins => ${minutes}::integer)` })
    .where('id', '=', pinId)
    .execute();
}
