/** A transaction that the user is asked to approve, whoever wants it: a site, a site's list, or the user. */
import type { Wallet } from '../../api/wallet.ts';
import type { Chain, Draft, Node, Signed } from '../../chains/chain.ts';
import type { HostRequest } from '../../channel/link.ts';
import type { JournalEntry, Vault } from '../../wallets/types.ts';
import type { OpenOptions } from '../shell/stage.ts';
import type { Read } from './signed-order.ts';

export interface Order {
  task: Pick<HostRequest, 'id' | 'signal' | 'progress'>;
  vault: Vault;
  wallet: Wallet;
  chain: Chain;
  node: Node;
  source: OrderSource;
  /** Hash of the wallet's own transaction whose place it takes. */
  replaces?: string | undefined;
  /** The e-mail address that the recipient was found by. */
  email?: string | undefined;
  /** What the signed order that came with it is worth. */
  paid?: Promise<Read> | undefined;
  step?: { index: number; of: number } | undefined;
  /** Of what the user started in the wallet: then it is no site's request. */
  heading?: string | undefined;
}

/** Where the drafts of an order come from, and where its signed bytes are written down. */
export interface OrderSource {
  /** The transaction with every field filled in, as of now. */
  draft(): Promise<Draft>;
  /** Writes the signed bytes down before they are sent. Throws if the request was answered elsewhere meanwhile. */
  keep(signed: Signed): Promise<void>;
  /** What the journal has of the request; undefined for what the user started in the wallet. */
  readonly entry?: Entry;
  /** Whether the request has an allowance of `unlimited` that can be changed; given an `amount`, changes it. */
  limit?(unlimited: bigint, amount?: bigint): Promise<boolean>;
}

/** What the flows know of a journal entry; the journal adds when it was put there, and whether the page has its answer. */
export type Entry = Omit<JournalEntry, 'at' | 'acknowledged'>;

export function optionsOf({ task, heading }: Pick<Order, 'task' | 'heading'>): OpenOptions {
  return { signal: task.signal, requestId: task.id, own: heading !== undefined };
}
