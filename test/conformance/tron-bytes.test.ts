/** Every byte of our transactions compared with Tron's own SDK: raw data, transaction id and signature. */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { TronWeb, utils } from 'tronweb';
import { address } from '../../src/chains/tron/account.ts';
import { addressBytes, addressOf } from '../../src/chains/tron/address.ts';
import type { Contract, TronDraft } from '../../src/chains/tron/draft.ts';
import {
  bandwidthOf,
  expirationOf,
  rawData,
  sign,
  sizeWithoutSignature,
} from '../../src/chains/tron/envelope.ts';
import { intentOf } from '../../src/chains/tron/intent.ts';
import { clientOf } from '../../src/chains/tron/node.ts';
import { payloads, type TronRequest } from '../../src/chains/tron/payload.ts';
import { LISTED } from '../unit/chains/tron/fake-tron.ts';
import { CASES } from './cases.ts';
import { ANY_CHARACTER } from '../any-character.ts';

/** Made once: deriving a key for every run would take most of the time. */
const KEYS = fc
  .sample(fc.uint8Array({ minLength: 32, maxLength: 32 }), { numRuns: 20, seed: 1 })
  .map((key) => {
    key[0] = 1;
    return { key: Uint8Array.from(key), address: address(Uint8Array.from(key)) };
  });

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const MEMO = { type: 'TRX_TRANSACTION', walletId: 'w', to: 'THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV', value: 1 };
const hexAddress = (text: string) => hex(addressBytes(text));

const key = fc.constantFrom(...KEYS);
const someAddress = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => addressOf(Uint8Array.from([0x41, ...bytes])));
/** The SDK holds amounts as JavaScript numbers. */
const amount = fc.oneof(fc.maxSafeNat(), fc.nat(), fc.nat(300)).map(BigInt);
const bytes = (min: number, max: number) =>
  fc.uint8Array({ minLength: min, maxLength: max }).map((data) => `0x${hex(data)}`);
/** Notes as people write them, in any script; and long ones. */
const memos = fc.oneof(
  { weight: 16, arbitrary: bytes(1, 300) },
  {
    weight: 16,
    arbitrary: fc
      .string({ unit: ANY_CHARACTER, minLength: 1, maxLength: 300 })
      .map((text) => (payloads.parse({ ...MEMO, data: `.${text}` }) as { data?: string }).data!),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 900, max: 65_536 })
      .map((length) => `0x${hex(new Uint8Array(length).fill(97))}`),
  },
);
const frame = fc.record({
  refBlockBytes: bytes(2, 2),
  refBlockHash: bytes(8, 8),
  expiration: fc.integer({ min: 1, max: 4_102_444_800_000 }),
  timestamp: fc.integer({ min: 1, max: 4_102_444_800_000 }),
});

const coin = fc.record({ kind: fc.constant('coin' as const), to: someAddress, amount });
const asset = fc.record({
  kind: fc.constant('asset' as const),
  token: fc.integer({ min: 1_000_001, max: 9_999_999 }).map(String),
  to: someAddress,
  amount,
});
const call = fc.record({
  kind: fc.constant('call' as const),
  to: someAddress,
  value: amount,
  data: fc.oneof(
    { weight: 40, arbitrary: bytes(0, 200) },
    {
      weight: 1,
      arbitrary: fc
        .integer({ min: 1000, max: 65_536 })
        .map((length) => `0x${hex(new Uint8Array(length).fill(7))}`),
    },
  ),
});

function sdkContract(contract: Contract, from: string) {
  const owner_address = hexAddress(from);
  const to = hexAddress(contract.to);
  switch (contract.kind) {
    case 'coin':
      return {
        type: 'TransferContract',
        value: { owner_address, to_address: to, amount: Number(contract.amount) },
      };
    case 'asset':
      return {
        type: 'TransferAssetContract',
        value: {
          owner_address,
          to_address: to,
          asset_name: Buffer.from(contract.token).toString('hex'),
          amount: Number(contract.amount),
        },
      };
    case 'call':
      return {
        type: 'TriggerSmartContract',
        value: {
          owner_address,
          contract_address: to,
          call_value: Number(contract.value),
          data: contract.data.slice(2),
        },
      };
  }
}

function sdkTransaction(draft: TronDraft) {
  const { type, value } = sdkContract(draft.contract, draft.from);
  return {
    visible: false,
    raw_data: {
      contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
      ref_block_bytes: draft.refBlockBytes.slice(2),
      ref_block_hash: draft.refBlockHash.slice(2),
      expiration: draft.expiration,
      timestamp: draft.timestamp,
      ...(draft.memo === '0x' ? {} : { data: draft.memo.slice(2) }),
      ...(draft.feeLimit ? { fee_limit: Number(draft.feeLimit) } : {}),
    },
  };
}

async function agree(draft: TronDraft, privateKey: Uint8Array): Promise<void> {
  const pb = utils.transaction.txJsonToPb(sdkTransaction(draft));
  const raw = rawData(draft);
  const txID = utils.transaction.txPbToTxID(pb).replace(/^0x/, '');
  assert.equal(hex(raw), utils.transaction.txPbToRawDataHex(pb).toLowerCase());
  const signed = await sign(draft, privateKey);
  assert.equal(signed.hash, txID);
  const { signature } = utils.crypto.signTransaction(hex(privateKey), { txID, raw_data: {}, visible: false });
  pb.addSignature(Buffer.from(signature[0]!.replace(/^0x/, ''), 'hex'));
  const wire: Uint8Array = pb.serializeBinary();
  assert.equal(signed.raw, `0x${hex(wire)}`);
  assert.equal(bandwidthOf(raw), BigInt(wire.length) + 64n);
  assert.equal(sizeWithoutSignature(raw), wire.length - 65);
  assert.equal(expirationOf(signed.raw), draft.expiration);
}

function draftOf(
  parts: { refBlockBytes: string; refBlockHash: string; expiration: number; timestamp: number },
  from: string,
  contract: Contract,
  memo = '0x',
  feeLimit = 0n,
): TronDraft {
  return {
    ...parts,
    secretType: 'TRON',
    network: LISTED,
    from,
    contract,
    memo,
    feeLimit,
    facts: {} as TronDraft['facts'],
  };
}

for (const [name, contract, memo, feeLimit] of [
  ['TRX', coin, fc.constant('0x'), fc.constant(0n)],
  ['TRX with a memo', coin, memos, fc.constant(0n)],
  ['TRC-10', asset, fc.constant('0x'), fc.constant(0n)],
  ['TRC-10 with a memo', asset, memos, fc.constant(0n)],
  ['a contract call', call, fc.constant('0x'), amount],
  ['a contract call with a memo', call, memos, amount],
] as const)
  test(`${name}: raw data, id and signature are the SDK’s`, async () => {
    await fc.assert(
      fc.asyncProperty(key, frame, contract, memo, feeLimit, (signer, parts, does, note, limit) =>
        agree(draftOf(parts, signer.address, does, note, limit), signer.key),
      ),
      { numRuns: CASES },
    );
  });

test('TRC-20: a request becomes the bytes that the SDK makes of its own ABI coder', async () => {
  await fc.assert(
    fc.asyncProperty(
      key,
      frame,
      someAddress,
      someAddress,
      fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }),
      amount,
      async (signer, parts, token, to, value, limit) => {
        const request = { type: 'TRC10_TRANSACTION', walletId: 'w', token, to, value };
        const { contract } = await intentOf(
          payloads.parse(request) as TronRequest,
          signer.address,
          clientOf(LISTED),
        );
        assert.ok(contract.kind === 'call');
        const parameters = utils.abi.encodeParams(['address', 'uint256'], [to, value.toString()]);
        assert.equal(contract.data, `0xa9059cbb${parameters.slice(2)}`);
        await agree(draftOf(parts, signer.address, contract, '0x', limit), signer.key);
      },
    ),
    { numRuns: CASES },
  );
});

test('TRC-20 with a memo: every request for one becomes the transaction that the SDK builds with that memo', async () => {
  const tronWeb = new TronWeb({ fullHost: 'http://localhost:9' });
  const signer = KEYS[0]!;
  const [token, to] = [LISTED.tokens[0]!.address, MEMO.to];
  const [body, transfer] = [
    { walletId: 'w', secretType: 'TRON', memo: 'Grüße: 12345' },
    { type: 'address', value: to },
  ];
  const call = { to: token, functionName: 'transfer', inputs: [transfer, { type: 'uint256', value: '7' }] };
  const options = { feeLimit: 5_000_000, callValue: 0, txLocal: true };
  const parameters = [transfer, { type: 'uint256', value: 7 }];
  const block = {
    ref_block_bytes: '266b',
    ref_block_hash: 'f6b6d392f654dc2e',
    expiration: 9e12,
    timestamp: 8e12,
  };
  const built = await tronWeb.transactionBuilder.triggerSmartContract(
    token,
    'transfer(address,uint256)',
    { ...options, blockHeader: block },
    parameters,
    signer.address,
  );
  const theirs = await tronWeb.transactionBuilder.addUpdateData(built.transaction, body.memo, 'utf8', {
    txLocal: true,
  });
  for (const request of [
    { ...body, type: 'TOKEN_TRANSFER', to, value: '0.000007', tokenAddress: token },
    { ...body, type: 'TRC10_TRANSACTION', secretType: undefined, to, value: 7, token },
    { ...body, ...call, type: 'CONTRACT_EXECUTION' },
    { ...body, ...call, type: 'TRON_CONTRACT_EXECUTION', secretType: undefined },
  ]) {
    const { contract, memo } = await intentOf(
      payloads.parse(request) as TronRequest,
      signer.address,
      clientOf(LISTED),
    );
    const frame = {
      refBlockBytes: `0x${block.ref_block_bytes}`,
      refBlockHash: `0x${block.ref_block_hash}`,
      expiration: block.expiration,
      timestamp: block.timestamp,
    };
    const draft = draftOf(frame, signer.address, contract, memo, BigInt(options.feeLimit));
    assert.equal(hex(rawData(draft)), theirs.raw_data_hex.toLowerCase());
    assert.equal((await sign(draft, signer.key)).hash, theirs.txID);
  }
});

test('the SDK derives the same addresses', () => {
  for (const signer of KEYS) assert.equal(utils.crypto.pkToAddress(hex(signer.key)), signer.address);
});
