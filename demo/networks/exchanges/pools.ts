/** Funded pools. */
import { Interface } from 'ethers';
import type { ExchangeEntry } from '../../../src/swaps/entry.ts';
import type { Account } from './account.ts';
import type { DeployedV3 } from './contracts.ts';

/** A token and its amount in smallest units. The wrapped coin is paid for in coins. */
export interface Side {
  token: string;
  amount: bigint;
}

const FOREVER = 2n ** 48n;
const HIGHEST_TICK = 887_272;
const SPACING: Readonly<Record<number, number>> = { 100: 1, 500: 10, 3000: 60, 10_000: 200 };

const ABI = new Interface([
  'function approve(address,uint256)',
  'function deposit() payable',
  'function addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)',
  'function createAndInitializePoolIfNecessary(address,address,uint24,uint160) payable',
  'function mint(tuple(address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256)) payable',
]);

async function provide(account: Account, to: string, wrapped: string, sides: readonly Side[]): Promise<void> {
  for (const { token, amount } of sides) {
    if (token.toLowerCase() === wrapped.toLowerCase())
      await account.call(token, ABI.encodeFunctionData('deposit'), amount);
    await account.call(token, ABI.encodeFunctionData('approve', [to, amount]));
  }
}

/** Creates the pool if there is none yet. */
export async function fillV2(
  account: Account,
  { router, wrapped }: ExchangeEntry,
  a: Side,
  b: Side,
): Promise<void> {
  await provide(account, router, wrapped, [a, b]);
  await account.call(
    router,
    ABI.encodeFunctionData('addLiquidity', [
      a.token,
      b.token,
      a.amount,
      b.amount,
      0,
      0,
      account.address,
      FOREVER,
    ]),
  );
}

/** Creates the pool if there is none yet. Liquidity spans every price, or `steps` tick spacings around the price that the sides imply. */
export async function fillV3(
  account: Account,
  { positions, wrapped }: DeployedV3,
  /** Parts per million. */
  fee: number,
  a: Side,
  b: Side,
  steps?: number,
): Promise<void> {
  const [first, second] = a.token.toLowerCase() < b.token.toLowerCase() ? [a, b] : [b, a];
  const spacing = SPACING[fee]!;
  const price = root((second.amount << 192n) / first.amount);
  await provide(account, positions, wrapped, [a, b]);
  await account.call(
    positions,
    ABI.encodeFunctionData('createAndInitializePoolIfNecessary', [first.token, second.token, fee, price]),
  );
  const whole = Math.floor(HIGHEST_TICK / spacing) * spacing;
  const at = Math.round(Math.log(Number(second.amount) / Number(first.amount)) / Math.log(1.0001) / spacing);
  const [low, high] =
    steps === undefined
      ? [-whole, whole]
      : [Math.max(-whole, (at - steps) * spacing), Math.min(whole, (at + steps) * spacing)];
  await account.call(
    positions,
    ABI.encodeFunctionData('mint', [
      [
        first.token,
        second.token,
        fee,
        low,
        high,
        first.amount,
        second.amount,
        0,
        0,
        account.address,
        FOREVER,
      ],
    ]),
  );
}

/** Integer square root, rounded down. */
function root(square: bigint): bigint {
  let guess = 1n << BigInt(Math.ceil(square.toString(2).length / 2));
  for (;;) {
    const next = (guess + square / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}
