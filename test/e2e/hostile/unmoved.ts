/** What every attack is measured by, on the chain itself: it moves nothing, and the same without its trick sends. */
import assert from 'node:assert/strict';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { World } from '../harness.ts';

/** The wallet's coins, and how many transactions it has sent, with those that wait for a block. */
export async function holdings({ chain }: World, { address }: Wallet): Promise<string> {
  const [coins, nonce] = await Promise.all([
    chain.getBalance(address),
    chain.getTransactionCount(address, 'pending'),
  ]);
  return `${coins} wei, ${nonce} sent`;
}

/**
 * Runs an attack, and compares what `look` returns before and after it. Also if it ends in an error: that something did not appear in time,
 * which may be forgiven, must not hide that coins left.
 */
export async function unchanged(look: () => Promise<string>, attack: () => Promise<void>): Promise<void> {
  const before = await look();
  try {
    await attack();
  } finally {
    assert.equal(await look(), before, 'nothing moved');
  }
}

export function movesNothing(world: World, wallet: Wallet, attack: () => Promise<void>): Promise<void> {
  return unchanged(() => holdings(world, wallet), attack);
}

/** Runs a control, which returns the hash of what was approved: the wallet has sent it, and nothing else. */
export async function sends(world: World, wallet: Wallet, control: () => Promise<string>): Promise<void> {
  const count = (): Promise<number> => world.chain.getTransactionCount(wallet.address, 'pending');
  const before = await count();
  const { from, status } = await world.receipt(await control());
  assert.equal(from, wallet.address);
  assert.equal(status, 1);
  assert.equal(await count(), before + 1);
}
