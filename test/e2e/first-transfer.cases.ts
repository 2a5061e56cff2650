/** The main task, as a new user does it: on a page of the frame's own site (iframe) and on any other site (window). */
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { hexlify, parseEther, parseUnits, toUtf8Bytes, verifyMessage, Wallet as EthersWallet } from 'ethers';
import type { Wallet } from '../../src/api/wallet.ts';
import type { SignResult, TransactionResult } from '../../src/channel/messages.ts';
import { poll } from '../waiting.ts';
import { openWorld, PIN, type Visitor, type World } from './harness.ts';
import { core, describeCore, IS_REST, rest, variant } from './parts.ts';

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

const fresh = (): string => EthersWallet.createRandom().address;

for (const where of ['iframe', 'popup'] as const) {
  /** The same in dialog and window. */
  const [group, onEither] = where === 'iframe' ? [describe, rest] : [describeCore, variant];
  group(where === 'iframe' ? 'same site, wallet in a dialog' : 'another site, wallet in a window', () => {
    let visitor: Visitor;
    let wallet: Wallet;
    before(async () => {
      visitor = await world.visit(where);
      // Else the first test makes it by hand.
      if (IS_REST) wallet = await visitor.wealthyWallet();
    });
    after(() => visitor.close());

    core('creates a wallet with a PIN, which is then linked to the page', async () => {
      const view = await visitor.opening(() => visitor.button('Manage wallets').click());
      await view.firstUse(PIN);
      await visitor.button(/^Unlink /).waitFor();
      const result = (await visitor.events()).find(({ type }) => type === 'result');
      assert.equal(result?.action, 'manageWallets');
      wallet = (await visitor.wallets())[0]!;
      assert.deepEqual(result?.result, wallet);
      assert.equal(wallet.walletType, 'BROWSER');
      assert.equal(wallet.secretType, 'ETHEREUM');
      assert.match(wallet.address, /^0x[0-9a-fA-F]{40}$/);
    });

    core('links it again after unlinking, by consent', async () => {
      await visitor.evaluate((id) => window.connect.unlink(id), wallet.id);
      assert.deepEqual(await visitor.wallets(), []);
      const view = await visitor.linking(() => visitor.button('Connect wallet').click());
      await view.root.getByRole('checkbox', { name: new RegExp(`^${wallet.alias}, `) }).check();
      await view.leave('Link wallets');
      assert.deepEqual(
        (await visitor.wallets()).map(({ id }) => id),
        [wallet.id],
      );
    });

    core('sends 1.5 ether by <transfer-dialog>, and the node shows exactly that transfer', async () => {
      await world.ethereum.give('ETH', wallet.address);
      const to = fresh();
      await visitor.button('Send').click();
      await visitor.page.getByRole('textbox', { name: 'Recipient' }).fill(to);
      await visitor.page.getByRole('textbox', { name: 'Amount' }).fill('1.5');
      const view = await visitor.opening(() => visitor.button('Continue').click());
      await view.approval().waitFor();
      await view.root.getByText('1.5', { exact: false }).first().waitFor();
      assert.ok(await view.address(to).isVisible(), 'the recipient is shown in full');
      await view.approve();
      await visitor.event('result', 'transfer');
      const { result } = (await visitor.events()).findLast(({ type }) => type === 'result')!;
      const { transactionHash } = result as TransactionResult;
      const sent = await world.chain.getTransaction(transactionHash);
      assert.ok(sent);
      assert.equal(sent.from, wallet.address);
      assert.equal(sent.to, to);
      assert.equal(sent.value, parseEther('1.5'));
      assert.equal(sent.data, '0x');
      assert.equal(sent.chainId, 31337n);
      assert.equal(sent.type, 2);
      await world.receipt(transactionHash);
      assert.equal(await world.chain.getBalance(to), parseEther('1.5'));
      await view.sent();
      await view.done();
      await poll(
        async () => (await visitor.events()).some(({ stage }) => stage === 'confirmed'),
        'the last event',
      );
      const order = (await visitor.events())
        .filter((e) => e.on === 'transfer-dialog')
        .map((e) => e.stage ?? e.type);
      assert.deepEqual(order, ['request', 'approval', 'signing', 'broadcast', 'result', 'confirmed']);
    });

    onEither('comes back to the form from a name without an address', async () => {
      const field = (name: string) => visitor.page.getByRole('textbox', { name });
      await visitor.button('Send').click();
      await field('Recipient').fill('nobody.eth');
      await field('Amount').fill('1.5');
      const view = await visitor.opening(() => visitor.button('Continue').click());
      await view.heading('No address found for this name').waitFor();
      await visitor.event('error', 'transfer');
      await view.leave('Close');
      await visitor.page.getByText('No address found for this name. Ask the recipient').waitFor();
      assert.equal(await field('Amount').inputValue(), '1.5');
      assert.equal(await field('Recipient').evaluate((it) => it.matches(':focus')), true);
      const to = fresh();
      await field('Recipient').fill(`ethereum:${to}@1`);
      await visitor.button('Continue').click();
      await visitor.page.getByText('This code is for the network with chain ID 1.').waitFor();
      // With a code for the wallet's own network it is sent.
      await field('Recipient').fill(`ethereum:${to}@31337`);
      await visitor.button('Continue').click();
      await poll(async () => (await field('Recipient').inputValue()) === to, 'the code’s address');
      const again = await visitor.opening(() => visitor.button('Continue').click());
      await again.approve();
      await again.sent();
      await again.done();
      assert.equal(await world.chain.getBalance(to), parseEther('1.5'));
    });

    onEither('sends an ERC-20 by promise', async () => {
      const to = fresh();
      await world.ethereum.give('DUSD', wallet.address);
      const token = world.ethereum.contracts.DUSD;
      const view = await visitor.ask(
        (connect, params) => connect.transfer({ ...params, secretType: 'ETHEREUM', value: '12.25' }),
        { walletId: wallet.id, to, tokenAddress: token },
      );
      await view.text('DUSD').first().waitFor();
      await view.approve();
      const { value } = await visitor.answer<TransactionResult>();
      const receipt = await world.receipt(value!.transactionHash);
      assert.equal(receipt?.to, token);
      assert.equal(receipt?.logs[0]?.data, `0x${parseUnits('12.25', 18).toString(16).padStart(64, '0')}`);
      assert.equal(receipt?.logs[0]?.topics[2]?.slice(-40), to.slice(2).toLowerCase());
      await view.done();
    });

    variant('sends an ETH_TRANSACTION with data', async () => {
      const to = fresh();
      const view = await visitor.ask((connect, request) => connect.execute(request), {
        type: 'ETH_TRANSACTION' as const,
        walletId: wallet.id,
        to,
        value: '1000000000000000',
        data: '0xc0ffee',
      });
      await view.root.getByRole('checkbox', { name: /^I understand the risk/ }).check();
      await view.approve();
      const { value } = await visitor.answer<TransactionResult>();
      const sent = await world.chain.getTransaction(value!.transactionHash);
      assert.equal(sent?.data, '0xc0ffee');
      assert.equal(sent?.value, 10n ** 15n);
      assert.equal(sent?.to, to);
      await view.done();
    });

    core('signs by <sign-request>, and ethers verifies the signature to the wallet', async () => {
      await visitor.evaluate(
        (id) => document.querySelector('sign-request')!.setAttribute('wallet-id', id),
        wallet.id,
      );
      const view = await visitor.opening(() => visitor.button('Sign').click());
      await view.text('Hello').waitFor();
      await view.approve();
      await visitor.event('result', 'sign');
      const { result } = (await visitor.events()).findLast(({ type }) => type === 'result')!;
      assert.equal(verifyMessage('Hello', (result as SignResult).result.signature), wallet.address);
      await view.gone();
    });

    variant('signs a message of several lines by promise', async () => {
      const message = 'Log in to Shop\nat ten o’clock';
      const view = await visitor.ask((connect, params) => connect.sign(params), {
        type: 'ETHEREUM_RAW' as const,
        walletId: wallet.id,
        data: hexlify(toUtf8Bytes(message)),
      });
      await view.approval().waitFor();
      await view.text('Log in to Shop').waitFor();
      await view.approve();
      const { value } = await visitor.answer<SignResult>();
      assert.equal(value?.success, true);
      assert.equal(verifyMessage(message, value.result.signature), wallet.address);
      await view.gone();
    });
  });
}
