/** The address book, and whom the user paid from here. They are not encrypted, like wallet addresses and activity. */
import * as z from 'zod/mini';
import { SecretTypeSchema } from '../api/secret-type.ts';
import { RequestInvalidError } from '../base/errors.ts';
import { settled, type Database } from './database.ts';
import type { ActivityStore, KnownRecipient, RecipientBook } from './types.ts';
import { checkAlias } from './wallet-edits.ts';

/** A recipient as it is stored since version 4 of the database. `key` is the address in lower case. */
export const RecipientRecord = z.object({
  secretType: SecretTypeSchema,
  key: z.string(),
  address: z.string(),
  name: z.string(),
});
export type RecipientRecord = z.infer<typeof RecipientRecord>;

/** Far more than a list can show, few enough to read at every approval. */
export const MAX_RECIPIENTS = 500;

/** The recipient is fine, but the book is full. */
export class BookFullError extends RequestInvalidError {
  constructor() {
    super([
      { path: 'name', message: `cannot be kept: ${MAX_RECIPIENTS} recipients are the most; remove some` },
    ]);
  }
}

export function openRecipientBook(
  db: Database,
  { activity, recipients }: Pick<ActivityStore, 'activity' | 'recipients'>,
): RecipientBook {
  const keyOf = (address: string): string => address.toLowerCase();
  return {
    async list(secretType, own) {
      const named = (await recipients()).filter((one) => one.secretType === secretType);
      const byKey = new Map<string, KnownRecipient>();
      const add = (address: string, more: Partial<KnownRecipient>): void => {
        const before = byKey.get(keyOf(address)) ?? {
          address,
          name: '',
          own: false,
          times: 0,
          last: 0,
          networks: [],
        };
        byKey.set(keyOf(address), { ...before, ...more });
      };
      for (const { address, alias, archived } of own) if (!archived) add(address, { name: alias, own: true });
      for (const record of named) {
        const parsed = RecipientRecord.safeParse(record);
        if (parsed.success) add(parsed.data.address, { name: parsed.data.name });
      }
      const paid = await activity.list(...own.map(({ id }) => id));
      for (const { state, summary, at, network } of paid) {
        const { kind, to, parts } = summary;
        // Calls and pending payments do not make a recipient known.
        if (state !== 'confirmed' || kind !== 'transfer' || parts || !to) continue;
        const { times = 0, last = 0, networks = [] } = byKey.get(keyOf(to)) ?? {};
        add(to, {
          times: times + 1,
          last: Math.max(last, at),
          networks: [...new Set([...networks, network])],
        });
      }
      const rank = ({ name, own: mine }: KnownRecipient): number => (name && !mine ? 0 : mine ? 1 : 2);
      return [...byKey.values()].sort(
        (a, b) => rank(a) - rank(b) || b.last - a.last || a.name.localeCompare(b.name),
      );
    },
    async save({ secretType, address, name }) {
      const record: RecipientRecord = {
        secretType,
        key: keyOf(address),
        address,
        name: checkAlias(name, 'name'),
      };
      await db.write(['recipients'], async (tx) => {
        const store = tx.objectStore('recipients');
        const isNew = !(await settled(store.count([secretType, record.key])));
        if (isNew && (await settled(store.count())) >= MAX_RECIPIENTS) throw new BookFullError();
        await settled(store.put(record));
      });
    },
    async remove(secretType, address) {
      await db.write(['recipients'], (tx) =>
        settled(tx.objectStore('recipients').delete([secretType, keyOf(address)])),
      );
    },
  };
}
