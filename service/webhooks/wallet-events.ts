/** Events of wallets: written in the transaction of the change that they report, and counted once it is committed. */
import type { Transaction } from 'kysely';
import { Counter, type Registry } from 'prom-client';
import { WALLET_EVENT_TYPES, type WalletEventType } from '../../src/api/wallet-event.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { audienceOf, recordWalletEvent, type WalletEventData } from './record-event.ts';

/** Writes an event of a wallet. `make` is called for its data only if somebody gets it. */
export type Notify = <T extends WalletEventType>(
  walletId: string,
  type: T,
  make: () => WalletEventData<T> | Promise<WalletEventData<T>>,
) => Promise<void>;

export class WalletEvents {
  #counter: Counter<'type'> | undefined;

  /** Counts events from now on. */
  countIn(register: Registry): void {
    this.#counter = new Counter({
      name: 'wallet_events_total',
      help: 'Events of wallets that were written for at least one receiver, by type.',
      labelNames: ['type'],
      registers: [register],
    });
    for (const type of WALLET_EVENT_TYPES) this.#counter.inc({ type }, 0);
  }

  /** A database transaction that changes something and writes its events. */
  async with<R>(db: Database, work: (tx: Transaction<Schema>, notify: Notify) => Promise<R>): Promise<R> {
    const written: WalletEventType[] = [];
    const result = await db.transaction().execute((tx) => {
      // A retry of the transaction begins anew.
      written.length = 0;
      return work(
        tx,
        notifyIn(tx, (type) => written.push(type)),
      );
    });
    for (const type of written) this.#counter?.inc({ type });
    return result;
  }
}

function notifyIn(tx: Transaction<Schema>, note: (type: WalletEventType) => void): Notify {
  return async (walletId, type, make) => {
    const audience = await audienceOf(tx, walletId, type);
    if (!audience) return;
    await recordWalletEvent(tx, audience, type, await make());
    note(type);
  };
}
