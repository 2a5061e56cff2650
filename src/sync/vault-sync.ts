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
  withoutOpeners,
  writeContent,
} from './content.ts';
import { type Signer, type SlotKeys, slotKeys, type VaultKeys, vaultKeys } from './keys.ts';
import {
  isSame,
  openSlot,
  openVaultObject,
  type Place,
  type Received,
  sealSlot,
  sealVault,
  type SlotAddress,
} from './objects.ts';
import {
  alreadyThere,
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
   * Makes a copy that this passkey opens: vault object, slot, then both are read back, opened and compared. A removed copy's tombstone, and
   * a slot whose vault object is gone, are replaced. Throws `copy.exists` if the passkey opens a copy already: `read` it.
   */
  async enrol(prf: Uint8Array, passkey: NewOpener, content: Content): Promise<OpenCopy> {
    const slot = await slotKeys(prf, this.#remote.rpId);
    const root = crypto.getRandomValues(new Uint8Array(32));
    const vault = await vaultKeys(root, this.#remote.rpId);
    const full = this.#withPasskey(withoutOpeners(content), passkey, slot);
    try {
      const before = await this.#replaceableSlot(slot);
      await this.#create(vault, full);
      await this.#point(slot, vault, root, before);
    } finally {
      closeKeys(root, slot, vault);
    }
    const copy = await this.read(prf);
    // Another device with the same passkey may have written since.
    if (textOf(merge(full, copy.content)) === textOf(copy.content)) return copy;
    copy.close();
    throw damaged();
  }

  /** Finds and opens the copy: slot, R, vault object. Throws `copy.unknown` or `copy.removed` if there is none. */
  async read(prf: Uint8Array): Promise<OpenCopy> {
    const slot = await slotKeys(prf, this.#remote.rpId);
    let secrets: { root: Bytes; vault: VaultKeys } | undefined;
    try {
      const { received, warning } = await this.#remote.fetch(slotAccess(slot.signer.publicKey, slot.signer));
      secrets = await this.#vaultOf(received, slot);
      await this.#remote.note('slot', slot.signer.publicKey, received);
      return await this.#open(slot, secrets.vault, secrets.root, warning);
    } catch (error) {
      closeKeys(secrets?.root, slot, secrets?.vault);
      throw error;
    }
  }

  /**
   * Writes the content, merged with what is there; who opens the copy stays as it is there. If another device writes meanwhile, it reads,
   * merges and tries again, five times. `consent`: the user agreed to go on from an older state that the server returned; without, that
   * throws `copy.rolled-back`.
   */
  write(copy: OpenCopy, content: Content, consent = false): Promise<OpenCopy> {
    return this.#write(copy, withoutOpeners(content), consent);
  }

  async #write(copy: OpenCopy, content: Content, consent = false): Promise<OpenCopy> {
    const access = vaultAccess(copy.vault.signer);
    return this.#remote.retrying(async (isRetry) => {
      const current = isRetry ? await this.#open(copy.slot, copy.vault, copy.root, copy.warning) : copy;
      if (current.warning === 'rolled-back' && !consent)
        throw new SyncError(
          'copy.rolled-back',
          'The server returned an older copy than this device has seen. Nothing was written.',
        );
      const merged = merge(content, current.content);
      const seal = (place: Place) => sealVault(copy.vault, place, writeContent(merged));
      const received = await this.#remote.replace(access, current.received, seal);
      const warning = current.warning === 'rolled-back' ? undefined : current.warning;
      return received && { ...current, warning, content: merged, received };
    });
  }

  /** Another passkey opens the copy from now on, too. Throws `copy.exists` if it opens one already. */
  async addPasskey(copy: OpenCopy, prf: Uint8Array, passkey: NewOpener): Promise<OpenCopy> {
    const slot = await slotKeys(prf, this.#remote.rpId);
    try {
      const before = await this.#replaceableSlot(slot);
      const written = await this.#write(copy, this.#withPasskey(copy.content, passkey, slot));
      await this.#point(slot, copy.vault, copy.root, before);
      (await this.read(prf)).close();
      return written;
    } finally {
      slot.signer.close();
    }
  }

  /**
   * Removes a passkey: a new R, a new vault object, every remaining slot rewritten, then tombstones for the removed slot and the vault
   * object before. Those remain that `copy` lists, which is what the user was shown: whoever holds the R before could add another one while
   * this goes on. What the removed passkey opened before, it may know. Closes `copy`, and returns it under the new R.
   */
  async rotate(copy: OpenCopy, passkey: Pick<CopiedPasskey, 'id'>): Promise<OpenCopy> {
    const key = passkeyKeyOf(passkey);
    const remaining = liveIn(copy.content, 'passkey');
    const removed = remaining.get(key);
    if (!removed || isSame(removed.slot.sign, copy.slot.signer.publicKey))
      throw new TypeError('A passkey is removed by another one that opens the copy.');
    remaining.delete(key);
    // The newest state, and refused if the server returned an older one.
    const current = await this.write(await this.finishRotation(copy), copy.content);
    const root = crypto.getRandomValues(new Uint8Array(32));
    const vault = await vaultKeys(root, this.#remote.rpId);
    const removedSlots = [removed, ...liveIn(current.content, 'passkey').values()]
      .map(({ slot }) => slot.sign)
      .filter((sign) => ![...remaining.values()].some(({ slot }) => isSame(slot.sign, sign)));
    let content = withoutOpeners(current.content);
    for (const [each, data] of remaining)
      content = withEntry(content, each as 'passkey ', data, this.#device);
    const pending = { from: copy.root.slice(), removedSlots };
    await this.#create(vault, withEntry(content, 'rotation pending', pending, this.#device));
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
      try {
        await this.#repointAll(current, old);
        for (const sign of removedSlots) await this.#bury(slotAccess(sign, old.signer));
        current = await this.#retire(current, old);
        current = await this.#write(current, withoutEntry(current.content, key, this.#device));
      } finally {
        old.signer.close();
      }
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
    let secrets: { root: Bytes; vault: VaultKeys } | undefined;
    try {
      const own = await this.#remote.fetchOrNone(ownAccess);
      if (!own) return;
      secrets = await orNone(this.#vaultOf(own.received, slot));
      if (secrets) await this.#removeVault(secrets.vault, slot.signer.publicKey);
      await this.#bury(ownAccess);
    } finally {
      closeKeys(secrets?.root, slot, secrets?.vault);
    }
  }

  /** With all slots but the own one. What a change of R left behind goes first: this vault object is where it is remembered. */
  async #removeVault(vault: VaultKeys, ownSlot: Bytes): Promise<void> {
    const before = await this.#remote.fetchOrNone(vaultAccess(vault.signer));
    if (!before) return;
    const content = await orNone(contentOf(before.received, vault));
    const openers = content ? [...liveIn(content, 'passkey').values()].map(({ slot }) => slot.sign) : [];
    const bury = async (signer: Signer, slots: readonly Bytes[]): Promise<void> => {
      for (const sign of slots) if (!isSame(sign, ownSlot)) await this.#bury(slotAccess(sign, signer));
      await this.#bury(vaultAccess(signer));
    };
    for (const { from, removedSlots } of content ? liveIn(content, 'rotation').values() : []) {
      const { signer } = await vaultKeys(from, this.#remote.rpId);
      await bury(signer, [...openers, ...removedSlots]);
      signer.close();
    }
    await bury(vault.signer, openers);
  }

  async #open(
    slot: SlotKeys,
    vault: VaultKeys,
    root: Bytes,
    slotWarning: Warning | undefined,
  ): Promise<OpenCopy> {
    const { received, warning } = await this.#remote.fetch(vaultAccess(vault.signer));
    const content = await contentOf(received, vault);
    await this.#remote.note('vault', vault.signer.publicKey, received);
    const close = (): void => closeKeys(root, slot, vault);
    return { content, warning: warning ?? slotWarning, root, vault, slot, received, close };
  }

  /** Throws `copy.commitment` or `copy.damaged`. */
  async #vaultOf(received: Received, slot: SlotKeys): Promise<{ root: Bytes; vault: VaultKeys }> {
    const root = await openSlot(received, slot);
    const vault = await vaultKeys(root, this.#remote.rpId);
    // The slot names the vault that may rewrite it: R must be that one's, for anybody can seal to a public key.
    if (isSame(received.writer, vault.signer.publicKey)) return { root, vault };
    closeKeys(root, vault);
    throw damaged();
  }

  #withPasskey(content: Content, { id, transports, publicKey, name }: NewOpener, slot: SlotKeys): Content {
    const entry = { id, transports, name, slot: addressOf(slot), ...(publicKey && { publicKey }) };
    return withEntry(content, passkeyKeyOf(entry) as 'passkey ', entry, this.#device);
  }

  /** What is at a passkey's id and leads to no copy: a tombstone, a slot that does not open, or one whose vault object is gone. */
  async #replaceableSlot(slot: SlotKeys): Promise<Received | undefined> {
    const before = await this.#remote.fetchAny(slotAccess(slot.signer.publicKey, slot.signer));
    if (!before || before.isTombstone) return before;
    const secrets = await orNone(this.#vaultOf(before, slot));
    if (!secrets) return before;
    try {
      if (await this.#remote.fetchOrNone(vaultAccess(secrets.vault.signer))) throw alreadyThere();
      return before;
    } finally {
      closeKeys(secrets.root, secrets.vault);
    }
  }

  #create(vault: VaultKeys, content: Content): Promise<void> {
    return this.#remote.create(vaultAccess(vault.signer), (place) =>
      sealVault(vault, place, writeContent(content)),
    );
  }

  async #point(slot: SlotKeys, vault: VaultKeys, root: Bytes, before: Received | undefined): Promise<void> {
    const access = slotAccess(slot.signer.publicKey, slot.signer);
    const seal = (place: Place) => sealSlot(addressOf(slot), place, root);
    const writer = vault.signer.publicKey;
    if (!before) await this.#remote.create(access, seal, writer);
    else if (!(await this.#remote.replace(access, before, seal, writer))) throw alreadyThere();
  }

  /** The slot of the passkey at hand first: from then on it finds the new vault object, and with it what is left to do. */
  async #repointAll(copy: OpenCopy, old: VaultKeys): Promise<void> {
    const own = copy.slot.signer.publicKey;
    const slots = [...liveIn(copy.content, 'passkey').values()].map(({ slot }) => slot);
    slots.sort((a, b) => Number(isSame(b.sign, own)) - Number(isSame(a.sign, own)));
    for (const slot of slots) await this.#repoint(slot, copy, old);
  }

  /** Rewrites a slot of the old R for the new one, unless that was done before. */
  async #repoint(slot: SlotAddress, { vault, root }: OpenCopy, old: VaultKeys): Promise<void> {
    await this.#remote.retrying(async () => {
      if (await this.#remote.fetchOrNone(slotAccess(slot.sign, vault.signer))) return true;
      const access = slotAccess(slot.sign, old.signer);
      const before = await this.#remote.fetchOrNone(access);
      if (!before) return true;
      const seal = (place: Place) => sealSlot(slot, place, root);
      return (await this.#remote.replace(access, before.received, seal, vault.signer.publicKey)) && true;
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
      const content = await orNone(contentOf(before.received, old));
      if (content) current = await this.#takeOver(current, content);
      return (await this.#remote.bury(access, before.received)) ? current : undefined;
    });
  }

  async #takeOver(copy: OpenCopy, content: Content): Promise<OpenCopy> {
    try {
      return await this.write(copy, content);
    } catch (error) {
      if (error instanceof SyncError && isUnfit(error)) return copy;
      throw error;
    }
  }
}

/** Whoever holds the old R may write what cannot be taken over: it must not stop the change of R. */
function isUnfit({ code, details }: SyncError): boolean {
  return code === 'copy.other-wallet' || (code === 'copy.too-large' && 'bytes' in details);
}

async function contentOf(received: Received, vault: VaultKeys): Promise<Content> {
  return readContent(await openVaultObject(received, vault));
}

/** Undefined for what cannot be opened, and never could be. */
async function orNone<T>(opened: Promise<T>): Promise<T | undefined> {
  try {
    return await opened;
  } catch (error) {
    if (error instanceof SyncError && (error.code === 'copy.damaged' || error.code === 'copy.commitment'))
      return undefined;
    throw error;
  }
}

function addressOf({ signer, opening, commitment }: SlotKeys): SlotAddress {
  return { sign: signer.publicKey, open: opening.publicKey, commitment };
}

function closeKeys(root: Bytes | undefined, ...keys: (SlotKeys | VaultKeys | undefined)[]): void {
  for (const each of keys) each?.signer.close();
  root?.fill(0);
}
