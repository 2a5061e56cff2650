/** Offers to move coins of a Bitcoin or Litecoin wallet: from the other address of an imported key, or many into one. */
import type { Wallet } from '../../api/wallet.ts';
import { ConnectError, UserRejectedError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import type { Amount } from '../../chains/coin.ts';
import { networkOf } from '../../chains/nodes/networks.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import { sendOwn } from '../approve/own-transaction-flow.ts';
import type { Frame, Reader } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import type { MoveState } from './wallet-questions.ts';

export interface Sweepable {
  /** The other address. */
  source: string;
  amount: Amount;
}

/** Undefined if there is nothing to move, or no node answers: it can be offered another time. */
export async function findSweepable(frame: Reader, wallet: HeldWallet): Promise<Sweepable | undefined> {
  if (!wallet.imported) return undefined;
  try {
    const chain = await frame.chain(wallet.secretType);
    const node = chain.node(networkOf(frame.networks, wallet));
    const { address: source, amount } = (await chain.sweep?.find(wallet.address, node)) ?? {};
    return source !== undefined && amount?.raw ? { source, amount } : undefined;
  } catch {
    return undefined;
  }
}

/** Resolves once the coins are moved, or the user declines. */
export async function offerSweep(
  frame: Frame,
  vault: Vault,
  wallet: HeldWallet,
  { source, amount }: Sweepable,
  options: OpenOptions,
): Promise<void> {
  const { sweepQuestion } = await import('./wallet-questions.ts');
  const view = sweepQuestion(wallet, source, amount);
  const ask = () => frame.stage.open(view, options).next('cbf-sweep', 'cbf-back', 'cbf-close');
  while ((await ask()).type === 'cbf-sweep')
    if (await moved(frame, 'sweep', vault, wallet, view, options)) return;
}

/** The number of coins if more than one payment can spend; otherwise 0, also if no node answers. */
export async function countCombinable(frame: Reader, wallet: HeldWallet): Promise<number> {
  try {
    const chain = await frame.chain(wallet.secretType);
    return (await chain.combine?.find(wallet.address, chain.node(networkOf(frame.networks, wallet)))) ?? 0;
  } catch {
    return 0;
  }
}

/** Resolves once the coins are combined, or the user declines. */
export async function offerCombining(
  frame: Frame,
  vault: Vault,
  wallet: HeldWallet,
  coins: number,
  options: OpenOptions,
): Promise<void> {
  const { combineQuestion } = await import('./wallet-questions.ts');
  const view = combineQuestion(wallet, coins);
  const ask = () => frame.stage.open(view, options).next('cbf-combine', 'cbf-back', 'cbf-close');
  while ((await ask()).type === 'cbf-combine')
    if (await moved(frame, 'combine', vault, wallet, view, options)) return;
}

/** Whether the coins were moved. If not, the offer stays open and shows why. */
async function moved(
  frame: Frame,
  move: Move,
  vault: Vault,
  wallet: HeldWallet,
  view: { state: MoveState },
  options: OpenOptions,
): Promise<boolean> {
  view.state = {};
  try {
    await moveCoins(frame, move, vault, wallet, options);
    return true;
  } catch (error) {
    if (!(error instanceof ConnectError) || options.signal.aborted) throw error;
    if (!(error instanceof UserRejectedError)) view.state = { error };
    return false;
  }
}

// Moves coins to the wallet's own address: from another address of its key, or many coins into one (Bitcoin, Litecoin).

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
