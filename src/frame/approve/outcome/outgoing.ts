/** A signed transaction on its way, and what became of it. */
import type { Wallet } from '../../../api/wallet.ts';
import type { Summary } from '../../../chains/approval/summary.ts';
import type { Chain, Node, Receipt, Signed } from '../../../chains/chain.ts';
import type { HostRequest } from '../../../channel/link.ts';
import type { Vault } from '../../../wallets/types.ts';
import type { Order } from '../order.ts';

export interface Outgoing {
  task: Pick<HostRequest, 'id' | 'signal' | 'progress'>;
  vault: Vault;
  wallet: Wallet;
  chain: Chain;
  node: Node;
  summary: Summary | undefined;
  signed: Signed;
  /** As in `Order`. */
  heading?: string | undefined;
  replaces?: string | undefined;
  cancels?: boolean | undefined;
  step?: Order['step'];
  /** The user has left its views. */
  left?: boolean;
  /** Called with each receipt from the first block on. */
  onMined?: ((receipt: Receipt) => void) | undefined;
}

/** A receipt of a block, or of what expired. `first`: it is of the transaction that this one was to replace. */
export type Decided = Receipt & { state: 'confirmed' | 'failed'; first?: boolean };
