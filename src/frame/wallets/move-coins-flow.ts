/** Moves coins to the wallet's own address: from another address of its key, or many coins into one (Bitcoin, Litecoin). */
import type { Wallet } from '../../api/wallet.ts';
import { networkOf } from '../../chains/nodes/networks.ts';
import { ConnectError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import type { Vault } from '../../wallets/types.ts';
import { sendOwn } from '../approve/own-transaction-flow.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../shell/stage.ts';

/** From the other address of the wallet's key, or many coins into one. */
export type Move = 'sweep' | 'combine';

/**
 * Approved and sent like any transaction; resolves once the user has seen the outcome. Rejects with `user.rejected`, with
 * `transaction.insufficient-funds` if the coins do not cover their own fee, with `chain.not-supported`, or with the reason it was not sent.
 */
export async function moveCoins(
  frame: Frame,
  move: Move,
  vault: Vault,
  wallet: Wallet,
  options: OpenOptions,
): Promise<void> {
  const { secretType, address } = wallet;
  const chain = await frame.chain(secretType);
  const how = chain[move];
  if (!how)
    throw new ConnectError('chain.not-supported', `${secretType} wallets have no coins to move.`, {
      secretType,
    });
  const heading = move === 'sweep' ? msg('Move coins here') : msg('Combine coins');
  const node = chain.node(networkOf(frame.networks, wallet));
  const make = () => how.prepare(address, node);
  await sendOwn(frame, { vault, wallet, chain, node, heading, make }, options);
}
