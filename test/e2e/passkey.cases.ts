/** Passkeys, with virtual authenticators: one with the PRF extension, and one without. */
import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import { Wallet as EthersWallet, verifyMessage } from 'ethers';
import type { Wallet } from '../../src/api/wallet.ts';
import type { SignResult, TransactionResult } from '../../src/channel/messages.ts';
import { pressPasskey, VirtualAuthenticator } from './authenticator.ts';
import { openWorld, PIN, type Visitor, type WalletView, type World } from './harness.ts';
import { core, rest, variant } from './parts.ts';

let world: World;
let visitor: Visitor;
before(async () => void (world = await openWorld()));
after(() => world.close());
afterEach(() => visitor.close());

const ETHER = 10n ** 18n;
const PASSKEY = /^(Approve with|Use) passkey$/;

/** First use, with the passkey alone. */
async function makeWallet(): Promise<Wallet> {
  const view = await visitor.opening(() => visitor.button('Manage wallets').click());
  await view.clickAtRest('Create wallet');
  await view.heading('Make your wallet with a passkey').waitFor();
  await view.press('Continue with passkey');
  await view.leaveAddress();
  await visitor.event('result');
  const [wallet] = await visitor.wallets();
  await world.ethereum.give('ETH', wallet!.address);
  return wallet!;
}

const send = (wallet: Wallet, to: string): Promise<WalletView> =>
  visitor.ask((connect, params) => connect.transfer({ ...params, secretType: 'ETHEREUM', value: '1' }), {
    walletId: wallet.id,
    to,
  });

core('a passkey creates a wallet without a PIN, and pays and signs with it', async () => {
  visitor = await world.visit('iframe');
  const authenticator = await VirtualAuthenticator.add(visitor.page);
  const wallet = await makeWallet();
  assert.equal(await authenticator.passkeys(), 1);

  const { address } = EthersWallet.createRandom();
  const view = await send(wallet, address);
  await pressPasskey(view);
  const { value } = await visitor.answer<TransactionResult>();
  await world.receipt(value!.transactionHash);
  assert.equal(await world.chain.getBalance(address), ETHER);

  await visitor.startAgain();
  const signing = await visitor.ask(
    (connect, params) => connect.sign({ ...params, type: 'ETHEREUM_RAW', data: '0x48656c6c6f' }),
    { walletId: wallet.id },
  );
  await pressPasskey(signing);
  const signed = (await visitor.answer<SignResult>()).value!;
  assert.equal(verifyMessage('Hello', signed.result.signature), wallet.address);
  assert.deepEqual(visitor.complaints, []);
});

rest('a passkey creates a wallet in its own window', async () => {
  visitor = await world.visit('popup');
  const view = await visitor.opening(() => visitor.button('Manage wallets').click());
  await VirtualAuthenticator.add(view.popup);
  await view.clickAtRest('Create wallet');
  await view.press('Continue with passkey');
  await view.leaveAddress();
  await visitor.event('result');
  assert.equal((await visitor.wallets()).length, 1);
  assert.deepEqual(visitor.complaints, []);
});

variant(
  'an authenticator without PRF leads to a PIN in the same place, and its passkey is removed',
  async () => {
    visitor = await world.visit('iframe');
    const authenticator = await VirtualAuthenticator.add(visitor.page, { prf: false });
    const view = await visitor.opening(() => visitor.button('Manage wallets').click());
    await view.clickAtRest('Create wallet');
    await view.press('Continue with passkey');
    await view.heading('Choose a PIN').waitFor();
    await view.text('The passkeys of this device cannot open a wallet. A PIN can.').waitFor();
    assert.equal(await authenticator.passkeys(), 0);
    await view.type('PIN', PIN);
    await view.button('Continue').click();
    await view.type('Confirm PIN', PIN);
    await view.button('Continue').click();
    await view.press('Remind me later');
    await view.leaveAddress();
    await visitor.event('result');
    const [wallet] = await visitor.wallets();
    await world.ethereum.give('ETH', wallet!.address);
    const { address } = EthersWallet.createRandom();
    const approval = await send(wallet!, address);
    assert.equal(await approval.button(PASSKEY).count(), 0);
    await approval.approve();
    const { value } = await visitor.answer<TransactionResult>();
    await world.receipt(value!.transactionHash);
    assert.equal(await world.chain.getBalance(address), ETHER);
  },
);

variant('a PIN that is chosen later approves too', async () => {
  visitor = await world.visit('iframe');
  await VirtualAuthenticator.add(visitor.page);
  const wallet = await makeWallet();
  const view = await visitor.opening(() => visitor.button('Manage wallets').click());
  await view.button('Settings').click();
  await view.button('Choose a PIN').click();
  await view.button('Continue with passkey').click();
  await view.type('PIN', PIN);
  await view.button('Continue').click();
  await view.type('Confirm PIN', PIN);
  await view.button('Continue').click();
  await view.button('Change PIN').waitFor();
  await visitor.startAgain();

  const { address } = EthersWallet.createRandom();
  const approval = await send(wallet, address);
  await approval.button(PASSKEY).waitFor();
  const usePin = approval.button('Use PIN');
  if (await usePin.count()) await usePin.click();
  await approval.approve();
  const { value } = await visitor.answer<TransactionResult>();
  await world.receipt(value!.transactionHash);
  assert.equal(await world.chain.getBalance(address), ETHER);
});
