/** The encrypted copy that this browser keeps: what is known of it here, and the steps that concern both the vault and the server. */
import * as z from 'zod/mini';
import { toBase64Url } from '../base/base64.ts';
import { utf8 } from '../base/bytes.ts';
import type { Clock } from '../base/clock.ts';
import { type Place, placeHere } from '../wallets/assertion.ts';
import { wrappingKey } from '../wallets/cipher.ts';
import { exclusive, settled } from '../wallets/database.ts';
import { Keys } from '../wallets/keys.ts';
import { OpenVault } from '../wallets/open-vault.ts';
import {
  copySecretOf,
  dropPasskey,
  findPasskey,
  type FoundPasskey,
  keepCopySecret,
  makePasskey,
  newPasskey,
  type Passkey,
  passkeyName,
} from '../wallets/passkey.ts';
import type { RecipientRecord } from '../wallets/recipient-book.ts';
import { type Bytes, editVault, findVault, readVault } from '../wallets/records.ts';
import type { Unlocked } from '../wallets/types.ts';
import { readWallets } from '../wallets/wallet-list.ts';
import {
  type Content,
  type CopiedPasskey,
  type CopiedWallet,
  liveIn,
  merge,
  passkeyKeyOf,
  textOf,
  withEntry,
} from './content.ts';
import { DeviceCopy, restoreCopy, type Restoring } from './device-copy.ts';
import { hashOf } from './keys.ts';
import { isSame } from './objects.ts';
import type { Warning } from './remote-objects.ts';
import { StoredSeen } from './seen.ts';
import { SyncError } from './sync-error.ts';
import { readTerms } from './sync-server.ts';
import { type NewOpener, type OpenCopy, VaultSync } from './vault-sync.ts';

const STATE = 'state';
/** For the offer of a copy, which somebody waits for. */
const PATIENCE_MS = 4000;

const State = z.object({
  /** Id of the passkey that opens it. */
  passkey: z.custom<Bytes>((value) => value instanceof Uint8Array),
  /** When it was last known to hold what this browser does, in milliseconds since 1970. */
  writtenAt: z.number(),
  /** Hash of what this browser held then. */
  held: z.string(),
  /** What went wrong since: a `SyncCode`, or `forked`. */
  problem: z.optional(z.string()),
});
type State = z.infer<typeof State>;
/** Written now, unless it says when. */
interface NewState extends Pick<State, 'passkey' | 'held'> {
  writtenAt?: number | undefined;
  problem?: string | undefined;
}

export interface CopyState extends Pick<State, 'passkey' | 'writtenAt' | 'problem'> {
  /** Nothing has changed here since it was written. */
  isCurrent: boolean;
}

/** A copy that a passkey found and opened, to be looked at. It holds secrets: close it. */
export class FoundCopy {
  /** What the user is told of what the server returned. */
  readonly warning: Warning | undefined;

  constructor(
    readonly passkey: FoundPasskey,
    readonly copy: OpenCopy,
    warning: Warning | undefined,
  ) {
    this.warning = warning;
  }

  /** Without archived ones. */
  get wallets(): readonly CopiedWallet[] {
    return [...liveIn(this.copy.content, 'wallet').values()].filter(({ archived }) => !archived);
  }

  /** When a device wrote it last, by that device's clock; undefined if none has said so. */
  get writtenAt(): number | undefined {
    const writes = [...liveIn(this.copy.content, 'write').values()].map(({ at }) => at);
    return writes.length ? Math.max(...writes) : undefined;
  }

  close(): void {
    this.copy.close();
    this.passkey.copySecret.fill(0);
    this.passkey.secret?.fill(0);
  }
}

export interface KeptCopyOptions {
  /** Base URL of the wallet service. */
  url: string;
  clock: Clock;
  /** Called with whether this browser keeps a copy from now on. */
  onKept?: (isKept: boolean) => void;
}

/**
 * ```ts
 * const copy = new KeptCopy(await vault.parts(), { url, clock });
 * await copy.enrol(unlocked);
 * await copy.update(unlocked);
 * ```
 *
 * `unlocked`: by the passkey, in the wallet's own views. No output of a passkey leaves this module.
 */
export class KeptCopy {
  readonly #parts: Keys;
  readonly #options: KeptCopyOptions;
  readonly #device: DeviceCopy;

  /** `parts`: `Vault.parts()`. */
  constructor(parts: object, options: KeptCopyOptions) {
    this.#parts = Keys.of(parts);
    this.#options = options;
    this.#device = new DeviceCopy(this.#parts.db, this.#parts.options);
  }

  /** Undefined if this browser keeps none. */
  async state(): Promise<CopyState | undefined> {
    const [state, held] = await Promise.all([this.#state(), this.#held()]);
    return state && { ...state, isCurrent: state.held === held };
  }

  /**
   * Whether the vault's passkey may open a copy, as other browsers can find it as far as it is known, and the service keeps copies. One that
   * does not say so soon is not waited for.
   */
  async canEnrol(): Promise<boolean> {
    const passkey = (await this.#parts.db.read(['vault'], findVault))?.passkey;
    if (passkey === undefined || passkey.discoverable === false) return false;
    const { url, clock } = this.#options;
    const late = new Promise<undefined>((resolve) =>
      clock.after(PATIENCE_MS, () => resolve(undefined), 'limit'),
    );
    const request: typeof fetch = (...of) => fetch(...of);
    return (await Promise.race([readTerms({ url, clock, fetch: request }), late])) !== undefined;
  }

  /**
   * Makes the copy, or joins the one that this passkey opens already. Asks for the passkey again if it has not given the same secret twice,
   * or if it is not known that it can be found: call it in a user gesture. Throws `copy.unsteady` if it gives another one, and
   * `copy.other-wallet` if it opens that of another wallet. After `signal`, nothing is kept.
   */
  async enrol(unlocked: Unlocked, signal?: AbortSignal): Promise<void> {
    const open = OpenVault.of(unlocked);
    const { db } = this.#parts;
    const { passkey, createdAt } = await readVault(db);
    if (!passkey) throw unsteady();
    const secret = await this.#provenSecret(unlocked, passkey, signal);
    await this.#exclusive(async () => {
      signal?.throwIfAborted();
      const held = await this.#held();
      const local = await this.#device.contentOf(open);
      const sync = await this.#sync();
      try {
        const copy = await sync.enrol(
          secret,
          openerOf(passkey, passkeyName(createdAt)),
          await this.#stamped(local),
        );
        copy.close();
        if (signal?.aborted) await sync.remove(secret);
        signal?.throwIfAborted();
        await this.#device.adopt(open, copy.content, local);
        await this.#keep({ passkey: passkey.id, held });
      } catch (error) {
        if (!(error instanceof SyncError) || error.code !== 'copy.exists') throw error;
        await this.#exchange(open, secret, passkey.id);
      }
    });
  }

  /**
   * Takes over what other devices wrote, and writes what has changed here. What goes wrong is remembered. Does nothing if the vault was
   * opened by PIN. `consent`: the user agreed to write over an older state that the server returned.
   */
  async update(unlocked: Unlocked, consent = false): Promise<void> {
    const open = OpenVault.of(unlocked);
    const secret = copySecretOf(unlocked)?.bytes;
    if (!secret) return;
    await this.#exclusive(async () => {
      const state = await this.#state();
      if (!state) return;
      try {
        await this.#exchange(open, secret, state.passkey, consent);
      } catch (error) {
        if (error instanceof SyncError) await this.#put({ ...state, problem: error.code });
        throw error;
      }
    });
  }

  /**
   * Lets the user pick a passkey, and opens its copy. Call it in a user gesture. Throws `copy.unknown` and `copy.removed` if there is none;
   * that deletes nothing here.
   */
  async find(signal?: AbortSignal): Promise<FoundCopy> {
    const passkey = await findPasskey(this.#place, signal);
    const sync = await this.#sync();
    const read = await sync.read(passkey.copySecret);
    try {
      return new FoundCopy(passkey, await sync.finishRotation(read), read.warning);
    } catch (error) {
      read.close();
      throw error;
    }
  }

  /**
   * Makes this browser's vault from a copy, opened by its passkey, all or nothing. From then on it keeps it. `pin`: opens it, too; without
   * it, `canOpenVault` must hold. Throws `request.conflict` if there is a vault.
   */
  restore(found: FoundCopy, pin?: string, signal?: AbortSignal): Promise<Unlocked> {
    return this.#restore(found, { pin, signal });
  }

  /**
   * Replaces this browser's vault by that of a copy. The user must have checked that a back-up brings back what is here: nothing of it stays,
   * unless the copy cannot be taken over.
   */
  replace(found: FoundCopy, pin?: string, signal?: AbortSignal): Promise<Unlocked> {
    return this.#restore(found, { pin, signal, replaces: true });
  }

  async #restore({ copy, passkey, writtenAt }: FoundCopy, how: Restoring): Promise<Unlocked> {
    const { db, options } = this.#parts;
    const { id, salt, secret, copySecret } = passkey;
    const opener = [...liveIn(copy.content, 'passkey').values()].find((each) => isSame(each.id, id));
    const { transports = [], publicKey } = opener ?? {};
    const atHand = secret && {
      id,
      salt,
      secret,
      transports,
      discoverable: true,
      ...(publicKey && { publicKey }),
    };
    const also = async (tx: IDBTransaction): Promise<void> => {
      const state = this.#stateOf({ passkey: id, held: await heldIn(tx), writtenAt });
      await settled(tx.objectStore('sync').put(state, STATE));
    };
    const open = await restoreCopy(db, options, copy.content, { ...how, passkey: atHand, also });
    keepCopySecret(open, copySecret.slice(), false);
    this.#options.onKept?.(true);
    return open;
  }

  /** Whether a copy has this vault's seed. */
  async isOwn(unlocked: Unlocked, { copy }: FoundCopy): Promise<boolean> {
    const { seed } = await readVault(this.#parts.db);
    const entropy = await OpenVault.of(unlocked).unseal('seed', seed);
    const isOwn = isSame(entropy, copy.content.seed);
    entropy.fill(0);
    return isOwn;
  }

  /** Merges this browser's wallets with those of a copy of the same seed, and keeps that copy. Throws `copy.other-wallet`. */
  async join(unlocked: Unlocked, { passkey: { id, copySecret } }: FoundCopy): Promise<void> {
    await this.#exclusive(() => this.#exchange(OpenVault.of(unlocked), copySecret, id));
  }

  /** Opens the copy with the vault's passkey, to show and change who opens it. `close()` it. */
  async open(unlocked: Unlocked): Promise<OpenCopy> {
    const secret = copySecretOf(unlocked)?.bytes;
    if (!secret) throw unsteady();
    const sync = await this.#sync();
    const read = await sync.read(secret);
    try {
      if (read.warning === 'rolled-back') throw rolledBack();
      return await sync.finishRotation(read);
    } catch (error) {
      read.close();
      throw error;
    }
  }

  /** The passkeys that open a copy. `isOwn`: it is the vault's. */
  async passkeysOf({ content }: OpenCopy): Promise<readonly (CopiedPasskey & { isOwn: boolean })[]> {
    const { passkey } = await readVault(this.#parts.db);
    return [...liveIn(content, 'passkey').values()].map((each) => ({
      ...each,
      isOwn: passkey !== undefined && isSame(each.id, passkey.id),
    }));
  }

  /** Makes a passkey that opens the copy, too. Asks for it twice: call it in a user gesture. One that cannot is dropped again. */
  async addPasskey(copy: OpenCopy, signal?: AbortSignal): Promise<OpenCopy> {
    const now = this.#options.clock.date();
    const others = [...liveIn(copy.content, 'passkey').values()].map(({ id }) => id);
    const about = newPasskey(now, others);
    const { passkey, second } = await makePasskey(this.#place, signal, about);
    try {
      if (!passkey.discoverable) throw unsteady();
      const secret = await this.#foundSecret(second, passkey.id, signal);
      return await this.#exclusive(async () =>
        (await this.#sync()).addPasskey(copy, secret, openerOf(passkey, about.name)),
      );
    } catch (error) {
      await dropPasskey(passkey.id);
      throw error;
    }
  }

  /** Another passkey than the vault's no longer opens the copy: it gets a new key. Closes `copy`. */
  async removePasskey(copy: OpenCopy, id: Bytes): Promise<OpenCopy> {
    return this.#exclusive(async () => (await this.#sync()).rotate(copy, { id }));
  }

  /** The vault's passkey no longer opens the copy, which another one has found. From then on that one opens the vault, too. */
  async replacePasskey(unlocked: Unlocked, another: FoundCopy): Promise<void> {
    const { db } = this.#parts;
    const { passkey } = await readVault(db);
    const { copy } = another;
    const { id, salt, secret } = another.passkey;
    if (!passkey || !secret || isSame(passkey.id, id)) throw otherPasskey();
    if (!(await this.isOwn(unlocked, another))) throw otherWallet();
    const opener = liveIn(copy.content, 'passkey').get(passkeyKeyOf({ id }));
    const { transports = [], publicKey } = opener ?? {};
    await this.#exclusive(async () => {
      (await (await this.#sync()).rotate(copy, { id: passkey.id })).close();
      const wrap = await OpenVault.of(unlocked).wrap('passkey', await wrappingKey(secret, 'passkey'));
      const next = { id, salt, transports, discoverable: true, wrap, ...(publicKey && { publicKey }) };
      await editVault(db, (vault) => ({ ...vault, passkey: next }));
      const state = await this.#state();
      if (state) await this.#put({ ...state, passkey: id });
    });
  }

  /** Removes the copy from the server, and keeps none from then on. Fine if there is none. */
  async remove(unlocked: Unlocked): Promise<void> {
    const secret = copySecretOf(unlocked)?.bytes;
    if (!secret) throw unsteady();
    await this.#exclusive(async () => {
      await (await this.#sync()).remove(secret);
      await this.forget();
    });
  }

  /** Keeps none from then on. What the server has stays there. */
  async forget(): Promise<void> {
    await this.#parts.db.write(['sync'], async (tx) => {
      await Promise.all([STATE, 'base'].map((key) => settled(tx.objectStore('sync').delete(key))));
    });
    this.#options.onKept?.(false);
  }

  /** As it is, given twice, and once by a passkey that was found without its id. */
  async #provenSecret(
    unlocked: Unlocked,
    { id, discoverable }: Passkey,
    signal: AbortSignal | undefined,
  ): Promise<Bytes> {
    const secret = copySecretOf(unlocked);
    if (secret && !secret.isFresh && discoverable) return secret.bytes;
    return this.#foundSecret(secret?.bytes, id, signal);
  }

  /** Of a passkey that is found without its id, and gives the same as before. `before`: if it gave any. */
  async #foundSecret(before: Bytes | undefined, id: Bytes, signal: AbortSignal | undefined): Promise<Bytes> {
    const find = async (): Promise<Bytes> => {
      const picked = await findPasskey(this.#place, signal);
      if (isSame(picked.id, id)) return picked.copySecret;
      throw otherPasskey();
    };
    const once = before ?? (await find());
    if (isSame(once, await find())) return once;
    throw unsteady();
  }

  async #exchange(open: OpenVault, secret: Bytes, passkey: Bytes, consent = false): Promise<void> {
    const sync = await this.#sync();
    const read = await sync.read(secret);
    let copy = read;
    try {
      if (read.warning === 'rolled-back' && !consent) throw rolledBack();
      copy = await sync.finishRotation(read);
      const held = await this.#held();
      const local = await this.#device.contentOf(open);
      if (consent || textOf(merge(local, copy.content)) !== textOf(copy.content))
        copy = await sync.write(copy, await this.#stamped(local), consent);
      await this.#device.adopt(open, copy.content, local);
      const isChanged = held !== (await this.#held());
      // What was adopted is held by both; anything else that changed meanwhile is written the next time.
      await this.#keep({
        passkey,
        held: isChanged ? await this.#heldIfWritten(open, copy.content, held) : held,
        problem: read.warning === 'forked' ? 'forked' : undefined,
      });
    } finally {
      copy.close();
    }
  }

  async #heldIfWritten(open: OpenVault, content: Content, before: string): Promise<string> {
    const held = await this.#held();
    const now = await this.#device.contentOf(open);
    return textOf(merge(now, content)) === textOf(content) ? held : before;
  }

  /** Says when this device wrote it. */
  async #stamped(content: Content): Promise<Content> {
    const device = await this.#device.device();
    return withEntry(content, `write ${device}`, { at: this.#options.clock.date() }, device);
  }

  async #sync(): Promise<VaultSync> {
    const { rpId } = this.#place;
    const seen = new StoredSeen(this.#parts.db);
    const { url, clock } = this.#options;
    return new VaultSync({ url, clock, rpId, seen, device: await this.#device.device() });
  }

  get #place(): Place {
    return this.#parts.options.place ?? placeHere();
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    return exclusive(`${this.#parts.db.name}:copy`, work);
  }

  async #state(): Promise<State | undefined> {
    const stored: unknown = await this.#parts.db.read(['sync'], (tx) =>
      settled(tx.objectStore('sync').get(STATE)),
    );
    return stored === undefined ? undefined : State.parse(stored);
  }

  #keep(state: NewState): Promise<void> {
    return this.#put(this.#stateOf(state));
  }

  #stateOf({ passkey, held, writtenAt = this.#options.clock.date(), problem }: NewState): State {
    return { passkey, held, writtenAt, ...(problem !== undefined && { problem }) };
  }

  async #put(state: State): Promise<void> {
    await this.#parts.db.write(['sync'], (tx) => settled(tx.objectStore('sync').put(state, STATE)));
    this.#options.onKept?.(true);
  }

  #held(): Promise<string> {
    return this.#parts.db.read(['vault', 'wallets', 'recipients'], heldIn);
  }
}

/** Hash of what goes into the copy, as far as it can be read without opening the vault. */
async function heldIn(tx: IDBTransaction): Promise<string> {
  const [vault, wallets, recipients] = await Promise.all([
    findVault(tx),
    readWallets(tx),
    settled(tx.objectStore('recipients').getAll()) as Promise<RecipientRecord[]>,
  ]);
  const rows = [
    ...wallets.map(({ secretType, address, network, alias, primary, archived, exported }) =>
      textOf({ secretType, address, network, alias, primary, archived, exported }),
    ),
    ...recipients.map(textOf),
  ];
  return toBase64Url(hashOf(utf8(textOf([vault?.backedUp, ...rows.sort()]))));
}

function openerOf({ id, transports, publicKey }: Passkey, name: string): NewOpener {
  return { id, transports, name, ...(publicKey && { publicKey }) };
}

function otherPasskey(): SyncError {
  return new SyncError('copy.other-passkey', 'This is another passkey than the one that is asked for.');
}

function otherWallet(): SyncError {
  return new SyncError('copy.other-wallet', 'The passkey opens the copy of another wallet.');
}

function unsteady(): SyncError {
  return new SyncError(
    'copy.unsteady',
    'This passkey does not give the same secret each time. It opens no copy.',
  );
}

function rolledBack(): SyncError {
  return new SyncError(
    'copy.rolled-back',
    'The server returned an older copy than this device has seen. Nothing was written.',
  );
}
