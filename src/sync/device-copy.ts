/** The device's side of the copy: what its vault would put into it, and what it takes over. Nothing here talks to a server. */
import { utf8 } from '../base/bytes.ts';
import { SecretTypeSchema } from '../api/secret-type.ts';
import type { NetworkKind } from '../chains/network.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { PasskeyAtHand, VaultContents } from '../wallets/creation.ts';
import { type Database, settled } from '../wallets/database.ts';
import { type KeyOptions, Keys } from '../wallets/keys.ts';
import type { OpenVault } from '../wallets/open-vault.ts';
import { seedOf } from '../wallets/phrase.ts';
import type { RecipientRecord } from '../wallets/recipient-book.ts';
import {
  type Bytes,
  findVault,
  readVault,
  Sealed,
  type VaultRecord,
  type WalletRecord,
} from '../wallets/records.ts';
import { packed, unpacked } from '../wallets/backup-file.ts';
import { readWallets } from '../wallets/wallet-list.ts';
import {
  type Content,
  type CopiedWallet,
  isLive,
  liveIn,
  questionsIn,
  readContent,
  recipientKeyOf,
  textOf,
  walletKeyOf,
  withEntry,
  withoutEntry,
  writeContent,
} from './content.ts';
import { isSame } from './objects.ts';
import { SyncError } from './sync-error.ts';

/** What of a content came into the vault. */
export interface Adoption {
  /** Ids of wallets that were not here before. */
  added: string[];
  /** Keys of entries that this version cannot hold: their chain is unknown, or their address is not that of their key. They stay in the copy. */
  skipped: string[];
  /** Imported wallets of this vault that another device removed. They stay until the user answers. */
  questions: Map<string, CopiedWallet>;
}

const LABEL = 'copy';
const KINDS: readonly NetworkKind[] = ['mainnet', 'testnet', 'local'];
type Chains = NonNullable<KeyOptions['chain']>;

interface Rows {
  vault: VaultRecord | undefined;
  wallets: WalletRecord[];
  recipients: RecipientRecord[];
  base: Sealed | undefined;
  device: string;
}

/** The content that this device knew last, and the recipients of it that were in its book. */
interface Base {
  content: Content;
  heldRecipients: string[];
}

/**
 * ```ts
 * const copy = new DeviceCopy(db, options);
 * const local = await copy.contentOf(open);
 * const { questions } = await copy.adopt(open, merge(local, remote), local);
 * ```
 */
export class DeviceCopy {
  readonly #db: Database;
  readonly #chain: Chains;

  constructor(db: Database, { chain = loadChain }: Pick<KeyOptions, 'chain'> = {}) {
    this.#db = db;
    this.#chain = chain;
  }

  /** Random, made at the first call. It says nothing about the device. */
  device(): Promise<string> {
    return this.#db.write(['sync'], deviceIn);
  }

  /**
   * What this vault holds now, each change since the last call stamped as this device's. Only a recipient's absence counts as removal: a
   * wallet that is not here stays in the copy. Holds secrets in plain: keep it in memory, as short as possible.
   */
  async contentOf(open: OpenVault): Promise<Content> {
    const rows = await this.#db.write(['vault', 'wallets', 'recipients', 'sync'], rowsIn);
    const vault = rows.vault ?? (await readVault(this.#db));
    const seed = await open.unseal('seed', vault.seed);
    const stored = await this.#base(open, rows.base);
    const base = stored && isSame(stored.content.seed, seed) ? stored : undefined;
    const { createdAt } = vault;
    const before: Content = base?.content ?? { version: 1, seed, createdAt, backedUp: false, entries: {} };
    let content: Content = { ...before, backedUp: before.backedUp || vault.backedUp };
    const edit = (key: `wallet ${string}` | `recipient ${string}`, data: object): void => {
      const { value } = content.entries[key] ?? {};
      // Fields of later versions stay, and so do the id and the time of whoever was first.
      const kept = value?.data ?? {};
      const next = { ...kept, ...data, ...pick(kept, ['id', 'createdAt']) };
      if (!value || textOf(kept) !== textOf(next))
        content = withEntry(content, key, next as CopiedWallet & RecipientRecord, rows.device);
    };
    for (const record of rows.wallets) edit(walletKeyOf(record) as 'wallet ', await dataOf(open, record));
    for (const record of rows.recipients) edit(recipientKeyOf(record) as 'recipient ', record);
    const heldRecipients = rows.recipients.map(recipientKeyOf);
    for (const key of base?.heldRecipients ?? [])
      if (!heldRecipients.includes(key) && content.entries[key]?.value)
        content = withoutEntry(content, key, rows.device);
    if (textOf(content) !== textOf(base?.content)) await this.#keep(open, { content, heldRecipients });
    return content;
  }

  /**
   * Takes over what other devices did. `local`: what `contentOf` gave before; a row that changed since then stays, and its change is
   * stamped the next time. All or nothing is written.
   */
  async adopt(open: OpenVault, merged: Content, local: Content): Promise<Adoption> {
    const sameSeed = isSame(await open.unseal('seed', (await readVault(this.#db)).seed), merged.seed);
    if (!sameSeed || !isSame(local.seed, merged.seed))
      throw new SyncError(
        'copy.other-wallet',
        'The copy belongs to another wallet than the one in this browser.',
      );
    const here = await this.#db.read(['wallets'], readWallets);
    const { write, absent, newRecords } = await this.#takeOver(open, merged, local, here);
    await this.#db.write(['vault', 'wallets', 'recipients', 'sync'], write);
    const skipped = absent.filter((key) => !newRecords.has(key));
    const questions = new Map(
      [...questionsIn(merged)].filter(([key]) => here.some((record) => walletKeyOf(record) === key)),
    );
    return { added: [...newRecords.values()].map(({ id }) => id), skipped, questions };
  }

  /** Writes all of a copy into a new vault of its seed. */
  async fill(open: OpenVault, content: Content): Promise<(tx: IDBTransaction) => Promise<void>> {
    return (await this.#takeOver(open, content, { ...content, entries: {} }, [])).write;
  }

  /** What is to be written. `absent`: the keys of wallets that are not `here`. */
  async #takeOver(open: OpenVault, merged: Content, local: Content, here: readonly WalletRecord[]) {
    const live = [...liveIn(merged, 'wallet')];
    const absent = live.filter(([key]) => !here.some((record) => walletKeyOf(record) === key));
    const newRecords = await this.#newRecords(open, merged.seed, absent);
    const recipients = [...liveIn(merged, 'recipient')].filter(([, { secretType }]) => isKnown(secretType));
    const base: Base = { content: merged, heldRecipients: recipients.map(([key]) => key) };
    const sealed = await sealBase(open, base);
    const write = async (tx: IDBTransaction): Promise<void> => {
      const rows = await rowsIn(tx);
      const wallets = mergedRows(rows.wallets, newRecords, merged, local);
      const book = tx.objectStore('recipients');
      const gone = rows.recipients.filter((record) => {
        const key = recipientKeyOf(record);
        const entry = merged.entries[key];
        return entry && !isLive(entry) && local.entries[key]?.value !== undefined;
      });
      await Promise.all([
        ...wallets.map((record) => settled(tx.objectStore('wallets').put(record))),
        ...recipients.map(([, { secretType, key, address, name }]) =>
          settled(book.put({ secretType, key, address, name })),
        ),
        ...gone.map(({ secretType, key }) => settled(book.delete([secretType, key]))),
        settled(tx.objectStore('sync').put(sealed, 'base')),
        rows.vault &&
          settled(
            tx
              .objectStore('vault')
              .put({ ...rows.vault, backedUp: rows.vault.backedUp || merged.backedUp }, 'vault'),
          ),
      ]);
    };
    return { write, newRecords, absent: absent.map(([key]) => key) };
  }

  async #newRecords(
    open: OpenVault,
    entropy: Bytes,
    absent: [string, CopiedWallet][],
  ): Promise<Map<string, WalletRecord>> {
    const records = new Map<string, WalletRecord>();
    const seed = await seedOf(entropy);
    try {
      for (const [key, wallet] of absent) {
        if (!isKnown(wallet.secretType)) continue;
        const { secretType } = wallet;
        const chain = await this.#chain(secretType);
        const secret =
          wallet.index === null
            ? wallet.key?.slice()
            : new Uint8Array(await chain.deriveKey(seed, wallet.index));
        if (!secret) continue;
        const addresses = await Promise.all(KINDS.map(async (kind) => chain.address(secret, kind)));
        if (addresses.includes(wallet.address)) {
          const { id, address, alias, primary, archived, network, index, exported, createdAt } = wallet;
          const record: WalletRecord = {
            id,
            secretType,
            address,
            alias,
            primary,
            archived,
            index,
            createdAt,
            ...(network !== undefined && { network }),
            ...(exported !== undefined && { exported }),
            lastUsed: createdAt,
            key: await open.seal(id, secret),
          };
          records.set(key, record);
        }
        secret.fill(0);
      }
    } finally {
      seed.fill(0);
    }
    return records;
  }

  async #base(open: OpenVault, sealed: Sealed | undefined): Promise<Base | undefined> {
    if (!sealed) return undefined;
    const text = new TextDecoder().decode(await open.unseal(LABEL, sealed));
    const { content, heldRecipients } = unpacked(text) as Base;
    return { content: readContent(writeContent(content)), heldRecipients };
  }

  async #keep(open: OpenVault, base: Base): Promise<void> {
    const sealed = await sealBase(open, base);
    await this.#db.write(['sync'], (tx) => settled(tx.objectStore('sync').put(sealed, 'base')));
  }
}

function sealBase(open: OpenVault, base: Base): Promise<Sealed> {
  return open.seal(LABEL, utf8(packed(base)));
}

/** How a copy comes into a browser. At least one of `pin` and `passkey` opens the vault from then on. */
export interface Restoring extends Pick<VaultContents, 'replaces'> {
  /** A new one. */
  pin?: string | undefined;
  /** The one at hand. */
  passkey?: PasskeyAtHand | undefined;
  /** Written in the same transaction. */
  also?: (tx: IDBTransaction) => Promise<unknown>;
  signal?: AbortSignal | undefined;
}

/**
 * Makes this browser's vault from the copy, all or nothing. Throws `request.conflict` if there is one that it does not replace. Whether it
 * counts as backed up is what the copy says of the words.
 */
export async function restoreCopy(
  db: Database,
  options: KeyOptions,
  content: Content,
  { replaces = false, also, signal, ...ways }: Restoring,
): Promise<OpenVault> {
  const { creation } = new Keys(db, options);
  const prepare: VaultContents['prepare'] = async (open) => {
    const write = await new DeviceCopy(db, options).fill(open, content);
    return async (tx) => {
      await write(tx);
      await also?.(tx);
    };
  };
  const contents = { replaces, prepare };
  return creation.restoreEntropy(content.seed.slice(), ways, content.backedUp, contents, signal);
}

/** The rows that differ from what is stored, and new ones, with at most one primary wallet of a chain. */
function mergedRows(
  rows: readonly WalletRecord[],
  newRecords: ReadonlyMap<string, WalletRecord>,
  merged: Content,
  local: Content,
): WalletRecord[] {
  const ids = new Set(rows.map(({ id }) => id));
  const keys = new Set(rows.map(walletKeyOf));
  const next = rows.map((row) => {
    const key = walletKeyOf(row);
    const before = local.entries[key]?.value?.data as CopiedWallet | undefined;
    const after = merged.entries[key]?.value?.data as CopiedWallet | undefined;
    if (!before || !after || textOf(editable(row)) !== textOf(editable(before))) return row;
    return { ...row, ...editable(after) };
  });
  for (const [key, record] of newRecords) if (!keys.has(key) && !ids.has(record.id)) next.push(record);
  const chains = new Set(next.map(({ secretType }) => secretType));
  for (const secretType of chains) {
    const stampOf = (record: WalletRecord): number =>
      merged.entries[walletKeyOf(record)]?.value?.stamp.counter ?? 0;
    const [, ...others] = next
      .filter((record) => record.primary && record.secretType === secretType)
      .sort((a, b) => stampOf(b) - stampOf(a) || (a.address < b.address ? -1 : 1));
    for (const other of others) other.primary = false;
  }
  return next;
}

/** What the user changes about a wallet. */
function editable({ alias, primary, archived, exported }: CopiedWallet | WalletRecord) {
  return { alias, primary, archived, ...(exported !== undefined && { exported }) };
}

async function dataOf(open: OpenVault, record: WalletRecord): Promise<CopiedWallet> {
  const { id, secretType, address, network, index, createdAt } = record;
  return {
    id,
    secretType,
    address,
    index,
    createdAt,
    ...editable(record),
    ...(network !== undefined && { network }),
    ...(index === null && { key: await open.key(id) }),
  };
}

function pick(data: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => name in data).map((name) => [name, data[name]]));
}

async function rowsIn(tx: IDBTransaction): Promise<Rows> {
  const sealed: unknown = await settled(tx.objectStore('sync').get('base'));
  return {
    vault: await findVault(tx),
    wallets: await readWallets(tx),
    recipients: (await settled(tx.objectStore('recipients').getAll())) as RecipientRecord[],
    base: sealed === undefined ? undefined : Sealed.parse(sealed),
    device: await deviceIn(tx),
  };
}

async function deviceIn(tx: IDBTransaction): Promise<string> {
  const store = tx.objectStore('sync');
  const device: unknown = await settled(store.get('device'));
  if (typeof device === 'string') return device;
  const newDevice = crypto.randomUUID();
  await settled(store.put(newDevice, 'device'));
  return newDevice;
}

function isKnown(secretType: string): secretType is SecretType {
  return SecretTypeSchema.safeParse(secretType).success;
}

async function loadChain(secretType: SecretType): ReturnType<Chains> {
  return (await import('../chains/load.ts')).loadChain(secretType);
}
