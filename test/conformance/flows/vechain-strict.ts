/**
 * What Thor says to requests that are wrong, word for word: `npm test` holds the demo's ledger to it, and `npm run test:nodes` holds this
 * table to Thor.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { decodeRlp, encodeRlp, Interface, type RlpStructuredData } from 'ethers';
import type { VechainPlace } from '../../../demo/networks/vechain-place.ts';
import { bytesOf } from '../../../src/base/bytes.ts';
import { signDigest } from '../../../src/chains/keys/secp256k1.ts';
import { signingHash } from '../../../src/chains/vechain/envelope.ts';
import { chain, newAddress, toolsOn, VET, vet, type Wallet } from './vechain-tools.ts';

const NONE = `0x${'00'.repeat(32)}`;
const WHO = `0x${'12'.repeat(20)}`;

type Row = readonly [path: string, status: number, answer: string, body?: string];

const ROWS: readonly Row[] = [
  ['/blocks', 404, '404 page not found'],
  ['/blocks/', 404, '404 page not found'],
  ['/blocks/best/x', 404, '404 page not found'],
  ['/blocks/4294967295', 200, 'null'],
  ['/blocks/4294967296', 400, 'revision: block number out of max uint32'],
  ['/blocks/xyz', 400, 'revision: strconv.ParseUint: parsing "xyz": invalid syntax'],
  ['/blocks/0xzz', 400, 'revision: strconv.ParseUint: parsing "0xzz": invalid syntax'],
  ['/blocks/next', 400, 'revision: invalid revision: next is not allowed'],
  ['/blocks/-1', 400, 'revision: strconv.ParseUint: parsing "-1": invalid syntax'],
  ['/blocks/1?raw=x', 400, 'raw: should be boolean'],
  ['/blocks/1?expanded=1', 400, 'expanded: should be boolean'],
  ['/blocks/1?raw=true&expanded=true', 400, 'raw&expanded: Raw and Expanded are mutually exclusive'],
  [
    '/blocks/0xzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz',
    400,
    "revision: encoding/hex: invalid byte: U+007A 'z'",
  ],
  [`/blocks/${NONE}`, 500, 'invalid revision'],
  [`/transactions/${NONE}`, 200, 'null'],
  [`/transactions/${NONE}/foo`, 404, '404 page not found'],
  [`/transactions/${NONE}/receipt/x`, 404, '404 page not found'],
  [`/transactions/${NONE}?head=x`, 400, 'head: invalid length'],
  [`/transactions/${NONE}?head=${NONE}`, 400, 'head: leveldb: not found'],
  [`/transactions/${NONE}?raw=1`, 400, 'raw: should be boolean'],
  [`/transactions/${NONE}?pending=1`, 400, 'pending: should be boolean'],
  [`/transactions/${NONE}/receipt?head=x`, 400, 'head: invalid length'],
  ['/transactions/0x12', 400, 'id: invalid length'],
  [
    '/transactions/zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz',
    400,
    'id: invalid prefix',
  ],
  ['/transactions', 404, '404 page not found'],
  ['/accounts/0x1', 400, 'address: invalid length'],
  ['/accounts/zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz', 400, 'address: invalid prefix'],
  [
    '/accounts/0xzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz',
    400,
    "address: encoding/hex: invalid byte: U+007A 'z'",
  ],
  [`/accounts/${WHO}?revision=999999`, 400, 'revision: not found'],
  [`/accounts/${WHO}?revision=next`, 400, 'revision: invalid revision: next is not allowed'],
  [`/accounts/${WHO}?revision=zz`, 400, 'revision: strconv.ParseUint: parsing "zz": invalid syntax'],
  [`/accounts/${WHO}/foo`, 404, '404 page not found'],
  [`/accounts/${WHO}/code`, 200, '{"code":"0x"}'],
  [`/accounts/${WHO}/code?revision=zz`, 400, 'revision: strconv.ParseUint: parsing "zz": invalid syntax'],
  [
    `/accounts/${WHO}/storage/${NONE}`,
    200,
    '{"value":"0x0000000000000000000000000000000000000000000000000000000000000000"}',
  ],
  [`/accounts/${WHO}/storage/0x1`, 400, 'key: invalid length'],
  ['/accounts', 404, '404 page not found'],
  ['/fees', 404, '404 page not found'],
  ['/fees/foo', 404, '404 page not found'],
  [
    '/fees/history',
    400,
    'invalid blockCount, it should represent an integer: strconv.ParseUint: parsing "": invalid syntax',
  ],
  ['/fees/history?blockCount=0', 400, 'invalid blockCount, it should not be 0'],
  [
    '/fees/history?blockCount=x',
    400,
    'invalid blockCount, it should represent an integer: strconv.ParseUint: parsing "x": invalid syntax',
  ],
  [
    '/fees/history?blockCount=2&newestBlock=x',
    400,
    'newestBlock: strconv.ParseUint: parsing "x": invalid syntax',
  ],
  ['/fees/history?blockCount=2&newestBlock=999999', 400, 'newestBlock: not found'],
  [
    '/fees/history?blockCount=1&rewardPercentiles=101',
    400,
    'rewardPercentiles values must be between 0 and 100',
  ],
  [
    '/fees/history?blockCount=1&rewardPercentiles=x',
    400,
    'invalid rewardPercentiles value: strconv.ParseFloat: parsing "x": invalid syntax',
  ],
  ['/node/network/peers', 200, 'null'],
  ['/node/txpool', 503, 'txpool API is disabled'],
  ['/node/foo', 404, '404 page not found'],
  ['/foo', 404, '404 page not found'],
  ['/logs/event', 405, ''],
  ['/debug/tracers', 404, '404 page not found'],
  ['/accounts/*', 200, '[]', '{}'],
  ['/accounts/*', 400, "body: invalid character 'x' looking for beginning of value", 'x'],
  ['/accounts/*', 400, 'body: json: cannot unmarshal array into Go value of type api.BatchCallData', '[]'],
  ['/accounts/*', 400, 'body: json: unknown field "foo"', '{"foo":1}'],
  [
    '/accounts/*',
    400,
    'body: json: cannot unmarshal number into Go struct field Clause.clauses.value of type *math.HexOrDecimal256',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":1,"data":"0x"}]}',
  ],
  [
    '/accounts/*',
    400,
    'body: invalid hex or decimal integer "x"',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"x","data":"0x"}]}',
  ],
  [
    '/accounts/*',
    400,
    'body: invalid hex or decimal integer "0x10000000000000000000000000000000000000000000000000000000000000000"',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x10000000000000000000000000000000000000000000000000000000000000000","data":"0x"}]}',
  ],
  [
    '/accounts/*',
    200,
    '[{"data":"0x","events":[],"transfers":[],"gasUsed":0,"reverted":true,"vmError":"insufficient balance for transfer"}]',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"10","data":"0x"}]}',
  ],
  [
    '/accounts/*',
    200,
    '[{"data":"0x","events":[],"transfers":[],"gasUsed":0,"reverted":false,"vmError":""}]',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"","data":"0x"}]}',
  ],
  [
    '/accounts/*',
    200,
    '[{"data":"0x","events":[],"transfers":[],"gasUsed":0,"reverted":false,"vmError":""}]',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":null,"data":"0x"}]}',
  ],
  [
    '/accounts/*',
    400,
    'data[0]: hex string of odd length',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x1"}]}',
  ],
  [
    '/accounts/*',
    400,
    'data[0]: hex string without 0x prefix',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"zz"}]}',
  ],
  [
    '/accounts/*',
    400,
    'body: json: cannot unmarshal number into Go struct field Clause.clauses.data of type string',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":1}]}',
  ],
  [
    '/accounts/*',
    200,
    '[{"data":"0x","events":[],"transfers":[],"gasUsed":0,"reverted":false,"vmError":""}]',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":""}]}',
  ],
  ['/accounts/*', 400, 'body: invalid length', '{"clauses":[{"to":"0x12","value":"0x0","data":"0x"}]}'],
  [
    '/accounts/*',
    400,
    'body: json: cannot unmarshal number into Go struct field Clause.clauses.to of type string',
    '{"clauses":[{"to":1,"value":"0x0","data":"0x"}]}',
  ],
  [
    '/accounts/*',
    400,
    'body: json: unknown field "foo"',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x","foo":1}]}',
  ],
  ['/accounts/*', 400, 'clauses[0]: null not allowed', '{"clauses":[null]}'],
  [
    '/accounts/*',
    400,
    'body: json: cannot unmarshal object into Go struct field BatchCallData.clauses of type api.Clauses',
    '{"clauses":{}}',
  ],
  ['/accounts/*', 200, '[]', '{"clauses":null}'],
  [
    '/accounts/*',
    400,
    'body: json: cannot unmarshal string into Go struct field BatchCallData.gas of type uint64',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}],"gas":"5"}',
  ],
  [
    '/accounts/*',
    400,
    'body: json: cannot unmarshal number -1 into Go struct field BatchCallData.gas of type uint64',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}],"gas":-1}',
  ],
  [
    '/accounts/*',
    400,
    'body: json: cannot unmarshal number 1.5 into Go struct field BatchCallData.gas of type uint64',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}],"gas":1.5}',
  ],
  [
    '/accounts/*',
    403,
    'gas: exceeds limit',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}],"gas":50000001}',
  ],
  [
    '/accounts/*',
    400,
    'body: json: cannot unmarshal number into Go struct field BatchCallData.gasPrice of type *math.HexOrDecimal256',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}],"gasPrice":5}',
  ],
  [
    '/accounts/*',
    400,
    'body: invalid hex or decimal integer "x"',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}],"gasPrice":"x"}',
  ],
  [
    '/accounts/*',
    200,
    '[{"data":"0x","events":[],"transfers":[],"gasUsed":0,"reverted":false,"vmError":""}]',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}],"gasPrice":"1000"}',
  ],
  [
    '/accounts/*',
    400,
    'body: invalid length',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}],"caller":"0x12"}',
  ],
  [
    '/accounts/*',
    400,
    'body: json: cannot unmarshal number into Go struct field BatchCallData.caller of type string',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}],"caller":5}',
  ],
  [
    '/accounts/*',
    400,
    'body: invalid length',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}],"gasPayer":"zz"}',
  ],
  [
    '/accounts/*',
    400,
    'blockRef: invalid length',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}],"blockRef":"0x12"}',
  ],
  [
    '/accounts/*',
    400,
    'blockRef: hex string without 0x prefix',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}],"blockRef":"zz"}',
  ],
  [
    '/accounts/*',
    400,
    'body: json: cannot unmarshal number into Go struct field BatchCallData.blockRef of type string',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}],"blockRef":5}',
  ],
  [
    '/accounts/*',
    400,
    'body: json: cannot unmarshal string into Go struct field BatchCallData.expiration of type uint32',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}],"expiration":"5"}',
  ],
  [
    '/accounts/*',
    400,
    'body: json: cannot unmarshal number 4294967296 into Go struct field BatchCallData.expiration of type uint32',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}],"expiration":4294967296}',
  ],
  [
    '/accounts/*',
    400,
    'body: json: cannot unmarshal number into Go struct field BatchCallData.provedWork of type *math.HexOrDecimal256',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}],"provedWork":5}',
  ],
  [
    '/accounts/*',
    200,
    '[{"data":"0x","events":[],"transfers":[],"gasUsed":0,"reverted":false,"vmError":""}]',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}],"provedWork":"5"}',
  ],
  [
    '/accounts/*?revision=zz',
    400,
    'revision: strconv.ParseUint: parsing "zz": invalid syntax',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}]}',
  ],
  [
    '/accounts/*?revision=next',
    200,
    '[{"data":"0x","events":[],"transfers":[],"gasUsed":0,"reverted":false,"vmError":""}]',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}]}',
  ],
  [
    '/accounts/*?revision=99999',
    400,
    'revision: not found',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}]}',
  ],
  [
    '/accounts/*/x',
    404,
    '404 page not found',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}]}',
  ],
  [
    '/accounts',
    410,
    'This endpoint is no longer supported.',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}]}',
  ],
  [
    `/accounts/${WHO}`,
    410,
    'This endpoint is no longer supported.',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x0","data":"0x"}]}',
  ],
  [
    '/accounts/*',
    200,
    '[{"data":"0x","events":[],"transfers":[],"gasUsed":0,"reverted":true,"vmError":"insufficient balance for transfer"}]',
    '{"clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x5","data":"0x"}]}',
  ],
  [
    '/accounts/*',
    200,
    '[{"data":"0x","events":[],"transfers":[],"gasUsed":0,"reverted":true,"vmError":"insufficient balance for transfer"}]',
    '{"caller":"0x1212121212121212121212121212121212121212","clauses":[{"to":"0x3434343434343434343434343434343434343434","value":"0x5","data":"0x"}]}',
  ],
  [
    '/accounts/*',
    200,
    '[{"data":"0x","events":[],"transfers":[],"gasUsed":100000,"reverted":true,"vmError":"invalid opcode 0xfe"}]',
    '{"clauses":[{"to":null,"value":"0x0","data":"0xfe"}],"gas":100000}',
  ],
  [
    '/accounts/*',
    200,
    '[{"data":"0x","events":[],"transfers":[],"gasUsed":100000,"reverted":true,"vmError":"invalid jump destination"}]',
    '{"clauses":[{"to":null,"value":"0x0","data":"0x600056"}],"gas":100000}',
  ],
  [
    '/accounts/*',
    200,
    '[{"data":"0x","events":[],"transfers":[],"gasUsed":100000,"reverted":true,"vmError":"out of gas"}]',
    '{"clauses":[{"to":null,"value":"0x0","data":"0x5b600056"}],"gas":100000}',
  ],
  [
    '/accounts/*',
    200,
    '[{"data":"0x","events":[],"transfers":[],"gasUsed":6,"reverted":true,"vmError":"execution reverted"}]',
    '{"clauses":[{"to":null,"value":"0x0","data":"0x60006000fd"}],"gas":100000}',
  ],
  [
    '/accounts/*',
    200,
    '[{"data":"0x","events":[],"transfers":[],"gasUsed":100000,"reverted":true,"vmError":"return data out of bounds"}]',
    '{"clauses":[{"to":null,"value":"0x0","data":"0x3d60016000803e"}],"gas":100000}',
  ],
  [
    '/accounts/*',
    200,
    '[{"data":"0x","events":[],"transfers":[],"gasUsed":100000,"reverted":true,"vmError":"invalid opcode 0xc"}]',
    '{"clauses":[{"to":null,"value":"0x0","data":"0x0c"}],"gas":100000}',
  ],
  ['/transactions', 400, 'raw: empty hex string', '{}'],
  ['/transactions', 400, 'raw: empty hex string', '{"raw":""}'],
  [
    '/transactions',
    400,
    'body: json: cannot unmarshal number into Go struct field RawTx.raw of type string',
    '{"raw":5}',
  ],
  ['/transactions', 400, 'raw: hex string without 0x prefix', '{"raw":"zz"}'],
  ['/transactions', 400, 'raw: typed transaction too short', '{"raw":"0x"}'],
  ['/transactions', 400, 'raw: hex string of odd length', '{"raw":"0x1"}'],
  ['/transactions', 400, 'raw: invalid hex string', '{"raw":"0xzz"}'],
  ['/transactions', 400, 'raw: typed transaction too short', '{"raw":"0x51"}'],
  ['/transactions', 400, 'raw: transaction type not supported', '{"raw":"0x52c0"}'],
  ['/transactions', 400, 'raw: rlp: too few elements for tx.legacyTransaction', '{"raw":"0xc0"}'],
  ['/transactions', 400, 'raw: rlp: too few elements for tx.dynamicFeeTransaction', '{"raw":"0x51c0"}'],
  ['/transactions', 400, 'body: json: unknown field "foo"', '{"foo":1}'],
  ['/transactions', 400, 'body', 'null'],
  ['/transactions', 400, "body: invalid character 'x' looking for beginning of value", 'x'],
  ['/transactions/', 404, '404 page not found', '{"raw":"0x"}'],
  [`/transactions/${NONE}`, 404, '404 page not found', '{}'],
  ['/logs/event', 400, 'body: json: unknown field "foo"', '{"foo":1}'],
  [
    '/logs/event',
    400,
    "filter.Range.Unit must be either 'block' or 'time', got 'x'",
    '{"range":{"unit":"x"}}',
  ],
  [
    '/logs/event',
    403,
    'options.limit exceeds the maximum allowed value of 1000',
    '{"options":{"limit":1001}}',
  ],
  [
    '/logs/event',
    400,
    'filter.Range.To must be greater than or equal to filter.Range.From',
    '{"range":{"from":5,"to":1}}',
  ],
  ['/logs/event', 400, 'criteriaSet[0]: null not allowed', '{"criteriaSet":[null]}'],
  [
    '/logs/transfer',
    200,
    '[]',
    '{"criteriaSet":[{"recipient":"0x1212121212121212121212121212121212121212"}]}',
  ],
  [
    '/logs/transfer',
    400,
    'body: json: unknown field "foo"',
    '{"criteriaSet":[{"foo":"0x1212121212121212121212121212121212121212"}]}',
  ],
  ['/logs/foo', 404, '404 page not found', '{}'],
  ['/blocks/best', 405, '', '{}'],
  [
    '/accounts/*',
    200,
    '[{"data":"0x","events":[],"transfers":[],"gasUsed":100000,"reverted":true,"vmError":"stack underflow (0 <=> 2)"}]',
    '{"clauses":[{"to":null,"value":"0x0","data":"0x01"}],"gas":100000}',
  ],
];

export function vechainStrictness(place: () => VechainPlace): void {
  const { nodeOf, newWallet, prepare, send, decided, ask, read } = toolsOn(place);

  describe('a wrong request', () => {
    for (const [path, status, answer, body] of ROWS)
      it(`${body === undefined ? 'GET' : 'POST'} ${path} ${body ?? ''} is ${status}`, async () => {
        const got = await ask(path, body);
        assert.deepEqual([got.status, plain(got)], [status, plain({ status, text: answer })]);
      });
  });

  describe('a transaction', () => {
    let wallet: Wallet;
    before(async () => {
      wallet = await newWallet(VET, 1000n * VET);
    });

    /** Signed, with other reserved fields. */
    async function withReserved(...reserved: string[]): Promise<string> {
      const draft = await prepare(vet([{ to: newAddress(), amount: 1 }]), wallet);
      const { raw } = await chain.sign(draft, wallet.key);
      const fields = decodeRlp(`0x${raw.slice(4)}`) as RlpStructuredData[];
      const body = [...fields.slice(0, 9), reserved];
      const { r, s, yParity } = signDigest(signingHash(`0x51${encodeRlp(body).slice(2)}`), wallet.key);
      return `0x51${encodeRlp([...body, `${r}${s.slice(2)}0${yParity}`]).slice(2)}`;
    }

    it('with reserved fields that mean nothing is refused', async () => {
      for (const [reserved, text] of [
        [['0x02'], 'tx rejected: unsupported features'],
        [['0x', '0x01'], 'tx rejected: unused reserved slot'],
        [['0x01', '0x01'], 'bad tx: invalid signature length'],
      ] as const)
        assert.deepEqual(await ask('/transactions', { raw: await withReserved(...reserved) }), {
          status: text.startsWith('bad') ? 400 : 403,
          text,
        });
      assert.equal((await ask('/transactions', { raw: await withReserved() })).status, 200);
    });

    it('of more than 64 KiB is refused', async () => {
      const draft = await prepare(vet([{ to: newAddress(), amount: 1 }]), wallet);
      const large = async (bytes: number) => {
        const [clause] = draft.clauses;
        const clauses = [{ ...clause!, data: `0x${'00'.repeat(bytes)}` }];
        const { raw } = await chain.sign({ ...draft, clauses, gas: 10_000_000n }, wallet.key);
        return { size: bytesOf(raw).length, ...(await ask('/transactions', { raw })) };
      };
      const rest = (await large(60_000)).size - 60_000;
      assert.equal((await large(65_536 - rest)).status, 200);
      const over = await large(65_537 - rest);
      assert.deepEqual([over.size, over.status, over.text], [65_537, 403, 'tx rejected: size too large']);
    });

    it('of a block 31 ahead is taken', async () => {
      const draft = await prepare(vet([{ to: newAddress(), amount: 1 }]), wallet);
      const { number } = await read<{ number: number }>('/blocks/best');
      const blockRef = `0x${(number + 31).toString(16).padStart(8, '0')}00000000`;
      const { raw, hash } = await chain.sign({ ...draft, blockRef }, wallet.key);
      assert.deepEqual(await ask('/transactions', { raw }), {
        status: 200,
        text: JSON.stringify({ id: hash }),
      });
      assert.equal(await chain.status(hash, nodeOf()), 'pending');
    });

    it('that makes a contract tells who its master is', async () => {
      const [output] = await read<{ events: { topics: string[]; data: string }[] }[]>('/accounts/*', {
        caller: wallet.address,
        clauses: [{ to: null, value: '0x0', data: '0x5f5ff3' }],
      });
      const master = new Interface(['event $Master(address newMaster)']).getEvent('$Master')!.topicHash;
      assert.deepEqual(output!.events[0]!.topics, [master]);
      assert.equal(BigInt(output!.events[0]!.data), BigInt(wallet.address));
    });

    it('tells contracts the base fee, and its sender’s coins without a fee', async () => {
      // One of whose transactions none is waiting.
      const wallet = await newWallet(VET, 1000n * VET);
      // BASEFEE, and BALANCE of CALLER, by LOG0.
      const data = '0x485f52333160205260405fa05f5ff3';
      const { balance } = await read<{ balance: string }>(`/accounts/${wallet.address}`);
      const told = (word: string) =>
        `0x${[word, balance].map((one) => BigInt(one).toString(16).padStart(64, '0')).join('')}`;
      const { baseFeePerGas: now } = await read<{ baseFeePerGas: string }>('/blocks/best');
      const clauses = [{ to: null, value: '0x0', data }];
      const [tried] = await read<{ events: { data: string }[] }[]>('/accounts/*', {
        caller: wallet.address,
        clauses,
      });
      assert.equal(tried!.events[1]!.data, told(now));
      // A request makes no contracts.
      const draft = await prepare(vet([{ to: newAddress(), amount: 1 }], { gas: 200_000 }), wallet);
      const making = { ...draft, clauses: [{ to: null, value: 0n, data }] };
      const signed = await chain.sign(making, wallet.key);
      await chain.broadcast(signed, nodeOf());
      await decided(signed.hash);
      const { outputs, meta } = await read<{
        outputs: { events: { data: string }[] }[];
        meta: { blockNumber: number };
      }>(`/transactions/${signed.hash}/receipt`);
      const block = await read<{ baseFeePerGas: string }>(`/blocks/${meta.blockNumber}`);
      assert.equal(outputs[0]!.events[1]!.data, told(block.baseFeePerGas));
      assert.equal((await read<{ balance: string }>(`/accounts/${wallet.address}`)).balance, balance);
    });

    it('is found in the logs', async () => {
      const to = newAddress();
      const { signed } = await send(vet([{ to, amount: 7 }]), wallet);
      await decided(signed.hash);
      const criteriaSet = [{ sender: wallet.address.toLowerCase(), recipient: to.toLowerCase() }];
      const [log, ...others] = await read<{ amount: string; meta: { txID: string } }[]>('/logs/transfer', {
        criteriaSet,
      });
      assert.deepEqual([log!.amount, log!.meta.txID, others], ['0x7', signed.hash, []]);
    });
  });
}

/** Of a network whose blocks hold little gas. */
export function vechainBaseFee(place: () => VechainPlace, gasLimit: number): void {
  const { newWallet, prepare, decided, nodeOf, read } = toolsOn(place);
  it('rises after a full block, and falls to its floor after empty ones', async () => {
    const wallet = await newWallet(VET, 10_000n * VET);
    const best = async () => {
      const { baseFeePerGas, gasUsed } = await read<{ baseFeePerGas: string; gasUsed: number }>(
        '/blocks/best',
      );
      return { baseFee: BigInt(baseFeePerGas), gasUsed };
    };
    const floor = (await best()).baseFee;
    assert.equal(floor, 10n ** 13n);
    // Bytes that are not zero, so that one transaction fills nine tenths of a block.
    const data = `0x${'ff'.repeat(Math.floor((gasLimit * 0.9) / 68))}`;
    const draft = await prepare(
      vet([{ to: newAddress(), amount: 1, data }], { gas: gasLimit * 0.95 }),
      wallet,
    );
    const signed = await chain.sign(draft, wallet.key);
    await chain.broadcast(signed, nodeOf());
    const { fee } = await decided(signed.hash);
    assert.ok(fee! <= (await chain.describe(draft)).fee.maximum.raw);
    const { meta } = await read<{ meta: { blockNumber: number } }>(`/transactions/${signed.hash}/receipt`);
    await place().advance(1);
    const full = await read<{ gasUsed: number; gasLimit: number }>(`/blocks/${meta.blockNumber}`);
    const next = await read<{ baseFeePerGas: string }>(`/blocks/${meta.blockNumber + 1}`);
    const target = (BigInt(full.gasLimit) * 75n) / 100n;
    assert.ok(BigInt(full.gasUsed) > target);
    assert.equal(BigInt(next.baseFeePerGas), floor + (floor * (BigInt(full.gasUsed) - target)) / target / 8n);
    await place().advance(1);
    assert.equal((await best()).baseFee, floor);
  });
}

/** JSON without the way it is written. */
function plain({ status, text }: { status: number; text: string }): unknown {
  return status === 200 ? JSON.parse(text) : text;
}
