/**
 * Which write of an encrypted copy is right. The service cannot open an object: it checks the form of the header, who signed, that the state
 * follows the one before, and that nobody was faster.
 */
import { hash } from 'node:crypto';
import {
  COPY_VERSION,
  type CopyHeader,
  type CopyKind,
  HEADER_BYTES,
  idText,
  isWellFormed,
  KIND_BYTES,
  MAX_COUNTER_STEP,
  readHeader,
  tombstoneText,
} from '../../src/api/copy-object.ts';
import { CopyRefusal } from './copy-refusal.ts';
import { type Copies, etagOf, type NewState, type StoredCopy } from './copies.ts';
import { isSignedBy } from './signed-request.ts';

/** Counters are stored in eight bytes with a sign. */
const MAX_COUNTER = 2n ** 62n;

export interface Write {
  kind: CopyKind;
  id: Buffer;
  signer: Buffer;
  object: Buffer;
}

/** Throws `copy.refused` unless the object is one of this path. */
export function newStateOf({ kind, id, object }: Write, isTombstone: boolean): NewState {
  const header = readHeader(object);
  if (header?.version !== COPY_VERSION) throw refused('it is not of a version that this service keeps');
  if (header.kindByte !== KIND_BYTES[kind] || !id.equals(header.id)) throw refused('it is of another path');
  if (!sha256(idText(kind, header.owner)).equals(id)) throw refused('its id is not the hash of its owner');
  if (header.isTombstone !== isTombstone) throw refused(`DELETE takes a tombstone, and PUT does not`);
  if (!isWellFormed(kind, header, object.length))
    throw refused('its header does not fit its length or itself');
  return { header, object, hash: sha256(object) };
}

/** The first state of an object, by its owner. Throws `copy.changed` if there is one. */
export async function createCopy(copies: Copies, write: Write, state: NewState): Promise<void> {
  if (!write.signer.equals(state.header.owner)) throw new CopyRefusal('copy.signature');
  assertCounter(state.header, 0n);
  if (!(await copies.create(write.kind, state))) throw new CopyRefusal('copy.changed');
}

/** The next state. Throws `copy.changed` unless it follows the one that `match` names, and `copy.removed` after a tombstone. */
export async function replaceCopy(
  copies: Copies,
  write: Write,
  state: NewState,
  match: string,
): Promise<void> {
  const { header } = state;
  const before = await copies.state(write.kind, write.id, write.signer);
  // The same for what is not there and for what this key may not read.
  if (!before) throw new CopyRefusal('copy.changed');
  if (before.isRemoved && !mayRevive(write, before, header)) throw new CopyRefusal('copy.removed');
  if (match !== etagOf(before)) throw new CopyRefusal('copy.changed');
  if (!before.hash.equals(header.previous)) throw refused('it does not follow the state before');
  assertCounter(header, before.counter);
  if (header.isTombstone && !isSigned(state, before)) throw refused('its tombstone is not signed');
  if (!(await copies.replace(write.kind, state, before))) throw new CopyRefusal('copy.changed');
}

/** The passkey makes a new copy: its slot's id is always the same. A vault object that was removed stays so; the next one has a new R. */
function mayRevive({ kind, signer }: Write, { owner }: StoredCopy, { isTombstone }: CopyHeader): boolean {
  return kind === 'slot' && !isTombstone && signer.equals(owner);
}

function isSigned({ header, object }: NewState, { owner, writer }: StoredCopy): boolean {
  if (writer && !writer.equals(header.writer)) return false;
  const text = tombstoneText(object.subarray(0, HEADER_BYTES));
  return [owner, writer].some((key) => key && isSignedBy(key, text, object.subarray(HEADER_BYTES)));
}

function assertCounter({ counter }: CopyHeader, before: bigint): void {
  if (counter <= before || counter > before + MAX_COUNTER_STEP || counter > MAX_COUNTER)
    throw refused('its counter does not follow the one before');
}

function refused(reason: string): CopyRefusal {
  return new CopyRefusal('copy.refused', `The service does not keep this object: ${reason}.`);
}

function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer');
}
