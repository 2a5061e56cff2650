/** Who holds keys. The browser vault implements this; the wallet service will, for its own wallets. */
import type { Wallet } from '../api/wallet.ts';
import type { Draft, PrivateKey, Receipt, Signed, Summary, TransactionState } from '../chains/chain.ts';
import type { NetworkKind } from '../chains/network.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { Action } from '../channel/schema.ts';
import type { WireError } from '../errors.ts';

export interface VaultState {
  exists: boolean;
  /** The recovery phrase was typed back once. */
  backedUp: boolean;
  /** Wrong PINs since the last right one. */
  wrongPins: number;
  /** Epoch milliseconds until which no PIN is tried; null when open; Infinity for the hard lock that only the phrase lifts. */
  lockedUntil: number | null;
  passkey: boolean;
  /** Epoch milliseconds of the last change; undefined while it is the first PIN. */
  pinChangedAt?: number | undefined;
}

/** What has to be written down before a wallet survives the loss of this browser's data: the recovery phrase, or a key of its own. */
export type Unsaved = 'phrase' | 'key';

/** An open vault. Holds the vault key in memory; `close()` forgets it. Keep it as short as the work. */
export interface Unlocked {
  /** The wallet's private key; overwrite it with zeros after use. */
  key(walletId: string): Promise<PrivateKey>;
  close(): void;
}

/**
 * A wallet as the vault holds it: what a site may see, and what only the wallet itself knows. Sites get it through
 * `frame/flows/site-wallets.ts`, which takes that off.
 */
export interface HeldWallet extends Wallet {
  /** Id in `networks.json`; undefined in what older versions made, which is on the first network of its chain. */
  network?: string | undefined;
  /** The key came from elsewhere: the recovery phrase does not hold it. */
  imported: boolean;
}

/** The network that a wallet is made on. `first`: wallets that name no network are on it too. */
export interface NewHome {
  id: string;
  kind: NetworkKind;
  first: boolean;
}

export interface WalletFilter {
  secretType?: SecretType | undefined;
  archived?: boolean | undefined;
}

export interface Vault {
  state(): Promise<VaultState>;
  /** New seed, vault key and PIN wrap. Throws `storage.unavailable` before anything is made when storage is denied or full. */
  create(pin: string): Promise<Unlocked>;
  /** From a recovery phrase: opens the vault of this browser with a new PIN if the phrase is its own, makes one if there is none. */
  restore(phrase: string, pin: string): Promise<Unlocked>;
  /** Counts the attempt before the work. Throws `pincode.wrong` (`details.attemptsLeft`) or `pincode.locked` (`details.retryAfter`, seconds). */
  unlock(pin: string): Promise<Unlocked>;
  /** Whether the phrase is the one of this browser's vault. Throws `request.invalid` at `phrase` if it is none. */
  ownsPhrase(phrase: string): Promise<boolean>;
  changePin(current: string, next: string): Promise<void>;

  /** Whether this browser can make a passkey that opens the vault (WebAuthn PRF). */
  passkeyAvailable(): Promise<boolean>;
  /** Makes a passkey, or replaces the one there is. Call it in a user gesture; `user.rejected` if the user cancels. */
  addPasskey(unlocked: Unlocked): Promise<void>;
  removePasskey(): Promise<void>;
  /** Works while PINs are locked, and leaves their count as it is. Call it in a user gesture. */
  unlockWithPasskey(): Promise<Unlocked>;

  phrase(unlocked: Unlocked): Promise<string[]>;
  confirmBackup(): Promise<void>;
  /** The user has seen the wallet's private key. */
  confirmExport(walletId: string): Promise<void>;
  /** By wallet id; wallets that are backed up are left out. The phrase does not hold imported keys. */
  unsaved(): Promise<ReadonlyMap<string, Unsaved>>;

  /** Primary first, then last used. Without a filter for it, archived wallets are left out. */
  wallets(filter?: WalletFilter): Promise<HeldWallet[]>;
  wallet(id: string): Promise<HeldWallet | undefined>;
  /** The next derived wallet on a network; without one, on the first of the chain, as a live one. */
  createWallet(
    unlocked: Unlocked,
    secretType: SecretType,
    alias?: string,
    home?: NewHome,
  ): Promise<HeldWallet>;
  /** Throws `request.conflict` when the address is there already on that network. */
  importWallet(
    unlocked: Unlocked,
    secretType: SecretType,
    key: PrivateKey,
    alias?: string,
    home?: NewHome,
  ): Promise<HeldWallet>;
  rename(id: string, alias: string): Promise<void>;
  makePrimary(id: string): Promise<void>;
  setArchived(id: string, archived: boolean): Promise<void>;

  /** Wallets linked to a site, archived ones left out unless `archived` asks for them too. */
  linked(origin: string, archived?: boolean): Promise<HeldWallet[]>;
  /** Adds to what the site already sees. */
  link(origin: string, walletIds: string[]): Promise<void>;
  /** Replaces what the site sees. */
  setLinked(origin: string, walletIds: string[]): Promise<void>;
  unlink(origin: string, walletId: string): Promise<void>;

  journal: Journal;
  activity: Activity;
  settings: Settings;
  /** Runs `work` while no other tab signs with this wallet (Web Locks). */
  exclusive<T>(walletId: string, work: () => Promise<T>): Promise<T>;
  /** Calls back after anything was written, here or in another tab, with the areas that changed. Returns the undo. */
  onChange(listener: (areas: readonly Area[]) => void): () => void;
}

/** What a vault keeps, by the name of its object store. `vault` is the seed, the ways in and the count of wrong PINs. */
export type Area = 'vault' | 'wallets' | 'links' | 'journal' | 'activity' | 'settings';

export interface JournalEntry {
  origin: string;
  requestId: string;
  action: Action;
  walletId: string;
  /** The request as it came, so that it can be shown again. */
  params: unknown;
  /** `signed`: raw bytes are kept, the network may not have them. `done`, `failed`: answered. */
  state: 'signed' | 'done' | 'failed' | 'dismissed';
  /** One for each transaction of the request that was signed, in order. */
  signed: Signed[];
  networkId: string;
  /** The site's own node, when the request named one. */
  customNode?: { name: string; nodeUrl: string; chainId?: number | undefined } | undefined;
  result?: unknown;
  error?: WireError | undefined;
  acknowledged: boolean;
  at: number;
}

/** What was approved, by site and request id, so that nothing is lost and nothing is done twice. */
export interface Journal {
  /**
   * The entry of this id, or undefined if it is new. Throws `request.conflict` if the id was used with another body.
   */
  find(origin: string, requestId: string, action: Action, params: unknown): Promise<JournalEntry | undefined>;
  get(origin: string, requestId: string): Promise<JournalEntry | undefined>;
  /** Durable (`durability: 'strict'`) before it resolves. */
  put(entry: Omit<JournalEntry, 'at' | 'acknowledged'>): Promise<void>;
  acknowledge(origin: string, requestId: string): Promise<void>;
  /** Entries of a site that were not acknowledged, restricted to `requestIds`. */
  pending(origin: string, requestIds: string[]): Promise<JournalEntry[]>;
  /** Signed and never known to be broadcast, of any site. */
  unsent(walletId?: string): Promise<JournalEntry[]>;
}

export interface ActivityRecord {
  hash: string;
  walletId: string;
  secretType: SecretType;
  origin: string;
  at: number;
  state: TransactionState;
  /** What was shown at approval. */
  summary: Summary;
  /** Kept while it can be replaced. */
  draft?: Draft | undefined;
  raw: string;
  /** The hash that took this one's place. */
  replacedBy?: string | undefined;
  /** As in `Receipt`, once it is decided. */
  fee?: bigint | undefined;
  expired?: boolean | undefined;
}

export interface Activity {
  list(walletId: string): Promise<ActivityRecord[]>;
  get(hash: string): Promise<ActivityRecord | undefined>;
  put(record: ActivityRecord): Promise<void>;
  setState(hash: string, state: TransactionState, replacedBy?: string): Promise<void>;
  /** The same with what it cost, or that its time is over. */
  setReceipt(hash: string, receipt: Receipt): Promise<void>;
  /** Addresses the wallet has sent to or called. */
  used(walletId: string): Promise<string[]>;
}

export interface Settings {
  theme(): 'auto' | 'light' | 'dark';
  setTheme(theme: 'auto' | 'light' | 'dark'): Promise<void>;
}
