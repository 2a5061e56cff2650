/**
 * The user's notes on payments. They are encrypted under a key of this browser that cannot be extracted, so that a copy of its data does not
 * tell them; like the activity beside which they are shown, they are readable without the PIN. Back-up files do not hold them.
 */
import * as z from 'zod/mini';
import { utf8 } from '../base/bytes.ts';
import { RequestInvalidError } from '../base/errors.ts';
import { aesKey, mac, seal, unseal } from './cipher.ts';
import { type Database, settled } from './database.ts';
import { findVault, Sealed } from './records.ts';
import type { Notes } from './types.ts';

const NOTE_LENGTH = 200;

/** In the store `history`, below every key of a wallet's payments. A record of another version is left as it is. */
const NoteRecord = z.object({ id: z.string(), version: z.literal(1), sealed: Sealed });
type NoteRecord = z.infer<typeof NoteRecord>;

const prefixOf = (walletId: string): string => `note ${walletId} `;

export function openNotes(db: Database): Notes {
  /** Undefined without a vault in this browser. */
  const readKey = async (): Promise<CryptoKey | undefined> => {
    const vault = await db.read(['vault'], findVault);
    return vault && aesKey(await mac(vault.deviceKey, utf8('carabiner notes 1')));
  };
  return {
    async notes(walletId) {
      const key = await readKey();
      if (!key) return undefined;
      const prefix = prefixOf(walletId);
      const records: unknown[] = await db.read(['history'], (tx) =>
        settled(tx.objectStore('history').getAll(IDBKeyRange.bound(prefix, `${prefix}\uffff`))),
      );
      const notes = new Map<string, string>();
      for (const record of records) {
        const { data } = NoteRecord.safeParse(record);
        // One that cannot be opened is of an earlier vault.
        const plain = data && (await unseal(key, data.id, data.sealed).catch(() => undefined));
        if (plain) notes.set(data.id.slice(prefix.length), new TextDecoder().decode(plain));
      }
      return notes;
    },
    async setNote(walletId, entryId, text) {
      const note = checkNote(text);
      const id = prefixOf(walletId) + entryId;
      const key = await readKey();
      if (!key) return;
      const record: NoteRecord = { id, version: 1, sealed: await seal(key, id, utf8(note)) };
      await db.write(['history'], async (tx) => {
        const store = tx.objectStore('history');
        if (note) await settled(store.put(record));
        else await settled(store.delete(id));
      });
    },
  };
}

function checkNote(text: string): string {
  // Direction marks and control characters could make a row of the list look like another one.
  const note = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .trim();
  if (note.length > NOTE_LENGTH)
    throw new RequestInvalidError([{ path: 'note', message: `must have at most ${NOTE_LENGTH} characters` }]);
  return note;
}
