/** Moves the coins on another address of the wallet's key (Bitcoin, Litecoin: P2PKH) to the wallet's own. */
import type { Wallet } from '../../api/wallet.ts';
import type { Chain } from '../../chains/chain.ts';
import { networkOf } from '../../chains/nodes/networks.ts';
import { ConnectError } from '../../errors.ts';
import { msg } from '../../ui/localize.ts';
import type { Vault } from '../../wallets/types.ts';
import { sendOwn } from '../approve/own-transaction-flow.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../shell/stage.ts';

/**
 * Approved and sent like any transaction, until the user has seen its end. Rejects with `user.rejected`,
 * `transaction.insufficient-funds` where the coins do not pay their own fee, `chain.not-supported`, and with why it was not sent.
 */
export async function sweep(
  frame: Frame,
  vault: Vault,
  wallet: Wallet,
  chain: Chain,
  options: OpenOptions,
): Promise<void> {
  const { secretType, address } = wallet;
  const { sweep: other } = chain;
  if (!other)
    throw new ConnectError('chain.not-supported', `${secretType} keys have one address.`, { secretType });
  const node = chain.node(networkOf(frame.networks, wallet));
  await sendOwn(
    frame,
    { vault, wallet, chain, node, heading: msg('Move coins here'), make: () => other.prepare(address, node) },
    options,
  );
}
