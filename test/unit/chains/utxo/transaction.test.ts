import { expect } from '@open-wc/testing';
import { BITCOIN } from '../../../../src/chains/bitcoin/profile.ts';
import type { Known } from '../../../../src/chains/terms.ts';
import { hexOf } from '../../../../src/base/bytes.ts';
import { LITECOIN } from '../../../../src/chains/litecoin/profile.ts';
import { publicKey } from '../../../../src/chains/keys/secp256k1.ts';
import { decodeAddress, p2pkhAddress } from '../../../../src/chains/utxo/address.ts';
import { hash160 } from '../../../../src/chains/utxo/script.ts';
import { readOrder } from '../../../../src/swaps/cross-chain/thorchain/terms.ts';
import type { ConnectError } from '../../../../src/base/errors.ts';
import { type FakeCoin, type FakeEsplora, fakeEsplora, GENESIS, networkOf } from './fake-esplora.ts';
import { fromPage } from '../from-page.ts';
import {
  bitcoin as bitcoinChain,
  bitcoinPayloads,
  litecoin as litecoinChain,
  litecoinPayloads,
} from '../../../families.ts';

const bitcoin = fromPage(bitcoinChain, bitcoinPayloads);
const litecoin = fromPage(litecoinChain, litecoinPayloads);

const KEY = new Uint8Array(32).fill(1);
const OWNER = publicKey(KEY, 'compressed');
const OTHER = publicKey(new Uint8Array(32).fill(2), 'compressed');
const ME = bitcoin.address(KEY, 'local');
const TO = bitcoin.address(new Uint8Array(32).fill(2), 'local');
const script = (address: string) => decodeAddress(BITCOIN, address)!.script;
const NOBODY: Known = { used: [], own: [], reported: [] };

function holding(coins: readonly FakeCoin[], more: FakeEsplora = {}) {
  return fakeEsplora({ coins: [{ address: ME, script: script(ME), coins }], ...more });
}
const pay = (value: number | bigint, more: object = {}) => ({
  type: 'BTC_TRANSACTION',
  walletId: 'w',
  to: TO,
  value,
  ...more,
});
async function caught(work: Promise<unknown>): Promise<ConnectError> {
  try {
    await work;
  } catch (error) {
    return error as ConnectError;
  }
  throw new Error('It was accepted.');
}

describe('Preparing Bitcoin and Litecoin transactions', () => {
  it('takes the rate of the node for about three blocks, in one round', async () => {
    const { node, requests } = holding([{ value: 1_000_000n }]);
    const draft = await bitcoin.prepare(pay(100_000), ME, node, NOBODY);
    expect(node.rounds).to.equal(1);
    expect(requests.sort().join('\n')).to.equal(
      ['GET /block-height/0', 'GET /fee-estimates', `GET /address/${ME}/utxo`].sort().join('\n'),
    );
    const { facts, fee, total, balance } = await bitcoin.describe(draft);
    expect(facts!.map(({ code, value, amount }) => `${code} ${value ?? amount!.raw}`).join('; ')).to.equal(
      `fee-rate 12.26 sat/vB; size 141; inputs 1; change ${1_000_000n - 100_000n - 1728n}`,
    );
    // 141 vB at 12.25 satoshi, rounded up.
    expect(fee.maximum.raw === 1728n && fee.expected.raw === 1728n).to.equal(true);
    expect(total.raw === 101_728n && balance.raw === 1_000_000n).to.equal(true);
  });

  it('bounds a node’s fee rates, and works without them', async () => {
    const rates = async (answer: unknown) => {
      const { node } = holding([{ value: 10_000_000n }], { answers: { 'GET /fee-estimates': answer } });
      const { fee } = await bitcoin.prepare(pay(100_000), ME, node, NOBODY);
      return Number(fee) / 141;
    };
    expect(await rates({ '3': 0.2 })).to.equal(1);
    expect(await rates({ '3': 1e12 })).to.equal(2000);
    expect(await rates({ '2': 5, '144': 1 })).to.equal(5);
    for (const none of [{}, { '3': 'fast' }, { '3': -1 }, [], new Error('endpoint does not exist')])
      expect(await rates(none)).to.equal(10);
  });

  it('prefers the request’s rate to the node’s', async () => {
    const { node } = holding([{ value: 1_000_000n }]);
    const draft = await bitcoin.prepare(pay(100_000, { feePerByte: 2.5 }), ME, node, NOBODY);
    expect(draft.fee === 353n).to.equal(true);

    const from = litecoin.address(KEY, 'local');
    const coins = [{ address: from, script: script(ME), coins: [{ value: 1_000_000n }] }];
    const { node: other } = fakeEsplora({ network: networkOf('LITECOIN'), coins });
    const to = litecoin.address(new Uint8Array(32).fill(2), 'local');
    const request = { type: 'LTC_TRANSACTION', walletId: 'w', to, value: 100_000, feePerKiloByte: 2500 };
    expect((await litecoin.prepare(request, from, other, NOBODY)).fee === 353n).to.equal(true);
  });

  it('refuses addresses of another network at `to`', async () => {
    const { node } = holding([]);
    for (const [to, words] of [
      ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'live network; this wallet is on Local Bitcoin'],
      [
        'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
        'a Bitcoin test network; this wallet is on Local Bitcoin',
      ],
    ] as const) {
      const error = await caught(bitcoin.prepare(pay(100_000, { to }), ME, node, NOBODY));
      expect(error.code).to.equal('request.invalid');
      expect(error.message).to.match(/^to: /).and.include(words);
    }
  });

  it('finds nobody by e-mail yet, and builds native requests from bodies', async () => {
    const { node } = holding([]);
    const body = { type: 'TRANSFER', secretType: 'BITCOIN', walletId: 'w', to: 'a@b.example', value: '0.5' };
    expect((await caught(bitcoin.prepare(body, ME, node, NOBODY))).code).to.equal('recipient.unknown');
    const built = await bitcoin.build({ ...body, to: TO, type: 'GAS_TRANSFER' }, ME, node);
    expect(JSON.stringify(built)).to.equal(
      JSON.stringify({ type: 'BTC_TRANSACTION', walletId: 'w', to: TO, value: '50000000' }),
    );
    expect(await bitcoin.build(pay(1000), ME, node)).to.have.property('to', TO);
  });

  it('checks the amount of every coin when there are several', async () => {
    const coins = [{ value: 60_000n }, { value: 50_000n }];
    const honest = holding(coins);
    expect((await bitcoin.prepare(pay(100_000), ME, honest.node, NOBODY)).inputs.length).to.equal(2);
    expect(honest.node.rounds).to.equal(2);

    const lying = holding(coins);
    const [first] = lying.outpoints;
    const listed = lying.answers[`GET /address/${ME}/utxo`] as { txid: string; value: number }[];
    listed.find(({ txid }) => txid === first!.txid)!.value = 61_000;
    const error = await caught(bitcoin.prepare(pay(100_000), ME, lying.node, NOBODY));
    expect(error.message).to.include('wrong amount');

    const other = holding(coins);
    other.answers[`GET /tx/${other.outpoints[0]!.txid}/hex`] =
      other.answers[`GET /tx/${other.outpoints[1]!.txid}/hex`];
    expect((await caught(bitcoin.prepare(pay(100_000), ME, other.node, NOBODY))).code).to.equal(
      'node.unreachable',
    );
  });

  it('refuses invalid answers about coins', async () => {
    const coin = { txid: 'aa'.repeat(32), vout: 0, value: 1000, status: { confirmed: true } };
    for (const change of [
      { txid: 'aa' },
      { vout: -1 },
      { vout: 0.5 },
      { value: -5 },
      { value: 1.5 },
      { value: 'x' },
      { value: null },
      { value: '8400000000000001' },
      { value: '18446744073709552616' },
    ]) {
      const { node } = fakeEsplora({ answers: { [`GET /address/${ME}/utxo`]: [{ ...coin, ...change }] } });
      const error = await caught(bitcoin.prepare(pay(1_000), ME, node, NOBODY));
      expect(error.code, JSON.stringify(change)).to.equal('node.unreachable');
    }
  });

  it('spends its own unconfirmed change, and reports incoming coins', async () => {
    const mine = holding([{ value: 500_000n, confirmed: false, spender: OWNER }]);
    expect(
      (await bitcoin.describe(await bitcoin.prepare(pay(100_000), ME, mine.node, NOBODY))).shortOf,
    ).to.equal(undefined);
    expect(mine.node.rounds).to.equal(2);

    const theirs = holding([{ value: 30_000n }, { value: 500_000n, confirmed: false, spender: OTHER }]);
    const draft = await bitcoin.prepare(pay(100_000), ME, theirs.node, NOBODY);
    const { shortOf, warnings, balance } = await bitcoin.describe(draft);
    expect(shortOf!.have === 30_000n && balance.raw === 530_000n).to.equal(true);
    expect(warnings[0]!.code).to.equal('unconfirmed-coins');
    expect(warnings[0]!.params!['amount']).to.equal('0.005');
    expect((await caught(bitcoin.sign(draft, KEY))).code).to.equal('transaction.insufficient-funds');
  });

  it('never counts coins that cost more than they are worth: without enough others nothing can be approved', async () => {
    const { node } = holding([{ value: 10_000n }, ...Array.from({ length: 5 }, () => ({ value: 600n }))]);
    const draft = await bitcoin.prepare(pay(9_500, { feePerByte: 20 }), ME, node, NOBODY);
    const { shortOf, warnings, balance } = await bitcoin.describe(draft);
    // 110 vB for one coin and one output.
    expect([shortOf!.need, shortOf!.have, shortOf!.amount.raw, balance.raw].map(String)).to.deep.equal([
      '11700',
      '10000',
      '1700',
      '13000',
    ]);
    expect(warnings.find(({ code }) => code === 'small-coins')!.params).to.deep.equal({
      amount: '0.00003',
      symbol: 'BTC',
    });
    expect(warnings.some(({ code }) => code === 'unconfirmed-coins')).to.equal(false);
    expect((await caught(bitcoin.sign(draft, KEY))).code).to.equal('transaction.insufficient-funds');
    const cheap = holding([{ value: 10_000n }, ...Array.from({ length: 5 }, () => ({ value: 600n }))]);
    const paid = await bitcoin.prepare(pay(9_500, { feePerByte: 1 }), ME, cheap.node, NOBODY);
    expect((await bitcoin.describe(paid)).shortOf).to.equal(undefined);
  });

  it('says when more coins would be needed than one transaction can spend, and how much can be sent', async () => {
    const many = () => holding(Array.from({ length: 300 }, () => ({ value: 10_000n })));
    const asked = pay(2_000_000, { feePerByte: 1 });
    const draft = await bitcoin.prepare(asked, ME, many().node, NOBODY);
    const { shortOf, warnings } = await bitcoin.describe(draft);
    expect(shortOf!.have.toString()).to.equal('1000000');
    const said = warnings.find(({ code }) => code === 'many-coins')!;
    expect([said.level, said.params]).to.deep.equal(['danger', { coins: '300', atOnce: '100' }]);
    // Exactly that can be sent, and no more.
    const most = said.amount!.raw;
    const { node } = many();
    const fits = await bitcoin.prepare({ ...asked, value: most }, ME, node, NOBODY);
    expect((await bitcoin.describe(fits)).shortOf).to.equal(undefined);
    expect(fits.inputs.length).to.equal(100);
    const over = await bitcoin.prepare({ ...asked, value: most + 1n }, ME, node, NOBODY);
    expect((await bitcoin.describe(over)).shortOf!.amount.raw.toString()).to.equal('1');
    // All 300 are not enough for this: that is no matter of their number.
    const poor = await bitcoin.prepare(pay(2_999_000, { feePerByte: 1 }), ME, node, NOBODY);
    expect((await bitcoin.describe(poor)).warnings.map(({ code }) => code)).to.not.include('many-coins');
  });

  it('combines many coins into one', async () => {
    const coins = Array.from({ length: 150 }, (_, i) => ({ value: 10_000n + BigInt(i) }));
    const { node } = holding([...coins, { value: 10n }, { value: 10n ** 6n, confirmed: false }]);
    expect(await bitcoin.combine!.find(ME, node)).to.equal(150);
    const draft = await bitcoin.combine!.prepare(ME, node);
    expect(draft.inputs.length).to.equal(100);
    expect(draft.inputs.every(({ value }) => value >= 10_050n)).to.equal(true);
    const summary = await bitcoin.describe(draft);
    expect([summary.from, summary.to, summary.shortOf]).to.deep.equal([ME, ME, undefined]);
    const held = draft.inputs.reduce((sum, { value }) => sum + value, 0n);
    expect(draft.outputs).to.deep.equal([{ value: held - draft.fee, script: script(ME) }]);
    expect((await bitcoin.sign(draft, KEY)).hash).to.match(/^[0-9a-f]{64}$/);
    const few = holding(coins.slice(0, 100));
    expect(await bitcoin.combine!.find(ME, few.node)).to.equal(0);
  });

  it('sends the whole balance, even if the estimate rose a little since', async () => {
    const coins = [{ value: 300_000n }, { value: 200_000n }];
    const { node } = holding(coins);
    const most = await bitcoin.maxSpendable!(ME, TO, node);
    expect((await bitcoin.prepare(pay(most), ME, node, NOBODY)).outputs.length).to.equal(1);
    const risen = holding(coins, { answers: { 'GET /fee-estimates': { '3': 14 } } });
    const draft = await bitcoin.prepare(pay(most), ME, risen.node, NOBODY);
    expect((await bitcoin.describe(draft)).shortOf).to.equal(undefined);
    expect(draft.fee === 500_000n - most).to.equal(true);
    const soared = holding(coins, { answers: { 'GET /fee-estimates': { '3': 40 } } });
    const { shortOf, fee } = await bitcoin.describe(
      await bitcoin.prepare(pay(most), ME, soared.node, NOBODY),
    );
    // The insufficient draft shows how much can be sent.
    expect(shortOf!.have - fee.maximum.raw === (await bitcoin.maxSpendable!(ME, TO, soared.node))).to.equal(
      true,
    );
    expect((await bitcoin.maxSpendable!(ME, undefined, holding([]).node)) === 0n).to.equal(true);
  });

  it('warns about what the user should check', async () => {
    const codes = async (known: Partial<Known>, more: object = {}, estimate = 12) => {
      const { node } = holding([{ value: 100_000_000n }], {
        answers: { 'GET /fee-estimates': { '3': estimate } },
      });
      const draft = await bitcoin.prepare(pay(100_000, more), ME, node, { ...NOBODY, ...known });
      return (await bitcoin.describe(draft)).warnings
        .map(({ code, level, tick }) => `${code}:${level}${tick ? '!' : ''}`)
        .join();
    };
    const twin = `${TO.slice(0, 12)}${'q'.repeat(20)}${TO.slice(-4)}`;
    expect(await codes({})).to.equal('first-recipient:caution');
    expect(await codes({ used: [TO] })).to.equal('');
    expect(await codes({ own: [TO] })).to.equal('');
    expect(await codes({}, { to: ME })).to.equal('');
    expect(await codes({ used: [TO], reported: [TO] })).to.equal('reported-address:danger!');
    expect(await codes({ used: [twin] })).to.equal('resembles-known:danger!,first-recipient:caution');
    expect(await codes({ used: [TO] }, {}, 1000)).to.equal('fee-ceiling:danger!');
    // 141 vB: five times the node's rate, and one more; then above a fifth of the amount.
    expect(await codes({ used: [TO] }, { feePerByte: 60 })).to.equal('');
    expect(await codes({ used: [TO] }, { feePerByte: 61 })).to.equal('fee-share:caution');
    expect(await codes({ used: [TO] }, {}, 141)).to.equal('');
    expect(await codes({ used: [TO] }, {}, 142)).to.equal('fee-share:caution');
  });

  it('shows the usual form of a Litecoin address that looks like a Bitcoin one', async () => {
    const kind = { kind: 'mainnet' as const };
    const from = litecoin.address(KEY, 'mainnet');
    const coins = [{ address: from, script: script(ME), coins: [{ value: 1_000_000n }] }];
    const { node } = fakeEsplora({ network: networkOf('LITECOIN', kind), coins });
    const request = {
      type: 'LTC_TRANSACTION',
      walletId: 'w',
      to: '3L1YkZjdeNSqaZcNKZFXQfyokx3zVYm7r6',
      value: 100_000,
    };
    const { warnings } = await litecoin.describe(
      await litecoin.prepare(request, from, node, { ...NOBODY, used: [request.to] }),
    );
    expect(warnings[0]!.code).to.equal('shared-form');
    expect(warnings[0]!.params!['usual']).to.match(/^M/);
  });

  it('signs a draft that was stored, to the same bytes each time', async () => {
    const { node } = holding([{ value: 1_000_000n }]);
    const draft = await bitcoin.prepare(pay(100_000), ME, node, NOBODY);
    const one = await bitcoin.sign(structuredClone(draft), KEY);
    expect(one.raw).to.match(/^0x[0-9a-f]+$/);
    expect(one.hash).to.match(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(await bitcoin.sign(draft, KEY))).to.equal(JSON.stringify(one));
    const error = await caught(bitcoin.sign(draft, new Uint8Array(32).fill(9)));
    expect(error.message).to.include('another key');
  });

  it('counts confirmed and pending coins in the balance, exactly', async () => {
    const stats = (funded: number, spent: number) => ({ funded_txo_sum: funded, spent_txo_sum: spent });
    const answers = {
      [`GET /address/${ME}`]: { chain_stats: stats(300_000, 100_000), mempool_stats: stats(50_000, 20_000) },
    };
    const balance = await bitcoin.balance(ME, fakeEsplora({ answers }).node);
    expect(balance.rawBalance).to.equal('230000');
    expect(balance.balance).to.equal(0.0023);
    const large = JSON.stringify({ chain_stats: 0, mempool_stats: 0 })
      .replace('0', '{"funded_txo_sum":2099999999999999,"spent_txo_sum":0}')
      .replace('"mempool_stats":0', '"mempool_stats":{"funded_txo_sum":0,"spent_txo_sum":0}');
    const { node } = fakeEsplora({ answers: { [`GET /address/${ME}`]: large } });
    expect((await bitcoin.balance(ME, node)).rawBalance).to.equal('2099999999999999');
    expect((await bitcoin.tokenBalances(ME, [], node)).length).to.equal(0);
    expect((await caught(bitcoin.token(ME, node))).code).to.equal('request.invalid');
  });

  it('reports what became of a transaction', async () => {
    const hash = 'cd'.repeat(32);
    const of = (answer: unknown) => fakeEsplora({ answers: { [`GET /tx/${hash}`]: answer } }).node;
    const receipt = async (answer: unknown) => {
      const { state, fee } = await bitcoin.receipt(hash, of(answer));
      return `${state} ${fee}`;
    };
    expect(await receipt({ fee: 141, status: { confirmed: false } })).to.equal('pending 141');
    expect(await receipt({ fee: 141, status: { confirmed: true, block_height: 5 } })).to.equal(
      'confirmed 141',
    );
    expect(await receipt(undefined)).to.equal('unknown undefined');
    expect(await bitcoin.status(hash, of({ status: { confirmed: true, block_height: 5 } }))).to.equal(
      'confirmed',
    );
    expect((await caught(bitcoin.status(hash, of(new Error('Invalid hash string'))))).code).to.equal(
      'node.unreachable',
    );
  });

  it('words the refusals of nodes, and counts “already known” as success', async () => {
    const hash = 'cd'.repeat(32);
    const send = (words: string, more: object = {}) => {
      const bodies: string[] = [];
      const answers = {
        'POST /tx': (body: string) => {
          bodies.push(body);
          return words === '' ? hash : new Error(words);
        },
        ...more,
      };
      return { sent: bitcoin.broadcast({ raw: '0xabcd', hash }, fakeEsplora({ answers }).node), bodies };
    };
    const rpc = (code: number, message: string) =>
      `sendrawtransaction RPC error: ${JSON.stringify({ code, message })}`;
    const { sent, bodies } = send('');
    expect(await sent).to.equal(hash);
    expect(bodies.join()).to.equal('abcd');
    for (const words of [
      rpc(-27, 'Transaction already in block chain'),
      rpc(-27, 'Transaction outputs already in utxo set'),
      rpc(-26, 'txn-already-in-mempool'),
      rpc(-26, 'txn-already-known'),
    ])
      expect(await send(words).sent, words).to.equal(hash);
    expect((await caught(send(rpc(-26, 'dust')).sent)).details['reason']).to.equal('dust');
    expect(
      (await caught(send('sendrawtransaction RPC error: {"code":-26}').sent)).details['reason'],
    ).to.equal('error -26');
    expect((await caught(send(rpc(-26, 'txn-mempool-conflict')).sent)).message).to.include('no replacement');
    const spent = rpc(-25, 'bad-txns-inputs-missingorspent');
    expect((await caught(send(spent).sent)).code).to.equal('transaction.refused');
    expect(
      await send(spent, { [`GET /tx/${hash}`]: { status: { confirmed: true, block_height: 5 } } }).sent,
    ).to.equal(hash);
  });

  it('does not use a node of another network', async () => {
    const network = networkOf('BITCOIN', { genesis: GENESIS });
    expect(
      (await bitcoin.prepare(pay(100_000), ME, holding([{ value: 1_000_000n }], { network }).node, NOBODY))
        .inputs.length,
    ).to.equal(1);
    const error = await caught(
      bitcoin.prepare(
        pay(100_000),
        ME,
        holding([], { network: networkOf('BITCOIN', { genesis: '12'.repeat(32) }) }).node,
        NOBODY,
      ),
    );
    expect(error.details['reason']).to.equal('network-id');
  });

  it('outbids by the rules of BIP-125, also where the change no longer fits', async () => {
    for (const left of [3_000n, 2_200n, 1_900n, 1_700n, 1_500n, 1_300n]) {
      const { node, answers } = holding([{ value: 500_000n }, { value: 40_000n }], {
        answers: { 'GET /fee-estimates': { '3': 7 } },
      });
      const first = await bitcoin.prepare(pay(500_000n - left), ME, node, NOBODY);
      expect(first.inputs.length).to.equal(1);
      const { hash } = await bitcoin.sign(first, KEY);
      const rest = (answers[`GET /address/${ME}/utxo`] as { value: number }[]).filter(
        ({ value }) => value === 40_000,
      );
      const change = first.outputs
        .slice(1)
        .map(({ value }) => ({ txid: hash, vout: 1, value: Number(value), status: { confirmed: false } }));
      answers[`GET /address/${ME}/utxo`] = [...rest, ...change];
      answers[`GET /tx/${hash}`] = { fee: Number(first.fee), status: { confirmed: false } };
      const second = await bitcoin.replace!(first, 'speed-up', node);
      const { size } = second;
      expect(second.fee >= first.fee + BigInt(size), `${left}: ${second.fee} after ${first.fee}`).to.equal(
        true,
      );
      expect(second.fee * BigInt(first.size) > first.fee * BigInt(size)).to.equal(true);
      expect(second.value === first.value && second.to === first.to).to.equal(true);
      expect((await bitcoin.describe(second)).shortOf).to.equal(undefined);
      const replaces = async (draft: typeof first) =>
        (await bitcoin.describe(draft)).warnings.some(({ code }) => code === 'replaces-pending');
      expect([await replaces(first), await replaces(second)]).to.deep.equal([false, true]);
      expect((await bitcoin.sign(second, KEY)).hash).to.not.equal(hash);

      answers[`GET /tx/${hash}`] = { fee: 1, status: { confirmed: true, block_height: 5 } };
      expect((await caught(bitcoin.replace!(first, 'cancel', node))).details['reason']).to.equal('confirmed');
      delete answers[`GET /tx/${hash}`];
      expect((await caught(bitcoin.replace!(first, 'cancel', node))).details['reason']).to.equal(
        'coins spent',
      );
    }
  });

  it('carries data in an output of its own, which counts in size and fee, and stays when it is outbid', async () => {
    const { node, answers } = holding([{ value: 500_000n }], {
      answers: { 'GET /fee-estimates': { '3': 7 } },
    });
    const plain = await bitcoin.prepare(pay(100_000), ME, node, NOBODY);
    for (const [data, pushed, shown] of [
      ['=:ETH.ETH:0x86:0', '10', '=:ETH.ETH:0x86:0'],
      [`0x${'ff'.repeat(75)}`, '4b', `0x${'ff'.repeat(75)}`],
      ['a'.repeat(76), '4c4c', 'a'.repeat(76)],
      ['é'.repeat(40), '4c50', 'é'.repeat(40)],
    ] as const) {
      const draft = await bitcoin.prepare(pay(100_000, { data }), ME, node, NOBODY);
      const bytes = hexOf(new TextEncoder().encode(data)).slice(2);
      const carried = `0x6a${pushed}${data.startsWith('0x') ? data.slice(2) : bytes}`;
      expect(draft.outputs.map(({ script }) => script)).to.deep.equal([script(TO), script(ME), carried]);
      expect(draft.outputs[2]!.value).to.equal(0n);
      expect(draft.size - plain.size).to.equal(8 + 1 + (carried.length - 2) / 2);
      expect(draft.fee > plain.fee).to.equal(true);
      const { facts } = await bitcoin.describe(draft);
      expect(facts!.map(({ code, value }) => (code === 'memo' ? value : code))).to.deep.equal([
        'fee-rate',
        'size',
        'inputs',
        'change',
        shown,
      ]);
    }
    // Without change, the second output is no change.
    const left = 500_000n - (await bitcoin.maxSpendable!(ME, TO, node, 'memo'));
    expect(left > 500_000n - (await bitcoin.maxSpendable!(ME, TO, node))).to.equal(true);
    const all = await bitcoin.prepare(pay(500_000n - left, { data: 'memo' }), ME, node, NOBODY);
    expect(all.outputs.map(({ script }) => script)).to.deep.equal([script(TO), '0x6a046d656d6f']);
    expect((await bitcoin.describe(all)).facts!.map(({ code }) => code)).to.not.include('change');

    const order = '=:e:0x388C818CA8B9251b393131C08a736A67ccB19297:1';
    const first = await bitcoin.prepare(pay(100_000, { data: order }), ME, node, NOBODY);
    const { hash } = await bitcoin.sign(first, KEY);
    answers[`GET /address/${ME}/utxo`] = [
      { txid: hash, vout: 1, value: Number(first.outputs[1]!.value), status: { confirmed: false } },
    ];
    answers[`GET /tx/${hash}`] = { fee: Number(first.fee), status: { confirmed: false } };
    const faster = await bitcoin.replace!(first, 'speed-up', node);
    expect(faster.outputs.map(({ script }) => script)).to.deep.equal(
      first.outputs.map(({ script }) => script),
    );
    expect(readOrder(first, [])?.text).to.equal(order);
    expect(readOrder(faster, []), 'whom it goes to, how much, and what it orders').to.deep.equal(
      readOrder(first, []),
    );
    const gone = await bitcoin.replace!(first, 'cancel', node);
    expect(gone.outputs.map(({ script }) => script)).to.deep.equal([script(ME)]);
    const body = {
      secretType: 'BITCOIN',
      type: 'TRANSFER',
      walletId: 'w',
      to: TO,
      value: '0.5',
      data: 'memo',
    };
    expect(((await bitcoin.build(body, ME, node)) as { data?: string }).data).to.equal('0x6d656d6f');
  });

  it('outbids with change of exactly the dust limit, and gives a satoshi less to the fee', async () => {
    // 141 vB at 8.75 satoshi, a quarter above the previous 7.
    for (const [left, change] of [
      [1234n + 294n, 294n],
      [1234n + 293n, undefined],
    ] as const) {
      const { node, answers } = holding([{ value: 500_000n }], {
        answers: { 'GET /fee-estimates': { '3': 7 } },
      });
      const first = await bitcoin.prepare(pay(500_000n - left), ME, node, NOBODY);
      const { hash } = await bitcoin.sign(first, KEY);
      answers[`GET /address/${ME}/utxo`] = first.outputs
        .slice(1)
        .map(({ value }) => ({ txid: hash, vout: 1, value: Number(value), status: { confirmed: false } }));
      answers[`GET /tx/${hash}`] = { fee: Number(first.fee), status: { confirmed: false } };
      const second = await bitcoin.replace!(first, 'speed-up', node);
      expect(second.outputs[1]?.value).to.equal(change);
      expect(second.fee).to.equal(left - (change ?? 0n));
    }
  });

  it('moves coins that leave exactly the dust limit, and none that leave less', async () => {
    const other = p2pkhAddress(BITCOIN, hash160(OWNER), 'local');
    const move = (value: bigint) =>
      bitcoin.sweep!.prepare(
        ME,
        fakeEsplora({ coins: [{ address: other, script: script(other), coins: [{ value }] }] }).node,
      );
    const { fee } = await move(70_000n);
    expect((await move(fee + 294n)).outputs[0]!.value).to.equal(294n);
    expect((await caught(move(fee + 293n))).code).to.equal('transaction.insufficient-funds');
  });

  it('finds and checks coins on the P2PKH address of the same key', async () => {
    const other = p2pkhAddress(BITCOIN, hash160(OWNER), 'local');
    const coins = [
      {
        address: other,
        script: script(other),
        coins: [{ value: 70_000n }, { value: 20_000n, confirmed: false }],
      },
    ];
    const { node, outpoints, answers } = fakeEsplora({ coins });
    const found = await bitcoin.sweep!.find(ME, node);
    expect(`${found.address} ${found.amount.raw}`).to.equal(`${other} 70000`);
    const draft = await bitcoin.sweep!.prepare(ME, node);
    expect(draft.outputs.map((output) => output.script)).to.deep.equal([script(ME)]);
    expect(draft.from === ME && draft.to === ME && (await bitcoin.describe(draft)).from === other).to.equal(
      true,
    );
    expect((await bitcoin.sign(draft, KEY)).raw.includes(hexOf(OWNER).slice(2))).to.equal(true);
    (answers[`GET /address/${other}/utxo`] as { value: number }[])[0]!.value = 80_000;
    expect((await caught(bitcoin.sweep!.prepare(ME, node))).message).to.include('wrong amount');
    expect(outpoints.length).to.equal(2);
    expect(
      (
        await caught(
          litecoin.sweep!.prepare(
            litecoin.address(KEY, 'local'),
            fakeEsplora({
              network: networkOf('LITECOIN'),
              answers: { [`GET /address/${p2pkhAddress(LITECOIN, hash160(OWNER), 'local')}/utxo`]: [] },
            }).node,
          ),
        )
      ).code,
    ).to.equal('transaction.insufficient-funds');
  });
});
