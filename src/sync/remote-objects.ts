/** The objects of the copy as the server has them: read and checked against what this device has seen, replaced, and removed. */
import type { Clock } from '../base/clock.ts';
import { type Kind, objectId, type Signer } from './keys.ts';
import { isAuthentic, isSame, type Place, readObject, type Received, sealTombstone } from './objects.ts';
import type { Bytes } from '../wallets/records.ts';
import type { Mark, Seen } from './seen.ts';
import { damaged, SyncError } from './sync-error.ts';
import { type Access, type ServerOptions, SyncServer } from './sync-server.ts';

const RETRIES = 5;
/** Before the first retry, with as much again at random; doubled before each of the next ones. */
const PAUSE_MS = 250;

export interface RemoteOptions extends ServerOptions {
  rpId: string;
  seen: Seen;
  /** From 0 to below 1. */
  random?: () => number;
}

/** What the user is told: the server returned an older state than this device knows, or another one of the same age. */
export type Warning = 'rolled-back' | 'forked';

export interface Fetched {
  received: Received;
  warning: Warning | undefined;
}

export class RemoteObjects {
  readonly rpId: string;
  readonly #server: SyncServer;
  readonly #clock: Clock;
  readonly #seen: Seen;
  readonly #random: () => number;

  constructor(options: RemoteOptions) {
    this.#server = new SyncServer(options);
    this.rpId = options.rpId;
    this.#clock = options.clock;
    this.#seen = options.seen;
    this.#random = options.random ?? Math.random;
  }

  /** Not opened yet: `note` it once it is. Throws `copy.unknown` or `copy.removed` if it is not there. */
  async fetch(access: Access): Promise<Fetched> {
    const received = await this.fetchAny(access);
    const mark = await this.#latest(access);
    if (!received)
      throw new SyncError('copy.unknown', 'The server has no copy for this passkey.', {
        seen: mark !== undefined,
      });
    if (received.isGone) {
      const isNewer = !mark || received.counter > mark.counter;
      const isSigned = received.isTombstone && (await isAuthentic(received, access.owner, mark?.writer));
      throw new SyncError(
        'copy.removed',
        'The server says that the copy was removed. This browser keeps its wallets.',
        { verified: isNewer && isSigned },
      );
    }
    return { received, warning: warningOf(received, mark) };
  }

  /** The last state, be it a tombstone. `isGone`: the server says that it is one. */
  async fetchAny(access: Access): Promise<(Received & { isGone: boolean }) | undefined> {
    const { kind, owner } = access;
    const answer = await this.#server.get(access);
    if (answer.state === 'unknown') return undefined;
    const received = readObject(answer.bytes, { kind, rpId: this.rpId, owner });
    const isGone = answer.state === 'tombstone';
    if (!isGone && (received.isTombstone || answer.etag !== received.etag)) throw damaged();
    return { ...received, isGone };
  }

  async fetchOrNone(access: Access): Promise<Fetched | undefined> {
    try {
      return await this.fetch(access);
    } catch (error) {
      if (error instanceof SyncError && (error.code === 'copy.unknown' || error.code === 'copy.removed'))
        return undefined;
      throw error;
    }
  }

  /** Remembers a state as seen, unless a higher one was. */
  async note(kind: Kind, owner: Bytes, { counter, hash, writer }: Received): Promise<void> {
    await this.#seen.note(objectId(kind, owner), { counter, hash, writer });
  }

  /** Throws `copy.exists` if there is one. */
  async create(access: Access, seal: (place: Place) => Promise<Bytes>, writer?: Bytes): Promise<void> {
    const object = await seal(await this.#next(access, undefined, writer));
    if (!(await this.#server.put(access, object, 'none'))) throw alreadyThere();
    await this.#noteOwn(access, object);
  }

  /** Undefined if another device was faster. */
  async replace(
    access: Access,
    before: Received,
    seal: (place: Place) => Promise<Bytes>,
    writer?: Bytes,
  ): Promise<Received | undefined> {
    const object = await seal(await this.#next(access, before, writer));
    if (!(await this.#server.put(access, object, { match: before.etag }))) return undefined;
    return this.#noteOwn(access, object);
  }

  /** Leaves a tombstone. False if another device was faster. */
  async bury(access: Access, before: Received): Promise<boolean> {
    const { kind, signer } = access;
    const writer = kind === 'slot' ? before.writer : undefined;
    const tombstone = await sealTombstone(kind, await this.#next(access, before, writer), signer);
    return this.#server.remove(access, tombstone, before.etag);
  }

  /** Tries again while another device is faster. Throws `copy.busy` in the end. */
  async retrying<T>(attempt: (isRetry: boolean) => Promise<T | undefined>): Promise<T> {
    for (let retry = 0; retry <= RETRIES; retry++) {
      if (retry > 0) await this.#pause(PAUSE_MS * 2 ** (retry - 1) * (1 + this.#random()));
      const result = await attempt(retry > 0);
      if (result !== undefined) return result;
    }
    throw new SyncError('copy.busy', 'Other devices are writing the copy at the same time. Try again later.');
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.#clock.after(milliseconds, resolve));
  }

  #latest({ kind, owner }: Access): Promise<Mark | undefined> {
    return this.#seen.latest(objectId(kind, owner));
  }

  /** After what the server has, and above what this device has seen: if the server lost states, no device's memory has to go back. */
  async #next(access: Access, before: Received | undefined, writer: Bytes | undefined): Promise<Place> {
    const mark = await this.#latest(access);
    const [has, saw] = [before?.counter ?? 0n, mark?.counter ?? 0n];
    const counter = (has > saw ? has : saw) + 1n;
    const previous = before?.hash ?? mark?.hash;
    return { rpId: this.rpId, owner: access.owner, writer, counter, previous };
  }

  async #noteOwn({ kind, owner }: Access, object: Bytes): Promise<Received> {
    const received = readObject(object, { kind, rpId: this.rpId, owner });
    await this.note(kind, owner, received);
    return received;
  }
}

export function alreadyThere(): SyncError {
  return new SyncError('copy.exists', 'There is a copy for this passkey already.');
}

export function slotAccess(owner: Bytes, signer: Signer): Access {
  return { kind: 'slot', owner, signer };
}

export function vaultAccess(signer: Signer): Access {
  return { kind: 'vault', owner: signer.publicKey, signer };
}

function warningOf({ counter, hash, previous }: Received, known: Mark | undefined): Warning | undefined {
  if (!known) return undefined;
  if (counter < known.counter) return 'rolled-back';
  if (counter === known.counter && !isSame(hash, known.hash)) return 'forked';
  return counter === known.counter + 1n && !isSame(previous, known.hash) ? 'forked' : undefined;
}
