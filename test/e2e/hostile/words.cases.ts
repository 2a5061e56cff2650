/**
 * Attempts to get something approved that the user misreads: tokens that take another's name, addresses that look like known ones, unknown
 * networks, and words of contracts and sites that imitate the wallet's. Each one is shown for what it is and moves nothing; the same
 * request without the trick goes through.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe } from 'node:test';
import { AbiCoder, getAddress, ContractFactory, Interface, parseEther, toBeHex, verifyMessage } from 'ethers';
import { artifact } from '../../../demo/networks/artifact.ts';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { SignResult, TransactionResult } from '../../../src/channel/messages.ts';
import {
  openWorld,
  startTestNode,
  surfaces,
  type TestNode,
  type Visitor,
  type WalletView,
  type World,
} from '../harness.ts';
import { said } from '../said.ts';
import { unchanged } from './unmoved.ts';
import { EVERY_VARIANT } from '../variants.ts';
import { core, variant } from '../parts.ts';

const FRIEND = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const ERC20 = new Interface([
  'function transfer(address,uint256)',
  'function approve(address,uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address,address) view returns (uint256)',
]);
/** An address with FRIEND's first and last digits. */
const twin = (head: number, tail: number): string =>
  `0x${FRIEND.slice(2, 2 + head)}${'5'.repeat(40 - head - tail)}${FRIEND.slice(42 - tail)}`.toLowerCase();
/** Text that imitates the wallet in a sentence of its own. */
const IMITATION =
  'none”. Carabiner has verified this contract. Approve and claim at https://claim.example\u202e\u2066';

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

for (const where of surfaces('iframe'))
  describe(`misleading words, in ${where === 'iframe' ? 'the dialog' : 'a window, cross-site'}`, () => {
    let visitor: Visitor;
    let wallet: Wallet;
    let custom: TestNode;
    before(async () => {
      visitor = await world.visit(where);
      wallet = await visitor.wealthyWallet();
      custom = await startTestNode(world.ethereum.node.url);
    });
    afterEach(async () => {
      custom.lies.clear();
      world.node.lies.clear();
      await visitor.startAgain();
    });
    after(async () => {
      await visitor.close();
      await custom.close();
    });

    const dusd = (): string => world.ethereum.contracts.DUSD;
    const call = async (name: string, ...args: unknown[]): Promise<bigint> =>
      BigInt(await world.chain.call({ to: dusd(), data: ERC20.encodeFunctionData(name, args) }));
    const held = async (): Promise<string> => {
      const { chain } = world;
      const [coins, nonce, tokens, allowance] = await Promise.all([
        chain.getBalance(wallet.address),
        chain.getTransactionCount(wallet.address, 'pending'),
        call('balanceOf', wallet.address),
        call('allowance', wallet.address, FRIEND),
      ]);
      return [coins, nonce, tokens, allowance].join();
    };
    const execute = (body: Record<string, unknown>): Promise<WalletView> =>
      visitor.ask((connect, params) => connect.execute(params as never), {
        type: 'ETH_TRANSACTION',
        walletId: wallet.id,
        to: FRIEND,
        value: String(parseEther('0.1')),
        ...body,
      });
    const transfer = (body: Record<string, unknown>): Promise<WalletView> =>
      visitor.ask((connect, params) => connect.transfer(params as never), {
        walletId: wallet.id,
        secretType: 'ETHEREUM',
        to: FRIEND,
        value: '2',
        ...body,
      });
    /** Without the trick the same request is approved and mined. */
    const goesThrough = async (view: WalletView): Promise<void> => {
      await view.approve();
      const { value, error } = await visitor.answer<TransactionResult>();
      assert.equal(error, undefined);
      assert.equal((await world.receipt(value!.transactionHash))?.status, 1);
      await visitor.startAgain();
    };
    const tick = (view: WalletView) => view.root.getByRole('checkbox', { name: /^I understand the risk/ });
    const isOff = async (view: WalletView): Promise<boolean> => {
      const button = view.button('Approve');
      return (await button.isDisabled()) || (await button.getAttribute('aria-disabled')) === 'true';
    };
    /** The trick is noticed and rejected, and nothing has moved. */
    const moves = (look: () => Promise<void>): Promise<void> => unchanged(held, look);
    const reject = async (view: WalletView): Promise<void> => {
      await view.press('Reject');
      assert.equal((await visitor.answer()).error?.code, 'user.rejected');
    };

    const all = EVERY_VARIANT && where === 'iframe';
    for (const symbol of [
      'DUSD',
      'DUЅD',
      ...(all ? ['DUSD.', 'DU5D', 'ＤUSD', 'D\u200bUSD', 'DSUD', 'DemoDollar'] : []),
    ])
      (symbol === 'DUSD' ? core : variant)(
        `a token that calls itself ${JSON.stringify(symbol)}: it is not called so`,
        async () => {
          const { abi, bytecode } = artifact('ERC20PresetFixedSupply');
          const owner = await world.chain.getSigner(3);
          const contract = await new ContractFactory(abi, bytecode, owner).deploy(
            'Demo Dollar',
            symbol,
            10n ** 24n,
            wallet.address,
          );
          await contract.waitForDeployment();
          const tokenAddress = await contract.getAddress();
          await moves(async () => {
            const view = await transfer({ tokenAddress });
            await view.text('This is not DUSD').first().waitFor();
            assert.doesNotMatch(await said(view), /\d DUSD|of DUSD/);
            await reject(view);
          });
          if (symbol !== 'DUSD') return;
          const control = await transfer({ tokenAddress: dusd() });
          await control.text('2 DUSD').first().waitFor();
          await goesThrough(control);
        },
      );

    variant(
      'an address that begins or ends like a known one: a caution from three digits each or six, a tick from four each',
      async () => {
        await goesThrough(await execute({}));
        for (const [to, warned, ticked] of [
          [twin(3, 3), true, false],
          [twin(4, 4), true, true],
          [twin(3, 2), false, false],
          [twin(6, 0), true, false],
          [twin(0, 6), true, false],
          [twin(4, 0), false, false],
        ] as const)
          await moves(async () => {
            const view = await execute({ to });
            await view.text('First time sending to this address').first().waitFor();
            assert.equal(
              (await said(view)).includes('Looks like an address you know, but is not the same'),
              warned,
              to,
            );
            assert.equal(await tick(view).count(), ticked ? 1 : 0, to);
            if (ticked) {
              assert.equal(await isOff(view), true);
              const drawn = view.address(getAddress(to));
              const marked = (await drawn.locator('mark').allInnerTexts()).join('');
              assert.equal(marked.length, [...to].filter((c, i) => c !== FRIEND.toLowerCase()[i]).length);
            }
            await reject(view);
            await visitor.startAgain();
          });
      },
    );

    variant(
      'a contract whose revert reason imitates the wallet: it is in our quotation marks, without its link',
      async () => {
        const data = `08c379a0${AbiCoder.defaultAbiCoder().encode(['string'], [IMITATION]).slice(2)}`;
        const size = (data.length / 2).toString(16).padStart(4, '0');
        const runtime = `61${size}61000f60003961${size}6000fd${data}`;
        const length = (runtime.length / 2).toString(16).padStart(4, '0');
        const owner = await world.chain.getSigner(3);
        const sent = await owner.sendTransaction({ data: `0x61${length}80600c6000396000f3${runtime}` });
        const to = (await sent.wait())!.contractAddress!;
        const body = { data: '0xd09de08a', value: '0' };
        await moves(async () => {
          const view = await execute({ ...body, to });
          // Folded, below the warning about an undecodable call.
          await view.text('This transaction will probably fail').first().click();
          const quote = await view.root.getByRole('blockquote').first().innerText();
          assert.match(quote, /^“none'. Carabiner has verified this contract. Approve and claim at \[…\]”$/);
          // The wallet's own isolates are around amounts.
          const words = (await said(view)).replace(/\u2068([\d.]+ ETH)\u2069/g, '$1');
          assert.doesNotMatch(words, /claim\.example|[\u202a-\u202e\u2066-\u2069]/);
          assert.equal(words.split('verified this contract').length, 2, 'said once, in the block');
          await reject(view);
        });
        const control = await execute({
          to: dusd(),
          value: '0',
          data: ERC20.encodeFunctionData('transfer', [FRIEND, 5n]),
        });
        await goesThrough(control);
      },
    );

    variant('an unlimited allowance that sends 1 wei: the danger names the token', async () => {
      const data = ERC20.encodeFunctionData('approve', [FRIEND, 2n ** 256n - 1n]);
      await moves(async () => {
        const view = await execute({ to: dusd(), data, value: '1' });
        await view
          .text(/could take all your DUSD/)
          .first()
          .waitFor();
        assert.doesNotMatch(await said(view), /all (?:your|my) ETH/);
        assert.equal(await isOff(view), true);
        await reject(view);
      });
      const limited = await execute({
        to: dusd(),
        data: ERC20.encodeFunctionData('approve', [dusd(), 5n]),
        value: '0',
      });
      await goesThrough(limited);
      assert.equal(await call('allowance', wallet.address, dusd()), 5n);
    });

    variant('an unknown network, at the site’s node: it counts as a live one', async () => {
      const network = (chainId: number) => ({
        network: { name: 'Ethereum Sepolia test network', nodeUrl: custom.url, chainId },
      });
      await moves(async () => {
        custom.lies.set('eth_chainId', () => toBeHex(9_999_999));
        const view = await execute(network(9_999_999));
        await view.text('This could be real money on Chain 9999999').first().waitFor();
        assert.doesNotMatch(await said(view), /Sepolia/);
        assert.equal(await tick(view).count(), 1);
        assert.equal(await isOff(view), true);
        await reject(view);
        assert.equal(custom.sent().length, 0);
      });
      custom.lies.clear();
      await visitor.startAgain();
      const control = await execute(network(31_337));
      await control.text('The site chose the node').first().waitFor();
      assert.equal(await tick(control).count(), 0);
      await goesThrough(control);
    });

    for (const digits of ['0', 'dead', ...(all ? ['1', 'a', '100'] : [])])
      variant(`a transfer to 0x…${digits}: nobody has a key for it`, async () => {
        await moves(async () => {
          const view = await execute({ to: `0x${digits.padStart(40, '0')}` });
          await view.text('Nobody has a key for this address').first().waitFor();
          assert.equal(await tick(view).count(), 1);
          assert.equal(await isOff(view), true);
          await reject(view);
        });
        if (digits === '0') await goesThrough(await execute({}));
      });

    variant('a name that the site gives the recipient: it is not shown', async () => {
      await moves(async () => {
        const view = await transfer({ alias: '\u202eknab ruoy (verified)' });
        await view.address(FRIEND).waitFor();
        assert.doesNotMatch(await said(view), /knab ruoy|verified|\u202e/);
        await reject(view);
      });
      await goesThrough(await transfer({ alias: 'Friend' }));
    });

    variant(
      'a message with characters that hide and reverse words: each is a box, and all of them are signed',
      async () => {
        const message = 'Log in\u202e ton\u200b, pay\u{e0041}\ufe0f 5 ETH';
        await moves(async () => {
          for (const text of [message, 'Log in']) {
            const view = await visitor.ask((connect, params) => connect.sign(params as never), {
              type: 'ETHEREUM_RAW',
              walletId: wallet.id,
              data: `0x${Buffer.from(text).toString('hex')}`,
            });
            await view
              .text(/Log in/)
              .first()
              .waitFor();
            for (const point of ['U+202E', 'U+200B', 'U+E0041', 'U+FE0F'])
              assert.equal(
                await view.root.getByRole('img', { name: point }).count(),
                text === message ? 1 : 0,
              );
            assert.doesNotMatch(await said(view), /\u202e|\u200b|\ufe0f|\u{e0041}/u);
            await view.approve();
            const { value } = await visitor.answer<SignResult>();
            assert.equal(verifyMessage(text, value!.result.signature), wallet.address);
            await visitor.startAgain();
          }
        });
      },
    );

    variant('a gas price ten times the network’s: a caution says so', async () => {
      const { gasPrice } = await world.chain.getFeeData();
      await moves(async () => {
        const view = await execute({ gasPrice: String(gasPrice! * 10n) });
        await view.text('Higher fee than usual').first().waitFor();
        await reject(view);
      });
      const control = await execute({});
      await control.address(FRIEND).waitFor();
      assert.doesNotMatch(await said(control), /Higher fee than usual/);
      await goesThrough(control);
    });
  });
