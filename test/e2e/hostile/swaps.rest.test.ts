/**
 * Attempts to send what a call brings to somebody else, on the exchange that the operator lists, on routers that nobody lists, and on other
 * chains. Each stranger is named in a danger, without whose tick nothing is signed. The same calls for the wallet alone go through.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { AbiCoder, Contract, Interface, parseEther } from 'ethers';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { TransactionResult } from '../../../src/channel/messages.ts';
import type { SecretType } from '../../../src/chains/secret-type.ts';
import { toEvm } from '../../../src/chains/tron/address.ts';
import { CASES } from '../chain-cases.ts';
import { openWorld, PIN, type Visitor, type WalletView, type World } from '../harness.ts';
import { pathOf } from '../hosts.ts';
import { variant } from '../parts.ts';
import { said } from '../said.ts';
import { EVERY_VARIANT } from '../variants.ts';
import { movesNothing, sends, unchanged } from './unmoved.ts';

const THIEF = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const NOBODY = `0x${'0'.repeat(40)}`;
/** Of routers that nobody lists: accepts every call and does nothing. */
const ROUTER = '0x9999999999999999999999999999999999999999';
const LATER = 4_000_000_000n;

const CALLS = new Interface([
  'function exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160)) payable',
  'function swapExactETHForTokens(uint256,address[],address,uint256) payable',
  'function swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
  'function removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)',
  'function unwrapWETH9(uint256,address) payable',
  'function unwrapWETH9WithFee(uint256,address,uint256,address) payable',
  'function refundETH() payable',
  'function multicall(bytes[]) payable',
  'function executeBatch(address[],bytes[])',
  'function execute(bytes,bytes[]) payable',
  'function transfer(address,uint256)',
  'function approve(address,uint256)',
]);
const call = (name: string, ...values: unknown[]): string => CALLS.encodeFunctionData(name, values);
const multicall = (...calls: string[]): string => call('multicall', calls);

const BUYER = 'Somebody else receives what you buy';
const NOTHING = 'You pay, and nothing comes back';
const NO_SWAP = 'This is not one plain swap';

interface Body {
  to: string;
  data: string;
  value?: bigint;
}

let world: World;
before(
  async () =>
    void (world = await openWorld({
      exchanges: true,
      chains: EVERY_VARIANT ? ['VECHAIN', 'TRON'] : ['VECHAIN'],
    })),
);
after(() => world.close());

/** It is told, and neither the PIN nor a press approves it. */
async function isRefused(visitor: Visitor, view: WalletView, told: readonly string[]): Promise<void> {
  for (const words of told) await view.text(words).first().waitFor();
  const box = view.root.getByRole('checkbox', { name: /^I understand the risk/ }).first();
  assert.equal(await box.isChecked(), false);
  const pin = view.box('PIN');
  if ((await pin.count()) && (await pin.isEditable())) await view.type('PIN', PIN);
  await view.button('Approve').click({ force: true });
  await view.text(told[0]!).first().waitFor();
  await view.press('Reject');
  assert.equal((await visitor.answer()).error?.code, 'user.rejected');
}

describe('what a call brings, for somebody else', () => {
  let visitor: Visitor;
  let wallet: Wallet;
  let v2: string;
  let v3: string;
  let wrapped: string;
  let dusd: string;
  let dcent: string;

  before(async () => {
    visitor = await world.visit('iframe');
    wallet = await visitor.wealthyWallet();
    const { network, contracts } = world.ethereum;
    const [one, two] = network.exchanges as { router: string; wrapped: string }[];
    [v2, v3, wrapped] = [one!.router, two!.router, one!.wrapped];
    [dusd, dcent] = [contracts.DUSD, contracts.DCENT];
    await world.chain.send('anvil_setCode', [ROUTER, '0x00']);
    await world.chain.send('anvil_impersonateAccount', [wallet.address]);
    const data = call('approve', v3, parseEther('500'));
    const hash = await world.chain.send('eth_sendTransaction', [{ from: wallet.address, to: dusd, data }]);
    await world.receipt(hash as string);
    await world.chain.send('anvil_stopImpersonatingAccount', [wallet.address]);
  });
  after(() => visitor.close());
  afterEach(() => visitor.startAgain());

  const ask = ({ to, data, value = 0n }: Body): Promise<WalletView> =>
    visitor.ask((connect, params) => connect.execute(params as never), {
      type: 'ETH_TRANSACTION',
      walletId: wallet.id,
      to,
      data,
      value: value.toString(),
    });
  const held = async (): Promise<string> => {
    const abi = [
      'function balanceOf(address) view returns (uint256)',
      'function allowance(address,address) view returns (uint256)',
    ];
    const token = (address: string) => new Contract(address, abi, world.chain);
    const facts = await Promise.all([
      world.chain.getBalance(wallet.address),
      world.chain.getTransactionCount(wallet.address, 'pending'),
      token(dusd).getFunction('balanceOf')(wallet.address),
      token(dusd).getFunction('allowance')(wallet.address, v3),
      token(dcent).getFunction('balanceOf')(THIEF),
    ]);
    return facts.join();
  };

  const single = (recipient: string, amount: bigint, least = 1n, to = dcent, fee = 500n): string =>
    call('exactInputSingle', [dusd, to, fee, recipient, LATER, amount, least, 0n]);
  const swap = (recipient: string): string =>
    call('swapExactTokensForTokens', parseEther('9'), 1n, [dusd, dcent], recipient, LATER);
  const inRouter = (commands: string, ...more: string[]): string => {
    const path = `${dusd}0001f4${dcent.slice(2)}`;
    const one = AbiCoder.defaultAbiCoder().encode(
      ['address', 'uint256', 'uint256', 'bytes', 'bool'],
      ['0x0000000000000000000000000000000000000002', parseEther('100'), 0n, path, true],
    );
    return call('execute', commands, [one, ...more]);
  };
  const leg = (recipient: string, amount: bigint): string =>
    AbiCoder.defaultAbiCoder().encode(['address', 'address', 'uint256'], [dcent, recipient, amount]);

  const ATTEMPTS: [name: string, told: string[], trick: () => Body, honest: () => Body][] = [
    [
      'two swaps on the listed exchange, 1 for me and 100 for the thief',
      [BUYER, NO_SWAP],
      () => ({
        to: v3,
        data: multicall(single(wallet.address, parseEther('1')), single(THIEF, parseEther('100'))),
      }),
      () => ({ to: v3, data: single(wallet.address, parseEther('1')) }),
    ],
    [
      'one swap on the listed exchange for the thief',
      [BUYER],
      () => ({ to: v3, data: single(THIEF, parseEther('100')) }),
      () => ({
        to: v3,
        data: multicall(
          single(NOBODY, parseEther('1'), 1n, wrapped, 3000n),
          call('unwrapWETH9', 1n, wallet.address),
          call('refundETH'),
        ),
      }),
    ],
    [
      'a swap of coins on the other listed exchange for the thief',
      [BUYER],
      () => ({
        to: v2,
        data: call('swapExactETHForTokens', 1n, [wrapped, dusd], THIEF, LATER),
        value: parseEther('0.1'),
      }),
      () => ({
        to: v2,
        data: call('swapExactETHForTokens', 1n, [wrapped, dusd], wallet.address, LATER),
        value: parseEther('0.1'),
      }),
    ],
    [
      'a swap whose output stays in the listed router, for whoever takes it first',
      [NO_SWAP],
      () => ({ to: v3, data: multicall(single(NOBODY, parseEther('100'))) }),
      () => ({ to: v3, data: multicall(single(wallet.address, parseEther('1'))) }),
    ],
    [
      'a swap on a router that nobody lists',
      [NOTHING],
      () => ({ to: ROUTER, data: swap(THIEF) }),
      () => ({ to: ROUTER, data: swap(wallet.address) }),
    ],
    [
      'a split between me and the thief on a router that nobody lists',
      [BUYER],
      () => ({ to: ROUTER, data: multicall(swap(wallet.address), swap(THIEF)) }),
      () => ({ to: ROUTER, data: multicall(swap(wallet.address), swap(wallet.address)) }),
    ],
    [
      'liquidity taken out for the thief',
      [NOTHING],
      () => ({ to: ROUTER, data: call('removeLiquidity', dusd, dcent, 9n, 5n, 5n, THIEF, LATER) }),
      () => ({ to: ROUTER, data: call('removeLiquidity', dusd, dcent, 9n, 5n, 5n, wallet.address, LATER) }),
    ],
    [
      'coins unwrapped for the thief',
      [NOTHING],
      () => ({ to: ROUTER, data: call('unwrapWETH9', 1n, THIEF) }),
      () => ({ to: ROUTER, data: call('unwrapWETH9', 1n, wallet.address) }),
    ],
    [
      'a swap for the thief in a batch of somebody’s contract',
      [NOTHING],
      () => ({ to: ROUTER, data: call('executeBatch', [ROUTER], [swap(THIEF)]) }),
      () => ({ to: ROUTER, data: call('executeBatch', [ROUTER], [swap(wallet.address)]) }),
    ],
    [
      'a fee of 50 % among a router’s commands',
      [BUYER],
      () => ({ to: ROUTER, data: inRouter('0x000604', leg(THIEF, 5000n), leg(wallet.address, 1n)) }),
      () => ({ to: ROUTER, data: inRouter('0x000604', leg(THIEF, 25n), leg(wallet.address, 1n)) }),
    ],
  ];

  for (const [name, told, trick, honest] of ATTEMPTS)
    (name === ATTEMPTS[0]![0] ? test : variant)(
      `${name}: it is told, and without a tick nothing is signed`,
      async () => {
        await unchanged(held, async () => isRefused(visitor, await ask(trick()), told));
        await visitor.startAgain();
        await sends(world, wallet, async () => {
          const control = await ask(honest());
          await control.heading(/./).first().waitFor();
          await control.seeAll();
          await control.approve();
          const { value, error } = await visitor.answer<TransactionResult>();
          assert.equal(error, undefined);
          return value!.transactionHash;
        });
      },
    );

  variant('a fee of 0.25 % is a caution that says to whom', async () => {
    const view = await ask({
      to: ROUTER,
      data: multicall(
        single(NOBODY, parseEther('1'), 1n, wrapped),
        call('unwrapWETH9WithFee', 1n, wallet.address, 25n, THIEF),
      ),
    });
    await view.text('Maximum fee').first().waitFor();
    assert.match(await said(view), /Fee to 0x71C7…976F, 0\.25 %/);
    assert.equal(await view.root.getByRole('checkbox', { name: /^I understand/ }).count(), 0);
    await view.press('Reject');
  });

  variant(
    'two swaps in one call of the listed exchange, both for me: they are no plain swap, and name no stranger',
    () =>
      movesNothing(world, wallet, async () => {
        const view = await ask({
          to: v3,
          data: multicall(single(wallet.address, 9n), single(wallet.address, 9n)),
        });
        await view.text(NO_SWAP).first().waitFor();
        assert.equal((await said(view)).includes(BUYER), false);
        await view.press('Reject');
      }),
  );
});

for (const secretType of ['VECHAIN', 'TRON'] as const satisfies SecretType[])
  (secretType === 'VECHAIN' ? test : variant)(
    `a split between me and the thief, on ${secretType}: it is told, and without a tick nothing is signed`,
    async () => {
      const local = world.local[secretType]!;
      const { holds, fresh } = CASES[secretType];
      const visitor = await world.visit('iframe', pathOf(secretType));
      try {
        const wallet = await visitor.createWallet(secretType);
        const assets = secretType === 'TRON' ? ['TRX', 'DUSD'] : ['VET', 'VTHO', 'DUSD'];
        for (const asset of assets) await local.give(asset, wallet.address);
        const thief = await fresh();
        const evm = (address: string) => (secretType === 'TRON' ? toEvm(address) : address);
        const token = local.contracts['DUSD']!;
        const one = (recipient: string): string =>
          call('swapExactTokensForTokens', 9n, 1n, [evm(token), ROUTER], evm(recipient), LATER);
        const calls = [one(wallet.address), one(thief)];
        const execute = (request: object): Promise<WalletView> =>
          visitor.ask((connect, params) => connect.execute(params as never), {
            walletId: wallet.id,
            ...request,
          });
        const trick = await execute(
          secretType === 'TRON'
            ? {
                type: 'TRON_CONTRACT_EXECUTION',
                to: token,
                functionName: 'multicall',
                inputs: [{ type: 'bytes[]', value: JSON.stringify(calls) }],
              }
            : {
                type: 'VET_TRANSACTION',
                clauses: [{ to: token, amount: '0', data: multicall(...calls) }],
              },
        );
        const held = async () => String(await holds(local, wallet.address, 'DUSD'));
        await unchanged(held, () => isRefused(visitor, trick, [BUYER]));
        await visitor.startAgain();
        const pay = call('transfer', evm(thief), 5n);
        const control = await execute(
          secretType === 'TRON'
            ? {
                type: 'TRON_CONTRACT_EXECUTION',
                to: token,
                functionName: 'transfer',
                inputs: [
                  { type: 'address', value: thief },
                  { type: 'uint256', value: '5' },
                ],
              }
            : { type: 'VET_TRANSACTION', clauses: [{ to: token, amount: '0', data: pay }] },
        );
        await control.seeAll();
        await control.approve();
        assert.equal((await visitor.answer()).error, undefined);
      } finally {
        await visitor.close();
      }
    },
  );
