/** Dependencies of the flows: real in the wallet, fakes in tests. */
import type { Ask } from '../base/actions.ts';
import type { Clock } from '../base/clock.ts';
import type { Chain } from '../chains/chain.ts';
import type { Networks } from '../chains/network.ts';
import type { Payloads } from '../chains/requests/payloads.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { AskParams } from '../channel/ask-schema.ts';
import type { HostLink, HostRequest } from '../channel/link.ts';
import type { Vault } from '../wallets/types.ts';
import type { Announcement } from '../ui/status.ts';
import type { BareView } from './ui/bare-view.ts';
import type { OpenOptions, Screen } from './ui/screen.ts';

/** What reads from nodes need: no view, no vault. */
export interface NodeReader {
  readonly link: HostLink;
  readonly networks: Networks;
  readonly clock: Clock;
  chain(secretType: SecretType): Promise<Chain>;
  payloads(secretType: SecretType): Promise<Payloads>;
}

/** What reads of the wallet's own data need, too. */
export interface Reader extends NodeReader {
  /** Opened on first use. */
  vault(): Promise<Vault>;
}

/** What the user begins in the wallet itself. */
export type OwnAction = 'settings' | 'send' | 'wallets';

/** The wallet's turn to ask the user for something that no site has asked for. */
export interface OwnTurn {
  /** Aborts with that of the options, and once the user has gone on in another window. */
  signal: AbortSignal;
  end(): void;
}

/** Where flows show their views, one at a time. */
export interface FlowStage {
  open<V extends BareView>(view: V, options: OpenOptions): Screen<V>;
  /** Shows a screen again. */
  show(screen: Screen): void;
  /** The view of this class that is on screen already, for the flow that takes it over. */
  take<V extends BareView>(type: new () => V): V | undefined;
  /** Takes the wallet's turn for what the user begins here. */
  asks(action: OwnAction, options: OpenOptions): Promise<OwnTurn>;
  /** Leaves the wallet's turn to its other windows during `work`. */
  lends<T>(work: () => Promise<T>): Promise<T>;
  /** The site whose next request the window waits for, and the way back there. */
  readonly session: { site: string; since: number; back(): void } | undefined;
  /** The user chose to close the window instead of waiting for the site's next request. */
  left: boolean;
  /** The user's own choice. */
  theme: 'auto' | 'light' | 'dark';
  readonly shell: {
    /** Announces text to screen readers. */
    say(announcement: Announcement): void;
    readonly updateComplete: Promise<boolean>;
  };
}

export interface Frame extends Reader {
  readonly stage: FlowStage;
  /**
   * "Use my passkey" where there is a wallet. Only the wallet's own page has it: no view that a site has opened makes a copy this browser's
   * wallet. False if nothing was changed.
   */
  readonly joinCopy?: (vault: Vault, options: OpenOptions) => Promise<boolean>;
}

/** A page's request with its parameters parsed. */
export interface Task<A extends Ask = Ask> extends Omit<HostRequest<A>, 'params'> {
  params: AskParams<A>;
}

/** Takes the user through one action. */
export type Flow<A extends Ask> = (frame: Frame, task: Task<A>) => Promise<void>;
