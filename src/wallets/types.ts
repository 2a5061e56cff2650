/** Who holds keys: the browser vault, and the wallet service next to it. */
import type { Account, Device } from '../api/account.ts';
import type { SentTransaction } from '../api/transaction.ts';
import type { Wallet } from '../api/wallet.ts';
import type {
  AnySignature,
  Chain,
  Draft,
  PrivateKey,
  Receipt,
  Signed,
  ParsedSigning,
  TransactionState,
} from '../chains/chain.ts';
import type { Summary } from '../chains/approval/summary.ts';
import type { SigningSummary } from '../chains/approval/signing.ts';
import type { Arrived, Incoming } from '../chains/incoming/incoming.ts';
import type { NetworkKind } from '../chains/network.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { Action } from '../action-names.ts';
import type { ConnectError, WireError } from '../errors.ts';
import type { Intent } from './passkey-intent.ts';

export interface VaultState {
  exists: boolean;
  /** The recovery phrase was typed back once. */
  backedUp: boolean;
  /** Wrong PINs since the last right one. */
  wrongPins: number;
  /** Epoch milliseconds until which no PIN is tried; null when open; Infinity for the hard lock that only the phrase lifts. */
  lockedUntil: number | null;
  passkey: boolean;
  /** A PIN was chosen. A wallet that was made with a passkey has none until then. */
  pin: boolean;
  /** Epoch milliseconds of the last change; undefined while it is the first PIN. */
  pinChangedAt?: number | undefined;
}

/** What has to be written down before a wallet survives the loss of this browser's data: the recovery phrase, or a key of its own. */
export type Unsaved = 'phrase' | 'key';

export interface BackUpFile {
  text: string;
  /** The user has it: the wallets in it count as backed up as long as the user can open it. */
  confirm(): Promise<void>;
}

export interface PinKeeper {
  state(): Promise<PinState>;
}

/** Who signs for a wallet: the vault of this browser, or the wallet service. */
export interface Holder extends PinKeeper {
  /** Opens what the PIN protects. A remote holder only checks the PIN when it signs: then the `Signer` throws what `Vault.unlock` does. */
  unlock(pin: string): Promise<Signer>;
  /**
   * Opens it for `intent`, and nothing else. Throws `wallet.secret.internal-error` where the passkey answered anything else. `signal`
   * closes the device's dialog.
   */
  unlockWithPasskey(intent: Intent, signal?: AbortSignal): Promise<Signer>;
}

export type PinState = Pick<VaultState, 'lockedUntil' | 'passkey' | 'pin'> & {
  /**
   * A recovery code sets another PIN when this one is forgotten; when absent, the words of the recovery phrase do. `walletId`: of a
   * wallet with a PIN of its own.
   */
  recovery?: { walletId?: string | undefined };
  /** This device may not sign yet: it takes the PIN and the recovery code. */
  enrolled?: boolean;
};

/** Keep it as short as the work: it has the vault key, or the PIN, in memory until `close()` forgets it. */
export interface Signer {
  /**
   * Exactly this draft. `asking` is made by those who have to ask somebody else. Undefined when the wallet has signed something else in
   * its place: it has to be drawn again.
   */
  sign(
    wallet: Wallet,
    chain: Chain,
    draft: Draft,
    asking: () => Promise<Asking>,
  ): Promise<Signed | undefined>;
  /** `signal` closes the dialog of a passkey. */
  signData(
    wallet: Wallet,
    chain: Chain,
    request: ParsedSigning,
    requestId: string,
    signal?: AbortSignal,
  ): Promise<AnySignature>;
  /** As the chain's wallets write private keys. */
  exportKey(wallet: Wallet, chain: Chain, kind: NetworkKind): Promise<string>;
  close(): void;
}

/** What a remote holder needs from its caller, since its answer can get lost. */
export interface Asking {
  /** Asked again under it, the holder gives the same answer. */
  id: string;
  /** Hash of the wallet's own transaction whose place this one takes. */
  replaces?: string | undefined;
  /** Closes the dialog of a passkey. */
  signal?: AbortSignal | undefined;
  /** Whether the draft is still fresh enough, after such a dialog. Absent: it was signed already, and only its answer is missing. */
  fresh?(): boolean;
  /** Writes down what is about to be asked for. */
  begin(draft: string): Promise<void>;
  /** Nothing was signed. */
  drop(): Promise<void>;
  /** No answer came: resolves when it is to be asked again. Rejects with `frame.unreachable`: the request is kept. */
  lost(): Promise<void>;
}

/** An open vault. Holds the vault key in memory. */
export interface Unlocked extends Signer {
  /** The wallet's private key; overwrite it with zeros after use. */
  key(walletId: string): Promise<PrivateKey>;
}

/**
 * A wallet as the vault holds it: what a site may see, and what only the wallet itself knows. Sites get it through
 * `frame/wallets/site-wallets.ts`, which takes that off.
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
  /** Those that are known without waiting for the wallet service. */
  now?: boolean | undefined;
}

/** One that may spend from the user's wallets of the service. */
export interface ServiceDevice extends Device {
  /** It is this browser. */
  own: boolean;
}

/**
 * The user's account at the wallet service. Its calls throw what the service's problems name, and `service.unreachable`. An account with a
 * passkey takes its answer to each call that has a `pin`, in a user gesture; it stands for the user's PIN if that is undefined.
 */
export interface ServiceAccess {
  /** The user's PIN, which all wallets have that have none of their own. */
  readonly pin: PinKeeper;
  /** Why its wallets are not among the others; undefined when they are. Waits for the answer, a few seconds at most. */
  trouble(): Promise<ConnectError | undefined>;
  /** Asks for everything again. */
  reload(): Promise<void>;
  /** Undefined for an application's own token: the application makes its wallets itself. */
  account(): Promise<Account | undefined>;
  /** The user's wallets that are not among the others before this device is enrolled: somebody else may have made them. */
  elsewhere(): Promise<readonly HeldWallet[]>;
  /** `recoveryCode` when the PIN was made with it. */
  createWallet(
    secretType: SecretType,
    pin: string,
    home: NewHome,
  ): Promise<{ wallet: HeldWallet; recoveryCode?: string | undefined }>;
  /** Lets this device sign. */
  enrol(pin: string | undefined, recoveryCode: string): Promise<void>;
  /** `wallet`: one with a PIN of its own; absent for the user's PIN. */
  changePin(pin: string | undefined, next: string, wallet?: Wallet): Promise<void>;
  /** Gives a wallet a PIN of its own in place of the user's, which is `pin`; answers its recovery code. */
  setOwnPin(wallet: Wallet, pin: string | undefined, next: string): Promise<string>;
  /** Sets another PIN, lifts its locks, lets this device sign; answers the next recovery code. `walletId`: of a wallet with a PIN of its own. */
  recover(recoveryCode: string, next: string, walletId?: string): Promise<string>;
  /** Replaces the recovery code; `wallet` as of `changePin`. */
  renewCode(pin: string | undefined, wallet?: Wallet): Promise<string>;
  /** Has the device make a passkey, which from then on is needed wherever the account spends. Takes the PIN alone. */
  addPasskey(pin: string): Promise<void>;
  /** By the passkey itself, or by the recovery code of the user's PIN. */
  removePasskey(recoveryCode?: string): Promise<void>;
  devices(): Promise<readonly ServiceDevice[]>;
  /** Revokes its right to spend. */
  removeDevice(thumbprint: string): Promise<void>;
  /** What the service signed for a wallet, here or elsewhere: the newest 100. Throws as every call. */
  sent(wallet: Wallet): Promise<readonly SentTransaction[]>;
  /** The address of a user's e-mail address. Throws `recipient.unknown`. */
  resolve(email: string, secretType: SecretType): Promise<string>;
}

/** What opens a back-up file. */
export type FileOpener = { phrase: string; pin: string } | 'passkey';

export interface Vault extends Holder {
  /** Where the page gives access tokens of the wallet service. */
  readonly service?: ServiceAccess;
  /** Who signs for a wallet. */
  holder(wallet: Wallet): Holder;
  /** Of the browser's own vault. */
  state(): Promise<VaultState>;
  /**
   * New seed, vault key and PIN wrap. Throws `storage.unavailable` before anything is made when storage is denied or full. `signal`, here
   * and below: the user went back; then nothing is made or changed, and the device's dialog closes.
   */
  create(pin: string, signal?: AbortSignal): Promise<Unlocked>;
  /**
   * The same with a passkey, and no PIN. Call it in a user gesture; `user.rejected` if the user cancels, `wallet.secret.internal-error`
   * if the passkey cannot open a wallet: then nothing was made.
   */
  createWithPasskey(signal?: AbortSignal): Promise<Unlocked>;
  /** From a recovery phrase: opens the vault of this browser with a new PIN if the phrase is its own, makes one if there is none. */
  restore(phrase: string, pin: string, signal?: AbortSignal): Promise<Unlocked>;
  /** Where there is no vault yet: one from a recovery phrase, with a passkey. As `createWithPasskey`. */
  restoreWithPasskey(phrase: string, signal?: AbortSignal): Promise<Unlocked>;
  /** Counts the attempt before the work. Throws `pincode.wrong` (`details.attemptsLeft`) or `pincode.locked` (`details.retryAfter`, seconds). */
  unlock(pin: string): Promise<Unlocked>;
  /** Whether the phrase is the one of this browser's vault. Throws `request.invalid` at `phrase` if it is not a phrase. */
  ownsPhrase(phrase: string): Promise<boolean>;
  changePin(current: string, next: string, signal?: AbortSignal): Promise<void>;
  /** The first PIN of a wallet that was made with a passkey. */
  choosePin(unlocked: Unlocked, pin: string, signal?: AbortSignal): Promise<void>;

  /** Whether this browser can make a passkey that opens the vault (WebAuthn PRF). */
  passkeyAvailable(): Promise<boolean>;
  /** Makes a passkey, or replaces the one there is. Call it in a user gesture; `user.rejected` if the user cancels. */
  addPasskey(unlocked: Unlocked, signal?: AbortSignal): Promise<void>;
  /** Throws `request.conflict` where only the phrase would be left to open the vault. */
  removePasskey(): Promise<void>;
  /** Works while PINs are locked, and leaves their count as it is. Call it in a user gesture. */
  unlockWithPasskey(intent: Intent, signal?: AbortSignal): Promise<Unlocked>;

  phrase(unlocked: Unlocked): Promise<string[]>;
  confirmBackup(): Promise<void>;
  /** The user has seen the wallet's private key. */
  confirmExport(walletId: string): Promise<void>;
  /**
   * By wallet id; wallets that are backed up are left out. The phrase does not hold imported keys. A back-up file holds every key, and counts
   * while something opens it: the phrase, once it is backed up, or the passkey it was saved with, while the vault has that one.
   */
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
  /** Throws `request.conflict` when the address already exists on that network. */
  importWallet(
    unlocked: Unlocked,
    secretType: SecretType,
    key: PrivateKey,
    alias?: string,
    home?: NewHome,
  ): Promise<HeldWallet>;
  /** The encrypted back-up file: every wallet, and the ways to open it but the PIN. */
  backUp(unlocked: Unlocked): Promise<BackUpFile>;
  /**
   * Where there is no vault yet: the one of a back-up file, opened by its recovery phrase, which then gets a PIN, or by its passkey, in a
   * user gesture. Throws `request.invalid` at `file` or `phrase`, before anything is made.
   */
  restoreFile(file: string, by: FileOpener, signal?: AbortSignal): Promise<Unlocked>;
  rename(id: string, alias: string): Promise<void>;
  makePrimary(id: string): Promise<void>;
  /** No wallet of the chain in this browser is the primary one: one of the service is. */
  clearPrimary(secretType: SecretType): Promise<void>;
  setArchived(id: string, archived: boolean): Promise<void>;

  /** Wallets linked to a site, archived ones left out unless `archived` asks for them too; with an `id` only that one. */
  linked(origin: string, archived?: boolean, id?: string): Promise<HeldWallet[]>;
  /** Adds to what the site already sees. */
  link(origin: string, walletIds: string[]): Promise<void>;
  /** Replaces what the site sees. */
  setLinked(origin: string, walletIds: string[]): Promise<void>;
  unlink(origin: string, walletId: string): Promise<void>;

  /** The recipients that the user named, on every chain. */
  recipients(): Promise<readonly Recipient[]>;
  /** To change them, and whom the user paid. */
  recipientBook(): Promise<RecipientBook>;

  journal: Journal;
  activity: Activity;
  history(): Promise<History>;
  settings: Settings;
  /** Runs `work` while no other tab signs with this wallet (Web Locks). */
  exclusive<T>(walletId: string, work: () => Promise<T>): Promise<T>;
  /** Calls back after anything was written, here or in another tab, with the areas that changed. Returns the undo. */
  onChange(listener: (areas: readonly Area[]) => void): () => void;
}

/** What a vault keeps, by the name of its object store. `vault` is the seed, the ways in and the count of wrong PINs. */
export type Area =
  | 'vault'
  | 'wallets'
  | 'links'
  | 'journal'
  | 'activity'
  | 'recipients'
  | 'history'
  | 'settings';

/** Of the address book. One address may have another name on each chain that writes addresses alike. */
export interface Recipient {
  secretType: SecretType;
  address: string;
  name: string;
}

/** Somebody to send to: named by the user, paid before, or the user's own wallet. */
export interface KnownRecipient {
  address: string;
  /** Empty for one that was only paid. */
  name: string;
  /** One of the user's wallets. */
  own: boolean;
  /** Payments from here that are in a block. */
  times: number;
  /** Epoch milliseconds of the last one; 0 without. */
  last: number;
}

export interface RecipientBook {
  /**
   * Those with a name first, by the last payment, then the user's own wallets, then those who were only paid. `own`: the user's wallets of
   * the chain, archived ones too, by which payments count.
   */
  list(secretType: SecretType, own: readonly Wallet[]): Promise<KnownRecipient[]>;
  /** Adds or renames. Throws `request.invalid` at `name`. */
  save(recipient: Recipient): Promise<void>;
  remove(secretType: SecretType, address: string): Promise<void>;
}

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
  /** A transaction that the wallet service was asked to sign and to send, while its answer is not known. */
  asked?: { walletId: string; key: string; draft: string } | undefined;
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
  /** Removes an entry for which nothing was signed after all. */
  forget(origin: string, requestId: string): Promise<void>;
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
  /** What that one is for; absent in records of older versions. */
  replacedTo?: Replacing | undefined;
  /** As in `Receipt`, once it is decided. */
  fee?: bigint | undefined;
  expired?: boolean | undefined;
  /** What left was worth when it was sent, where a source of prices knew. */
  worth?: PastWorth | undefined;
  /** What a swap brought, in smallest units, by the logs. */
  got?: bigint | undefined;
}

export type Replacing = 'speed-up' | 'cancel';

/** A value in a currency as it was at the time. It is never looked up later. */
export interface PastWorth {
  value: number;
  /** ISO 4217. */
  currency: string;
}

/** What came to a wallet, as the nodes told it. */
export interface ReceivedRecord extends Incoming {
  worth?: PastWorth | undefined;
}

/** Something that a wallet signed for a site, besides transactions. What it says is not kept. */
export interface SignatureRecord {
  id: string;
  walletId: string;
  origin: string;
  at: number;
  kind: SigningSummary['kind'];
}

/** What happened to a wallet besides the transactions it made. Loaded at its first use. */
export interface History {
  /** Latest first. */
  received(walletId: string): Promise<ReceivedRecord[]>;
  /** Where the next look for what came begins. */
  cursor(walletId: string): Promise<number | undefined>;
  /** Adds what is new to what is known, and answers that. Those known to wait for a block stay only if they are told again. */
  addReceived(walletId: string, found: Arrived): Promise<ReceivedRecord[]>;
  /** Notes what something was worth when it came. */
  setWorth(walletId: string, worth: ReadonlyMap<string, PastWorth>): Promise<void>;
  signatures(walletId: string): Promise<SignatureRecord[]>;
  addSignature(record: SignatureRecord): Promise<void>;
}

export interface Activity {
  list(walletId: string): Promise<ActivityRecord[]>;
  get(hash: string): Promise<ActivityRecord | undefined>;
  put(record: ActivityRecord): Promise<void>;
  setState(hash: string, state: TransactionState, replacedBy?: string): Promise<void>;
  /** The same with what it cost and brought, or that it expired; or only what else is known by now. */
  setReceipt(
    hash: string,
    news: Partial<Receipt> & Pick<ActivityRecord, 'replacedBy' | 'replacedTo' | 'got' | 'worth'>,
  ): Promise<void>;
  /** Addresses the wallet has sent to or called. */
  used(walletId: string): Promise<string[]>;
  /** Addresses that sent something to it, as far as `History` knows: anybody can, so they are compared with and never trusted. */
  senders(walletId: string): Promise<string[]>;
}

export interface Settings {
  theme(): 'auto' | 'light' | 'dark';
  setTheme(theme: 'auto' | 'light' | 'dark'): Promise<void>;
  /** BCP 47; empty: as the site. */
  language(): string;
  setLanguage(language: string): void;
}
