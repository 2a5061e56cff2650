/** Events of wallets: written with the changes that they tell of, and counted once those are committed. */
import type { Transaction } from 'kysely';
import { Counter, type Registry } from 'prom-client';
import { WALLET_EVENT_TYPES, type WalletEventType } from '../../src/api/wallet-event.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { audienceOf, recordWalletEvent, type WalletEventData } from './record-event.ts';

/** Writes an event of a wallet. `make` is asked for its data only where somebody is sent it. */
export type Tell = <T extends WalletEventType>(
  walletId: string,
  type: T,
  make: () => WalletEventData<T> | Promise<WalletEventData<T>>,
) => Promise<void>;

export class WalletEvents {
  #counter: Counter<'type'> | undefined;

  /** Counts from now on. */
  countIn(register: Registry): void {
    this.#counter = new Counter({
      name: 'wallet_events_total',
      help: 'Events of wallets that were written for at least one receiver, by type.',
      labelNames: ['type'],
      registers: [register],
    });
    for (const type of WALLET_EVENT_TYPES) this.#counter.inc({ type }, 0);
  }

  /** A database transaction that changes something and tells of it. */
  async with<R>(db: Database, work: (tx: Transaction<Schema>, tell: Tell) => Promise<R>): Promise<R> {
    const told: WalletEventType[] = [];
    const result = await db.transaction().execute((tx) => {
      // Where it is tried again.
      told.length = 0;
      return work(
        tx,
        tellIn(tx, (type) => told.push(type)),
      );
    });
    for (const type of told) this.#counter?.inc({ type });
    return result;
  }
}

function tellIn(tx: Transaction<Schema>, note: (type: WalletEventType) => void): Tell {
  return async (walletId, type, make) => {
    const audience = await audienceOf(tx, walletId, type);
    if (!audience) return;
    await recordWalletEvent(tx, audience, type, await make());
    note(type);
  };
}
