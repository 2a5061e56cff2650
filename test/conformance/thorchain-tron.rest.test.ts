/** Several payments in one transaction of Tron: no node takes it, the wallet makes none, and THORChain would count none of them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { utils } from 'tronweb';
import { TronSide } from '../../demo/networks/thorchain/sides/tron.ts';
import { type LocalTron, startTronNetwork } from '../../demo/networks/tron.ts';
import { decodeTransaction, type TronTransaction } from '../../demo/networks/tron-transaction.ts';
import { RequestInvalidError } from '../../src/base/errors.ts';
import { payloads } from '../../src/chains/tron/payload.ts';

const MEMO = '=:e:0x5615E8AB93b9d695b6d4d6545f7792aA59e1069a:1';
const KEY = '37'.repeat(32);
const OWNER = utils.address.toHex(utils.crypto.pkToAddress(KEY) as string).toLowerCase();
const [VAULT, COINS] = [1, 5_000_000];

let tron: LocalTron;
let side: TronSide;
before(async () => {
  tron = await startTronNetwork({ port: 0 });
  await tron.fund(utils.address.fromHex(OWNER), 1_000_000_000n);
  side = new TronSide(tron, []);
});
after(() => tron.close());

interface Message {
  getRawData(): { getContractList(): object[]; addContract(contract: object): void };
  addSignature(bytes: Uint8Array): void;
  serializeBinary(): Uint8Array;
}

/** Payments to the vault, as many as asked for: of each its message by the SDK, and the whole signed by it. */
function payments(count: number): { wire: Uint8Array; json: object; id: string } {
  const { id: block, time } = tron.ledger.head;
  const jsonOf = (amounts: readonly number[]) => ({
    visible: false,
    raw_data: {
      contract: amounts.map((amount) => ({
        parameter: {
          value: {
            owner_address: OWNER,
            to_address: utils.address.toHex(side.addressOf(VAULT)).toLowerCase(),
            amount,
          },
          type_url: 'type.googleapis.com/protocol.TransferContract',
        },
        type: 'TransferContract',
      })),
      data: Buffer.from(MEMO).toString('hex'),
      ref_block_bytes: block.slice(12, 16),
      ref_block_hash: block.slice(16, 32),
      expiration: time + 60_000,
      timestamp: time + count,
    },
  });
  const amounts = Array.from({ length: count }, (_, i) => COINS + i);
  const [message, ...others] = amounts.map(
    (amount) => utils.transaction.txJsonToPb(jsonOf([amount])) as unknown as Message,
  );
  for (const other of others) message!.getRawData().addContract(other.getRawData().getContractList()[0]!);
  const id = utils.transaction.txPbToTxID(message as never).replace(/^0x/, '');
  // The SDK signs the id, whatever it is of.
  const json = utils.crypto.signTransaction(KEY, { ...jsonOf(amounts), txID: id });
  message!.addSignature(Buffer.from((json as { signature: string[] }).signature[0]!, 'hex'));
  return { wire: message!.serializeBinary(), json, id };
}

async function post(call: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${tron.url}/wallet/${call}`, { method: 'POST', body: JSON.stringify(body) });
  return (await response.json()) as Record<string, unknown>;
}
const hexOf = (wire: Uint8Array): string => Buffer.from(wire).toString('hex');
const words = (id: string): string =>
  `Contract validate error : tx ${id} contract size should be exactly 1, this is extend feature ,actual :2`;

test('a node refuses two in one transaction in java-tron’s words, as bytes and as JSON, and moves nothing', async () => {
  const held = await tron.ledger.machine.balance(`0x${OWNER.slice(2)}`);
  const { wire, json, id } = payments(2);
  const refusal = { code: 'CONTRACT_VALIDATE_ERROR', txid: id };
  const { transaction: _, ...answer } = await post('broadcasthex', { transaction: hexOf(wire) });
  assert.deepEqual(answer, { result: false, ...refusal, message: words(id) });
  const message = Buffer.from(words(id)).toString('hex');
  assert.deepEqual(await post('broadcasttransaction', json), { ...refusal, message });
  tron.ledger.mine();
  assert.equal(tron.ledger.executed.has(id), false);
  assert.equal(await tron.ledger.machine.balance(`0x${OWNER.slice(2)}`), held);

  const one = payments(1);
  assert.deepEqual(await post('broadcasttransaction', one.json), { result: true, txid: one.id });
  tron.ledger.mine();
  for (let block = 0; block < 19; block++) tron.ledger.mine();
  const [deposit, ...more] = await side.scan([VAULT]);
  assert.deepEqual(more, []);
  assert.deepEqual(
    [deposit!.hash, deposit!.amount, deposit!.memo],
    [one.id.toUpperCase(), BigInt(COINS) * 100n, MEMO],
  );
});

describe('of a block that has such a transaction all the same', () => {
  /** A ledger of this transaction, deep enough to be looked at. */
  function sideOf(transaction: TronTransaction, contractRet = 'SUCCESS'): TronSide {
    const ledger = {
      head: { number: 18 },
      blocks: [] as object[],
      executed: new Map([[transaction.id, { transaction, contractRet }]]),
    };
    const observer = new TronSide({ ledger } as unknown as LocalTron, []);
    ledger.blocks = [{ number: 0, transactions: [transaction] }];
    ledger.head.number = 19;
    return observer;
  }
  const single = (): TronTransaction => decodeTransaction(payments(1).wire);
  const doubled = (): TronTransaction => {
    const transaction = single();
    const { contract } = transaction.rawData;
    return { ...transaction, rawData: { ...transaction.rawData, contract: [...contract, ...contract] } };
  };

  test('THORChain ignores it, and counts no coins', async () => {
    const observer = sideOf(doubled());
    assert.deepEqual(await observer.scan([VAULT]), []);
    assert.deepEqual(
      observer.skipped.map(({ reason }) => reason),
      ['several contracts'],
    );
  });

  test('it notices one with a single payment, unless that failed', async () => {
    const [deposit] = await sideOf(single()).scan([VAULT]);
    assert.equal(deposit!.amount, BigInt(COINS) * 100n);
    const failed = sideOf(single(), 'OUT_OF_ENERGY');
    assert.deepEqual(await failed.scan([VAULT]), []);
    assert.deepEqual(
      failed.skipped.map(({ reason }) => reason),
      ['failed'],
    );
  });
});

test('a token that THORChain does not list is not noticed', async () => {
  const { DUSD } = tron.contracts as { DUSD: string };
  const held = side.skipped.length;
  await tron.call(
    DUSD,
    `a9059cbb${utils.abi.encodeParams(['address', 'uint256'], [side.addressOf(VAULT), '5']).slice(2)}`,
  );
  for (let block = 0; block < 20; block++) tron.ledger.mine();
  assert.deepEqual(await side.scan([VAULT]), []);
  assert.deepEqual(
    side.skipped.slice(held).map(({ reason }) => reason),
    ['unlisted token'],
  );
});

test('the wallet reads no request for one: its requests name a single recipient, and none is a transaction of Tron’s', () => {
  const order = { walletId: 'w', to: utils.address.fromHex(OWNER), value: COINS, data: MEMO };
  const contracts = (payments(2).json as { raw_data: object }).raw_data;
  const issues = (request: object): string[] => {
    try {
      payloads.parse(request);
    } catch (error) {
      if (error instanceof RequestInvalidError) return error.issues.map(({ path }) => path);
      throw error;
    }
    return [];
  };
  assert.deepEqual(issues({ type: 'TRX_TRANSACTION', ...order }), []);
  assert.deepEqual(issues({ type: 'TRX_TRANSACTION', ...order, raw_data: contracts }), ['raw_data']);
  assert.deepEqual(issues({ type: 'TRX_TRANSACTION', ...order, to: [order.to, order.to] }), ['to']);
  for (const type of ['TRON_TRANSACTION', 'TransferContract'])
    assert.deepEqual(issues({ type, ...order, raw_data: contracts }), ['type']);
});
