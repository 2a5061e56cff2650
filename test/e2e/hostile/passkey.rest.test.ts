/**
 * Failures and attacks between an approval and the passkey that carries it out. Each attempt runs inside the wallet's own page, where no
 * site can be: it shows that our own check holds. Each has a control: the same script without the trick pays.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Wallet as EthersWallet } from 'ethers';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { TransactionResult } from '../../../src/channel/messages.ts';
import { pressPasskey, VirtualAuthenticator } from '../authenticator.ts';
import { openWorld, type Visitor, type WalletView, type World } from '../harness.ts';
import { variant } from '../parts.ts';
import { movesNothing } from './unmoved.ts';

const REFUSED = 'The passkey’s answer was not to what was asked. Nothing was signed.';
const ETHER = 10n ** 18n;

let world: World;
let visitor: Visitor;
let authenticator: VirtualAuthenticator;
let wallet: Wallet;

/** The attack of a script in the wallet's page; read at each step. */
interface Trick {
  trick?: 'draft' | 'challenge' | 'replay' | undefined;
}

/** Runs in every frame before its own scripts, and does nothing until told to. */
function prepare(): void {
  const wanted = globalThis as unknown as Trick;
  const { digest } = SubtleCrypto.prototype;
  let asked = 0;
  SubtleCrypto.prototype.digest = function (algorithm, data) {
    const bytes = new Uint8Array(ArrayBuffer.isView(data) ? data.buffer : data);
    const isIntent = new TextDecoder().decode(bytes).startsWith('carabiner.passkey.v1');
    // The passkey approves one draft; the one about to be signed differs in a byte.
    if (isIntent && wanted.trick === 'draft' && ++asked % 2 === 0) bytes[bytes.length - 3]! ^= 1;
    return digest.call(this, algorithm, bytes);
  };
  const { get } = CredentialsContainer.prototype;
  let before: Credential | null = null;
  CredentialsContainer.prototype.get = async function (options) {
    if (wanted.trick === 'replay' && before) return before;
    if (wanted.trick === 'challenge') {
      const challenge = new Uint8Array(options!.publicKey!.challenge as ArrayBuffer).slice();
      challenge[0]! ^= 1;
      options = { ...options, publicKey: { ...options!.publicKey!, challenge } };
    }
    before = await get.call(this, options);
    return before;
  };
}

before(async () => {
  world = await openWorld();
  visitor = await world.visit('iframe');
  await visitor.context.addInitScript(prepare);
  await visitor.open();
  authenticator = await VirtualAuthenticator.add(visitor.page);
  const view = await visitor.opening(() => visitor.button('Manage wallets').click());
  await view.clickAtRest('Create wallet');
  await view.press('Continue with passkey');
  await view.leaveAddress();
  await visitor.event('result');
  wallet = (await visitor.wallets())[0]!;
  await world.ethereum.give('ETH', wallet.address);
});
after(() => world.close());

const send = (to: string): Promise<WalletView> =>
  visitor.ask((connect, params) => connect.transfer({ ...params, secretType: 'ETHEREUM', value: '0.1' }), {
    walletId: wallet.id,
    to,
  });

async function setTrick(view: WalletView, trick: Trick['trick']): Promise<void> {
  // Before, the iframe may still be going from its empty document to the wallet.
  await view.approval().waitFor();
  await (await view.frame()).evaluate((wanted) => Object.assign(globalThis, { trick: wanted }), trick);
}

/** With the trick, pressing the passkey pays nothing; without it, it pays. */
async function attempt(
  trick: (view: WalletView) => Promise<unknown>,
  undo: (view: WalletView) => Promise<unknown>,
  refused: (view: WalletView) => Promise<unknown> = (view) => view.text(REFUSED).first().waitFor(),
): Promise<void> {
  await visitor.startAgain();
  const { address } = EthersWallet.createRandom();
  const sent = world.node.sent().length;
  const view = await send(address);
  await movesNothing(world, wallet, async () => {
    await trick(view);
    await pressPasskey(view);
    await refused(view);
  });
  assert.equal(world.node.sent().length, sent, 'nothing reached the node');
  assert.equal(await world.chain.getBalance(address), 0n);

  await undo(view);
  await pressPasskey(view);
  const { value } = await visitor.answer<TransactionResult>();
  await world.receipt(value!.transactionHash);
  assert.equal(await world.chain.getBalance(address), ETHER / 10n, 'the control pays');
}

describe('with a passkey, nothing is signed', () => {
  test('when a byte of the draft differs from the one that the passkey approved', () =>
    attempt(
      (view) => setTrick(view, 'draft'),
      (view) => setTrick(view, undefined),
    ));

  variant('when the passkey was asked for another draft', () =>
    attempt(
      (view) => setTrick(view, 'challenge'),
      (view) => setTrick(view, undefined),
    ),
  );

  variant('when its answer to an earlier approval is replayed', async () => {
    await visitor.startAgain();
    // In the same document: the answer to the first approval is replayed for the second.
    const { address } = EthersWallet.createRandom();
    const first = await send(address);
    await pressPasskey(first);
    const { value } = await visitor.answer<TransactionResult>();
    await world.receipt(value!.transactionHash);
    await first.sent();
    // The dialog covers the page's buttons, so the page sends the request itself.
    const params = { walletId: wallet.id, secretType: 'ETHEREUM', to: address, value: '0.1' };
    await visitor.evaluate(`void (window.answer = settle(connect.transfer(${JSON.stringify(params)})))`);
    const second = visitor.iframe();
    await second.root.locator('cbf-approve').waitFor();
    await movesNothing(world, wallet, async () => {
      await setTrick(second, 'replay');
      await pressPasskey(second);
      await second.text(REFUSED).first().waitFor();
    });
    await setTrick(second, undefined);
    await pressPasskey(second);
    const again = await visitor.answer<TransactionResult>();
    await world.receipt(again.value!.transactionHash);
    assert.equal(await world.chain.getBalance(address), ETHER / 5n, 'the control pays');
  });

  for (const [run, name, bits] of [
    [test, 'when its signature is not one of its key', { isBogusSignature: true }],
    [variant, 'when it has not verified the user', { isBadUV: true }],
    [variant, 'when nobody was present', { isBadUP: true }],
  ] as const)
    run(name, () =>
      attempt(
        () => authenticator.misbehave(bits),
        () => authenticator.misbehave({}),
      ),
    );
});
