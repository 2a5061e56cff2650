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
import type { Stage } from './shell/stage.ts';

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

export interface Frame extends Reader {
  readonly stage: Stage;
}

/** A page's request with its parameters parsed. */
export interface Task<A extends Ask = Ask> extends Omit<HostRequest<A>, 'params'> {
  params: AskParams<A>;
}

/** Takes the user through one action. */
export type Flow<A extends Ask> = (frame: Frame, task: Task<A>) => Promise<void>;
