import { expect } from '@open-wc/testing';
import { address, signBytes } from '../../../../src/chains/aeternity/account.ts';
import { decode58 } from '../../../../src/chains/aeternity/encoding.ts';
import type { AeternityDraft } from '../../../../src/chains/aeternity/draft.ts';
import { chain as aeternity } from '../../../../src/chains/aeternity/index.ts';
import { payloads } from '../../../../src/chains/aeternity/payload.ts';
import { feeAt, gasOf, serialize, signSpend } from '../../../../src/chains/aeternity/spend.ts';
import type { Known } from '../../../../src/chains/terms.ts';
import type { Summary, WarningCode } from '../../../../src/chains/approval/summary.ts';
import { bytesOf, concat, hexOf } from '../../../../src/base/bytes.ts';
import { ConnectError, RequestInvalidError } from '../../../../src/base/errors.ts';
import published from '../../../vectors/aeternity.vectors.json';
import { type Answers, fakeNode, NETWORK, quiet, refusal } from './fake-node.ts';
import { fromPage } from '../from-page.ts';

const chain = fromPage(aeternity, payloads);

type Row = Record<string, string> & { nonce: number; ttl: number };
const rows = (kind: string) => published.vectors.filter((v) => v.kind === kind) as unknown as Row[];

const KEY = bytesOf(`0x${'46'.repeat(32)}`);
const ME = await address(KEY);
const TO = 'ak_Egp9yVdpxmvAfQ7vsXGvpnyfNq71msbdUpkMNYGTeTe8kPL3v';
const NOBODY: Known = { used: [], own: [], reported: [] };
const QUIET = quiet(ME);
const COIN = 10n ** 18n;
/** The fee of a spend that serializes to 91 bytes. */
const USUAL = 16_820_000_000_000n;

const native = (change: object = {}) => ({
  type: 'AE_TRANSACTION',
  walletId: 'w',
  to: TO,
  value: COIN,
  ...change,
});

async function prepared(change: object = {}, answers: Answers = {}, known = NOBODY) {
  const fake = fakeNode({ ...QUIET, ...answers });
  const draft = await chain.prepare(native(change), ME, fake.node, known);
  expect(JSON.stringify(plain(structuredClone(draft)))).to.equal(JSON.stringify(plain(draft)));
  return { ...fake, draft, summary: await chain.describe(draft) };
}

const plain = (value: object) =>
  JSON.parse(JSON.stringify(value, (_key, v: unknown) => (typeof v === 'bigint' ? `${v}n` : v))) as object;
const codes = (summary: Summary) => summary.warnings.map((w) => w.code);
const waiting = (...txs: object[]) => ({
  [`/accounts/${ME}/transactions/pending`]: { transactions: txs.map((tx) => ({ tx })) },
});

async function failure(work: Promise<unknown>): Promise<ConnectError> {
  try {
    await work;
  } catch (error) {
    expect(error).to.be.instanceOf(ConnectError);
    return error as ConnectError;
  }
  throw new Error('did not fail');
}

const spendOf = (v: Row) => ({
  from: v['senderId']!,
  to: v['recipientId']!,
  amount: BigInt(v['amount']!),
  fee: BigInt(v['fee']!),
  ttl: v.ttl,
  nonce: v.nonce,
  payload: hexOf(new TextEncoder().encode(v['payload'])),
});

describe('Aeternity spends on the wire', () => {
  it('have the published bytes', () => {
    for (const v of [...rows('spend-rlp'), ...rows('spend').filter((row) => row['unsignedRlp'])])
      expect(serialize(spendOf(v)), v['name']).to.equal(`0x${v['unsignedRlp']}`);
  });

  it('have the published signatures, by the rule that each row follows', async () => {
    let seed: Uint8Array | undefined;
    for (const v of rows('spend')) {
      const spend = spendOf(v);
      const key = v['privateKey']
        ? bytesOf(`0x${v['privateKey']}`)
        : await chain.deriveKey((seed ??= bytesOf(`0x${rows('hd-wallet')[0]!['seed']}`)), 0);
      expect(await chain.address(key)).to.equal(spend.from);
      if (v['signedPayload']) {
        expect((await signSpend(spend, v['networkId']!, key)).raw).to.equal(v['signedTx']);
        continue;
      }
      const message = concat(new TextEncoder().encode(v['networkId']), bytesOf(serialize(spend)));
      const whole = atob(v['signedTx']!.slice(3));
      const signature = String.fromCharCode(...(await signBytes(message, key)));
      expect(whole.includes(signature), v['name']).to.equal(true);
    }
  });

  it('cost 15000 gas and 20 for each byte, the fee’s own among them', () => {
    const spend = { from: ME, to: TO, amount: COIN, ttl: 0, nonce: 10, payload: '0x' };
    for (const [payload, price] of [
      ['0x', 1n],
      ['0x', 10n ** 9n],
      [`0x${'00'.repeat(5)}`, 10n ** 9n],
      [`0x${'00'.repeat(70_000)}`, 10n ** 14n],
    ] as const) {
      const unpaid = { ...spend, payload };
      const fee = feeAt(price, unpaid);
      expect(fee).to.equal(gasOf({ ...unpaid, fee }) * price);
      expect(gasOf({ ...unpaid, fee })).to.equal(
        15_000n + 20n * BigInt(bytesOf(serialize({ ...unpaid, fee })).length),
      );
    }
  });
});

describe('preparing an Aeternity spend', () => {
  it('fills in everything in one round', async () => {
    const { draft, node, asked } = await prepared();
    expect(plain(draft)).to.deep.include({
      from: ME,
      to: TO,
      amount: `${COIN}n`,
      nonce: 4,
      ttl: 1010,
      payload: '0x',
      networkId: 'ae_local',
    });
    expect(draft.fee).to.equal(feeAt(10n ** 9n, draft));
    expect(node.rounds).to.equal(1);
    expect(asked.toSorted()).to.deep.equal(Object.keys(QUIET).toSorted());
  });

  it('uses the fields that the request sets', async () => {
    const { draft } = await prepared({ nonce: 9, ttl: 0, fee: 2n * USUAL, data: 'Hello' });
    expect(plain(draft)).to.deep.include({
      nonce: 9,
      ttl: 0,
      fee: `${2n * USUAL}n`,
      payload: '0x48656c6c6f',
    });
  });

  it('reads exact balances of any size, and says what is missing', async () => {
    const { summary } = await prepared(
      { value: '1234567890123456789012345' },
      { [`/accounts/${ME}`]: `{"balance":1234567890123456789012345,"nonce":0,"kind":"basic"}` },
    );
    expect(summary.balance.raw).to.equal(1234567890123456789012345n);
    expect(summary.shortOf!.amount.raw).to.equal(summary.fee.maximum.raw);
  });

  it('gives a wallet without deposits a balance of 0 and nonce 1', async () => {
    const gone = () => refusal(404, { reason: 'Account not found' });
    const { draft, summary } = await prepared(
      {},
      {
        [`/accounts/${ME}`]: gone(),
        [`/accounts/${ME}/next-nonce`]: gone(),
        [`/accounts/${ME}/transactions/pending`]: gone(),
      },
    );
    expect(draft.nonce).to.equal(1);
    expect(summary.shortOf!.have).to.equal(0n);
  });

  it('counts pending transactions, because a node queues unfunded ones too', async () => {
    const spend = { type: 'SpendTx', amount: '4000000000000000000', fee: 1, nonce: 4 };
    const { summary, draft } = await prepared(
      {},
      {
        [`/accounts/${ME}/next-nonce`]: { next_nonce: 6 },
        ...waiting(
          { ...spend, nonce: 3 },
          spend,
          { ...spend, amount: 7, fee: 0 },
          { type: 'ContractCallTx', fee: 5, nonce: 5, amount: 9 },
        ),
      },
    );
    expect(draft.nonce).to.equal(6);
    expect(summary.balance.raw).to.equal(COIN - 6n);
    expect(summary.shortOf!.need).to.equal(summary.total.raw);
    const instead = await prepared({ nonce: 4 }, waiting(spend));
    expect(instead.summary.balance.raw).to.equal(5n * COIN);
  });

  it('pays more while blocks are full, up to a limit, and the usual fee if the node does not say', async () => {
    const at = async (min_gas_price: number, utilization: number) => {
      const { draft } = await prepared(
        {},
        { '/recent-gas-prices': [{ minutes: 1, min_gas_price, utilization }] },
      );
      return draft.fee / gasOf(draft);
    };
    expect(await at(3e9, 69)).to.equal(10n ** 9n);
    expect(await at(3e9, 70)).to.equal(3_030_000_000n);
    expect(await at(5, 100)).to.equal(10n ** 9n);
    expect(await at(9e15, 100)).to.equal(10n ** 14n);
    const { draft } = await prepared(
      {},
      { '/recent-gas-prices': refusal(404, { reason: 'Block unexpectedly not found' }) },
    );
    expect(draft.fee / gasOf(draft)).to.equal(10n ** 9n);
  });

  it('refuses a nonce that was used, a height that has passed, and a fee below the minimum', async () => {
    const cases: [object, string, RegExp][] = [
      [{ nonce: 3 }, 'nonce', /the next one is 4/],
      [{ ttl: 1000 }, 'ttl', /at height 1000/],
      [{ fee: 16_000_000_000_000n }, 'fee', /at least 16\d{12} aettos/],
      [{ fee: 0 }, 'fee', /at least/],
    ];
    for (const [change, path, words] of cases) {
      const error = (await failure(prepared(change))) as RequestInvalidError;
      expect(error).to.be.instanceOf(RequestInvalidError);
      expect(error.issues[0]!.path).to.equal(path);
      expect(error.issues[0]!.message).to.match(words);
    }
  });

  it('takes build bodies in coins, and refuses anything that is not an amount of coins', async () => {
    const body = {
      type: 'TRANSFER',
      secretType: 'AETERNITY',
      walletId: 'w',
      to: TO,
      value: 1.5,
      data: 'Hello',
    };
    const { node } = fakeNode(QUIET);
    const draft = await chain.prepare(body, ME, node, NOBODY);
    expect(draft.amount).to.equal((3n * COIN) / 2n);
    expect(await chain.build(body, ME, node)).to.deep.equal({
      type: 'AE_TRANSACTION',
      walletId: 'w',
      to: TO,
      value: '1500000000000000000',
      data: '0x48656c6c6f',
    });
    const bad = await failure(chain.build({ ...body, value: '0.0000000000000000001' }, ME, node));
    expect((bad as RequestInvalidError).issues[0]!.path).to.equal('value');
    const unknown = await failure(chain.build({ ...body, to: 'someone@example.com' }, ME, node));
    expect(unknown.code).to.equal('recipient.unknown');
  });

  it('uses no node of another network, and no answer that is not a number', async () => {
    const other = await failure(prepared({}, { '/status': { network_id: 'ae_mainnet' } }));
    expect(other.code).to.equal('node.unreachable');
    expect(other.details['genesis']).to.equal('ae_mainnet');
    for (const bad of [-1, 1.5, 'many', null, '1e30']) {
      const error = await failure(
        prepared({}, { [`/accounts/${ME}`]: { balance: bad, nonce: 3, kind: 'basic' } }),
      );
      expect(error.code, String(bad)).to.equal('node.unreachable');
    }
    const refused = await failure(
      prepared({}, { [`/accounts/${ME}`]: refusal(400, { reason: 'Invalid public key' }) }),
    );
    expect(refused.message).to.contain('Invalid public key');
  });
});

describe('approving an Aeternity spend', () => {
  it('shows the memo, the end and the exact fee', async () => {
    const { summary, draft } = await prepared({ data: 'Für Änne\n😀' });
    expect(summary.kind).to.equal('transfer');
    expect(summary.to).to.equal(TO);
    expect(summary.networkName).to.equal('Local Aeternity');
    expect(summary.fee.expected.raw).to.equal(draft.fee);
    expect(summary.fee.maximum.raw).to.equal(draft.fee);
    expect(summary.total.raw).to.equal(COIN + draft.fee);
    expect(summary.facts).to.deep.equal([
      { code: 'memo', value: 'Für Änne\n😀' },
      { code: 'expires', value: '1010' },
    ]);
    expect((await prepared({ ttl: 0 })).summary.facts).to.deep.equal([]);
  });

  it('shows bytes that are not plain text as hex', async () => {
    for (const data of ['0xff00', '0x00', '0xe280ae61'])
      expect((await prepared({ data })).summary.facts![0]).to.deep.equal({ code: 'memo', value: data });
  });

  it('warns about what the user should know', async () => {
    const twin = `${TO.slice(0, 7)}${'x'.repeat(20)}${TO.slice(-4)}`;
    const cases: [WarningCode, object, Answers, Partial<Known>][] = [
      ['first-recipient', {}, {}, {}],
      ['reported-address', {}, {}, { reported: [TO.toLowerCase()] }],
      ['resembles-known', {}, {}, { used: [twin] }],
      ['fee-ceiling', { fee: COIN / 10n + 1n }, {}, {}],
      ['fee-share', { fee: COIN / 100n }, {}, {}],
      ['fee-share', { value: 20_000_000_000_000n }, {}, {}],
      ['burn-address', { to: 'ak_11111111111111111111111111111111273Yts' }, {}, {}],
      ['nonce-gap', { nonce: 6 }, {}, {}],
      ['replaces-pending', { nonce: 4 }, { [`/accounts/${ME}/next-nonce`]: { next_nonce: 5 } }, {}],
      ['will-fail', {}, { [`/accounts/${ME}`]: { balance: '5', nonce: 3, kind: 'generalized' } }, {}],
    ];
    for (const [code, change, answers, known] of cases) {
      const { summary } = await prepared(change, answers, { ...NOBODY, ...known });
      expect(codes(summary), code).to.include(code);
      const levels = summary.warnings.map((w) => (w.level === 'danger' ? (w.tick ? 2 : 1) : 0));
      expect(levels).to.deep.equal(levels.toSorted((a, b) => b - a));
    }
    expect(codes((await prepared({}, {}, { ...NOBODY, used: [TO] })).summary)).to.deep.equal([]);
  });

  it('uses the network’s own ceiling', async () => {
    const draft = (await prepared()).draft;
    const network = { ...NETWORK, feeCeiling: '1' };
    expect(codes(await chain.describe({ ...draft, network }))[0]).to.equal('fee-ceiling');
  });
});

describe('replacing a pending Aeternity spend', () => {
  const again = async (draft: AeternityDraft, how: 'speed-up' | 'cancel', answers: Answers = {}) => {
    const { node } = fakeNode({ ...QUIET, [`/accounts/${ME}/next-nonce`]: { next_nonce: 5 }, ...answers });
    const next = await chain.replace(draft, how, node);
    return { next, node, summary: await chain.describe(next) };
  };

  it('speeds up by the same spend with a higher fee, in one round', async () => {
    const { draft } = await prepared({ data: 'Hello' });
    const { next, node, summary } = await again(
      draft,
      'speed-up',
      waiting({ type: 'SpendTx', amount: '1', fee: 1, nonce: 4 }),
    );
    expect(plain(next)).to.deep.include({
      to: TO,
      nonce: draft.nonce,
      payload: draft.payload,
      amount: `${COIN}n`,
    });
    expect(next.fee > draft.fee).to.equal(true);
    expect(next.fee >= gasOf(next) * 10n ** 9n).to.equal(true);
    expect(summary.balance.raw).to.equal(5n * COIN);
    expect(node.rounds).to.equal(1);
    expect(codes(summary)).to.include('replaces-pending');
  });

  it('cancels by moving nothing to the wallet itself, with a higher fee though it is shorter', async () => {
    const { draft } = await prepared({ data: 'x'.repeat(2000) });
    const { next, summary } = await again(draft, 'cancel');
    expect(plain(next)).to.deep.include({ to: ME, nonce: draft.nonce, payload: '0x', amount: '0n' });
    expect(next.fee > draft.fee).to.equal(true);
    expect(codes(summary)).to.deep.equal(['replaces-pending']);
  });

  it('does not end before the first one', async () => {
    for (const [ttl, expected] of [
      [0, 0],
      [5000, 5000],
      [1001, 1010],
    ] as const)
      expect((await again((await prepared({ ttl })).draft, 'speed-up')).next.ttl).to.equal(expected);
  });

  it('refuses once the first one is mined', async () => {
    const { draft } = await prepared();
    const error = await failure(
      again(draft, 'cancel', { [`/accounts/${ME}`]: { balance: '1', nonce: 4, kind: 'basic' } }),
    );
    expect(error.code).to.equal('transaction.refused');
  });
});

describe('sending an Aeternity spend', () => {
  const signed = { raw: 'tx_abc', hash: 'th_abc' };
  const sent = (answer: unknown, more: Answers = {}) => {
    const fake = fakeNode({ ...QUIET, '/transactions': answer, ...more });
    return { ...fake, done: chain.broadcast(signed, fake.node) };
  };
  const bad = (error_code: string) => refusal(400, { reason: 'Invalid tx', error_code });

  it('posts what was signed', async () => {
    const { done, posted, node } = sent({ tx_hash: 'th_abc' });
    expect(await done).to.equal('th_abc');
    expect(posted).to.deep.equal(['{"tx":"tx_abc"}']);
    expect(node.rounds).to.equal(1);
  });

  it('counts a transaction that the network already has as sent', async () => {
    expect(await sent(bad('already_accepted')).done).to.equal('th_abc');
    const found = { '/transactions/th_abc': { block_hash: 'none', block_height: -1, tx: { fee: 1 } } };
    expect(await sent(bad('already_known'), found).done).to.equal('th_abc');
    expect(await sent(bad('nonce_too_low'), found).done).to.equal('th_abc');
  });

  it('keeps the node’s reason for a refusal', async () => {
    for (const code of ['nonce_too_low', 'too_low_fee', 'ttl_expired', 'signature_check_failed']) {
      const error = await failure(sent(bad(code)).done);
      expect(error.code).to.equal('transaction.refused');
      expect(error.details['reason']).to.equal(code);
    }
    const other = await failure(sent(refusal(400, { reason: 'Invalid api encoding' })).done);
    expect(other.details['reason']).to.equal('Invalid api encoding');
    expect((await failure(sent(refusal(503, { reason: 'Not yet started' })).done)).code).to.equal(
      'node.unreachable',
    );
  });

  it('needs only one node to accept it', async () => {
    const { node } = fakeNode(
      { 'one.example/transactions': bad('ttl_expired'), 'two.example/transactions': { tx_hash: 'th_abc' } },
      { ...NETWORK, nodes: ['http://one.example', 'http://two.example'] },
    );
    expect(await chain.broadcast(signed, node)).to.equal('th_abc');
  });

  it('reports what became of it', async () => {
    const tx = '"tx":{"type":"SpendTx","amount":1,"fee":16820000000000000,"nonce":4}';
    const of = (answer: unknown) =>
      chain.receipt('th_abc', fakeNode({ ...QUIET, '/transactions/th_abc': answer }).node);
    expect(await of(`{"block_height":-1,"block_hash":"none",${tx}}`)).to.deep.equal({ state: 'pending' });
    const mined = await of(`{"block_height":5,"block_hash":"mh_x",${tx}}`);
    expect(mined.state).to.equal('confirmed');
    expect(mined.fee).to.equal(16_820_000_000_000_000n);
    expect(await of(undefined)).to.deep.equal({ state: 'unknown' });
    expect(await of(refusal(410, { reason: 'Transaction was garbage collected' }))).to.deep.equal({
      state: 'unknown',
    });
  });

  it('has failed once no block can take it any more', async () => {
    const state = async (ttl: number, height: number) => {
      const { draft } = await prepared({ ttl });
      const { raw } = await chain.sign(draft, KEY);
      const { node } = fakeNode({ ...QUIET, '/key-blocks/current/height': { height } });
      const found = await chain.status('th_abc', node, raw);
      expect(node.rounds).to.equal(1);
      return found;
    };
    expect(await state(1005, 1005)).to.equal('unknown');
    expect(await state(1005, 1006)).to.equal('failed');
    expect(await state(0, 1006)).to.equal('unknown');
  });

  it('has not failed by the word of a proxy, nor by that of a node beside another one’s height', async () => {
    const { draft } = await prepared({ ttl: 1005 });
    const { raw } = await chain.sign(draft, KEY);
    const proxies = [
      refusal(404, { message: 'no Route matched' }),
      refusal(404, '<h1>Not found</h1>'),
      refusal(403, { reason: 'Transaction not found' }),
    ];
    for (const proxy of proxies) {
      const answers = {
        ...QUIET,
        '/key-blocks/current/height': { height: 2000 },
        'one.example/transactions/th_abc': proxy,
      };
      const only = fakeNode(answers);
      expect((await failure(chain.status('th_abc', only.node, raw))).code).to.equal('node.unreachable');
      const two = fakeNode(answers, { ...NETWORK, nodes: ['http://one.example', 'http://two.example'] });
      expect(await chain.status('th_abc', two.node, raw)).to.equal('unknown');
    }
  });
});

describe('Aeternity balances', () => {
  it('are exact, and 0 where nothing was received', async () => {
    const { node } = fakeNode(QUIET);
    expect(await chain.balance(ME, node)).to.deep.equal({
      available: true,
      secretType: 'AETERNITY',
      balance: 5,
      gasBalance: 5,
      symbol: 'AE',
      gasSymbol: 'AE',
      rawBalance: '5000000000000000000',
      rawGasBalance: '5000000000000000000',
      decimals: 18,
    });
    expect((await chain.balance(TO, node)).rawBalance).to.equal('0');
  });

  it('can be sent except for the fee', async () => {
    const { node } = fakeNode({ ...QUIET, ...waiting({ type: 'SpendTx', amount: '1', fee: 1, nonce: 5 }) });
    const value = await chain.maxSpendable(ME, TO, node);
    const draft = await chain.prepare(native({ value }), ME, node, NOBODY);
    expect((await chain.describe(draft)).shortOf).to.equal(undefined);
    expect(5n * COIN - 2n - value - draft.fee <= 20n * 10n ** 9n).to.equal(true);
    expect(await chain.maxSpendable(TO, undefined, node)).to.equal(0n);
    const data = `0x${'ab'.repeat(500)}`;
    const most = await chain.maxSpendable(ME, TO, node, data);
    const memo = await chain.prepare(native({ value: most, data }), ME, node, NOBODY);
    expect((await chain.describe(memo)).shortOf).to.equal(undefined);
    expect(memo.fee > draft.fee && 5n * COIN - 2n - most - memo.fee <= 20n * 10n ** 9n).to.equal(true);
  });

  it('have no tokens', async () => {
    expect(await chain.tokenBalances()).to.deep.equal([]);
    expect((await failure(chain.token())).code).to.equal('chain.not-supported');
  });

  it('decode58 refuses any other length', () => {
    expect(decode58('ak_11111111')).to.equal(undefined);
  });
});
