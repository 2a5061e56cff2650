/** The frame's view of the page it serves. `frame-end.ts` makes it; flows use it; tests fake it. */
import type { Wallet } from '../api/wallet.ts';
import type { Replaced, Stage } from './messages.ts';
import type { Action } from '../base/actions.ts';

export interface HostRequest<A extends Action = Action> {
  id: string;
  action: A;
  /** As the page sent them: an object of bounded size, checked where the request is served. */
  params: unknown;
  /** Aborted when the page aborts the request, goes away for good, or the link is replaced. */
  signal: AbortSignal;
  progress(stage: Stage, transactionHash?: string): void;
  /** At most one of these two takes effect. */
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export interface HostLink {
  /** From `event.origin` of `init`; never from a message. */
  readonly origin: string;
  readonly surface: 'iframe' | 'popup';
  readonly mode: 'approve' | 'read';
  readonly locale: string | undefined;
  /** The page supplies access tokens for the wallet service. */
  readonly tokens: boolean;
  /** Wallets that the page unlinked while the vault was out of reach. */
  readonly unlinked: readonly string[];
  onRequest: (request: HostRequest) => void;
  /** The page acknowledged the answer to a request. */
  onAck: (requestId: string) => void;
  /** The page went away (`bye`). A popup keeps its request and announces itself for the page's return; an iframe never sees this. */
  onGone: () => void;
  /** A page of the same origin took the link over after `onGone`. Open requests are answered to it by id. */
  onBack: () => void;
  /** The page shows this frame as a sheet. */
  readonly sheet: boolean;
  /** Called when `sheet` changes, and immediately if it is already one. */
  onSheet: () => void;
  /** Tells the page how high the contents are, in pixels. */
  tellHeight(height: number): void;
  /**
   * `networks`: by wallet id, of wallets not on the first network of their chain. `browserOnly`: nothing is
   * known about service wallets.
   */
  sendWallets(wallets: Wallet[], networks?: Record<string, string>, browserOnly?: boolean): void;
  /** Reports replacements of transactions that the site asked for. */
  sendReplaced(replaced: Replaced[]): void;
  /**
   * Asks the page for an access token for the wallet service; `expired`: the previous one has expired.
   * Undefined if the page supplies none in time.
   */
  accessToken(expired: boolean): Promise<string | undefined>;
  /** Something was signed or granted, and the page has not acknowledged its answer. */
  readonly undelivered: boolean;
  /** Tells the page that this window is in front. */
  front(): void;
  /**
   * The page will not come back: rejects what was not approved, and stops announcing the window unless
   * something is undelivered.
   */
  forsake(): void;
  /** Asks the page to move a request to a new window. */
  openWindow(requestId: string): void;
  /** Asks the page to close the surface; a popup closes itself too. */
  close(): void;
}
