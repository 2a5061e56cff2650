/** What a policy's rules allow, by the signed fields of drafts alone. Neither database nor node. */
import assert from 'node:assert/strict';
import { parseNetworks } from '../../src/chains/nodes/networks.ts';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { Interface, type InterfaceAbi } from 'ethers';
import {
  amountsOf,
  needsApproval,
  type Spend,
  type SpendOrder,
  violationOf,
} from '../../service/policies/check-spend.ts';
import { signatureViolation } from '../../service/policies/check-signature.ts';
import { fixedHash } from '../../service/policies/held-transactions.ts';
import { subjectsOf } from '../../service/policies/policy-store.ts';
import { rulesOf } from '../../service/policies/rules.ts';
import { Policy } from '../../src/api/policy.ts';
import { BITCOIN } from '../../src/chains/bitcoin/profile.ts';
import { decodeAddress } from '../../src/chains/utxo/address.ts';
import type { Draft, ParsedSigning } from '../../src/chains/terms.ts';
import { loadChain } from '../../src/chains/load.ts';
import { loadOutflow } from '../../src/chains/outflow.ts';
import { CARDS, SECRET_TYPES, type SecretType } from '../../src/chains/secret-type.ts';
import { RequestInvalidError } from '../../src/base/errors.ts';
import { turnsWhile } from './turns.ts';

const OWN = '0x1111111111111111111111111111111111111111';
const FRIEND = '0x2222222222222222222222222222222222222222';
const THIEF = '0x3333333333333333333333333333333333333333';
const DOLLAR = '0x4444444444444444444444444444444444444444';
const VAULT = '0x5555555555555555555555555555555555555555';
const VTHO = '0x0000000000000000000000000000456e65726779';
const MAX = 2n ** 256n - 1n;
const NOON = new Date('2026-11-24T12:00:00Z');

const CODE = new Interface([
  'function transfer(address,uint256)',
  'function transferFrom(address,address,uint256)',
  'function approve(address,uint256)',
  'function increaseAllowance(address,uint256)',
  'function deposit(uint256)',
  'function multicall(bytes[])',
  'function safeTransferFrom(address,address,uint256)',
  'function setApprovalForAll(address,bool)',
  'function execute(address,uint256,bytes)',
  'function swapExactTokensForETH(uint256,uint256,address[],address,uint256)',
] satisfies InterfaceAbi);

const call = (name: string, ...values: unknown[]): string => CODE.encodeFunctionData(name, values);

const evm = (more: object = {}): object => ({
  from: OWN,
  type: 2,
  chainId: 1,
  nonce: 0,
  gas: 10n,
  maxFeePerGas: 1n,
  maxPriorityFeePerGas: 0n,
  to: FRIEND,
  value: 0n,
  data: '0x',
  ...more,
});

const vechain = (...clauses: object[]): object => ({
  from: OWN,
  clauses: clauses.map((clause) => ({ value: 0n, data: '0x', ...clause })),
  gas: 10n,
  maxFeePerGas: 1n,
  maxPriorityFeePerGas: 0n,
  dependsOn: null,
  nonce: 1n,
  delegated: false,
});

async function spendOf(secretType: SecretType, draft: object, more: Partial<Spend> = {}): Promise<Spend> {
  const outflow = await (await loadOutflow(secretType))!(draft as Draft);
  const { from } = draft as Draft;
  return {
    secretType,
    network: 'home',
    byDefault: true,
    coin: 'ETH',
    from,
    customNode: false,
    outflow,
    swaps: [],
    ...more,
  };
}

/** The rule that refuses it, `four-eyes`, or `ok`. */
async function verdict(
  policy: Policy,
  draft: object,
  {
    secretType = 'ETHEREUM',
    now = NOON,
    spent = {},
    spentThere = {},
    ...more
  }: Partial<Spend> & {
    now?: Date;
    /** On default networks, and on that of the transaction. */
    spent?: Record<string, bigint>;
    spentThere?: Record<string, bigint>;
  } = {},
): Promise<string> {
  const rules = await rulesOf(Policy.parse(policy));
  const spend = await spendOf(secretType, draft, more);
  const amounts = amountsOf(spend);
  const facts = {
    now,
    amounts,
    added: amounts,
    spent: { byDefault: new Map(Object.entries(spent)), there: new Map(Object.entries(spentThere)) },
  };
  const violation = violationOf(rules, spend, facts);
  return violation?.rule ?? (needsApproval(rules, spend, amounts) ? 'four-eyes' : 'ok');
}

/** Ten wei are the fee of `evm()`. */
const limits = (perTransaction: string, perDay = '1'): Policy => ({
  limits: [
    { secretType: 'ETHEREUM', perTransaction, perDay },
    { secretType: 'ETHEREUM', token: DOLLAR, decimals: 6, perTransaction: '100', perDay: '150' },
  ],
});

test('a transaction may use its limit of the coin to the last digit, including the fee', async () => {
  const policy = limits('0.00000000000000011');
  assert.equal(await verdict(policy, evm({ value: 100n })), 'ok');
  assert.equal(await verdict(policy, evm({ value: 101n })), 'transaction-limit');
  assert.equal(await verdict(policy, evm({ value: 100n, gas: 11n })), 'transaction-limit');
  assert.equal(
    await verdict(policy, evm({ value: 0n, gas: 2n ** 64n, maxFeePerGas: MAX })),
    'transaction-limit',
  );
});

test('what a wallet sends to itself does not count, nor does a token', async () => {
  const policy = limits('0.00000000000000001');
  assert.equal(
    await verdict(policy, evm({ value: 10n ** 18n, to: OWN.toUpperCase().replace('X', 'x') })),
    'ok',
  );
  assert.equal(await verdict(policy, evm({ to: DOLLAR, data: call('transfer', OWN, 10n ** 18n) })), 'ok');
  // Code may stand at an account: a call counts.
  assert.equal(await verdict(policy, evm({ value: 1n, to: OWN, data: '0x12345678' })), 'calls');
});

test('the daily limit applies, and only sums of that asset count', async () => {
  const policy = limits('1', '1');
  const left = (spent: bigint) =>
    verdict(policy, evm({ value: 90n }), { spent: { ETHEREUM: spent, [`ETHEREUM:${DOLLAR}`]: 10n ** 30n } });
  assert.equal(await left(10n ** 18n - 100n), 'ok');
  assert.equal(await left(10n ** 18n - 99n), 'daily-limit');
});

test('tokens count in their own decimals, by transfer and by allowance', async () => {
  const policy = limits('1');
  const token = (data: string, more: object = {}) => verdict(policy, evm({ to: DOLLAR, data, ...more }));
  for (const [name, before] of [
    ['transfer', []],
    ['transferFrom', [OWN]],
    ['transferFrom', [THIEF]],
    ['approve', []],
    ['increaseAllowance', []],
  ] as const) {
    assert.equal(await token(call(name, ...before, THIEF, 100_000_000n)), 'ok', name);
    assert.equal(await token(call(name, ...before, THIEF, 100_000_001n)), 'transaction-limit', name);
    assert.equal(await token(call(name, ...before, THIEF, MAX)), 'transaction-limit', name);
  }
  assert.equal(await token(call('transfer', THIEF, 1n), { value: 10n ** 18n }), 'transaction-limit');
  assert.equal(
    await verdict(policy, evm({ to: DOLLAR, data: call('approve', THIEF, 60_000_000n) }), {
      spent: { [`ETHEREUM:${DOLLAR}`]: 100_000_000n },
    }),
    'daily-limit',
  );
});

test('an allowance can always be taken back', async () => {
  assert.equal(
    await verdict({ ...limits('1'), recipients: [] }, evm({ to: DOLLAR, data: call('approve', THIEF, 0n) })),
    'ok',
  );
});

test('assets without a limit are not spent', async () => {
  const policy: Policy = { limits: [{ secretType: 'ETHEREUM' }] };
  assert.equal(await verdict(policy, evm({ value: MAX })), 'ok');
  assert.equal(await verdict(policy, evm({ to: DOLLAR, data: call('transfer', FRIEND, 1n) })), 'calls');
  const bitcoin = {
    from: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    to: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    inputs: [{ value: 100n }],
    outputs: [{ value: 90n, script: '0x00' }],
  };
  assert.equal(await verdict(policy, bitcoin, { secretType: 'BITCOIN' }), 'asset');
});

test('assets without a limit are not spent along with limited ones', async () => {
  const vtho: Policy = { limits: [{ secretType: 'VECHAIN', token: VTHO, decimals: 18 }] };
  const of = (...clauses: object[]) => verdict(vtho, vechain(...clauses), { secretType: 'VECHAIN' });
  const data = call('transfer', FRIEND, 1n);
  assert.equal(await of({ to: VTHO, data }), 'ok');
  assert.equal(await of({ to: FRIEND, value: 1n }), 'asset');
  assert.equal(await of({ to: VTHO, data, value: 1n }), 'asset');
  const trx: Policy = { limits: [{ secretType: 'TRON' }] };
  const contract = { kind: 'asset', token: '1002000', to: 'TT5iK8oqGEyRKJAnRwrLSZ4fM5y77F2LNT', amount: 1n };
  const draft = { from: 'TSKH4bbh5jLBRLUuzj8h5AFd2iBBu1Fc94', memo: '0x', feeLimit: 0n, contract };
  assert.equal(await verdict(trx, draft, { secretType: 'TRON' }), 'asset');
  // The fee alone.
  assert.equal(await verdict(trx, evm({ to: OWN })), 'asset');
});

test('with only a list of calls, coins are unlimited and other calls refused', async () => {
  const policy: Policy = {
    calls: [{ secretType: 'ETHEREUM', contract: VAULT, functions: ['deposit(uint256)'] }],
  };
  assert.equal(await verdict(policy, evm({ value: MAX, to: THIEF })), 'ok');
  assert.equal(await verdict(policy, evm({ to: DOLLAR, data: call('transfer', FRIEND, 1n) })), 'calls');
  const deposit = evm({ to: VAULT, data: call('deposit', 5n) });
  assert.equal(await verdict(policy, deposit, { swaps: [null] }), 'ok');
});

test('under an amount limit, only listed functions are called, and no contract is created', async () => {
  const policy = limits('1');
  const allowed: Policy = {
    ...policy,
    calls: [{ secretType: 'ETHEREUM', contract: VAULT, functions: ['deposit(uint256)'] }],
  };
  const deposit = evm({ to: VAULT, data: call('deposit', 5n) });
  assert.equal(await verdict(policy, deposit), 'calls');
  assert.equal(await verdict(allowed, deposit), 'ok');
  assert.equal(await verdict(allowed, evm({ to: DOLLAR, data: call('deposit', 5n) })), 'calls');
  assert.equal(await verdict(allowed, evm({ to: VAULT, data: call('transfer', THIEF, 5n) })), 'calls');
  assert.equal(await verdict(allowed, evm({ to: VAULT, data: '0xb6b55f' })), 'calls');
  assert.equal(await verdict(allowed, evm({ to: null, data: '0x6000' })), 'calls');
  assert.equal(
    await verdict(allowed, evm({ to: VAULT, data: call('deposit', 5n), value: 2n * 10n ** 18n })),
    'transaction-limit',
  );
});

test('a token call that hides its amount is refused', async () => {
  const policy = limits('1');
  const plain = call('transfer', THIEF, 5n);
  for (const data of [
    `${plain}00`,
    plain.slice(0, -2),
    // Dirty bytes before the address.
    `${plain.slice(0, 10)}ff${plain.slice(12)}`,
    call('multicall', [call('transfer', THIEF, MAX)]),
    call('execute', DOLLAR, 0n, call('transfer', THIEF, MAX)),
  ])
    assert.equal(await verdict(policy, evm({ to: DOLLAR, data })), 'calls', data);
});

test('what listed calls visibly move counts', async () => {
  const policy: Policy = {
    ...limits('1'),
    calls: [{ secretType: 'ETHEREUM', contract: VAULT, functions: ['multicall(bytes[])'] }],
  };
  const listed = await spendOf(
    'ETHEREUM',
    evm({ to: VAULT, data: call('multicall', [call('transfer', THIEF, MAX)]) }),
  );
  assert.equal(amountsOf(listed).get(`ETHEREUM:${VAULT}`), MAX);
  const swap = {
    from: DOLLAR,
    to: '',
    sell: true,
    input: 100_000_001n,
    output: 1n,
    recipient: OWN,
    deadline: 1n,
  };
  const router = evm({ to: VAULT, data: call('multicall', []) });
  assert.equal(await verdict(policy, router, { swaps: [{ ...swap, input: 1n }] }), 'ok');
  assert.equal(await verdict(policy, router, { swaps: [swap] }), 'transaction-limit');
  const path = [DOLLAR, FRIEND];
  const pays = evm({ to: VAULT, data: call('swapExactTokensForETH', 100n, 1n, path, OWN, 1n) });
  const once = await spendOf('ETHEREUM', pays, { swaps: [{ ...swap, input: 100n }] });
  assert.equal(amountsOf(once).get(`ETHEREUM:${DOLLAR}`), 100n, 'what the call pays is the swap’s input');
  assert.equal(amountsOf(await spendOf('ETHEREUM', pays)).get(`ETHEREUM:${DOLLAR}`), 100n);
  const sold = await spendOf('ETHEREUM', router, { swaps: [{ ...swap, from: '' }] });
  assert.deepEqual([...amountsOf(sold).keys()], ['ETHEREUM']);
  assert.equal(await verdict(policy, router, { swaps: [null] }), 'calls');
  assert.equal(
    await verdict({ ...policy, recipients: [] }, router, {
      swaps: [{ ...swap, input: 1n, recipient: THIEF }],
    }),
    'recipients',
  );
});

test('only listed recipients get coins, tokens, items and allowances', async () => {
  const policy: Policy = {
    recipients: [{ secretType: 'ETHEREUM', address: FRIEND }],
    calls: [
      {
        secretType: 'ETHEREUM',
        contract: VAULT,
        functions: [
          'deposit(uint256)',
          'safeTransferFrom(address,address,uint256)',
          'setApprovalForAll(address,bool)',
        ],
      },
    ],
  };
  const to = (draft: object) => verdict(policy, evm(draft));
  assert.equal(await to({ to: FRIEND, value: 5n }), 'ok');
  assert.equal(await to({ to: THIEF, value: 5n }), 'recipients');
  assert.equal(await to({ to: DOLLAR, data: call('transfer', FRIEND, 5n) }), 'ok');
  assert.equal(await to({ to: DOLLAR, data: call('transfer', THIEF, 5n) }), 'recipients');
  // Coins that go with a token's call go to its contract.
  assert.equal(await to({ to: DOLLAR, data: call('transfer', FRIEND, 5n), value: 1n }), 'recipients');
  assert.equal(await to({ to: DOLLAR, data: call('approve', VAULT, 5n) }), 'ok');
  assert.equal(await to({ to: DOLLAR, data: call('transfer', VAULT, 5n) }), 'recipients');
  assert.equal(await to({ to: DOLLAR, data: call('approve', THIEF, 5n) }), 'recipients');
  assert.equal(await to({ to: VAULT, data: call('deposit', 5n), value: 5n }), 'ok');
  assert.equal(await to({ to: VAULT, data: call('safeTransferFrom', OWN, FRIEND, 5n) }), 'ok');
  assert.equal(await to({ to: VAULT, data: call('safeTransferFrom', OWN, THIEF, 5n) }), 'recipients');
  assert.equal(await to({ to: VAULT, data: call('setApprovalForAll', THIEF, true) }), 'recipients');
  assert.equal(await to({ to: VAULT, data: call('setApprovalForAll', THIEF, false) }), 'ok');
  assert.equal(await to({ to: THIEF, data: call('deposit', 5n) }), 'calls');
  assert.equal(await to({ to: OWN, value: 5n }), 'ok');
});

test('clauses of one VeChain transaction count together', async () => {
  const policy: Policy = {
    limits: [
      { secretType: 'VECHAIN', perTransaction: '1', perDay: '2' },
      { secretType: 'VECHAIN', token: VTHO, decimals: 18, perTransaction: '1' },
    ],
  };
  const of = (...clauses: object[]) => verdict(policy, vechain(...clauses), { secretType: 'VECHAIN' });
  const half = { to: FRIEND, value: 5n * 10n ** 17n };
  assert.equal(await of(half, half), 'ok');
  assert.equal(await of(half, half, { to: FRIEND, value: 1n }), 'transaction-limit');
  assert.equal(
    await of(...Array.from({ length: 3 }, () => ({ to: FRIEND, value: MAX }))),
    'transaction-limit',
  );
  const vtho = { to: VTHO, data: call('transfer', FRIEND, 10n ** 18n - 10n) };
  assert.equal(await of(vtho, half), 'ok');
  assert.equal(await of(vtho, half, { to: VTHO, data: call('transfer', FRIEND, 1n) }), 'transaction-limit');
  assert.equal(await of(half, { to: null, data: '0x00' }), 'calls');
  assert.equal(await of(half, { to: VAULT, data: '0x00' }), 'calls');
  const legacy = { ...vechain(half), maxFeePerGas: undefined, gasPriceCoef: 255 };
  assert.equal((await spendOf('VECHAIN', legacy)).outflow.fee.raw, 2n * 10n ** 14n);
});

test('fields that go stale are not part of an approval; all others are', async () => {
  const hash = async (secretType: SecretType, draft: object) =>
    fixedHash({
      secretType,
      network: 'main',
      walletId: 'w',
      from: OWN,
      outflow: (await spendOf(secretType, draft)).outflow,
    }).toString('hex');
  const first = await hash('ETHEREUM', evm({ value: 5n }));
  assert.equal(await hash('ETHEREUM', evm({ value: 5n, nonce: 9, gas: 99n, maxFeePerGas: 7n })), first);
  for (const other of [{ value: 6n }, { value: 5n, to: THIEF }, { value: 5n, data: '0x00' }])
    assert.notEqual(await hash('ETHEREUM', evm(other)), first);
  const clause = { to: FRIEND, value: 5n };
  const one = await hash('VECHAIN', vechain(clause));
  assert.equal(await hash('VECHAIN', { ...vechain(clause), nonce: 7n, blockRef: '0x00' }), one);
  assert.notEqual(await hash('VECHAIN', vechain(clause, clause)), one);
});

test('Bitcoin that does not come back counts, whoever the draft says it is for', async () => {
  const from = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  const own = '0x0014751e76e8199196d454941c45d1b3a323f1433bd6';
  const other = `0x0014${'ab'.repeat(20)}`;
  const draft = {
    from,
    to: from,
    inputs: [{ value: 60n }, { value: 50n }],
    outputs: [
      { value: 70n, script: other },
      { value: 30n, script: own },
    ],
  };
  const spend = await spendOf('BITCOIN', draft);
  assert.equal(amountsOf(spend).get('BITCOIN'), 80n);
  const policy: Policy = { recipients: [{ secretType: 'BITCOIN', address: from }] };
  assert.equal(await verdict(policy, draft, { secretType: 'BITCOIN' }), 'recipients');
  const kept = { ...draft, outputs: [{ value: 100n, script: own }] };
  assert.equal(amountsOf(await spendOf('BITCOIN', kept)).get('BITCOIN'), 10n);
  // Data is nobody's coin, but part of what was approved; coins that go with it are lost to all.
  const carried = (value: bigint) => ({
    ...kept,
    outputs: [...kept.outputs, { value, script: '0x6a046d656d6f' }],
  });
  assert.deepEqual(
    (await spendOf('BITCOIN', carried(0n))).outflow.moves,
    (await spendOf('BITCOIN', kept)).outflow.moves,
  );
  assert.notDeepEqual(
    (await spendOf('BITCOIN', carried(0n))).outflow.fixed,
    (await spendOf('BITCOIN', kept)).outflow.fixed,
  );
  assert.equal(await verdict(policy, carried(1n), { secretType: 'BITCOIN' }), 'recipients');
});

test('of a swap between chains the recipient of its memo counts, not the vault that two nodes vouch for', async () => {
  const from = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  const vault = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
  const draft = {
    from,
    to: vault,
    inputs: [{ value: 110n }],
    outputs: [{ value: 100n, script: decodeAddress(BITCOIN, vault)!.script }],
  };
  const memo = { asset: 'ETH.ETH', recipient: FRIEND, refundTo: undefined, limit: 1n, streaming: undefined };
  const order = (more: object = {}, router?: string): SpendOrder => ({
    terms: {
      exchange: 'THORChain',
      network: 'home',
      input: { raw: 100n, symbol: 'BTC', decimals: 8 },
      vault,
      router,
      text: '',
      memo: { ...memo, affiliates: [], ...more },
    },
    destination: { secretType: 'ETHEREUM', network: 'ether', byDefault: true },
  });
  const friend: Policy = { recipients: [{ secretType: 'ETHEREUM', address: FRIEND }] };
  const of = (order: SpendOrder | undefined, policy = friend): Promise<string> =>
    verdict(policy, draft, { secretType: 'BITCOIN', order });
  assert.equal(await of(order()), 'ok');
  assert.equal(await of(undefined), 'recipients', 'the vault of what carries no order');
  assert.equal(await of(order({ recipient: THIEF })), 'recipients');
  assert.equal(await of(order({ recipient: undefined })), 'recipients');
  assert.equal(await of(order({ refundTo: from })), 'ok');
  assert.equal(await of(order({ refundTo: vault })), 'recipients');
  assert.equal(await of(order({ affiliates: [{ name: 't', share: 50 }] })), 'recipients');
  assert.equal(await of({ ...order({ unreadable: 'limit' }), destination: undefined }), 'recipients');
  assert.equal(await of(order(), { recipients: [{ secretType: 'BITCOIN', address: vault }] }), 'recipients');
  const there = { ...order(), destination: { secretType: 'ETHEREUM', network: 'base', byDefault: false } };
  assert.equal(await of(there as SpendOrder), 'recipients', 'on another network of the chain');
  const elsewhere = {
    ...draft,
    outputs: [...draft.outputs, { value: 5n, script: `0x0014${'ab'.repeat(20)}` }],
  };
  assert.equal(await verdict(friend, elsewhere, { secretType: 'BITCOIN', order: order() }), 'recipients');
});

test('a deposit at an exchange between chains counts the tokens that it takes, and its recipient', async () => {
  const deposit = evm({ to: VAULT, data: `0x44bc937b${'00'.repeat(160)}` });
  const order = (raw: bigint, recipient = 'TSKH4bbh5jLBRLUuzj8h5AFd2iBBu1Fc94'): SpendOrder => ({
    terms: {
      exchange: 'THORChain',
      network: 'home',
      input: { raw, symbol: 'USD', decimals: 6, token: DOLLAR },
      vault: THIEF,
      router: VAULT,
      text: '',
      memo: {
        asset: 'TRON.TRX',
        recipient,
        refundTo: undefined,
        limit: 1n,
        streaming: undefined,
        affiliates: [],
      },
    },
    destination: { secretType: 'TRON', network: 'tron', byDefault: true },
  });
  const functions = ['depositWithExpiry(address,address,uint256,string,uint256)'];
  const calls = [{ secretType: 'ETHEREUM' as const, contract: VAULT, functions }];
  const policy: Policy = {
    ...limits('1'),
    calls,
    recipients: [{ secretType: 'TRON', address: 'TSKH4bbh5jLBRLUuzj8h5AFd2iBBu1Fc94' }],
  };
  const of = (order: SpendOrder, more: Policy = {}): Promise<string> =>
    verdict({ ...policy, ...more }, deposit, { order });
  assert.equal(await of(order(100_000_000n)), 'ok');
  assert.equal(await of(order(100_000_001n)), 'transaction-limit');
  assert.equal(await of(order(1n, 'TT5iK8oqGEyRKJAnRwrLSZ4fM5y77F2LNT')), 'recipients');
  assert.equal(await of(order(1n), { calls: [] }), 'calls');
});

test('Tron and Aeternity count what is sent and what the fee may come to', async () => {
  const from = 'TSKH4bbh5jLBRLUuzj8h5AFd2iBBu1Fc94';
  const to = 'TT5iK8oqGEyRKJAnRwrLSZ4fM5y77F2LNT';
  const base = { from, memo: '0x', feeLimit: 0n };
  const of = async (contract: object, more: object = {}) =>
    Object.fromEntries(amountsOf(await spendOf('TRON', { ...base, contract, ...more })));
  assert.deepEqual(await of({ kind: 'coin', to, amount: 5n }), { TRON: 5n + 302_000n + 1_100_000n });
  assert.deepEqual(await of({ kind: 'asset', token: '1002000', to, amount: 7n }, { memo: '0x00' }), {
    'TRON:1002000': 7n,
    TRON: 303_000n + 1_100_000n + 1_000_000n,
  });
  const data = call('transfer', FRIEND, 9n);
  assert.deepEqual(await of({ kind: 'call', to, value: 3n, data }, { feeLimit: 1000n }), {
    TRON: 3n + 1000n + 370_000n,
    [`TRON:${to}`]: 9n,
  });
  const ae = { from: 'ak_a', to: 'ak_b', amount: 5n, fee: 2n, payload: '0x' };
  assert.deepEqual(Object.fromEntries(amountsOf(await spendOf('AETERNITY', ae))), { AETERNITY: 7n });
});

test('a second client is required above an amount, and if the amount cannot be known', async () => {
  const policy: Policy = {
    fourEyes: { above: [{ secretType: 'ETHEREUM', amount: '1' }], approvers: ['back-office'] },
  };
  const of = (draft: object) => verdict(policy, evm(draft));
  assert.equal(await of({ value: 10n ** 18n - 10n }), 'ok');
  assert.equal(await of({ value: 10n ** 18n - 9n }), 'four-eyes');
  assert.equal(await of({ to: DOLLAR, data: call('transfer', FRIEND, 1n) }), 'four-eyes');
  assert.equal(await of({ to: VAULT, data: '0x01020304' }), 'four-eyes');
  assert.equal(await of({ to: null, data: '0x00' }), 'four-eyes');
  assert.equal(await of({ to: OWN, value: 9n * 10n ** 18n }), 'ok');
  const calls = [{ secretType: 'ETHEREUM' as const, contract: VAULT, functions: ['deposit(uint256)'] }];
  const deposit = evm({ to: VAULT, data: call('deposit', 5n) });
  assert.equal(await verdict({ ...policy, calls }, deposit), 'ok');
  const own = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  const bitcoin = (script: string) => ({
    from: own,
    to: own,
    inputs: [{ value: 100n }],
    outputs: [{ value: 90n, script }],
  });
  const secretType = 'BITCOIN';
  assert.equal(await verdict(policy, bitcoin('0x00'), { secretType }), 'four-eyes');
  const change = '0x0014751e76e8199196d454941c45d1b3a323f1433bd6';
  assert.equal(await verdict(policy, bitcoin(change), { secretType }), 'ok');
});

test('a node that the request names is refused: it could be of any network', async () => {
  assert.equal(await verdict(limits('1'), evm(), { customNode: true }), 'custom-node');
  const hours = { timeZone: 'UTC', windows: [{ from: '00:00', to: '24:00' }] };
  assert.equal(await verdict({ hours }, evm(), { customNode: true }), 'ok');
});

test('hours follow a time zone, even when its clocks change', async () => {
  const policy: Policy = {
    hours: { timeZone: 'Europe/Zurich', windows: [{ days: ['tue', 'sun'], from: '08:00', to: '18:00' }] },
  };
  const at = (now: string) => verdict(policy, evm({ value: MAX }), { now: new Date(now) });
  assert.equal(await at('2026-11-24T06:59:59Z'), 'hours');
  assert.equal(await at('2026-11-24T07:00:00Z'), 'ok');
  assert.equal(await at('2026-11-24T16:59:59Z'), 'ok');
  assert.equal(await at('2026-11-24T17:00:00Z'), 'hours');
  assert.equal(await at('2026-11-25T12:00:00Z'), 'hours');
  // Summer time begins on Sunday, 29 March 2026.
  assert.equal(await at('2026-03-29T06:00:00Z'), 'ok');
  assert.equal(await at('2026-03-22T06:00:00Z'), 'hours');
});

test('under a limit, only data that the policy lists is signed', async () => {
  const typed = (primaryType: string, contract: string) =>
    JSON.stringify({
      types: { [primaryType]: [{ name: 'value', type: 'uint256' }] },
      primaryType,
      domain: { verifyingContract: contract },
      message: { value: '1' },
    });
  const signs = async (policy: Policy, request: object, secretType: SecretType = 'ETHEREUM') => {
    const place = { secretType, network: 'home', byDefault: true };
    const rules = await rulesOf(Policy.parse(policy));
    return (await signatureViolation(rules, place, request as ParsedSigning))?.rule ?? 'ok';
  };
  const message = { type: 'ETHEREUM_RAW', data: '0x00', prefix: true };
  const order = { type: 'ETHEREUM_TYPED_DATA', data: typed('Order', VAULT) };
  const open: Policy = {
    ...limits('1'),
    signatures: {
      messages: true,
      certificates: true,
      typedData: [{ secretType: 'ETHEREUM', contract: VAULT, primaryType: 'Order' }],
    },
  };
  for (const policy of [limits('1'), { recipients: [] }, { calls: [] }])
    for (const request of [message, order]) assert.equal(await signs(policy, request), 'signatures');
  for (const request of [message, order]) assert.equal(await signs(open, request), 'ok');
  assert.equal(await signs(limits('1'), { type: 'BITCOIN_MESSAGE', data: '0x00' }, 'BITCOIN'), 'signatures');
  assert.equal(await signs(open, { type: 'BITCOIN_MESSAGE', data: '0x00' }, 'BITCOIN'), 'ok');
  const certificate = { type: 'VECHAIN_CERTIFICATE', data: '0x00', purpose: 'agreement' };
  assert.equal(await signs(limits('1'), certificate, 'VECHAIN'), 'signatures');
  assert.equal(await signs(open, certificate, 'VECHAIN'), 'ok');
  // Bytes without a mark could be a transaction.
  for (const request of [
    { type: 'ETHEREUM_RAW', data: '0x00', prefix: false, hash: false },
    { type: 'ETHEREUM_TRANSACTION', data: '0x00', prefix: false },
    { type: 'VECHAIN_TRANSACTION', data: '0x00', prefix: false },
    { ...order, data: typed('Order', DOLLAR) },
    { ...order, data: typed('Mail', VAULT) },
  ])
    assert.equal(await signs(open, request), 'signatures', JSON.stringify(request));
  assert.equal(await signs({ keyExport: true }, message), 'ok');
});

test('a wallet’s transactions obey its own policy, its creator’s and the requesting client’s', () => {
  const wallet = { id: 'w', application_id: 'maker' };
  assert.deepEqual(subjectsOf(wallet, 'asker'), ['client:asker', 'client:maker', 'wallet:w']);
  assert.deepEqual(subjectsOf(wallet, 'maker'), ['client:maker', 'wallet:w']);
});

test('drafts are limited on every chain whose card does not say otherwise', async () => {
  for (const secretType of SECRET_TYPES)
    assert.equal((await loadOutflow(secretType)) !== undefined, CARDS[secretType].outflow !== false);
});

test('a chain whose limits cannot be loaded is an error, not a chain without limits', async () => {
  await assert.rejects(loadOutflow('NEO' as SecretType), { code: 'chain.not-supported' });
  const hooks = `export async function load(url, context, next) {
    if (url.includes('/evm/outflow.ts')) throw new Error('unreadable');
    return next(url, context);
  }`;
  const program = `import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}));
    const { loadOutflow } = await import('./src/chains/outflow.ts');
    console.log(await loadOutflow('GOCHAIN').catch((error) => error.message));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', program],
    { cwd: resolve(import.meta.dirname, '../..'), encoding: 'utf8' },
  );
  assert.equal(stdout.trim(), 'unreadable', stderr);
});

test('a limit names a token by its id on the chains whose tokens have ids', async () => {
  for (const secretType of SECRET_TYPES) {
    const rules = rulesOf({ limits: [{ secretType, token: '1002000', decimals: 6 }, { secretType }] });
    if (CARDS[secretType].tokenId)
      assert.deepEqual([...(await rules).limits!.keys()], [`${secretType}:1002000`, secretType]);
    else await assert.rejects(rules, RequestInvalidError, secretType);
  }
});

/** On the network `base`, which is not the wallet's default one. */
const ON_BASE = { network: 'base', byDefault: false };
const base = { secretType: 'ETHEREUM', network: 'base' } as const;

test('what a policy does not list for a network is refused there, and listing it says nothing of others', async () => {
  const pay = evm({ value: 1n });
  const orders = { typedData: [{ secretType: 'ETHEREUM', contract: VAULT, primaryType: 'Order' }] } as const;
  for (const policy of [
    limits('1'),
    { recipients: [{ secretType: 'ETHEREUM', address: FRIEND }] },
    { calls: [] },
    { fourEyes: { above: [{ secretType: 'ETHEREUM', amount: '1' }], approvers: ['a'] } },
    { calls: [], signatures: { typedData: [{ ...orders.typedData[0], network: 'base' }] } },
  ] as Policy[]) {
    assert.equal(await verdict(policy, pay), 'ok');
    assert.equal(await verdict(policy, pay, ON_BASE), 'network');
  }
  const allowed = evm({ to: DOLLAR, data: call('transfer', FRIEND, 1n) });
  const deposit = evm({ to: VAULT, data: '0x01020304' });
  const token = { token: DOLLAR, decimals: 6 };
  const deposits = { contract: VAULT, functions: ['0x01020304'] };
  for (const [policy, draft, rule] of [
    [{ limits: [{ ...base, perTransaction: '1' }] }, pay, 'asset'],
    [{ limits: [base, { ...base, ...token }] }, allowed, 'calls'],
    [{ recipients: [{ ...base, address: FRIEND }] }, evm({ to: FRIEND }), 'recipients'],
    [{ calls: [{ ...base, ...deposits }] }, deposit, 'calls'],
    [{ fourEyes: { above: [{ ...base, amount: '1' }], approvers: ['a'] } }, pay, 'four-eyes'],
  ] as [Policy, object, string][]) {
    assert.equal(await verdict(policy, draft, ON_BASE), 'ok', rule);
    assert.equal(await verdict(policy, draft), rule);
    assert.equal(await verdict(policy, draft, { network: 'other', byDefault: false }), 'network');
    // The default network of another wallet.
    assert.equal(await verdict(policy, draft, { ...ON_BASE, byDefault: true }), 'ok', rule);
  }
  // Each rule names its networks itself.
  const mixed: Policy = { limits: [base], recipients: [{ secretType: 'ETHEREUM', address: FRIEND }] };
  assert.equal(await verdict(mixed, evm({ to: FRIEND }), ON_BASE), 'recipients');
  // Hours hold everywhere.
  const hours = { timeZone: 'UTC', windows: [{ from: '00:00', to: '24:00' }] };
  assert.equal(await verdict({ hours }, pay, ON_BASE), 'ok');
});

test('a day’s sum is of one network where the entry names it, else of the default networks', async () => {
  const pay = evm({ value: 1n });
  const perDay = '0.0000000000000001';
  const named: Policy = { limits: [{ ...base, perDay }] };
  assert.equal(await verdict(named, pay, { ...ON_BASE, spent: { ETHEREUM: 100n } }), 'ok');
  assert.equal(await verdict(named, pay, { ...ON_BASE, spentThere: { ETHEREUM: 89n } }), 'ok');
  assert.equal(await verdict(named, pay, { ...ON_BASE, spentThere: { ETHEREUM: 90n } }), 'daily-limit');
  const unnamed: Policy = { limits: [{ secretType: 'ETHEREUM', perDay }] };
  assert.equal(await verdict(unnamed, pay, { spentThere: { ETHEREUM: 100n } }), 'ok');
  assert.equal(await verdict(unnamed, pay, { spent: { ETHEREUM: 90n } }), 'daily-limit');
  // A wallet's default network that is named, too: both hold.
  const both: Policy = {
    limits: [
      { secretType: 'ETHEREUM', perTransaction: '1' },
      { ...base, perTransaction: '0' },
    ],
  };
  assert.equal(await verdict(both, pay, { ...ON_BASE, byDefault: true }), 'transaction-limit');
  assert.equal(await verdict(both, pay), 'ok');
});

test('typed data is listed for a network only where it is good on no other', async () => {
  const typed = (chainId?: number) =>
    JSON.stringify({
      types: { Order: [{ name: 'value', type: 'uint256' }] },
      primaryType: 'Order',
      domain: { verifyingContract: VAULT, chainId },
      message: { value: '1' },
    });
  const signs = async (place: object, chainId?: number, network?: string) => {
    const entry = { secretType: 'ETHEREUM' as const, contract: VAULT, primaryType: 'Order', network };
    const rules = await rulesOf(Policy.parse({ ...limits('1'), signatures: { typedData: [entry] } }));
    const request = { type: 'ETHEREUM_TYPED_DATA', data: typed(chainId) } as ParsedSigning;
    const where = { secretType: 'ETHEREUM' as const, network: 'home', byDefault: true, ...place };
    return (await signatureViolation(rules, where, request))?.rule ?? 'ok';
  };
  assert.equal(await signs(ON_BASE, 8453, 'base'), 'ok');
  assert.equal(await signs(ON_BASE, undefined, 'base'), 'signatures');
  assert.equal(await signs(ON_BASE, 8453), 'signatures');
  assert.equal(await signs({}, 1, 'base'), 'signatures');
  assert.equal(await signs({}), 'ok');
});

test('every use of a key is checked against the policies first', () => {
  const folder = resolve(import.meta.dirname, '../../service');
  const users = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== join('custody', 'custody.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .filter((code) => /custody\.(?:withKey|withSession|exportKey)\(/.test(code));
  assert.ok(users.length >= 3);
  for (const code of users) assert.match(code, /guard\.admit(?:Transfer|Signature|Export)\(/);
});

test('every example in the documentation is a valid policy', async () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/policies.md'), 'utf8');
  const examples = [...page.matchAll(/^```json\n([^]*?)^```/gm)].map(
    ([, json]) => JSON.parse(json!) as unknown,
  );
  assert.ok(examples.length >= 4);
  for (const example of examples) await rulesOf(Policy.parse(example));
});

test('a contradictory policy is refused at the field', async () => {
  const path = async (policy: object): Promise<string> => {
    try {
      await rulesOf(Policy.parse(policy));
      return 'ok';
    } catch (error) {
      assert.ok(error instanceof RequestInvalidError);
      return error.issues.map((issue) => issue.path).join();
    }
  };
  const ether = { secretType: 'ETHEREUM' };
  const token = { ...ether, token: DOLLAR, decimals: 6 };
  assert.equal(await path({ limits: [ether, token] }), 'ok');
  assert.equal(await path({ limits: [token] }), 'limits.0');
  assert.equal(await path({ limits: [{ secretType: 'VECHAIN' }] }), 'limits.0');
  assert.equal(await path({ limits: [ether, ether] }), 'limits.1');
  assert.equal(await path({ limits: [ether, { ...token, decimals: undefined }] }), 'limits.1.decimals');
  assert.equal(await path({ limits: [{ ...ether, decimals: 18 }] }), 'limits.0.decimals');
  assert.equal(await path({ limits: [ether, { ...token, perDay: '0.0000001' }] }), 'limits.1.perDay');
  assert.equal(await path({ limits: [ether, { ...token, token: 'x' }] }), 'limits.1.token');
  assert.equal(await path({ recipients: [{ ...ether, address: '0x12' }] }), 'recipients.0.address');
  assert.equal(await path({ limits: [ether, { ...ether, network: 'base' }] }), 'ok');
  assert.equal(await path({ limits: [ether, { ...token, network: 'base' }] }), 'limits.1');
  const networks = parseNetworks({
    networks: [
      {
        id: 'polygon',
        secretType: 'ETHEREUM',
        name: 'Polygon',
        kind: 'mainnet',
        nodes: [],
        coin: { symbol: 'POL' },
      },
    ],
  });
  for (const [network, symbol] of [
    ['polygon', 'POL'],
    ['base', 'ETH'],
  ])
    await assert.rejects(rulesOf(Policy.parse({ limits: [{ ...token, network }] }), networks), {
      message: new RegExp(`what fees are paid in on ${network}, which count too: ${symbol}`),
    });
  const calls = (contract: string, ...functions: string[]) => [{ ...ether, contract, functions }];
  assert.equal(await path({ calls: calls('y', 'f()') }), 'calls.0.contract');
  assert.equal(await path({ calls: calls(VAULT, 'f()', 'deposit') }), 'calls.0.functions.1');
  assert.equal(await path({ calls: calls(VAULT, 'f(uint)') }), 'calls.0.functions.0');
  for (const name of ['transfer(address,uint256)', '0x095ea7b3'])
    assert.equal(await path({ limits: [ether, token], calls: calls(DOLLAR, name) }), 'calls.0.functions.0');
  const transfer = (more: object) => [{ ...ether, contract: DOLLAR, functions: ['0x095ea7b3'], ...more }];
  const onBase = [
    { ...ether, network: 'base' },
    { ...token, network: 'base' },
  ];
  for (const [of, by, where] of [
    [onBase, { network: 'base' }, 'calls.0.functions.0'],
    // A wallet's default network may be that one.
    [onBase, {}, 'calls.0.functions.0'],
    [[ether, token], { network: 'base' }, 'calls.0.functions.0'],
    [onBase, { network: 'other' }, 'ok'],
  ] as const)
    assert.equal(await path({ limits: of, calls: transfer(by) }), where);
  const hours = (timeZone: string, from: string, to: string) => ({
    hours: { timeZone, windows: [{ from, to }] },
  });
  assert.equal(await path(hours('Mars/Base', '08:00', '09:00')), 'hours.timeZone');
  assert.equal(await path(hours('UTC', '22:00', '06:00')), 'hours.windows.0.to');
  const permit = { ...ether, contract: DOLLAR, primaryType: 'PermitSingle' };
  assert.equal(await path({ signatures: { typedData: [permit] } }), 'signatures.typedData.0.primaryType');
  assert.equal(
    await path({ fourEyes: { above: [{ ...token, amount: '1' }], approvers: ['a'] } }),
    'fourEyes.above.0',
  );
});

test('while a policy with thousands of functions and addresses is read, others have their turns', async () => {
  const address = (n: number) => `0x${String(n).padStart(40, '0')}`;
  const recipients = Array.from({ length: 1000 }, (_, n) => ({
    secretType: 'ETHEREUM' as const,
    address: address(n),
  }));
  const functions = Array.from({ length: 1000 }, (_, n) => `f${n}(uint256)`);
  const calls = [1, 2, 3].map((n) => ({ secretType: 'ETHEREUM' as const, contract: address(n), functions }));
  for (const policy of [{ recipients }, { calls }]) {
    // Whatever has to be loaded.
    await rulesOf({ recipients: recipients.slice(0, 1) });
    const turns = await turnsWhile(() => rulesOf(policy));
    assert.ok(turns > 3, `${Object.keys(policy)[0]}: ${turns} turns`);
  }
});

test('while a transaction of hundreds of clauses is read and described, others have their turns', async () => {
  const chain = await loadChain('VECHAIN');
  const place = { from: OWN, network: { id: 'vechain', name: 'VeChain', tokens: [] } };
  const body = { blockRef: '0x0000000100000000', expiration: 10, gas: 1n, gasPriceCoef: 0, nonce: 1n };
  const facts = { vet: 0n, vtho: 0n, gasUsed: 1n, gasPrice: 1n, tokens: {}, addresses: {}, ran: [] };
  const draftOf = (count: number) => {
    const clauses = Array.from({ length: count }, (_, n) => ({
      to: DOLLAR,
      value: 0n,
      data: call('transfer', FRIEND, n),
    }));
    return { secretType: 'VECHAIN', ...place, ...body, clauses, dependsOn: null, facts } as never;
  };
  const readOutflow = (await loadOutflow('VECHAIN'))!;
  for (const read of [chain.describe, readOutflow]) {
    // Whatever has to be loaded.
    await read(draftOf(1));
    const turns = await turnsWhile(async () => read(draftOf(500)));
    assert.ok(turns > 3, `${turns} turns`);
  }
});
