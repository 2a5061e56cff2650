/** Wallets of others that the user's browser has: what each standard's adapter answers, whatever the standard. */
import type { Wallet } from '../api/wallet.ts';
import type { AnySignature, ParsedRequest, ParsedSigning } from '../chains/chain.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { Clock } from '../clock.ts';
import type { RpcAnswer } from '../channel/messages.ts';
import type { ParamsOf } from '../channel/schema.ts';

/** A wallet that has told the page of itself. Name and picture are its own words: it may call itself anything. */
export interface Found {
  /** How it is found again after a reload: the standard, and the wallet's name in it. */
  by: string;
  /** One line, without anything that leads elsewhere. */
  name: string;
  /** A `data:` URI of a picture. */
  icon?: string;
  /** Chains that wallets of its standard can have. */
  secretTypes: readonly SecretType[];
  /** It is elsewhere, and is reached by a code that the user scans: `link` shows one. */
  pairs?: true;
  /** Loads the standard's adapter. */
  open(host: ExternalHost): Promise<ExternalWallet>;
}

/** Adapters ask nodes through the wallet's page for reads, so that the page needs no `connect-src` for them. */
export interface ExternalHost {
  clock: Clock;
  rpc(params: ParamsOf<'rpc'>): Promise<RpcAnswer>;
  /** What the page has linked of this wallet. */
  linked(): readonly Wallet[];
}

/** What a wallet says of itself; nothing of it is checked yet. */
export interface Told {
  by: string;
  name: unknown;
  icon?: unknown;
  secretTypes: readonly SecretType[];
}

/** `key`: by which the same wallet is known that tells of itself again. `open` gets the name that is shown. */
export type Add = (
  key: unknown,
  told: Told,
  open: (name: string, host: ExternalHost) => Promise<ExternalWallet>,
) => void;

export interface Account {
  address: string;
  secretType: SecretType;
  /** Id in `networks.json`. */
  network: string;
  /** Of the wallet, where it tells that only when it is linked; one line. */
  name?: string;
}

/** With a wallet that is elsewhere. */
export interface Pairing {
  /** What the code says that the user scans. */
  show(uri: string): void;
  /** A wallet has scanned it and answered: what, is known in a moment. */
  answered(): void;
  /** The user has left: whatever a wallet answers then, nothing is linked. */
  signal: AbortSignal;
}

export interface Wish {
  /** At least one, and all of them among the wallet's own. */
  secretTypes: readonly SecretType[];
  network?: string | undefined;
}

export interface ExternalWallet {
  /** Asks the user, in the wallet, which accounts this page may see. */
  link(wish: Wish, pairing?: Pairing): Promise<Account[]>;
  /** The addresses that this page may see now; asks nobody. */
  accounts(): Promise<string[]>;
  /** Asks the user to sign and send. Answers the hash. */
  send(from: Wallet, request: ParsedRequest): Promise<string>;
  sign(from: Wallet, request: ParsedSigning): Promise<AnySignature>;
  /** `changed`: the addresses that this page may see now. `reachable`: whether the wallet can do anything at all. */
  watch(changed: (addresses: string[]) => void, reachable: (yes: boolean) => void): void;
  /** The page has unlinked the last of its accounts. */
  forget?(): Promise<void>;
}
