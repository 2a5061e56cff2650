/** The Aeternity chain end to end against the local ledger, and the ledger against what a real node refuses. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { buildTx, encode, Encoding, MemoryAccount, Node, Tag, unpackTx } from '@aeternity/aepp-sdk';
import { type LocalAeternity, startAeternityNetwork } from '../../demo/networks/aeternity.ts';
import type { AeternityDraft } from '../../src/chains/aeternity/draft.ts';
import { chain as aeternity } from '../../src/chains/aeternity/index.ts';
import { payloads } from '../../src/chains/aeternity/payload.ts';
import { signSpend, type Spend } from '../../src/chains/aeternity/spend.ts';
import type { ChainRequest, Known, PrivateKey } from '../../src/chains/terms.ts';
import type { Rest } from '../../src/chains/nodes/rest.ts';
import type { ConnectError } from '../../src/base/errors.ts';
import { fromPage } from '../unit/chains/from-page.ts';
import { poll } from '../waiting.ts';

const chain = fromPage(aeternity, payloads);

const COIN = 10n ** 18n;
const NOBODY: Known = { used: [], own: [], reported: [] };

let local: LocalAeternity;
let node: Rest;
let made = 0;

before(async () => {
  local = await startAeternityNetwork({ port: 0 });
  node = chain.node(local.network);
});
after(() => local.close());

interface Someone {
  key: PrivateKey;
  address: string;
}

/** A new wallet holding `coins`. */
async function someone(coins = 10n): Promise<Someone> {
  made++;
  const key = new Uint8Array(32).fill(made);
  const address = await chain.address(key);
  if (coins > 0n) await local.fund(address, coins * COIN);
  return { key, address };
}

const request = (to: string, fields: object = {}): ChainRequest => ({
  type: 'AE_TRANSACTION',
  walletId: 'w',
  to,
  value: COIN,
  ...fields,
});

async function balanceOf(address: string): Promise<bigint> {
  return BigInt((await chain.balance(address, node)).rawBalance);
}

async function sent(from: Someone, body: ChainRequest): Promise<{ draft: AeternityDraft; hash: string }> {
  const draft = await chain.prepare(body, from.address, node, NOBODY);
  const hash = await chain.broadcast(await chain.sign(draft, from.key), node);
  return { draft, hash };
}

const confirmed = (hash: string): Promise<boolean> =>
  poll(async () => (await chain.status(hash, node)) === 'confirmed', `${hash} to be confirmed`);

/** Of a refusal; `… here`: only of this node, which may take the transaction later. */
async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    const { code, details } = error as ConnectError;
    if (code === 'node.unreachable' && details['transactionHash']) return `${details['reason']} here`;
    assert.equal(code, 'transaction.refused');
    return details['reason'];
  }
  return 'accepted';
}

/** Without automine: micro blocks are made only when the test asks for one. */
async function byHand(work: () => Promise<void>): Promise<void> {
  local.automine = false;
  try {
    await work();
  } finally {
    local.automine = true;
    local.ledger.mineMicroBlock();
  }
}

describe('Aeternity, from request to receipt', () => {
  it('moves exactly the amount, costs exactly the fee shown, and takes one round before and one after approval', async () => {
    const [from, to] = [await someone(), await someone(0n)];
    const fresh = chain.node(local.network);
    const draft = await chain.prepare(request(to.address, { data: 'Hello' }), from.address, fresh, NOBODY);
    const summary = await chain.describe(draft);
    assert.deepEqual(
      summary.warnings.map((w) => w.code),
      ['first-recipient'],
    );
    assert.equal(summary.balance.raw, 10n * COIN);
    assert.equal(summary.shortOf, undefined);
    assert.equal(fresh.rounds, 1);
    const signed = await chain.sign(draft, from.key);
    await byHand(async () => {
      assert.equal(await chain.broadcast(signed, fresh), signed.hash);
      assert.equal(fresh.rounds, 2);
      assert.deepEqual(await chain.receipt(signed.hash, node), { state: 'pending' });
    });
    await confirmed(signed.hash);
    const { state, fee, mined } = await chain.receipt(signed.hash, node);
    assert.deepEqual([state, fee, mined?.confirmations], ['confirmed', draft.fee, 1]);
    assert.equal(await balanceOf(to.address), COIN);
    assert.equal(await balanceOf(from.address), 9n * COIN - summary.fee.maximum.raw);
  });

  it('takes the transfer action in coins', async () => {
    const [from, to] = [await someone(), await someone(0n)];
    const body = { type: 'TRANSFER', secretType: 'AETERNITY', walletId: 'w', to: to.address, value: '0.25' };
    await confirmed((await sent(from, body)).hash);
    assert.equal(await balanceOf(to.address), COIN / 4n);
  });

  it('sends as much as the fee leaves', async () => {
    const [from, to] = [await someone(1n), await someone(0n)];
    const data = `0x${'ab'.repeat(200)}`;
    const value = await chain.maxSpendable(from.address, to.address, node, data);
    const { draft, hash } = await sent(from, request(to.address, { value, data }));
    await confirmed(hash);
    assert.equal(await balanceOf(to.address), value);
    assert.equal(await balanceOf(from.address), COIN - value - draft.fee);
    assert.ok((await balanceOf(from.address)) <= 20n * 10n ** 9n);
    assert.equal(await chain.maxSpendable(from.address, undefined, node), 0n);
  });

  it('sends several in a row, without waiting', () =>
    byHand(async () => {
      const [from, to] = [await someone(), await someone(0n)];
      const all = [];
      for (let i = 0; i < 5; i++) all.push(await sent(from, request(to.address)));
      assert.deepEqual(
        all.map(({ draft }) => draft.nonce),
        [1, 2, 3, 4, 5],
      );
      const sixth = chain.prepare(request(to.address), from.address, node, NOBODY);
      assert.equal(
        (await chain.describe(await sixth)).balance.raw,
        all.reduce((left, { draft }) => left - COIN - draft.fee, 10n * COIN),
      );
      assert.equal(await reasonOf(sent(from, request(to.address))), 'nonce_too_high here');
      local.ledger.mineMicroBlock();
      for (const { hash } of all) assert.equal(await chain.status(hash, node), 'confirmed');
    }));

  it('says beforehand that the balance is too low, because a node would queue the transaction', () =>
    byHand(async () => {
      const [from, to] = [await someone(1n), await someone(0n)];
      const draft = await chain.prepare(request(to.address), from.address, node, NOBODY);
      assert.equal((await chain.describe(draft)).shortOf?.amount.raw, draft.fee);
      const { hash } = await chain.sign(draft, from.key);
      await chain.broadcast(await chain.sign(draft, from.key), node);
      local.ledger.mineMicroBlock();
      assert.equal(await chain.status(hash, node), 'pending');
      await local.fund(from.address, draft.fee);
      assert.equal(await chain.status(hash, node), 'confirmed');
    }));

  it('speeds up and cancels pending transactions', () =>
    byHand(async () => {
      for (const how of ['speed-up', 'cancel'] as const) {
        const [from, to] = [await someone(), await someone(0n)];
        const first = await sent(from, request(to.address, { data: 'Hello' }));
        const second = await chain.replace(first.draft, how, node);
        const signed = await chain.sign(second, from.key);
        await chain.broadcast(signed, node);
        local.ledger.mineMicroBlock();
        assert.equal(await chain.status(signed.hash, node), 'confirmed');
        assert.equal(await balanceOf(to.address), how === 'cancel' ? 0n : COIN);
        local.ledger.mineKeyBlock();
        assert.equal(await chain.status(first.hash, node), 'unknown');
      }
    }));

  it('pays more while blocks are full', async () => {
    const [from, to] = [await someone(), await someone(0n)];
    local.congestion = { min_gas_price: 2n * 10n ** 9n, utilization: 90 };
    try {
      const { draft, hash } = await sent(from, request(to.address));
      assert.ok(draft.fee > 2n * 16_000_000_000_000n);
      await confirmed(hash);
    } finally {
      local.congestion = { min_gas_price: 0n, utilization: 0 };
    }
  });

  it('has failed once it expired, and is not sent again', () =>
    byHand(async () => {
      const [from, to] = [await someone(), await someone(0n)];
      const draft = await chain.prepare(request(to.address), from.address, node, NOBODY);
      const signed = await chain.sign(draft, from.key);
      await chain.broadcast(signed, node);
      for (let i = 0; i < 10; i++) local.ledger.mineKeyBlock();
      assert.equal(await chain.status(signed.hash, node, signed.raw), 'pending');
      local.ledger.mineKeyBlock();
      assert.equal(await chain.status(signed.hash, node), 'unknown');
      assert.equal(await chain.status(signed.hash, node, signed.raw), 'failed');
      assert.equal(await reasonOf(chain.broadcast(signed, node)), 'already_known');
    }));

  it('counts a transaction that is sent twice as sent', async () => {
    const [from, to] = [await someone(), await someone(0n)];
    const signed = await chain.sign(
      await chain.prepare(request(to.address), from.address, node, NOBODY),
      from.key,
    );
    for (let i = 0; i < 2; i++) assert.equal(await chain.broadcast(signed, node), signed.hash);
    await confirmed(signed.hash);
    assert.equal(await chain.broadcast(signed, node), signed.hash);
  });
});

describe('what the local Aeternity refuses', () => {
  /** A spend that would be accepted without `change`. */
  async function post(change: Partial<Spend>, networkId = 'ae_dev', from?: Someone) {
    from ??= await someone();
    const draft = await chain.prepare(request(from.address), from.address, node, NOBODY);
    return reasonOf(chain.broadcast(await signSpend({ ...draft, ...change }, networkId, from.key), node));
  }

  it('a signature for another network, of another key, or of another amount', async () => {
    assert.equal(await post({}, 'ae_mainnet'), 'signature_check_failed');
    assert.equal(await post({ from: (await someone()).address }), 'signature_check_failed');
    const from = await someone();
    const signed = await chain.sign(
      await chain.prepare(request(from.address), from.address, node, NOBODY),
      from.key,
    );
    const { signatures, encodedTx } = unpackTx(signed.raw as `tx_${string}`, Tag.SignedTx) as unknown as {
      signatures: Buffer[];
      encodedTx: { tag: Tag.SpendTx };
    };
    const raised = buildTx({
      tag: Tag.SignedTx,
      signatures,
      encodedTx: { ...encodedTx, amount: '9' } as never,
    });
    assert.equal(await reasonOf(chain.broadcast({ ...signed, raw: raised }, node)), 'signature_check_failed');
  });

  it('both fees that are too low, and expired transactions', async () => {
    assert.equal(await post({ fee: 10n ** 9n }), 'too_low_fee');
    assert.equal(await post({ fee: 16_000_000_000_000n }), 'too_low_gas_price_for_miner here');
    assert.equal(await post({ ttl: local.ledger.height - 1 }), 'ttl_expired');
    assert.equal(await post({ ttl: 0 }), 'accepted');
  });

  it('nothing at the very limits: the price is rounded up, and the last height counts', async () => {
    const from = await someone();
    const draft = await chain.prepare(request(from.address), from.address, node, NOBODY);
    const { fee } = draft;
    const gas = fee / 10n ** 9n;
    // As many bytes as before: the fee is 1 more than what a lower price would pay.
    assert.equal(
      await post({ fee: gas * (10n ** 9n - 1n) }, 'ae_dev', from),
      'too_low_gas_price_for_miner here',
    );
    assert.equal(await post({ fee: gas * (10n ** 9n - 1n) + 1n }, 'ae_dev', from), 'accepted');
    const other = await someone();
    const last = await chain.prepare(request(other.address), other.address, node, NOBODY);
    const signed = await signSpend({ ...last, ttl: local.ledger.height }, 'ae_dev', other.key);
    assert.equal(await chain.broadcast(signed, node), signed.hash);
    await confirmed(signed.hash);
  });

  it('nonces that were used, and nonces too far ahead', async () => {
    const from = await someone();
    await confirmed((await sent(from, request(from.address))).hash);
    assert.equal(await post({ nonce: 1, amount: 5n }, 'ae_dev', from), 'nonce_too_low');
    assert.equal(await post({ nonce: 7 }, 'ae_dev', from), 'nonce_too_high here');
    assert.equal(await post({ nonce: 2 }, 'ae_dev', await someone(0n)), 'nonce_too_high here');
  });

  it('anything that is not a transaction, or one it does not know', async () => {
    const broadcast = (raw: string) => reasonOf(chain.broadcast({ raw, hash: 'th_x' }, node));
    assert.equal(await broadcast('tx_abc'), 'invalid_encoding');
    assert.equal(await broadcast(encode(Buffer.from('c0', 'hex'), Encoding.Transaction)), 'broken_tx');
    const sdk = MemoryAccount.generate();
    const tag = { tag: Tag.SpendTx, senderId: sdk.address, amount: '1', nonce: 1, ttl: 0 } as const;
    for (const [recipientId, reason] of [
      ['ct_11111111111111111111111111111111273Yts', 'account_is_not_payable'],
      ['nm_2DMazuJNrGkQYve9eMttgdteaigeeuBk3fmRYSThJZ2NpX3r8R', 'could_not_resolve_recipient'],
    ] as const) {
      const spend = buildTx({ ...tag, recipientId });
      assert.equal(await broadcast(await sdk.signTransaction(spend, { networkId: 'ae_dev' })), reason);
    }
  });

  it('nothing that the official SDK reads and sends with its own client', async () => {
    const sdk = new Node(local.url, { ignoreVersion: true });
    const account = MemoryAccount.generate();
    await local.fund(account.address, 2n * COIN);
    assert.equal((await sdk.getAccountByPubkey(account.address)).balance, 2n * COIN);
    assert.equal(await sdk.getNetworkId(), 'ae_dev');
    const spend = buildTx({
      tag: Tag.SpendTx,
      senderId: account.address,
      recipientId: account.address,
      amount: '1',
      ttl: 0,
      nonce: (await sdk.getAccountNextNonce(account.address)).nextNonce,
    });
    const tx = await account.signTransaction(spend, { networkId: await sdk.getNetworkId() });
    const { txHash } = await sdk.postTransaction({ tx });
    await confirmed(txHash);
    assert.equal((await sdk.getTransactionByHash(txHash)).blockHeight, local.ledger.height);
  });
});

describe('the local Aeternity over HTTP', () => {
  const get = async (path: string, headers = {}) => {
    const response = await fetch(local.url + path, { headers });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };

  it('writes integers of any size, or all as text on request', async () => {
    const { address } = await someone();
    assert.match((await get(`/v3/accounts/${address}`)).text, /"balance":10000000000000000000,"nonce":0/);
    const text = await get(`/v3/accounts/${address}?int-as-string=true`);
    assert.match(text.text, /"balance":"10000000000000000000","nonce":"0"/);
  });

  it('answers unknown requests like a node', async () => {
    const { address } = await someone(0n);
    for (const [path, status, reason] of [
      [`/v3/accounts/${address}`, 404, 'Account not found'],
      [`/v3/accounts/${address}/next-nonce`, 404, 'Account not found'],
      ['/v3/accounts/ak_1', 400, 'Invalid public key'],
      ['/v3/transactions/th_1', 400, 'Invalid hash'],
      [`/v3/transactions/${encode(Buffer.alloc(32), Encoding.TxHash)}`, 404, 'Transaction not found'],
    ] as const) {
      const answer = await get(path);
      assert.equal(answer.status, status, path);
      assert.equal((JSON.parse(answer.text) as { reason: string }).reason, reason, path);
    }
  });

  it('allows pages of any origin (CORS)', async () => {
    const { headers } = await get('/v3/status', { origin: 'https://shop.example' });
    assert.equal(headers.get('access-control-allow-origin'), 'https://shop.example');
  });

  it('cuts every connection while it is down', async () => {
    local.down = true;
    await assert.rejects(get('/v3/status'));
    await assert.rejects(chain.balance((await someone(0n)).address, chain.node(local.network)), {
      code: 'node.unreachable',
    });
    local.down = false;
  });

  it('gives coins from its faucet', async () => {
    const { address } = await someone(0n);
    const hashes = await Promise.all([local.give('AE', address), local.give('AE', address)]);
    for (const hash of hashes) assert.equal(await chain.status(hash, node), 'confirmed');
    assert.equal(await balanceOf(address), 200n * COIN);
  });
});
