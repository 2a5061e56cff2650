/** The Tron chain from a request to a receipt, against the local network; and that network against what real nodes refuse. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { utils } from 'tronweb';
import { base58 } from '../../demo/networks/tron-rules.ts';
import { encodeTransaction } from '../../demo/networks/tron-transaction.ts';
import type { ChainRequest, Known, Signed } from '../../src/chains/terms.ts';
import type { Summary } from '../../src/chains/approval/summary.ts';
import { signDigest } from '../../src/chains/keys/secp256k1.ts';
import { addressBytes } from '../../src/chains/tron/address.ts';
import { sign } from '../../src/chains/tron/envelope.ts';
import { chain as parsed, type TronDraft } from '../../src/chains/tron/index.ts';
import { payloads } from '../../src/chains/tron/payload.ts';
import type { ConnectError } from '../../src/base/errors.ts';
import { type LocalTron, startTronNetwork } from '../../demo/networks/tron.ts';
import { fromPage } from '../unit/chains/from-page.ts';
import { poll } from '../waiting.ts';

const chain = fromPage(parsed, payloads);

const NOBODY: Known = { used: [], own: [], reported: [] };
const MORE = 1_000_000_000n;

let tron: LocalTron;
let made = 1;
const key = newKey();
const me = chain.address(key);

before(async () => {
  tron = await startTronNetwork({ port: 0 });
  await tron.fund(me, MORE);
  await tron.give('DUSD', me);
  await tron.give('DPT', me);
});
after(() => tron.close());

function newKey(): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? made++ : 7));
}
const newAddress = () => chain.address(newKey());
const node = () => chain.node(tron.network);
const rawBalance = async (address: string) => BigInt((await chain.balance(address, node())).rawBalance);
const tokenBalance = async (address: string, token: string) => {
  const known = tron.network.tokens.find((t) => t.address === token)!;
  return BigInt((await chain.tokenBalances(address, [known], node()))[0]!.rawBalance);
};
const request = (type: string, fields: object): ChainRequest => ({ type, walletId: 'w', ...fields });
const codes = (summary: Summary) => summary.warnings.map(({ code }) => code);
const fact = (summary: Summary, code: string) => summary.facts?.find((f) => f.code === code);

async function confirmed(hash: string, state = 'confirmed'): Promise<bigint> {
  const look = async (): Promise<bigint | undefined> => {
    const receipt = await chain.receipt(hash, node());
    assert.notEqual(receipt.state, 'unknown');
    return receipt.state === state ? receipt.fee! : undefined;
  };
  return poll(look, `${hash} to be ${state}`);
}

async function draftOf(body: ChainRequest, from = me): Promise<TronDraft> {
  const client = node();
  const draft = await chain.prepare(body, from, client, NOBODY);
  assert.ok(client.rounds <= 2, `${client.rounds} rounds`);
  return structuredClone(draft);
}

async function send(body: ChainRequest, state = 'confirmed') {
  const draft = await draftOf(body);
  const summary = await chain.describe(draft);
  const signed = await chain.sign(draft, key);
  assert.equal(await chain.broadcast(signed, node()), signed.hash);
  const fee = await confirmed(signed.hash, state);
  assert.ok(fee <= summary.fee.maximum.raw, `${fee} is more than ${summary.fee.maximum.raw}`);
  return { draft, summary, signed, fee };
}

describe('sending', () => {
  it('moves TRX: the receiver gets the amount, the sender pays what the approval said', async () => {
    const to = newAddress();
    const before = await rawBalance(me);
    const { summary, fee } = await send(request('TRX_TRANSACTION', { to, value: 5_000_000 }));
    assert.equal(await rawBalance(to), 5_000_000n);
    assert.equal(await rawBalance(me), before - 5_000_000n - fee);
    // The first transfer to an address makes its account.
    assert.equal(fee, 1_100_000n);
    assert.equal(summary.fee.expected.raw, fee);
    assert.equal(fact(summary, 'activation')?.amount?.raw, fee);
    const again = await send(request('TRX_TRANSACTION', { to, value: 1 }));
    assert.equal(fact(again.summary, 'activation'), undefined);
    assert.equal(again.fee, 0n);
    assert.equal(await rawBalance(to), 5_000_001n);
  });

  it('burns TRX for bandwidth once the free 600 are used, and for a memo', async () => {
    const to = newAddress();
    await tron.fund(to, 1n);
    for (let i = 0; i < 2; i++) await send(request('TRX_TRANSACTION', { to, value: 1 }));
    const { summary, fee } = await send(request('TRX_TRANSACTION', { to, value: 1, data: 'Danke für 🍎' }));
    assert.equal(fee, summary.fee.expected.raw);
    const burned = fact(summary, 'bandwidth')!;
    assert.equal(burned.amount!.raw, BigInt(burned.value!) * 1000n);
    assert.equal(fee, burned.amount!.raw + 1_000_000n);
    assert.equal(fact(summary, 'memo')?.value, 'Danke für 🍎');
  });

  it('sends as much as a memo and the own bandwidth leave', async () => {
    const own = newKey();
    const [from, to] = [chain.address(own), newAddress()];
    await tron.fund(from, 5_000_000n);
    await tron.fund(to, 1n);
    const data = '0x4869';
    const value = await chain.maxSpendable(from, to, node(), data);
    const draft = await draftOf(request('TRX_TRANSACTION', { to, value, data }), from);
    const { shortOf, warnings } = await chain.describe(draft);
    assert.deepEqual([shortOf, warnings.filter(({ level }) => level === 'danger')], [undefined, []]);
    const signed = await sign(draft, own);
    await chain.broadcast(signed, node());
    assert.equal(await confirmed(signed.hash), 1_000_000n);
    assert.equal(await rawBalance(from), 0n);
  });

  it('moves TRC-10 tokens', async () => {
    const to = newAddress();
    await tron.fund(to, 1n);
    const before = await tokenBalance(me, tron.asset);
    const { summary } = await send(request('TRC10_TRANSACTION', { to, value: 12_345, token: tron.asset }));
    assert.deepEqual(
      [summary.amount.raw, summary.amount.decimals, summary.amount.symbol, summary.to],
      [12_345n, 4, 'DPT', to],
    );
    assert.equal(await tokenBalance(to, tron.asset), 12_345n);
    assert.equal(await tokenBalance(me, tron.asset), before - 12_345n);
  });

  it('moves TRC-20 tokens for energy, and does not make an account', async () => {
    const to = newAddress();
    const { DUSD } = tron.contracts;
    const body = request('TOKEN_TRANSFER', { secretType: 'TRON', to, value: '1.5', tokenAddress: DUSD });
    const before = [await rawBalance(me), await tokenBalance(me, DUSD!)] as const;
    const { summary, fee } = await send(body);
    assert.deepEqual(
      [summary.amount.raw, summary.amount.symbol, summary.to, summary.contract],
      [15n * 10n ** 17n, 'DUSD', to, DUSD],
    );
    assert.equal(await tokenBalance(to, DUSD!), 15n * 10n ** 17n);
    assert.equal(await tokenBalance(me, DUSD!), before[1] - 15n * 10n ** 17n);
    assert.equal(await rawBalance(me), before[0] - fee);
    assert.equal(fee, summary.fee.expected.raw);
    const energy = fact(summary, 'energy')!;
    assert.equal(energy.amount!.raw, BigInt(energy.value!) * 210n);
    const bytes = BigInt(fact(summary, 'bandwidth')!.value!);
    assert.equal(summary.fee.maximum.raw, fact(summary, 'fee-limit')!.amount!.raw + bytes * 1000n);
  });

  it('uses the account’s own resources first', async () => {
    const own = newKey();
    const from = chain.address(own);
    await tron.fund(from, 5_000_000n);
    await tron.give('DUSD', from);
    tron.ledger.stake(Buffer.from(addressBytes(from)).toString('hex'), { bandwidth: 5000, energy: 500_000 });
    const to = newAddress();
    const body = request('TRC10_TRANSACTION', { to, value: 1, token: tron.contracts['DUSD'] });
    const draft = await draftOf(body, from);
    const summary = await chain.describe(draft);
    assert.deepEqual([summary.fee.expected.raw, summary.shortOf], [0n, undefined]);
    const signed = await sign(draft, own);
    await chain.broadcast(signed, node());
    assert.equal(await confirmed(signed.hash), 0n);
    assert.equal(await rawBalance(from), 5_000_000n);
  });

  it('costs no more than approved if the account’s own resources are used up before', async () => {
    const own = newKey();
    const from = chain.address(own);
    const at = Buffer.from(addressBytes(from)).toString('hex');
    await tron.fund(from, 50_000_000n);
    await tron.give('DUSD', from);
    tron.ledger.stake(at, { bandwidth: 5000, energy: 500_000 });
    const body = request('TRC10_TRANSACTION', { to: newAddress(), value: 1, token: tron.contracts['DUSD'] });
    const draft = await draftOf(body, from);
    const summary = await chain.describe(draft);
    assert.equal(summary.fee.expected.raw, 0n);
    tron.ledger.stake(at, { bandwidth: -5000, energy: -500_000 });
    const signed = await sign(draft, own);
    await chain.broadcast(signed, node());
    const fee = await confirmed(signed.hash);
    assert.ok(fee > 0n && fee <= summary.fee.maximum.raw, `${fee} of ${summary.fee.maximum.raw}`);
    assert.equal(await rawBalance(from), 50_000_000n - fee);
    assert.ok(fee <= summary.total.raw);
  });

  it('takes energy of the contract’s deployer, as the approval said', async () => {
    const { DUSD } = tron.contracts;
    const at = Buffer.from(addressBytes(DUSD!)).toString('hex');
    const before = tron.ledger.deployers.get(at)!;
    const own = newKey();
    const from = chain.address(own);
    await tron.fund(from, 1_000_000n);
    await tron.give('DUSD', from);
    try {
      const body = request('TRC10_TRANSACTION', { to: newAddress(), value: 1, token: DUSD });
      // It could not pay for all of it.
      assert.equal((await chain.describe(await draftOf(body, from))).shortOf?.amount.symbol, 'TRX');
      for (const callerShare of [10, 0]) {
        tron.ledger.deployers.set(at, { ...before, callerShare });
        const draft = await draftOf(body, from);
        const summary = await chain.describe(draft);
        assert.equal(summary.shortOf, undefined);
        assert.equal(fact(summary, 'energy-payer')?.value, base58(before.origin));
        const signed = await sign(draft, own);
        await chain.broadcast(signed, node());
        assert.equal(await confirmed(signed.hash), summary.fee.expected.raw);
        const { receipt } = tron.ledger.executed.get(signed.hash)!.info;
        const { energy_usage_total: total, origin_energy_usage: paid } = receipt as Record<string, number>;
        assert.equal(paid, Math.floor((total! * (100 - callerShare)) / 100));
      }
    } finally {
      tron.ledger.deployers.set(at, before);
    }
  });

  it('runs any function of a contract, with base58 and hex addresses', async () => {
    const spender = newAddress();
    const hex = Buffer.from(addressBytes(spender)).toString('hex');
    const { DUSD } = tron.contracts;
    const body = await chain.build(
      request('CONTRACT_EXECUTION', {
        secretType: 'TRON',
        to: DUSD,
        functionName: 'approve',
        inputs: [
          { type: 'address', value: hex },
          { type: 'uint256', value: '7' },
        ],
      }),
      me,
      node(),
    );
    assert.equal(body.type, 'TRON_CONTRACT_EXECUTION');
    const { summary } = await send(body);
    assert.deepEqual([summary.kind, summary.to, summary.amount.raw], ['approval', spender, 7n]);
  });

  it('counts a call that reverts as failed, with its fee', async () => {
    const { DUSD } = tron.contracts;
    const draft = await draftOf(
      request('TRC10_TRANSACTION', { to: newAddress(), value: (10n ** 30n).toString(), token: DUSD }),
    );
    assert.match(draft.facts.willFail ?? '', /transfer amount exceeds balance/);
    assert.equal((await chain.describe(draft)).shortOf?.amount.symbol, 'DUSD');
    const signed = await chain.sign(draft, key);
    await chain.broadcast(signed, node());
    assert.ok((await confirmed(signed.hash, 'failed')) > 0n);
    const free = await draftOf(
      request('TRON_CONTRACT_EXECUTION', {
        to: DUSD,
        functionName: 'transferFrom',
        inputs: [
          { type: 'address', value: newAddress() },
          { type: 'address', value: me },
          { type: 'uint256', value: '7' },
        ],
      }),
    );
    assert.equal(codes(await chain.describe(free)).includes('will-fail'), true);
  });

  it('burns the whole fee limit when a call runs out of energy', async () => {
    const draft = await draftOf(
      request('TRC10_TRANSACTION', { to: newAddress(), value: 1, token: tron.contracts['DUSD'] }),
    );
    const signed = await chain.sign({ ...draft, feeLimit: 210_000n }, key);
    await chain.broadcast(signed, node());
    assert.ok((await confirmed(signed.hash, 'failed')) >= 210_000n);
  });

  it('tells what is in no block from what will never be in one', async () => {
    const draft = await draftOf(request('TRX_TRANSACTION', { to: newAddress(), value: 1 }));
    const fresh = await chain.sign(draft, key);
    assert.equal(await chain.status(fresh.hash, node(), fresh.raw), 'unknown');
    const old = await chain.sign({ ...draft, expiration: draft.expiration - 20 * 60_000 }, key);
    assert.equal(await chain.status(old.hash, node()), 'unknown');
    assert.equal(await chain.status(old.hash, node(), old.raw), 'failed');
    tron.automine = false;
    await chain.broadcast(fresh, node());
    assert.equal(await chain.status(fresh.hash, node(), fresh.raw), 'pending');
    // Once more is no failure.
    assert.equal(await chain.broadcast(fresh, node()), fresh.hash);
    tron.automine = true;
    tron.ledger.mine();
    assert.equal(await chain.status(fresh.hash, node()), 'confirmed');
  });

  it('says before signing when the wallet holds too little, and when it has no account', async () => {
    const empty = newAddress();
    for (const [from, body, missing] of [
      [me, request('TRX_TRANSACTION', { to: empty, value: MORE }), 'TRX'],
      [me, request('TRC10_TRANSACTION', { to: empty, value: 10 ** 9, token: tron.asset }), 'DPT'],
      [empty, request('TRX_TRANSACTION', { to: me, value: 1 }), 'TRX'],
    ] as const)
      assert.equal((await chain.describe(await draftOf(body, from))).shortOf?.amount.symbol, missing);
    assert.equal(await rawBalance(empty), 0n);
  });

  it('reads tokens that nobody lists', async () => {
    const unlisted = { ...tron.network, tokens: [] };
    const asset = await chain.token(tron.asset, chain.node(unlisted));
    assert.deepEqual([asset.symbol, asset.name, asset.decimals], ['DPT', 'DemoPoint', 4]);
    const token = await chain.token(tron.contracts['DUSD']!, chain.node(unlisted));
    assert.deepEqual([token.symbol, token.name, token.decimals], ['DUSD', 'DemoDollar', 18]);
    for (const none of ['999', me])
      await assert.rejects(
        () => chain.token(none, chain.node(unlisted)),
        (error: ConnectError) => error.code === 'request.invalid',
      );
    const client = chain.node(unlisted);
    const body = { secretType: 'TRON', to: newAddress(), value: '0.5', tokenAddress: tron.asset };
    const draft = await chain.prepare(request('TOKEN_TRANSFER', body), me, client, NOBODY);
    const summary = await chain.describe(draft);
    assert.deepEqual([summary.amount.raw, summary.amount.decimals, client.rounds], [5000n, null, 2]);
    assert.equal(codes(summary).includes('unlisted-token'), true);
  });

  it('does not use a node of another network', async () => {
    const other = chain.node({ ...tron.network, genesis: '00'.repeat(32) });
    await assert.rejects(
      () => chain.balance(me, other),
      (error: ConnectError) => error.code === 'node.unreachable' && error.details['reason'] === 'network-id',
    );
  });
});

describe('refusals of the network', () => {
  const to = newAddress();
  async function refused(
    code: string,
    reason: RegExp,
    change: (draft: TronDraft) => Partial<TronDraft>,
    tamper = (signed: Signed) => signed,
    body: object = {},
  ): Promise<void> {
    const draft = await draftOf(request('TRX_TRANSACTION', { to, value: 1, ...body }));
    const signed = tamper(await chain.sign({ ...draft, ...change(draft) }, key));
    await assert.rejects(
      () => chain.broadcast(signed, node()),
      (error: ConnectError) => {
        assert.equal(error.code, code);
        assert.match(String(error.details['reason']), reason);
        return true;
      },
    );
  }
  const coin = (amount: bigint, receiver = to) => ({
    contract: { kind: 'coin' as const, to: receiver, amount },
  });

  for (const [name, code, reason, change, ...rest] of [
    [
      'an expired one',
      'transaction.refused',
      /^Transaction expired$/,
      () => ({ expiration: Date.now() - 1000 }),
    ],
    [
      'one from the far future',
      'transaction.refused',
      /^Transaction expired$/,
      () => ({ expiration: Date.now() + 864e5 * 2 }),
    ],
    [
      'another network’s block',
      'transaction.refused',
      /^Tapos check error\.$/,
      () => ({ refBlockHash: '0x1122334455667788' }),
    ],
    [
      'an amount beyond the balance',
      'transaction.insufficient-funds',
      /^Contract validate error : Validate TransferContract error, balance is not sufficient\.$/,
      () => coin(MORE * 5n),
    ],
    ['nothing', 'transaction.refused', /Amount must be greater than 0\.$/, () => coin(0n)],
    ['itself', 'transaction.refused', /Cannot transfer TRX to yourself\.$/, () => coin(1n, me)],
    [
      'a contract',
      'transaction.refused',
      /Cannot transfer TRX to a smartContract\.$/,
      () => coin(1n, tron.contracts['DUSD']),
    ],
    [
      'a token that is not there',
      'transaction.refused',
      /No asset!$/,
      () => ({ contract: { kind: 'asset' as const, token: '999', to, amount: 1n } }),
    ],
    [
      'more tokens than there are',
      'transaction.insufficient-funds',
      /assetBalance is not sufficient\.$/,
      () => ({ contract: { kind: 'asset' as const, token: tron.asset, to, amount: 10n ** 12n } }),
    ],
    [
      'a call of no contract',
      'transaction.refused',
      /No contract or not a valid smart contract$/,
      () => ({ contract: { kind: 'call' as const, to, value: 0n, data: '0x' } }),
    ],
    [
      'a fee limit that is too high',
      'transaction.refused',
      /feeLimit must be >= 0 and <= 15000000000$/,
      () => ({ feeLimit: 15_000_000_001n }),
    ],
  ] as [string, string, RegExp, (draft: TronDraft) => Partial<TronDraft>][])
    it(name, () => refused(code, reason, change, ...(rest as [])));

  it('a stranger’s signature', () =>
    refused(
      'transaction.refused',
      /^Validate signature error: \w+ is signed by T\w+ but it is not contained of permission\.$/,
      () => ({}),
      ({ raw, hash }) => {
        const { r, s, yParity } = signDigest(Buffer.from(hash, 'hex'), newKey());
        const signature = `${r.slice(2)}${s.slice(2)}${(27 + yParity).toString(16)}`;
        return { raw: raw.slice(0, -signature.length) + signature, hash };
      },
    ));

  it('bytes changed after signing', () =>
    refused(
      'transaction.refused',
      /^Validate signature error: /,
      () => ({}),
      // The last byte of the amount's field.
      (signed) => ({ ...signed, raw: signed.raw.replace(/(.)1801/, '$11802') }),
    ));

  it('bytes that are no transaction', () =>
    refused(
      'transaction.refused',
      /./,
      () => ({}),
      (signed) => ({ ...signed, raw: '0x0102' }),
    ));

  it('an account that cannot pay for bandwidth', async () => {
    const poor = newKey();
    const from = chain.address(poor);
    await tron.fund(from, 10n);
    const draft = await draftOf(request('TRX_TRANSACTION', { to: me, value: 1, data: 'memo' }), from);
    assert.equal((await chain.describe(draft)).shortOf !== undefined, true);
    await assert.rejects(
      async () => chain.broadcast(await chain.sign(draft, poor), node()),
      (error: ConnectError) => {
        assert.deepEqual(
          [error.code, error.details['reason']],
          ['transaction.insufficient-funds', 'Account resource insufficient error.'],
        );
        return true;
      },
    );
  });
});

describe('the local network', () => {
  const post = async (path: string, body: object) =>
    (await (
      await fetch(`${tron.url}/wallet/${path}`, { method: 'POST', body: JSON.stringify(body) })
    ).json()) as Record<string, unknown>;

  it('says no as nodes do: HTTP 200, Error with a capital', async () => {
    assert.match(
      String((await post('broadcasthex', { transaction: 'zz' }))['Error']),
      /^class org\.bouncycastle/,
    );
    assert.match(
      String((await post('broadcasthex', { transaction: '0102' }))['Error']),
      /^class com\.google/,
    );
    assert.match(
      String((await post('getblock', { id_or_num: 'x' }))['Error']),
      /id must be legal block hash\.$/,
    );
    assert.deepEqual(await post('getaccount', { address: newAddress(), visible: true }), {});
    assert.deepEqual(await post('gettransactioninfobyid', { value: '00' }), {});
  });

  /** Made and signed by the SDK. */
  function sdkTransaction(value: object, { type = 'TransferContract', memo = '' } = {}) {
    const { id, time } = tron.ledger.head;
    const json = {
      visible: false,
      raw_data: {
        contract: [
          {
            parameter: {
              value: { owner_address: utils.address.toHex(me), ...value },
              type_url: `type.googleapis.com/protocol.${type}`,
            },
            type,
          },
        ],
        ref_block_bytes: id.slice(12, 16),
        ref_block_hash: id.slice(16, 32),
        expiration: time + 60_000,
        timestamp: time,
        ...(memo && { data: memo }),
      },
    };
    const txID = utils.transaction.txPbToTxID(utils.transaction.txJsonToPb(json)).replace(/^0x/, '');
    return utils.crypto.signTransaction(Buffer.from(key).toString('hex'), { ...json, txID });
  }
  const hexOfText = (words: string) => Buffer.from(words).toString('hex');

  it('takes transactions of the SDK, and answers broadcasttransaction with hex', async () => {
    const signed = sdkTransaction({ to_address: utils.address.toHex(newAddress()), amount: 3 });
    const { txID } = signed;
    assert.deepEqual(await post('broadcasttransaction', signed), { result: true, txid: txID });
    assert.deepEqual(await post('broadcasttransaction', signed), {
      code: 'DUP_TRANSACTION_ERROR',
      txid: txID,
      message: hexOfText('Dup transaction.'),
    });
    await confirmed(txID);
  });

  it('repeats why it refused a transaction, which is no duplicate', async () => {
    const signed = sdkTransaction({ to_address: utils.address.toHex(me), amount: 3 });
    const refusal = {
      code: 'CONTRACT_VALIDATE_ERROR',
      txid: signed.txID,
      message: hexOfText('Contract validate error : Cannot transfer TRX to yourself.'),
    };
    assert.deepEqual(await post('broadcasttransaction', signed), refusal);
    assert.deepEqual(await post('broadcasttransaction', signed), refusal);
  });

  it('takes 1000 bytes to an account that it makes, without the signature, and more to one that there is', async () => {
    const to = utils.address.toHex(newAddress());
    const sized = (bytes: number, to_address = to) =>
      sdkTransaction({ to_address, amount: 3 }, { memo: 'ab'.repeat(bytes) });
    const sizeOf = (signed: object) => encodeTransaction(signed).length - 65;
    const rest = sizeOf(sized(800)) - 800;
    const over = sized(1001 - rest);
    assert.deepEqual(await post('broadcasttransaction', over), {
      code: 'TOO_BIG_TRANSACTION_ERROR',
      txid: over.txID,
      message: hexOfText(
        `Too big new account transaction, TxId ${over.txID}, the size is 1001 bytes, maxTxSize 1000`,
      ),
    });
    const most = sized(1000 - rest);
    assert.equal((await post('broadcasttransaction', most))['result'], true);
    await confirmed(most.txID);
    assert.equal((await post('broadcasttransaction', sized(1001 - rest)))['result'], true);
  });

  it('counts amounts of 2^53 and more as any other', async () => {
    const to_address = utils.address.toHex(newAddress());
    const { message } = await post('broadcasttransaction', sdkTransaction({ to_address, amount: 2 ** 53 }));
    assert.equal(
      message,
      hexOfText('Contract validate error : Validate TransferContract error, balance is not sufficient.'),
    );
  });

  it('takes hex with 0x, shows what it refuses, and finds no contract in nothing', async () => {
    const signed = sdkTransaction({ to_address: utils.address.toHex(newAddress()), amount: 5 });
    const hex = Buffer.from(encodeTransaction(signed)).toString('hex');
    assert.equal((await post('broadcasthex', { transaction: `0x${hex}` }))['result'], true);
    const again = await post('broadcasthex', { transaction: hex });
    assert.equal(again['message'], 'Dup transaction.');
    assert.equal((JSON.parse(String(again['transaction'])) as { txID: string }).txID, signed.txID);
    const { code, message, result } = await post('broadcasthex', { transaction: '' });
    assert.deepEqual(
      [result, code, message],
      [false, 'CONTRACT_VALIDATE_ERROR', 'Contract validate error : No contract!'],
    );
  });

  it('writes names as they are, where it is asked for text: that need not be JSON', async () => {
    const address = newAddress();
    await tron.fund(address, 5n);
    tron.ledger.rename(utils.address.toHex(address).toLowerCase(), 'a\nb\u0001"c');
    const ask = async (visible: boolean) => {
      const body = JSON.stringify({ address: visible ? address : utils.address.toHex(address), visible });
      return (await fetch(`${tron.url}/wallet/getaccount`, { method: 'POST', body })).text();
    };
    assert.ok((await ask(true)).includes('"account_name":"a\nb\u0001\\"c"'));
    assert.throws(() => JSON.parse('"a\nb"'), SyntaxError);
    const { account_name } = JSON.parse(await ask(false)) as { account_name: string };
    assert.equal(account_name, hexOfText('a\nb\u0001"c'));
  });

  it('knows no other path', async () => {
    for (const path of ['/wallet/foo', '/foo', '/'])
      assert.equal((await fetch(tron.url + path, { method: 'POST', body: '{}' })).status, 405);
  });
});
