/** What a user approved in the frame is signed unchanged or not at all; and signatures of data. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { JsonRpcProvider, parseEther, Transaction, verifyMessage, Wallet as Key } from 'ethers';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import { draftFromJson, draftToJson } from '../../src/api/draft-json.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import type { Chain } from '../../src/chains/chain.ts';
import type { Draft, Known, Node } from '../../src/chains/terms.ts';
import type { EvmDraft } from '../../src/chains/evm/draft.ts';
import { bytesOf, concat, hexOf } from '../../src/base/bytes.ts';
import { loadChain, loadPayloads } from '../../src/chains/index.ts';
import type { Network } from '../../src/chains/network.ts';
import { SECRET_TYPES, type SecretType } from '../../src/chains/secret-type.ts';
import { publicKey } from '../../src/chains/keys/secp256k1.ts';
import type { UtxoDraft } from '../../src/chains/utxo/draft.ts';
import { hash160 } from '../../src/chains/utxo/script.ts';
import { unsignable } from '../../service/transactions/approved.ts';
import { readApproved } from '../../service/transactions/approved-draft.ts';
import { PIN } from './custody-setup.ts';
import { mined, type Result, type Shop, startShop } from './execute-setup.ts';
import { turnsWhile } from './turns.ts';
import type { User } from './users-setup.ts';

/** Its last byte is VeChain's chain tag. */
const GENESIS = `0x${'00'.repeat(31)}27`;
const KNOWN: Known = { used: [], own: [], reported: [] };

let ethereum: LocalEthereum;
let provider: JsonRpcProvider;
let shop: Shop;
let user: User;
let wallet: CreatedWallet;
let chain: Chain;
let node: Node;

before(async () => {
  ethereum = await startEthereum({ port: 0 });
  provider = new JsonRpcProvider(ethereum.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  shop = await startShop([ethereum.network]);
  user = await shop.user();
  wallet = await user.wallet();
  await ethereum.fund(wallet.address, parseEther('10'));
  chain = await loadChain('ETHEREUM');
  node = chain.node(ethereum.network);
});

after(async () => {
  provider.destroy();
  await shop.close();
  await ethereum.close();
});

async function prepared(to = Key.createRandom().address, value = 1): Promise<EvmDraft> {
  const { parse } = await loadPayloads('ETHEREUM');
  const request = parse({ type: 'ETH_TRANSACTION', walletId: wallet.id, to, value });
  return (await chain.prepare(request, wallet.address, node, KNOWN)) as EvmDraft;
}

function approve(draft: unknown, more: object = {}, headers: Record<string, string> = {}) {
  const body = { walletId: wallet.id, pincode: PIN, draft, ...more };
  return user.call<Result>('POST', '/api/transactions/approved', body, { headers });
}

test('exactly what was approved is signed', async () => {
  const draft = await prepared();
  const { outcome, body } = await approve(draftToJson(draft), {}, { 'Idempotency-Key': 'request-1' });
  assert.equal(outcome, '200', JSON.stringify(body));
  const sent = Transaction.from(body.raw!);
  assert.equal(sent.hash, body.transactionHash);
  assert.equal(sent.from, wallet.address);
  assert.deepEqual(
    [
      sent.to,
      sent.value,
      sent.nonce,
      sent.gasLimit,
      sent.maxFeePerGas,
      sent.maxPriorityFeePerGas,
      sent.chainId,
    ],
    [
      draft.to,
      draft.value,
      draft.nonce,
      draft.gas,
      draft.maxFeePerGas,
      draft.maxPriorityFeePerGas,
      BigInt(draft.chainId),
    ],
  );
  await mined(provider);
  assert.equal(await provider.getBalance(draft.to!), 1n);
  const again = await approve(draftToJson(draft), {}, { 'Idempotency-Key': 'request-1' });
  assert.deepEqual(again.body, body);
  // The same draft under another idempotency key is no second payment.
  assert.equal((await approve(draftToJson(draft))).outcome, '409 request.conflict');
});

test('token and PIN alone sign nothing', async () => {
  const draft = draftToJson(await prepared());
  const body = { walletId: wallet.id, pincode: PIN, draft };
  const { outcome } = await user.call('POST', '/api/transactions/approved', body, { device: undefined });
  assert.equal(outcome, '401 device.proof.invalid');
});

test('a nonce used in the meantime is a conflict, unless the draft replaces that transaction', async () => {
  const [first, second] = [await prepared(), await prepared()];
  await provider.send('evm_setAutomine', [false]);
  const sent = await approve(draftToJson(first));
  assert.equal(sent.outcome, '200');
  assert.equal((await approve(draftToJson(second))).outcome, '409 request.conflict');
  const faster = (await chain.replace!(first, 'speed-up', node)) as EvmDraft;
  assert.equal((await approve(draftToJson(faster))).outcome, '409 request.conflict');
  const replaces = sent.body.transactionHash;
  const replaced = await approve(draftToJson(faster), { replaces });
  assert.equal(replaced.outcome, '200', JSON.stringify(replaced.body));
  await provider.send('evm_setAutomine', [true]);
  await provider.send('evm_mine', []);
  assert.equal(
    (await approve(draftToJson(faster), { replaces: `0x${'00'.repeat(32)}` })).outcome,
    '409 request.conflict',
  );
  assert.equal(
    await shop
      .call(
        user.token,
        'GET',
        `/api/transactions/${replaced.body.transactionHash}/status?secretType=ETHEREUM`,
      )
      .then(({ body }) => body['status']),
    'confirmed',
  );
});

test('a malformed draft is refused at its field, and never an internal error', async () => {
  const draft = await prepared();
  const bad: Record<string, unknown> = {
    'no JSON': '{',
    'no draft': '[]',
    null: 'null',
    'other wallet': draftToJson({ ...draft, from: Key.createRandom().address }),
    'other chain': draftToJson({ ...draft, secretType: 'GOCHAIN' }),
    'other network': draftToJson({ ...draft, network: { ...draft.network, id: 'mainnet' } }),
    'other chain id': draftToJson({ ...draft, chainId: 1 }),
    'custom node': draftToJson({ ...draft, custom: { name: 'x', host: 'y' } }),
    'no nonce': draftToJson({ ...draft, nonce: undefined }),
    'negative value': draftToJson({ ...draft, value: -1n }),
    'huge value': draftToJson({ ...draft, value: 2n ** 256n }),
    'number for bigint': draftToJson({ ...draft, value: 1 }),
    'no address': draftToJson({ ...draft, to: '0x12' }),
    'no bytes': draftToJson({ ...draft, data: '0x1' }),
    'too much data': draftToJson({ ...draft, data: `0x${'00'.repeat(140_000)}` }).slice(0, 199_000),
    'no price': draftToJson({ ...draft, maxFeePerGas: undefined }),
    'both prices': draftToJson({ ...draft, gasPrice: 1n }),
    'wrong bigint': draftToJson(draft).replace(/"\$n":"\d+"/, '"$n":"0x1"'),
    prototype: draftToJson(draft).replace('{', '{"__proto__":{"to":"x"},"constructor":1,'),
  };
  for (const [what, text] of Object.entries(bad)) {
    const { outcome } = await approve(text);
    if (what === 'prototype') assert.match(outcome, /^(200|400 request.invalid draft)$/);
    else assert.equal(outcome, '400 request.invalid draft', what);
  }
  assert.equal((await approve('x'.repeat(200_001))).outcome, '400 request.invalid draft');
  assert.equal((await approve('x'.repeat(400_000))).outcome, '413 request.too-large');
  assert.equal((await approve({ ...draft.network })).outcome, '400 request.invalid draft');
});

const NAMES = (
  'to value inputs outputs fee size contract clauses gas nonce data amount ttl payload networkId chainId type facts network memo ' +
  'sponsor refBlockBytes refBlockHash expiration timestamp feeLimit chainTag blockRef gasPrice gasPriceCoef custom delegated'
).split(' ');

const HEX = (bytes: number) => `0x${'11'.repeat(bytes)}`;

/** A minimal draft of each chain. */
const FIELDS = (to: string): Record<SecretType, object> => {
  const coin = { txid: '11'.repeat(32), vout: 0, value: 3n, script: `0x0014${'11'.repeat(20)}` };
  const utxo = { to, value: 1n, inputs: [coin], outputs: [{ value: 1n, script: HEX(22) }], fee: 2n, size: 9 };
  const evm = { chainId: 5, type: 0, nonce: 0, gas: 21_000n, gasPrice: 1n, to, value: 1n, data: '0x' };
  return {
    BITCOIN: utxo,
    LITECOIN: utxo,
    ETHEREUM: evm,
    GOCHAIN: evm,
    VECHAIN: {
      chainTag: 0x27,
      blockRef: HEX(8),
      expiration: 1,
      clauses: [{ to, value: 1n, data: '0x' }],
      gasPriceCoef: 0,
      gas: 21_000n,
      dependsOn: null,
      nonce: 1n,
      delegated: false,
    },
    TRON: {
      contract: { kind: 'coin', to, amount: 1n },
      refBlockBytes: HEX(2),
      refBlockHash: HEX(8),
      expiration: 2,
      timestamp: 1,
      feeLimit: 0n,
      memo: '0x',
    },
    AETERNITY: { to, amount: 1n, fee: 1n, ttl: 0, nonce: 1, payload: '0x', networkId: GENESIS },
  };
};

test('whatever a draft contains, it is accepted or refused at the field draft', async () => {
  const genesis = GENESIS;
  const networks = {} as Record<SecretType, Network>;
  for (const secretType of SECRET_TYPES)
    networks[secretType] = {
      id: 'n',
      secretType,
      name: 'N',
      kind: 'local',
      nodes: ['http://127.0.0.1:1'],
      tokens: [],
      genesis,
      chainId: 5,
    };
  const key = new Uint8Array(32).fill(7);
  const noise = fc.dictionary(
    fc.constantFrom(...NAMES),
    fc.anything({ withBigInt: true, withNullPrototype: true }),
  );
  for (const secretType of SECRET_TYPES) {
    const one = await loadChain(secretType);
    const address = await one.address(key, 'local');
    const base = { secretType, from: address, network: networks[secretType], ...FIELDS(address)[secretType] };
    const own = { chain: one, node: one.node(networks[secretType]), address };
    const whole = await readApproved(draftToJson(base), own);
    if (secretType !== 'BITCOIN' && secretType !== 'LITECOIN')
      assert.match((await one.sign(whole, key)).raw, /^(0x|tx_)/);
    await fc.assert(
      fc.asyncProperty(noise, async (fields) => {
        let text: string;
        try {
          text = draftToJson({ ...base, ...fields });
        } catch {
          return;
        }
        let draft: Draft;
        try {
          draft = await readApproved(text, own);
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'request.invalid', String(error));
          return;
        }
        await one.sign(draft, key).catch((error: unknown) => {
          assert.equal((unsignable(error) as { code?: string }).code !== undefined, true);
        });
      }),
      { numRuns: 150 },
    );
  }
});

test('a draft survives serialisation unchanged', () => {
  const draft = {
    a: 1n,
    b: -(2n ** 255n),
    c: new Uint8Array([0, 255]),
    d: [{ e: null, f: 'x' }],
    g: undefined,
  };
  const { g: _, ...rest } = draft;
  assert.deepEqual(draftFromJson(draftToJson(draft)), rest);
  for (const text of ['{"$n":1}', '{"$n":"x"}', '{"$b":"0"}', `{"$n":"${'9'.repeat(81)}"}`, '{'])
    assert.throws(() => draftFromJson(text), SyntaxError);
});

test('data is signed or refused as in the browser', async () => {
  const till = await shop.wallet();
  const message = `0x${Buffer.from('hello').toString('hex')}`;
  const body = { type: 'ETHEREUM_RAW', walletId: till.id, data: message };
  const { outcome, body: answer } = await shop.sign(body, 'sign-1');
  assert.equal(outcome, '200');
  assert.equal(answer.success, true);
  const { r, s, v, signature } = answer.result;
  assert.equal(signature, r + s.slice(2) + v.slice(2));
  assert.equal(verifyMessage('hello', signature), till.address);
  assert.deepEqual((await shop.sign(body, 'sign-1')).body, answer);
  assert.equal((await shop.sign({ ...body, data: '0x00' }, 'sign-1')).outcome, '409 request.conflict');
  const outcomes: Record<string, object> = {
    '400 request.invalid data': { type: 'ETHEREUM_TRANSACTION', data: '0x1234', prefix: false },
    '400 request.invalid type': { type: 'VECHAIN_TRANSACTION' },
    '403 pincode.wrong': { pincode: '112233' },
    '403 wallet.forbidden': { walletId: 'x' },
  };
  for (const [expected, change] of Object.entries(outcomes))
    assert.equal((await shop.sign({ ...body, ...change })).outcome, expected);
  assert.equal(
    (await shop.sign({ ...body, prefix: false, hash: false })).outcome,
    '400 request.invalid data',
  );
  const transaction = Transaction.from({
    type: 2,
    chainId: 31337,
    nonce: 0,
    to: till.address,
    gasLimit: 21000,
  });
  const unsigned = {
    ...body,
    type: 'ETHEREUM_TRANSACTION',
    data: transaction.unsignedSerialized,
    prefix: false,
  };
  assert.equal((await shop.sign(unsigned)).outcome, '200');
  transaction.chainId = 1;
  assert.equal(
    (await shop.sign({ ...unsigned, data: transaction.unsignedSerialized })).outcome,
    '400 request.invalid data',
  );
  const bitcoin = await shop.wallet('BITCOIN');
  assert.match((await shop.sign({ ...body, walletId: bitcoin.id })).outcome, /^400 /);
});

test('while a transaction of 200 coins is signed, others have their turns', async () => {
  const bitcoin = await loadChain('BITCOIN');
  const key = new Uint8Array(32).fill(7);
  const from = await bitcoin.address(key, 'local');
  const script = hexOf(concat(bytesOf('0x0014'), hash160(publicKey(key, 'compressed'))));
  const inputs = Array.from({ length: 200 }, (_, n) => ({
    txid: String(n).padStart(64, '0'),
    vout: 0,
    value: 1000n,
    script,
  }));
  const outputs = [{ value: 1000n, script }];
  const draft = { secretType: 'BITCOIN', from, inputs, outputs, fee: 199_000n } as unknown as UtxoDraft;
  const turns = await turnsWhile(() => bitcoin.sign(draft, key));
  assert.ok(turns > 3, `${turns} turns`);
});
