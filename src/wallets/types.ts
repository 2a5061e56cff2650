/** Who holds keys: the browser vault, and the wallet service next to it. */
import type { Account, Device } from '../api/account.ts';
import type { CrossChainSwap } from '../api/history.ts';
import type { SentTransaction } from '../api/transaction.ts';
import type { Wallet } from '../api/wallet.ts';
import type { Chain } from '../chains/chain.ts';
import type {
  AnySignature,
  Draft,
  PrivateKey,
  Receipt,
  Signed,
  ParsedSigning,
  TransactionState,
} from '../chains/terms.ts';
import type { Summary } from '../chains/approval/summary.ts';
import type { SigningSummary } from '../chains/approval/signing.ts';
import type { Arrived, CoinArrival, CoinLook, CoinsFound, Incoming } from '../chains/nodes/incoming.ts';
import type { NetworkKind } from '../chains/network.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { Action } from '../base/actions.ts';
import type { ConnectError, WireError } from '../base/errors.ts';
import type { Intent } from './passkey-intent.ts';

export interface VaultState {
  exists: boolean;
  /** Whether the recovery phrase was typed back once. */
  backedUp: boolean;
  /** How many wrong PINs were entered since the last right one. */
  wrongPins: number;
  /** Until when no PIN is accepted, in epoch milliseconds: null if one is now, Infinity for the hard lock that only the phrase lifts. */
  lockedUntil: number | null;
  passkey: boolean;
  /** Whether a PIN is set. A wallet created with a passkey has none at first. */
  pin: boolean;
  /** When the PIN was last changed, in epoch milliseconds; undefined while it is the first one. */
  pinChangedAt?: number | undefined;
}

/**
 * What must be written down for a wallet to survive the loss of this browser's data: the recovery phrase, or
 * its own key.
 */
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
   * Opens it for `intent`, and nothing else. Throws `wallet.secret.internal-error` if the passkey answered
   * anything else. `signal` closes the device's dialog.
   */
  unlockWithPasskey(intent: Intent, signal?: AbortSignal): Promise<Signer>;
}

export type PinState = Pick<VaultState, 'lockedUntil' | 'passkey' | 'pin'> & {
  /** As of `VaultState`; absent where no words open anything. */
  backedUp?: boolean;
  /**
   * A recovery code sets another PIN when this one is forgotten; when absent, the words of the recovery phrase do. `walletId`: of a
   * wallet with a PIN of its own.
   */
  recovery?: { walletId?: string | undefined };
  /** This device may not sign yet: enrolling takes the PIN and the recovery code. */
  enrolled?: boolean;
};

/** Keep it no longer than needed: it holds the vault key, or the PIN, in memory until `close()`. */
export interface Signer {
  /**
   * Signs exactly this draft. `asking` is for holders that have to ask somebody else. Undefined if the wallet
   * has signed something else meanwhile: it has to be drawn again.
   */
  sign(
    wallet: Wallet,
    chain: Chain,
    draft: Draft,
    asking: () => Promise<Asking>,
  ): Promise<Signed | undefined>;
  signData(
    wallet: Wallet,
    chain: Chain,
    request: ParsedSigning,
    asking: SigningAsking,
  ): Promise<AnySignature>;
  /** The private key in the format of the chain's wallets. */
  exportKey(wallet: Wallet, chain: Chain, kind: NetworkKind): Promise<string>;
  close(): void;
}

/** What a remote holder needs to know of a request for a signature of data. */
export interface SigningAsking {
  /** The request's key: under the same one the holder gives the same answer. */
  id: string;
  /** The id of the network that the request names; undefined for the wallet's default one. */
  network?: string | undefined;
  /** Closes the dialog of a passkey. */
  signal?: AbortSignal | undefined;
}

/** What a remote holder needs from its caller, because its answer can get lost. */
export interface Asking {
  /** The request's key: under the same one the holder gives the same answer. */
  id: string;
  /** Hash of the wallet's own transaction that this one replaces. */
  replaces?: string | undefined;
  /** Closes the dialog of a passkey. */
  signal?: AbortSignal | undefined;
  /**
   * Whether the draft is still fresh enough after such a dialog. Absent: it is already signed, and only the
   * answer is missing.
   */
  fresh?(): boolean;
  /** Stores what is about to be requested. */
  begin(draft: string): Promise<void>;
  /** Removes what `begin` stored: nothing was signed. */
  drop(): Promise<void>;
  /** No answer came: resolves when it should be retried. Rejects with `frame.unreachable`: the request is kept. */
  lost(): Promise<void>;
}

/** An open vault. Holds the vault key in memory. */
export interface Unlocked extends Signer {
  /** The wallet's private key; overwrite it with zeros after use. */
  key(walletId: string): Promise<PrivateKey>;
}

/**
 * A wallet as the vault holds it: what a site may see, and what only the wallet itself knows. Sites get it
 * through `frame/shell/site-wallets.ts`, which strips the latter.
 */
export interface HeldWallet extends Wallet {
  /** Its default network, by its id in `networks.json`; undefined in records of older versions: the first network of the chain. */
  network?: string | undefined;
  /** The key came from elsewhere: the recovery phrase does not hold it. */
  imported: boolean;
}

/** The network that a wallet is created on. `first`: wallets that name no network are on it too. */
export interface NewHome {
  id: string;
  kind: NetworkKind;
  first: boolean;
}

export interface WalletFilter {
  secretType?: SecretType | undefined;
  archived?: boolean | undefined;
  /** Only those that are known without waiting for the wallet service. */
  now?: boolean | undefined;
}

/** A device that may spend from the user's service wallets. */
export interface ServiceDevice extends Device {
  /** It is this browser. */
  own: boolean;
}

/**
 * The user's account at the wallet service. Its calls throw what the service's problems name, and
 * `service.unreachable`. If the account has a passkey, each call with a `pin` asks for it too, so it needs a
 * user gesture; the passkey stands for the user's PIN if that is undefined.
 */
export interface ServiceAccess {
  /** The user's PIN, for all wallets that have none of their own. */
  readonly pin: PinKeeper;
  /** Why its wallets are not among the others; undefined when they are. Waits for the answer, a few seconds at most. */
  trouble(): Promise<ConnectError | undefined>;
  /** Reads everything from the service again. */
  reload(): Promise<void>;
  /** Undefined for an application's own token: the application creates its wallets itself. */
  account(): Promise<Account | undefined>;
  /** The user's wallets that are hidden until this device is enrolled: somebody else may have created them. */
  elsewhere(): Promise<readonly HeldWallet[]>;
  /** `recoveryCode` if this created the PIN. */
  createWallet(
    secretType: SecretType,
    pin: string,
    home: NewHome,
  ): Promise<{ wallet: HeldWallet; recoveryCode?: string | undefined }>;
  /** Lets this device sign. */
  enrol(pin: string | undefined, recoveryCode: string): Promise<void>;
  /** `wallet`: one with a PIN of its own; absent for the user's PIN. */
  changePin(pin: string | undefined, next: string, wallet?: Wallet): Promise<void>;
  /** Gives a wallet its own PIN instead of the user's, which is `pin`; resolves to its recovery code. */
  setOwnPin(wallet: Wallet, pin: string | undefined, next: string): Promise<string>;
  /**
   * Sets another PIN, lifts its locks, lets this device sign; resolves to the next recovery code. `walletId`:
   * of a wallet with a PIN of its own.
   */
  recover(recoveryCode: string, next: string, walletId?: string): Promise<string>;
  /** Replaces the recovery code; `wallet` as of `changePin`. */
  renewCode(pin: string | undefined, wallet?: Wallet): Promise<string>;
  /**
   * Has the device create a passkey, which from then on is required wherever the account spends. Takes only
   * the PIN.
   */
  addPasskey(pin: string): Promise<void>;
  /** By the passkey itself, or by the recovery code of the user's PIN. */
  removePasskey(recoveryCode?: string): Promise<void>;
  devices(): Promise<readonly ServiceDevice[]>;
  /** Revokes its right to spend. */
  removeDevice(thumbprint: string): Promise<void>;
  /** What the service signed for a wallet, here or elsewhere: the newest 100. Throws as every call does. */
  sent(wallet: Wallet): Promise<readonly SentTransaction[]>;
  /** Coins that the service saw come to a wallet, on chains whose nodes list no such payments: of the newest 100. Throws as every call does. */
  receivedCoins(wallet: Wallet): Promise<readonly ReceivedRecord[]>;
  /** The address of a user's e-mail address. Throws `recipient.unknown`. */
  resolve(email: string, secretType: SecretType): Promise<string>;
}

/** What opens a back-up file. */
export type FileOpener = { phrase: string; pin: string } | 'passkey';

/** The wallets that the user has, without their keys. */
export interface WalletList {
  /** The primary wallet first, then as the user has moved them, then by last use. Archived ones are left out unless the filter asks for them. */
  wallets(filter?: WalletFilter): Promise<HeldWallet[]>;
  wallet(id: string): Promise<HeldWallet | undefined>;
  rename(id: string, alias: string): Promise<void>;
  makePrimary(id: string): Promise<void>;
  /** Up (-1) or down (1) by one place among the chain's wallets in this browser. The primary one stays first. */
  move(id: string, by: -1 | 1): Promise<void>;
  /** The chain's primary wallet is the service's, not one in this browser. */
  clearPrimary(secretType: SecretType): Promise<void>;
  setArchived(id: string, archived: boolean): Promise<void>;
}

/** Makes and opens this browser's vault, and holds the keys that sign. */
export interface KeyStore extends Holder {
  /** Set if the page supplies access tokens for the wallet service. */
  readonly service?: ServiceAccess;
  /** Who signs for a wallet. */
  holder(wallet: Wallet): Holder;
  /** The state of the browser's own vault. */
  state(): Promise<VaultState>;
  /**
   * New seed, vault key and PIN wrap. Throws `storage.unavailable` before anything is created if storage is
   * denied or full. `signal`, here and below: the user went back; then nothing is created or changed, and the
   * device's dialog closes.
   */
  create(pin: string, signal?: AbortSignal): Promise<Unlocked>;
  /**
   * As `create`, with a passkey and without a PIN. Call it in a user gesture; `user.rejected` if the user cancels,
   * `wallet.secret.internal-error` if the passkey cannot open a wallet: then nothing was created.
   */
  createWithPasskey(signal?: AbortSignal): Promise<Unlocked>;
  /**
   * From a recovery phrase: opens this browser's vault with a new PIN if the phrase matches, or creates one
   * if there is none.
   */
  restore(phrase: string, pin: string, signal?: AbortSignal): Promise<Unlocked>;
  /** Creates the vault from a recovery phrase, with a passkey, if there is none yet. As `createWithPasskey`. */
  restoreWithPasskey(phrase: string, signal?: AbortSignal): Promise<Unlocked>;
  /** Counts the attempt before the work. Throws `pincode.wrong` (`details.attemptsLeft`) or `pincode.locked` (`details.retryAfter`, seconds). */
  unlock(pin: string): Promise<Unlocked>;
  /** Works while PINs are locked, and leaves their count as it is. Call it in a user gesture. */
  unlockWithPasskey(intent: Intent, signal?: AbortSignal): Promise<Unlocked>;
  /** Whether the phrase is the one of this browser's vault. Throws `request.invalid` at `phrase` if it is not a phrase. */
  ownsPhrase(phrase: string): Promise<boolean>;
  changePin(current: string, next: string, signal?: AbortSignal): Promise<void>;
  /** Sets the first PIN of a wallet created with a passkey. */
  choosePin(unlocked: Unlocked, pin: string, signal?: AbortSignal): Promise<void>;
  /** Sets a PIN in place of a forgotten one, and lifts the lock after wrong ones. */
  replacePin(unlocked: Unlocked, pin: string, signal?: AbortSignal): Promise<void>;
  /** Whether this browser can create a passkey that opens the vault (WebAuthn PRF). */
  passkeyAvailable(): Promise<boolean>;
  /** Creates or replaces the passkey. Call it in a user gesture; `user.rejected` if the user cancels. */
  addPasskey(unlocked: Unlocked, signal?: AbortSignal): Promise<void>;
  /**
   * Throws `request.conflict` if only the phrase would be left to open the vault. The password manager drops the passkey, unless `keepsIt`:
   * it may open the wallet in other browsers, too.
   */
  removePasskey(keepsIt?: boolean): Promise<void>;
  /**
   * Derives the next wallet, whose default network is `home`; without it, the chain's first one, as a mainnet. Where addresses differ by
   * network (Bitcoin, Litecoin), indexes are counted per network.
   */
  createWallet(
    unlocked: Unlocked,
    secretType: SecretType,
    alias?: string,
    home?: NewHome,
  ): Promise<HeldWallet>;
  /** Throws `request.conflict` when there is a wallet of this address; on Bitcoin and Litecoin, on that network. */
  importWallet(
    unlocked: Unlocked,
    secretType: SecretType,
    key: PrivateKey,
    alias?: string,
    home?: NewHome,
  ): Promise<HeldWallet>;
  /** For the encrypted copy (`src/sync`) and Settings alone: `Keys.of` opens it. */
  parts(): Promise<object>;
  /** Runs `work` while no other tab signs with this wallet on this network (Web Locks). */
  exclusive<T>(
    wallet: Pick<Wallet, 'secretType' | 'address'>,
    networkId: string,
    work: () => Promise<T>,
  ): Promise<T>;
}

/** Which wallets a site sees. */
/** A network, by its id in `networks.json`, and its chain. */
export interface LinkNetwork {
  secretType: string;
  id: string;
}

export interface SiteLinks {
  /** Wallets linked to a site, without archived ones unless `archived` is set; with an `id` only that one. */
  linked(origin: string, archived?: boolean, id?: string): Promise<HeldWallet[]>;
  /** Adds to what the site already sees. */
  link(origin: string, walletIds: string[]): Promise<void>;
  /** Replaces what the site sees. `network`: the one that the site asked for, in place of any other of its chain. */
  setLinked(origin: string, walletIds: string[], network?: LinkNetwork): Promise<void>;
  /** The networks that the site asked for, one per chain, as long as any wallet is linked to it. `networks.json` may have lost them since. */
  linkNetworks(origin: string): Promise<readonly LinkNetwork[]>;
  unlink(origin: string, walletId: string): Promise<void>;
  /** All sites that see wallets of this browser, those that were linked last first. */
  sites(): Promise<LinkedSite[]>;
  /** Origins of the sites that see wallets which are not of this browser, but of the wallet service. */
  servedSites(): Promise<string[]>;
  /** The site sees no wallet of this browser any more. */
  unlinkSite(origin: string): Promise<void>;
}

/** A site that sees wallets of this browser. */
export interface LinkedSite {
  origin: string;
  /** Archived ones, which the site does not see, are not among them. */
  walletIds: string[];
  /** When the first of them was linked, in milliseconds since 1970. Undefined if a version before 0.2.0 did. */
  since?: number | undefined;
  /** When the user last approved something that the site asked for. */
  approvedAt?: number | undefined;
}

/** What was approved, sent and received, and with whom. */
export interface ActivityStore {
  journal: Journal;
  activity: Activity;
  history(): Promise<History>;
  /** The recipients that the user named, on every chain. */
  recipients(): Promise<readonly Recipient[]>;
  /** For changing them, and for whom the user has paid. */
  recipientBook(): Promise<RecipientBook>;
}

/** What the user set, and what brings the wallets back if this browser's data is lost. */
export interface SettingsAndBackup {
  settings: Settings;
  phrase(unlocked: Unlocked): Promise<string[]>;
  /** The user has typed the recovery phrase back. */
  confirmBackup(): Promise<void>;
  /** The user has seen the wallet's private key. */
  confirmExport(walletId: string): Promise<void>;
  /**
   * By wallet id, without wallets that are backed up. The phrase does not cover imported keys. A back-up file
   * holds every key, and counts as long as something opens it: the phrase, once it is backed up, or the
   * passkey it was saved with, while the vault has that one.
   */
  unsaved(): Promise<ReadonlyMap<string, Unsaved>>;
  /** The encrypted back-up file: every wallet, and the ways to open it but the PIN. */
  backUp(unlocked: Unlocked): Promise<BackUpFile>;
  /**
   * If there is no vault yet: restores the one in a back-up file, opened by its recovery phrase, with a new
   * PIN, or by its passkey, in a user gesture. Throws `request.invalid` at `file` or `phrase`, before
   * anything is created.
   */
  restoreFile(file: string, by: FileOpener, signal?: AbortSignal): Promise<Unlocked>;
}

export interface Vault extends WalletList, KeyStore, SiteLinks, ActivityStore, SettingsAndBackup {
  /**
   * Calls back after anything was written, here or in another tab, with the areas that changed. Returns a
   * function that unsubscribes.
   */
  onChange(listener: (areas: readonly Area[]) => void): () => void;
}

/**
 * What a vault keeps, by the name of its object store. `vault` is the seed, the ways in and the count of wrong PINs; `sync` is what is known
 * of the encrypted copy.
 */
export type Area =
  | 'vault'
  | 'wallets'
  | 'links'
  | 'journal'
  | 'activity'
  | 'recipients'
  | 'history'
  | 'sync'
  | 'settings';

/** An entry of the address book. Where chains share an address format, an address may have another name on each. */
export interface Recipient {
  secretType: SecretType;
  address: string;
  name: string;
}

/** Somebody to send to: named by the user, paid before, or the user's own wallet. */
export interface KnownRecipient {
  address: string;
  /** Empty for a recipient that was only paid. */
  name: string;
  /** One of the user's wallets. */
  own: boolean;
  /** Payments from here that are in a block. */
  times: number;
  /** When the last of them was made, in epoch milliseconds; 0 if there is none. */
  last: number;
  /** The networks of these payments, the last one first: as `ActivityRecord.network`. */
  networks: readonly (string | undefined)[];
}

export interface RecipientBook {
  /**
   * Those with a name first, by the last payment, then the user's own wallets, then those only paid. `own`:
   * the user's wallets of the chain, archived ones too, whose payments count.
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
  /** A transaction that the wallet service was asked to sign and send, until its answer is known. */
  asked?: { walletId: string; key: string; draft: string } | undefined;
  networkId: string;
  /** The site's own node, when the request named one. */
  customNode?: { name: string; nodeUrl: string; chainId?: number | undefined } | undefined;
  result?: unknown;
  error?: WireError | undefined;
  acknowledged: boolean;
  at: number;
}

/** What was approved, by site and request id, so that nothing is lost or done twice. */
export interface Journal {
  /**
   * The entry of this id, or undefined if it is new. Throws `request.conflict` if the id was used with another body.
   */
  find(origin: string, requestId: string, action: Action, params: unknown): Promise<JournalEntry | undefined>;
  get(origin: string, requestId: string): Promise<JournalEntry | undefined>;
  /** Stores an entry, which is on disk (`durability: 'strict'`) before it resolves. */
  put(entry: Omit<JournalEntry, 'at' | 'acknowledged'>): Promise<void>;
  acknowledge(origin: string, requestId: string): Promise<void>;
  /** The site's latest entry on one of these networks. Acknowledged ones are forgotten after 30 days. */
  last(origin: string, networkIds: readonly string[]): Promise<JournalEntry | undefined>;
  /** Removes an entry for which nothing was signed after all. */
  forget(origin: string, requestId: string): Promise<void>;
  /** Entries of a site that were not acknowledged, restricted to `requestIds`. */
  pending(origin: string, requestIds: string[]): Promise<JournalEntry[]>;
  /** Entries of any site that were signed, but perhaps never broadcast. */
  unsent(): Promise<JournalEntry[]>;
}

export interface ActivityRecord {
  hash: string;
  walletId: string;
  secretType: SecretType;
  /** Id in `networks.json`, `custom` for a site's own node; absent in records of older versions: the wallet's default network. */
  network?: string | undefined;
  origin: string;
  at: number;
  state: TransactionState;
  /** What was shown at approval. */
  summary: Summary;
  /** Kept while it can be replaced. */
  draft?: Draft | undefined;
  raw: string;
  /** The hash of its replacement. */
  replacedBy?: string | undefined;
  /** The purpose of the replacement; absent in records of older versions. */
  replacedTo?: Replacing | undefined;
  /** As in `Receipt`, once it is decided. */
  fee?: bigint | undefined;
  expired?: boolean | undefined;
  /** The value of what left when it was sent, if a price source had it. */
  worth?: PastWorth | undefined;
  /** The same of the highest fee. */
  feeWorth?: PastWorth | undefined;
  /** What a swap brought, in smallest units, according to the logs; between chains, according to the exchange. */
  got?: bigint | undefined;
  /** What became of the swap between chains that it began. Absent until somebody has looked, and in records of older versions. */
  crossChain?: ({ version: 1 } & CrossChainSwap) | undefined;
}

export type Replacing = 'speed-up' | 'cancel';

/** A value in a currency as it was at the time. It is never looked up later. */
export interface PastWorth {
  value: number;
  /** An ISO 4217 code. */
  currency: string;
}

/** An incoming payment, as nodes reported it. `hash`: undefined where only the balance tells of it. */
export interface ReceivedRecord
  extends Omit<Incoming, 'hash'>,
    Pick<CoinArrival, 'hash'>,
    Partial<Pick<CoinArrival, 'block' | 'seenSince'>> {
  worth?: PastWorth | undefined;
  /** Id of the network in `networks.json`, as `History.received` tells it; absent: the wallet's default network. */
  network?: string | undefined;
}

/** Something other than a transaction that a wallet signed for a site. Its content is not kept. */
export interface SignatureRecord {
  id: string;
  walletId: string;
  origin: string;
  at: number;
  kind: SigningSummary['kind'];
}

/** The user's own notes on payments, by the payment's id in the activity. */
export interface Notes {
  /** Undefined without a vault in this browser: then nothing can be noted. */
  notes(walletId: string): Promise<ReadonlyMap<string, string> | undefined>;
  /** An empty text removes it. Throws `request.invalid` at `note` if it is too long. */
  setNote(walletId: string, entryId: string, text: string): Promise<void>;
}

/**
 * What happened to a wallet besides the transactions it made. Loaded at its first use. `network`: an id in `networks.json`; absent for the
 * default network of a wallet that names none.
 */
export interface History extends Notes {
  /** A wallet's incoming payments on all its networks, latest first. */
  received(walletId: string): Promise<ReceivedRecord[]>;
  /** Where the next search of a network for incoming payments begins. */
  cursor(walletId: string, network?: string): Promise<number | undefined>;
  /** Adds what is new to what is known of one network, and returns that. Known pending ones stay only if they are reported again. */
  addReceived(walletId: string, arrived: Arrived, network?: string): Promise<ReceivedRecord[]>;
  /** What the account had when it was last looked at, latest last. */
  coinLooks(walletId: string, network?: string): Promise<readonly CoinLook[]>;
  /**
   * Adds coins that were found since `looks`, forgets those that never came, and returns what is known. Another tab may have looked
   * meanwhile: then nothing is added.
   */
  addCoins(
    walletId: string,
    found: CoinsFound,
    looks: readonly CoinLook[],
    network?: string,
  ): Promise<ReceivedRecord[]>;
  /** Records the value of something when it arrived. */
  setWorth(walletId: string, worth: ReadonlyMap<string, PastWorth>, network?: string): Promise<void>;
  signatures(walletId: string): Promise<SignatureRecord[]>;
  addSignature(record: SignatureRecord): Promise<void>;
}

export interface Activity {
  /** Latest first. For many wallets at once: of thousands, one at a time takes seconds. */
  list(...walletIds: readonly string[]): Promise<ActivityRecord[]>;
  get(hash: string): Promise<ActivityRecord | undefined>;
  put(record: ActivityRecord): Promise<void>;
  setState(hash: string, state: TransactionState, replacedBy?: string): Promise<void>;
  /** Sets the state with what it cost and brought, or that it expired; or adds only what else is now known. */
  setReceipt(
    hash: string,
    news: Partial<Omit<Receipt, 'mined'>> &
      Pick<ActivityRecord, 'replacedBy' | 'replacedTo' | 'got' | 'worth' | 'feeWorth' | 'crossChain'>,
  ): Promise<void>;
  /** Addresses that the wallets have sent to or called. */
  used(...walletIds: readonly string[]): Promise<string[]>;
  /**
   * Addresses that sent something to it, as far as `History` knows: anybody can, so they are only compared
   * with, never trusted.
   */
  senders(walletId: string): Promise<string[]>;
}

export interface Settings {
  theme(): 'auto' | 'light' | 'dark';
  setTheme(theme: 'auto' | 'light' | 'dark'): Promise<void>;
  /** A BCP 47 tag; empty to follow the site. */
  language(): string;
  setLanguage(language: string): void;
}
