/** Typed data and sign-ins, with the element and by promise, in the built wallet. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { hexlify, toUtf8Bytes, verifyMessage, verifyTypedData } from 'ethers';
import { CHAIN_ID } from '../../demo/networks/anvil.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import type { SignResult } from '../../src/channel/messages.ts';
import { openWorld, type Visitor, type World } from './harness.ts';
import { variant } from './parts.ts';
import { permitOf, signInOf } from './typed-requests.ts';

let world: World;
let visitor: Visitor;
let wallet: Wallet;
before(async () => {
  world = await openWorld();
  visitor = await world.visit('iframe');
  wallet = await visitor.wealthyWallet();
});
after(() => world.close());
beforeEach(() => visitor.startAgain('/'));

const verified = ({ types, domain, message }: ReturnType<typeof permitOf>, { result }: SignResult): string =>
  verifyTypedData(domain, types, message, result.signature);

variant('a permit is shown in words, and ethers verifies its signature', async () => {
  const data = permitOf(world, wallet);
  const view = await visitor.ask((connect, params) => connect.sign(params), {
    type: 'ETHEREUM_TYPED_DATA' as const,
    walletId: wallet.id,
    data,
  });
  await view.heading('Allow up to 5 DUSD').waitFor();
  await view.text('This signature gives a spending limit').first().waitFor();
  assert.equal(await view.root.getByRole('checkbox').count(), 0);
  await view.text('Data to sign').click();
  for (const name of ['owner', 'spender', 'value', 'nonce', 'deadline', 'verifyingContract'])
    await view.root.getByRole('region', { name: 'Data to sign' }).getByText(name, { exact: true }).waitFor();
  await view.approve();
  assert.equal(verified(data, (await visitor.answer<SignResult>()).value!), wallet.address);
});

test('<sign-request> takes typed data as JSON text, and as an object', async () => {
  for (const asText of [true, false]) {
    const data = permitOf(world, wallet, { nonce: asText ? 1 : 2 });
    await visitor.evaluate(
      ({ walletId, given, text }) => {
        const element = document.querySelector('sign-request')!;
        element.setAttribute('type', 'ETHEREUM_TYPED_DATA');
        element.setAttribute('wallet-id', walletId);
        if (text) element.setAttribute('data', JSON.stringify(given));
        else element.data = given;
      },
      { walletId: wallet.id, given: data, text: asText },
    );
    const view = await visitor.opening(() =>
      visitor.page.locator('sign-request').getByRole('button').click(),
    );
    await view.heading('Allow up to 5 DUSD').waitFor();
    await view.approve();
    await visitor.event('result', 'sign');
    const result = (await visitor.events()).findLast(
      ({ type, action }) => type === 'connect-result' || (type === 'result' && action === 'sign'),
    )!.result as SignResult;
    assert.equal(verified(data, result), wallet.address);
    await view.gone();
    await visitor.startAgain('/');
  }
});

test('a form that the wallet does not know is drawn field by field', async () => {
  const data = {
    types: {
      Vote: [
        { name: 'motion', type: 'string' },
        { name: 'points', type: 'uint8[]' },
      ],
    },
    primaryType: 'Vote',
    domain: { name: 'Harbour', chainId: CHAIN_ID },
    message: { motion: 'Paint the boat\u202e', points: [3, 7] },
  };
  const view = await visitor.ask((connect, params) => connect.sign(params), {
    type: 'ETHEREUM_TYPED_DATA' as const,
    walletId: wallet.id,
    data,
  });
  await view.heading('Sign data').waitFor();
  await view.text('Carabiner does not know this form').first().waitFor();
  const region = view.root.getByRole('region', { name: 'Data to sign' });
  await region.getByText('Paint the boat').waitFor();
  await region.getByRole('img', { name: 'U+202E' }).waitFor();
  await view.approve();
  const { value } = await visitor.answer<SignResult>();
  assert.equal(
    verifyTypedData(data.domain, data.types, data.message, value!.result.signature),
    wallet.address,
  );
});

test('a sign-in that fits says so, and ethers verifies its signature', async () => {
  const text = signInOf(visitor.origin, wallet);
  const view = await visitor.ask((connect, params) => connect.sign(params), {
    type: 'ETHEREUM_RAW' as const,
    walletId: wallet.id,
    data: hexlify(toUtf8Bytes(text)),
  });
  await view.heading('Sign in').waitFor();
  await view
    .text(/^The message names .*, the site that asks$/)
    .first()
    .waitFor();
  assert.equal(await view.root.getByRole('checkbox').count(), 0);
  await view.approve();
  assert.equal(
    verifyMessage(text, (await visitor.answer<SignResult>()).value!.result.signature),
    wallet.address,
  );
});
