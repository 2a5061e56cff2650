/** Limits on a chain whose transactions spend coins: two that replace the same one need not exclude each other, and amounts of coins are hardly signed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { litecoindPath, startLitecoinNetwork } from '../../demo/networks/litecoin.ts';
import { draftToJson } from '../../src/api/draft-json.ts';
import type { HeldTransaction } from '../../src/api/policy.ts';
import type { Scope } from '../../src/api/scopes.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import type { Node } from '../../src/chains/terms.ts';
import { loadChain, loadPayloads } from '../../src/chains/index.ts';
import type { Utxo, UtxoDraft } from '../../src/chains/utxo/draft.ts';
import { keyHashOf } from '../../src/chains/utxo/script.ts';
import { PIN } from './custody-setup.ts';
import { type Result, type Shop, startShop } from './execute-setup.ts';

const skip = !litecoindPath();
const COIN = 1_000_000n;
const PAID = 200_000n;

let litecoin: Awaited<ReturnType<typeof startLitecoinNetwork>> | undefined;
let shop: Shop;
let wallet: CreatedWallet;
let colleague: { id: string; token: string };
let draft: UtxoDraft;
/** Two coins of the wallet. */
let coins: [Utxo, Utxo];

before(async () => {
  if (skip) return;
  litecoin = await startLitecoinNetwork({ port: 0 });
  shop = await startShop([litecoin.network]);
  wallet = await shop.wallet('LITECOIN');
  for (let n = 0; n < 2; n++) await litecoin.fund(wallet.address, COIN);
  colleague = await clientWith('approve:transactions');
  const chain = await loadChain('LITECOIN');
  const node = chain.node(litecoin.network) as Node;
  const { parse } = await loadPayloads('LITECOIN');
  const to = (await shop.wallet('LITECOIN')).address;
  const both = parse({ type: 'LTC_TRANSACTION', walletId: wallet.id, to, value: Number(COIN + PAID) });
  draft = (await chain.prepare(both, wallet.address, node, {
    used: [],
    own: [],
    reported: [],
  })) as UtxoDraft;
  coins = draft.inputs as [Utxo, Utxo];
  assert.equal(coins.length, 2);
  litecoin.mining = false;
});

after(async () => {
  await shop?.close();
  await litecoin?.close();
});

async function clientWith(scope: Scope): Promise<{ id: string; token: string }> {
  const { service } = shop;
  const { id } = await service.client([scope]);
  const tokens = await service.service.tokens.issue({ accountId: id, clientId: id, scopes: [scope] });
  return { id, token: tokens.access_token };
}

/** The same payment in each, out of these coins. */
function spend(inputs: Utxo[], fee: bigint, replaces?: string) {
  const [payment, change] = draft.outputs as [UtxoDraft['outputs'][0], UtxoDraft['outputs'][0]];
  const left = COIN * BigInt(inputs.length) - PAID - fee;
  const outputs = [
    { ...payment, value: PAID },
    { ...change, value: left },
  ];
  return shop.call<Result>(shop.shop, 'POST', '/api/transactions/approved', {
    walletId: wallet.id,
    pincode: PIN,
    draft: draftToJson({ ...draft, value: PAID, inputs, outputs, fee }),
    ...(replaces && { replaces }),
  });
}

/** With an input that is worth more than it says: the difference would be a fee that no limit counts. */
function understated(honest: UtxoDraft, at: number): UtxoDraft {
  const less = 10_000n;
  const inputs = honest.inputs.map((coin, i) => (i === at ? { ...coin, value: coin.value - less } : coin));
  const outputs = honest.outputs.map((output, i) =>
    i === 0 ? { ...output, value: output.value - less } : output,
  );
  return { ...honest, inputs, outputs };
}

test('a draft that understates a coin, so that more is spent as the fee, is refused', { skip }, async () => {
  const own = await shop.wallet('LITECOIN');
  const chain = await loadChain('LITECOIN');
  const node = chain.node(litecoin!.network) as Node;
  const approve = (given: UtxoDraft) =>
    shop.call<Result>(shop.shop, 'POST', '/api/transactions/approved', {
      walletId: own.id,
      pincode: PIN,
      draft: draftToJson(given),
    });
  const other = await chain.sweep!.find(own.address, node);
  litecoin!.mining = true;
  for (const address of [own.address, own.address, other.address]) await litecoin!.fund(address, COIN);
  litecoin!.mining = false;
  // A P2WPKH signature commits to the value of its own input only, and the same coins could be signed again with another one misstated.
  const { parse } = await loadPayloads('LITECOIN');
  const request = parse({
    type: 'LTC_TRANSACTION',
    walletId: own.id,
    to: wallet.address,
    value: Number(COIN + PAID),
  });
  const known = { used: [], own: [], reported: [] };
  const both = (await chain.prepare(request, own.address, node, known)) as UtxoDraft;
  assert.equal(both.inputs.length, 2);
  // A P2PKH signature commits to none.
  const swept = (await chain.sweep!.prepare(own.address, node)) as UtxoDraft;
  assert.equal(keyHashOf(swept.inputs[0]!.script)?.segwit, false);
  for (const draft of [understated(both, 0), understated(both, 1), understated(swept, 0)]) {
    const { outcome, body } = await approve(draft);
    assert.equal(outcome, '400 request.invalid draft');
    assert.match(body.detail, /wrong amount or script for the coin [0-9a-f]{64}:\d/);
  }
  for (const draft of [both, swept]) {
    const { outcome, body } = await approve(draft);
    assert.equal(outcome, '200', JSON.stringify(body));
  }
});

test('an approval does not pay twice by way of a transaction that replaces each of the two', {
  skip,
}, async () => {
  const { token: office } = await clientWith('manage:policies');
  const policy = {
    fourEyes: { above: [{ secretType: 'LITECOIN', amount: '0' }], approvers: [colleague.id] },
  };
  const set = await shop.call(office, 'PUT', `/api/policies/wallet/${wallet.id}`, policy);
  assert.equal(set.outcome, '200', JSON.stringify(set.body));
  const [a, c] = coins;
  assert.equal((await spend([a], 1000n)).outcome, '403 policy.refused');
  const { body: waiting } = await shop.call<HeldTransaction[]>(colleague.token, 'GET', '/api/approvals');
  const [{ id, draftHash }] = waiting as [HeldTransaction];
  const path = `/api/transactions/${id}/approvals`;
  assert.equal((await shop.call(colleague.token, 'POST', path, { draftHash })).outcome, '201');

  const first = await spend([a], 1000n);
  assert.equal(first.outcome, '200', JSON.stringify(first.body));
  // It excludes the first.
  const second = await spend([a, c], 1700n, first.body.transactionHash);
  assert.equal(second.outcome, '200', JSON.stringify(second.body));
  // This one only excludes the second: it could be mined together with the first.
  const third = await spend([c], 1950n, second.body.transactionHash);
  assert.equal(third.outcome, '403 policy.refused', JSON.stringify(third.body));
  assert.equal(third.body.details['rule'], 'four-eyes');
  assert.notEqual(third.body.details['transactionId'], id);
  // And this one excludes both.
  const fourth = await spend([a, c], 1950n, second.body.transactionHash);
  assert.equal(fourth.outcome, '200', JSON.stringify(fourth.body));
});
