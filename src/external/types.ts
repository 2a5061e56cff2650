/** External wallets: the interface that the adapter of each standard implements. */
import type { Wallet } from '../api/wallet.ts';
import type { AnySignature, ParsedRequest, ParsedSigning } from '../chains/terms.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { Clock } from '../base/clock.ts';
import type { ParamsOf, RpcAnswer } from '../channel/messages.ts';

/** A wallet that announced itself to the page. It chooses its name and picture: it may call itself anything. */
export interface Found {
  /** Identifies it after a reload: the standard, and the wallet's name in it. */
  by: string;
  /** One line, without links. */
  name: string;
  /** A `data:` URI of a picture. */
  icon?: string;
  /** Chains that wallets of its standard can support. */
  secretTypes: readonly SecretType[];
  /** The wallet is elsewhere, such as on a phone: `link` shows a code that the user scans with it. */
  pairs?: true;
  /** Loads the standard's adapter. */
  open(host: ExternalHost): Promise<AnyExternalWallet>;
}

/** Adapters read from nodes through our own wallet's frame, so that the page needs no `connect-src` for them. */
export interface ExternalHost {
  clock: Clock;
  rpc(params: ParamsOf<'rpc'>): Promise<RpcAnswer>;
  /** What the page has linked of this wallet. */
  linked(): readonly Wallet[];
}

/** A wallet's announcement, unchecked. */
export interface Announcement {
  by: string;
  name: unknown;
  icon?: unknown;
  secretTypes: readonly SecretType[];
}

/** `key` identifies a wallet that announces itself more than once. `open` gets the name that is shown. */
export type Add = (
  key: unknown,
  announcement: Announcement,
  open: (name: string, host: ExternalHost) => Promise<AnyExternalWallet>,
) => void;

export interface Account {
  address: string;
  secretType: SecretType;
  /** Id in `networks.json`. */
  network: string;
  /** The wallet's name, if it is known only once it is linked; one line. */
  name?: string;
}

/** The page's side of linking a wallet elsewhere. */
export interface Pairing {
  /** Shows a code with this text, for the user to scan. */
  show(uri: string): void;
  /** A wallet has scanned the code and answered; the answer itself follows. */
  answered(): void;
  /** The link by which the user opened a wallet on this device, if it is on this one. */
  opened?(): string | undefined;
  /** Aborted when the user leaves: nothing is linked then, whatever a wallet answers. */
  signal: AbortSignal;
}

export interface Wish {
  /** There is at least one, and all are among the wallet's own. */
  secretTypes: readonly SecretType[];
  network?: string | undefined;
}

/**
 * `R` and `S`: its chain's transaction and signature requests, as the chain's `Payloads` parses them. Callers that do not know the chain
 * leave both out.
 */
export interface ExternalWallet<R = ParsedRequest, S = ParsedSigning> {
  /** Asks the user, in the wallet, which accounts this page may see. */
  link(wish: Wish, pairing?: Pairing): Promise<Account[]>;
  /** The addresses that this page may see now, without asking the user. `secretType`: only for wallets that have several. */
  accounts(secretType?: SecretType): Promise<string[]>;
  /** Asks the user to sign and send. Resolves with the hash. */
  send(from: Wallet, request: R): Promise<string>;
  sign(from: Wallet, request: S): Promise<AnySignature>;
  /**
   * `changed` gets the addresses that this page may see now: all, or those of one chain; `reachable`, whether the wallet can be used at
   * all; `moved`, the id of the network to which its user has switched.
   */
  watch(
    changed: (addresses: string[], secretType?: SecretType) => void,
    reachable: (yes: boolean) => void,
    moved?: (secretType: SecretType, network: string) => void,
  ): void;
  /** Called when the page has unlinked the last of its accounts. */
  forget?(): Promise<void>;
}

/** An adapter of an unknown chain: only the adapter knows what requests it takes. */
export type AnyExternalWallet = ExternalWallet<never, never>;
