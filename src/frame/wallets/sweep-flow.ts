/** Moves coins to the wallet's own address: from another address of its key, or many coins into one (Bitcoin, Litecoin). */
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
 * Approved and sent like any transaction; resolves once the user has seen the outcome. Rejects with `user.rejected`,
 * `transaction.insufficient-funds` if the coins do not cover their own fee, `chain.not-supported`, or with why it was not sent.
 */
export function sweep(
  frame: Frame,
  vault: Vault,
  wallet: Wallet,
  chain: Chain,
  options: OpenOptions,
): Promise<void> {
  return move(frame, vault, wallet, chain, { heading: msg('Move coins here'), how: chain.sweep }, options);
}

/** As `sweep`. */
export function combine(
  frame: Frame,
  vault: Vault,
  wallet: Wallet,
  chain: Chain,
  options: OpenOptions,
): Promise<void> {
  return move(frame, vault, wallet, chain, { heading: msg('Combine coins'), how: chain.combine }, options);
}

async function move(
  frame: Frame,
  vault: Vault,
  wallet: Wallet,
  chain: Chain,
  { heading, how }: { heading: string; how: Chain['sweep'] | Chain['combine'] },
  options: OpenOptions,
): Promise<void> {
  const { secretType, address } = wallet;
  if (!how)
    throw new ConnectError('chain.not-supported', `${secretType} wallets have no coins to move.`, {
      secretType,
    });
  const node = chain.node(networkOf(frame.networks, wallet));
  await sendOwn(
    frame,
    { vault, wallet, chain, node, heading, make: () => how.prepare(address, node) },
    options,
  );
}
