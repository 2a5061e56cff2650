/**
 * The page's session with a wallet: opened when it is needed, ended by either side, replaced by a new one or by another tab of the page.
 * Each session has a client of its own, so that the entries of two sessions never mix.
 */
import { close, leave, type Session, type SignClient } from './walletconnect-client.ts';
import { ClientEntries, type SessionStore } from './walletconnect-store.ts';

export interface OpenSession {
  client: SignClient;
  session: Session;
}

export interface SessionListener {
  /** `shown`: the accounts that the wallet now uses, if it names any. */
  changed(session: Session, shown?: unknown): Promise<void>;
  ended(): void;
}

/** A client, and the id of the stored session that it serves. */
interface Open {
  id: string;
  client: SignClient;
}

export class PageSession {
  readonly #store: SessionStore;
  readonly #start: (entries: ClientEntries) => Promise<SignClient>;
  readonly #listener: SessionListener;
  /** Id of the session that is open or opening. */
  #id: string | undefined;
  #opening: Promise<Open> | undefined;

  constructor(
    store: SessionStore,
    start: (entries: ClientEntries) => Promise<SignClient>,
    listener: SessionListener,
    ended: AbortSignal,
  ) {
    this.#store = store;
    this.#start = start;
    this.#listener = listener;
    store.onOther(() => {
      if (store.id() !== this.#id) void this.current().catch(() => {});
    }, ended);
    ended.addEventListener('abort', () => closeWhenOpen(this.#opening));
  }

  /** What is stored, which another tab may have ended or replaced. Undefined if there is none. */
  async current(): Promise<OpenSession | undefined> {
    const id = this.#store.id();
    if (this.#id !== id) {
      closeWhenOpen(this.#opening);
      this.#id = id;
      this.#opening = id === undefined ? undefined : this.#open(id);
    }
    const open = await this.#opening;
    if (!open) return undefined;
    const { client } = open;
    const [session] = client.session.getAll();
    if (session) return { client, session };
    // It has expired, or the wallet ended it while the page was away.
    this.#end(open);
    return undefined;
  }

  /** Stores the new session of a client as the page's. `before`: the session that it replaces. */
  replace(client: SignClient, entries: ClientEntries, before: OpenSession | undefined): void {
    const old = this.#opening;
    const id = entries.keep();
    this.#id = id;
    this.#opening = Promise.resolve(this.#follow({ id, client }));
    // Only now: until then, the end of the old session would remove what is stored.
    if (before) leave(before.client);
    else closeWhenOpen(old);
  }

  async forget(): Promise<void> {
    const open = await this.current().catch(() => undefined);
    this.#id = this.#opening = undefined;
    this.#store.forget();
    if (open) leave(open.client);
  }

  #open(id: string): Promise<Open> {
    const opening = this.#start(new ClientEntries(this.#store, id)).then((client) =>
      this.#follow({ id, client }),
    );
    opening.catch(() => {
      if (this.#opening === opening) this.#id = this.#opening = undefined;
    });
    return opening;
  }

  /** Listens to the wallet's own notifications. */
  #follow(open: Open): Open {
    const { id, client } = open;
    const changed = (shown?: unknown): void => {
      const [session] = client.session.getAll();
      if (session && this.#store.id() === id) void this.#listener.changed(session, shown).catch(() => {});
    };
    client.on('session_update', () => changed());
    client.on('session_delete', () => this.#end(open));
    client.on('session_expire', () => this.#end(open));
    client.on('session_event', ({ params: { event } }) =>
      changed(event.name === 'accountsChanged' ? event.data : undefined),
    );
    return open;
  }

  #end(open: Open): void {
    if (this.#id === open.id) this.#id = this.#opening = undefined;
    if (this.#store.id() === open.id) {
      this.#store.forget();
      this.#listener.ended();
    }
    close(open.client);
  }
}

function closeWhenOpen(opening: Promise<Open> | undefined): void {
  opening?.then(
    ({ client }) => close(client),
    () => {},
  );
}
