/**
 * The steps by which this device keeps the encrypted copy. New content is written before what points to it, so that a crash between any two
 * writes leaves every door open. No answer of the server deletes or changes anything in the vault: what was read is merged and adopted by
 * whoever called.
 */
import type { Bytes } from '../wallets/records.ts';
import {
  type Content,
  type CopiedPasskey,
  liveIn,
  merge,
  passkeyKeyOf,
  readContent,
  textOf,
  withEntry,
  withoutEntry,
  writeContent,
} from './content.ts';
import { type SlotKeys, slotKeys, type VaultKeys, vaultKeys } from './keys.ts';
import {
  isSame,
  openSlot,
  openVaultObject,
  type Received,
  sealSlot,
  sealVault,
  type SlotAddress,
} from './objects.ts';
import {
  RemoteObjects,
  type RemoteOptions,
  slotAccess,
  vaultAccess,
  type Warning,
} from './remote-objects.ts';
import { damaged, SyncError } from './sync-error.ts';
import type { Access } from './sync-server.ts';

export interface VaultSyncOptions extends RemoteOptions {
  /** This device's id in the content. */
  device: string;
}

/** A passkey that is to open the copy. Its slot is derived from its secret. */
export interface NewOpener {
  id: Bytes;
  transports: string[];
  publicKey?: CopiedPasskey['publicKey'];
  /** As the device lists it. */
  name: string;
}

/** The copy while it is open: in memory only, until `close()`. */
export interface OpenCopy {
  readonly content: Content;
  /** What to tell the user of what the server returned. */
  readonly warning: Warning | undefined;
  /** R, from which the keys of the vault object derive. */
  readonly root: Bytes;
  readonly vault: VaultKeys;
  /** Of the passkey that opened it. */
  readonly slot: SlotKeys;
  /** The vault object as it is on the server. */
  readonly received: Received;
  /** Overwrites the keys. */
  close(): void;
}

/**
 * ```ts
 * const sync = new VaultSync({ url, rpId, clock, seen, device });
 * const copy = await sync.finishRotation(await sync.read(prf));
 * const local = await deviceCopy.contentOf(open);
 * const written = await sync.write(copy, local);
 * await deviceCopy.adopt(open, written.content, local);
 * written.close();
 * ```
 *
 * `prf`: the passkey's 32 bytes for the copy. They are not overwritten here, and never leave the device.
 */
export class VaultSync {
  readonly #remote: RemoteObjects;
  readonly #device: string;

  constructor(options: VaultSyncOptions) {
    this.#remote = new RemoteObjects(options);
    this.#device = options.device;
  }

  /**
   * Makes a copy that this passkey opens: vault object, slot, then both are read back, opened and compared. Throws `copy.exists` if the
   * passkey opens one already: `read` it.
   */
  async enrol(prf: Uint8Array, passkey: NewOpener, content: Content): Promise<OpenCopy> {
    const slot = await slotKeys(prf, this.#remote.rpId);
    const root = crypto.getRandomValues(new Uint8Array(32));
    const vault = await vaultKeys(root, this.#remote.rpId);
    const full = this.#withPasskey(content, passkey, slot);
    try {
      await this.#assertNoSlot(slot);
      await this.#create(vault, full);
      await this.#point(slot, vault, root);
    } finally {
      closeKeys(root, slot, vault);
    }
    const copy = await this.read(prf);
    if (textOf(copy.content) === textOf(full)) return copy;
    copy.close();
    throw damaged();
  }

  /** Finds and opens the copy: slot, R, vault object. Throws `copy.unknown` or `copy.removed` if there is none. */
  async read(prf: Uint8Array): Promise<OpenCopy> {
    const slot = await slotKeys(prf, this.#remote.rpId);
    try {
      const { received, warning } = await this.#remote.fetch(slotAccess(slot.signer.publicKey, slot.signer));
      const root = await openSlot(received, slot);
      const vault = await vaultKeys(root, this.#remote.rpId);
      // The slot names the vault that may rewrite it: R must be that one's.
      if (!isSame(received.writer, vault.signer.publicKey)) throw damaged();
      await this.#remote.note('slot', slot.signer.publicKey, received);
      return await this.#open(slot, vault, root, warning);
    } catch (error) {
      slot.signer.close();
      throw error;
    }
  }

  /**
   * Writes the content, merged with what is there. If another device writes meanwhile, it reads, merges and tries again, five times.
   * `consent`: the user agreed to go on from an older state that the server returned; without, that throws `copy.rolled-back`.
   */
  async write(copy: OpenCopy, content: Content, consent = false): Promise<OpenCopy> {
    const access = vaultAccess(copy.vault.signer);
    return this.#remote.retrying(async (isRetry) => {
      const current = isRetry ? await this.#open(copy.slot, copy.vault, copy.root, copy.warning) : copy;
      if (current.warning === 'rolled-back' && !consent)
        throw new SyncError(
          'copy.rolled-back',
          'The server returned an older copy than this device has seen. Nothing was written.',
        );
      const merged = merge(content, current.content);
      const seal = (place: Parameters<typeof sealVault>[1]) =>
        sealVault(copy.vault, place, writeContent(merged));
      const received = await this.#remote.replace(access, current.received, seal, { consent });
      const warning = current.warning === 'rolled-back' ? undefined : current.warning;
      return received && { ...current, warning, content: merged, received };
    });
  }

  /** Another passkey opens the copy from now on, too. */
  async addPasskey(copy: OpenCopy, prf: Uint8Array, passkey: NewOpener): Promise<OpenCopy> {
    const slot = await slotKeys(prf, this.#remote.rpId);
    await this.#assertNoSlot(slot);
    const written = await this.write(copy, this.#withPasskey(copy.content, passkey, slot));
    await this.#point(slot, copy.vault, copy.root);
    slot.signer.close();
    (await this.read(prf)).close();
    return written;
  }

  /**
   * Removes a passkey: a new R, a new vault object, every remaining slot rewritten, then tombstones for the removed slot and the vault
   * object before. What the removed passkey opened before, it may know. Closes `copy`, and returns it under the new R.
   */
  async rotate(copy: OpenCopy, passkey: Pick<CopiedPasskey, 'id'>): Promise<OpenCopy> {
    const key = passkeyKeyOf(passkey);
    const removed = liveIn(copy.content, 'passkey').get(key);
    if (!removed || isSame(removed.slot.sign, copy.slot.signer.publicKey))
      throw new TypeError('A passkey is removed by another one that opens the copy.');
    // The newest state, and refused if the server returned an older one.
    const current = await this.write(copy, copy.content);
    const root = crypto.getRandomValues(new Uint8Array(32));
    const vault = await vaultKeys(root, this.#remote.rpId);
    const pending = { from: copy.root.slice(), removedSlots: [removed.slot.sign] };
    const without = withoutEntry(current.content, key, this.#device);
    await this.#create(
      vault,
      withEntry(without, `rotation ${String(current.received.counter)}`, pending, this.#device),
    );
    const next = await this.#open(copy.slot, vault, root, current.warning);
    const done = await this.finishRotation(next);
    copy.vault.signer.close();
    copy.root.fill(0);
    return done;
  }

  /** Goes on with a change of R that was interrupted, here or on another device. Does nothing if there is none. */
  async finishRotation(copy: OpenCopy): Promise<OpenCopy> {
    let current = copy;
    for (const [key, { from, removedSlots }] of liveIn(copy.content, 'rotation')) {
      const old = await vaultKeys(from, this.#remote.rpId);
      current = await this.#repointAll(current, old);
      for (const sign of removedSlots) await this.#bury(slotAccess(sign, old.signer));
      current = await this.#retire(current, old);
      // Of passkeys that another device added meanwhile.
      current = await this.#repointAll(current, old);
      current = await this.write(current, withoutEntry(current.content, key, this.#device));
      old.signer.close();
    }
    return current;
  }

  /**
   * Removes the copy from the server, and nothing from this browser. The slot of the passkey that opened it goes last: until then it can be
   * tried again.
   */
  async remove(prf: Uint8Array): Promise<void> {
    const slot = await slotKeys(prf, this.#remote.rpId);
    const ownAccess = slotAccess(slot.signer.publicKey, slot.signer);
    const own = await this.#remote.fetchOrNone(ownAccess);
    if (!own) return;
    const root = await openSlot(own.received, slot);
    const vault = await vaultKeys(root, this.#remote.rpId);
    const before = await this.#remote.fetchOrNone(vaultAccess(vault.signer));
    if (before) {
      const content = readContent(await openVaultObject(before.received, vault));
      for (const { slot: other } of liveIn(content, 'passkey').values())
        if (!isSame(other.sign, slot.signer.publicKey))
          await this.#bury(slotAccess(other.sign, vault.signer));
      await this.#bury(vaultAccess(vault.signer));
    }
    await this.#bury(ownAccess);
    closeKeys(root, slot, vault);
  }

  async #open(
    slot: SlotKeys,
    vault: VaultKeys,
    root: Bytes,
    slotWarning: Warning | undefined,
  ): Promise<OpenCopy> {
    const { received, warning } = await this.#remote.fetch(vaultAccess(vault.signer));
    const content = readContent(await openVaultObject(received, vault));
    await this.#remote.note('vault', vault.signer.publicKey, received);
    const close = (): void => closeKeys(root, slot, vault);
    return { content, warning: warning ?? slotWarning, root, vault, slot, received, close };
  }

  #withPasskey(content: Content, { id, transports, publicKey, name }: NewOpener, slot: SlotKeys): Content {
    const entry = { id, transports, name, slot: addressOf(slot), ...(publicKey && { publicKey }) };
    return withEntry(content, passkeyKeyOf(entry) as 'passkey ', entry, this.#device);
  }

  async #assertNoSlot({ signer }: SlotKeys): Promise<void> {
    if (await this.#remote.fetchOrNone(slotAccess(signer.publicKey, signer)))
      throw new SyncError('copy.exists', 'There is a copy for this passkey already.');
  }

  #create(vault: VaultKeys, content: Content): Promise<void> {
    return this.#remote.create(vaultAccess(vault.signer), (place) =>
      sealVault(vault, place, writeContent(content)),
    );
  }

  #point(slot: SlotKeys, vault: VaultKeys, root: Bytes): Promise<void> {
    return this.#remote.create(
      slotAccess(slot.signer.publicKey, slot.signer),
      (place) => sealSlot(addressOf(slot), place, root),
      vault.signer.publicKey,
    );
  }

  /** The slot of the passkey at hand first: from then on it finds the new vault object, and with it what is left to do. */
  async #repointAll(copy: OpenCopy, old: VaultKeys): Promise<OpenCopy> {
    const own = copy.slot.signer.publicKey;
    const slots = [...liveIn(copy.content, 'passkey').values()].map(({ slot }) => slot);
    slots.sort((a, b) => Number(isSame(b.sign, own)) - Number(isSame(a.sign, own)));
    for (const slot of slots) await this.#repoint(slot, copy, old);
    return copy;
  }

  /** Rewrites a slot of the old R for the new one, unless that was done before. */
  async #repoint(slot: SlotAddress, { vault, root }: OpenCopy, old: VaultKeys): Promise<void> {
    await this.#remote.retrying(async () => {
      if (await this.#remote.fetchOrNone(slotAccess(slot.sign, vault.signer))) return true;
      const access = slotAccess(slot.sign, old.signer);
      const before = await this.#remote.fetchOrNone(access);
      if (!before) return true;
      const writer = vault.signer.publicKey;
      const seal = (place: Parameters<typeof sealSlot>[1]) => sealSlot(slot, place, root);
      const received = await this.#remote.replace(access, before.received, seal, { writer });
      return received && true;
    });
  }

  async #bury(access: Access): Promise<void> {
    await this.#remote.retrying(async () => {
      const before = await this.#remote.fetchOrNone(access);
      return !before || (await this.#remote.bury(access, before.received)) || undefined;
    });
  }

  /** Takes over the last of the old vault object, then removes that state of it and no later one. */
  async #retire(copy: OpenCopy, old: VaultKeys): Promise<OpenCopy> {
    const access = vaultAccess(old.signer);
    let current = copy;
    return this.#remote.retrying(async () => {
      const before = await this.#remote.fetchOrNone(access);
      if (!before) return current;
      const content = readContent(await openVaultObject(before.received, old));
      current = await this.write(current, content);
      return (await this.#remote.bury(access, before.received)) ? current : undefined;
    });
  }
}

function addressOf({ signer, opening, commitment }: SlotKeys): SlotAddress {
  return { sign: signer.publicKey, open: opening.publicKey, commitment };
}

function closeKeys(root: Bytes, slot: SlotKeys, vault: VaultKeys): void {
  for (const { signer } of [slot, vault]) signer.close();
  root.fill(0);
}
