import { expect } from '@open-wc/testing';
import { FunctionFragment } from 'ethers/abi';
import fc from 'fast-check';
import { type AbiValue, encodeCall } from '../../../../src/chains/contracts/abi.ts';
import { checksum } from '../../../../src/chains/contracts/evm-address.ts';
import { type Effect, NOBODY } from '../../../../src/chains/contracts/calls.ts';
import { decodeCall } from '../../../../src/chains/call-reading/decode-call.ts';
import { FUNCTIONS } from '../../../../src/chains/call-reading/functions.ts';
import { showCall } from '../../../../src/chains/call-reading/drawn-call.ts';
import { readCall } from '../../../../src/chains/call-reading/inner-calls.ts';
import { callData as call } from './call-data.ts';

const at = (byte: string) => checksum(`0x${byte.repeat(20)}`);
const ME = at('a1');
const OTHER = at('b2');
const TOKEN = at('70');
const SECOND = at('71');
const TARGET = at('c3');
const MAX = (1n << 256n) - 1n;
const WHEN = 1_900_000_000n;

const approve = (amount = MAX) => call('approve(address,uint256)', OTHER, amount);
const transfer = (amount = 5n) => call('transfer(address,uint256)', OTHER, amount);
const effects = (data: string): Effect[] => readCall(TARGET, data, ME).deeds.map(({ effect }) => effect);
const UNKNOWN = '0xdeadbeef';
const many = (calls: string[]) => call('multicall(bytes[])', calls);
/** 1 byte of operation, 20 of address, 32 of value and of length, then the data. */
const packed = (to: string, value: bigint, data: string, operation = '00') =>
  operation +
  to.slice(2).toLowerCase() +
  value.toString(16).padStart(64, '0') +
  ((data.length - 2) / 2).toString(16).padStart(64, '0') +
  data.slice(2);
const safe = (to: string, value: bigint, data: string, operation = 0n, gasPrice = 0n) =>
  call(
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
    to,
    value,
    data,
    operation,
    0n,
    0n,
    gasPrice,
    NOBODY,
    NOBODY,
    '0x',
  );

describe('what an approval shows of a call', () => {
  it('has the digest of ERC-8213, as its test case', () => {
    const data =
      '0xa9059cbb0000000000000000000000004675c7e5baafbffbca748158becba61ef3b0a2630000000000000000000000000000000000000000000000000de0b6b3a7640000';
    expect(showCall(decodeCall(data), data, undefined, []).digest).to.equal(
      '0x812cee5d9cc7461c04bbcd7b70af9c28b243ac5d74d3453b008b93b7dac69985',
    );
  });
});

describe('what calls do', () => {
  /** From the repositories of the standards and contracts. */
  for (const [wanted, signature] of [
    ['0xa9059cbb', 'transfer(address,uint256)'],
    ['0x095ea7b3', 'approve(address,uint256)'],
    ['0x39509351', 'increaseAllowance(address,uint256)'],
    ['0xa457c2d7', 'decreaseAllowance(address,uint256)'],
    ['0xd73dd623', 'increaseApproval(address,uint256)'],
    ['0x66188463', 'decreaseApproval(address,uint256)'],
    ['0xd505accf', 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)'],
    ['0x9fd5a6cf', 'permit(address,address,uint256,uint256,bytes)'],
    ['0x8fcbaf0c', 'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)'],
    ['0x745a41bc', 'permit(address,uint256,uint256,bytes)'],
    [
      '0xe3ee160e',
      'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
    ],
    [
      '0xef55bec6',
      'receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
    ],
    ['0xa22cb465', 'setApprovalForAll(address,bool)'],
    ['0x23b872dd', 'transferFrom(address,address,uint256)'],
    ['0x87517c45', 'approve(address,address,uint160,uint48)'],
    ['0x2b67b570', 'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)'],
    ['0x2a2d80d1', 'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)'],
    ['0x36c78516', 'transferFrom(address,address,uint160,address)'],
    ['0x0d58b1db', 'transferFrom((address,address,uint160,address)[])'],
    ['0x30f28b7a', 'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)'],
    [
      '0xedd9444b',
      'permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)',
    ],
    [
      '0x137c29fe',
      'permitWitnessTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes32,string,bytes)',
    ],
    [
      '0xfe8ec1a7',
      'permitWitnessTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes32,string,bytes)',
    ],
    ['0xcc53287f', 'lockdown((address,address)[])'],
    ['0x3ff9dcb1', 'invalidateUnorderedNonces(uint256,uint256)'],
    ['0xac9650d8', 'multicall(bytes[])'],
    ['0x5ae401dc', 'multicall(uint256,bytes[])'],
    ['0x1f0464d1', 'multicall(bytes32,bytes[])'],
    ['0x252dba42', 'aggregate((address,bytes)[])'],
    ['0xbce38bd7', 'tryAggregate(bool,(address,bytes)[])'],
    ['0x82ad56cb', 'aggregate3((address,bool,bytes)[])'],
    ['0x174dea71', 'aggregate3Value((address,bool,uint256,bytes)[])'],
    [
      '0x6a761202',
      'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
    ],
    ['0x468721a7', 'execTransactionFromModule(address,uint256,bytes,uint8)'],
    ['0x8d80ff0a', 'multiSend(bytes)'],
    ['0x0d582f13', 'addOwnerWithThreshold(address,uint256)'],
    ['0xe318b52b', 'swapOwner(address,address,address)'],
    ['0x610b5925', 'enableModule(address)'],
    ['0xe19a9dd9', 'setGuard(address)'],
    ['0xf08a0323', 'setFallbackHandler(address)'],
    ['0x3593564c', 'execute(bytes,bytes[],uint256)'],
    ['0x24856bc3', 'execute(bytes,bytes[])'],
    ['0xe9ae5c53', 'execute(bytes32,bytes)'],
    ['0xb61d27f6', 'execute(address,uint256,bytes)'],
    ['0x34fcd5be', 'executeBatch((address,uint256,bytes)[])'],
    ['0x18dfb3c7', 'executeBatch(address[],bytes[])'],
    ['0x47e1da2a', 'executeBatch(address[],uint256[],bytes[])'],
    ['0x3659cfe6', 'upgradeTo(address)'],
    ['0x4f1ef286', 'upgradeToAndCall(address,bytes)'],
    ['0xf2fde38b', 'transferOwnership(address)'],
    ['0x4e71d92d', 'claim()'],
    ['0xaf347b61', 'securityUpdate()'],
  ] as const)
    it(`knows ${wanted} as ${signature.split('(')[0]}`, () => {
      expect(FunctionFragment.from(`function ${signature}`).selector).to.equal(wanted);
      expect(known().get(wanted)).to.equal(signature);
    });

  it('knows the orders of Seaport by their selectors', () => {
    const listed = known();
    for (const [wanted, name] of [
      ['0xfb0f3ee1', 'fulfillBasicOrder'],
      ['0x00000000', 'fulfillBasicOrder_efficient_6GL6yc'],
      ['0xb3a34c4c', 'fulfillOrder'],
      ['0xe7acab24', 'fulfillAdvancedOrder'],
    ] as const)
      expect(listed.get(wanted)?.split('(')[0]).to.equal(name);
  });

  it('lets DAI’s permit take all or nothing', () => {
    const permit = (allowed: boolean) =>
      call(
        'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
        ME,
        OTHER,
        0n,
        0n,
        allowed,
        27n,
        `0x${'11'.repeat(32)}`,
        `0x${'22'.repeat(32)}`,
      );
    expect(effects(permit(true))).to.deep.equal([
      { kind: 'approval', from: ME, spender: OTHER, amount: MAX },
    ]);
    expect(effects(permit(false))[0]).to.deep.include({ amount: 0n });
  });

  it('reads Permit2: allowances with their end, in ones and in batches, what is taken, and what is taken back', () => {
    const details = (token: string) => [token, (1n << 160n) - 1n, WHEN, 0n];
    const one = { kind: 'approval', from: ME, spender: OTHER, amount: (1n << 160n) - 1n, until: WHEN };
    expect(
      effects(
        call(
          'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
          ME,
          [details(TOKEN), OTHER, WHEN],
          '0x',
        ),
      ),
    ).to.deep.equal([{ ...one, token: TOKEN }]);
    expect(
      effects(
        call(
          'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
          ME,
          [[details(TOKEN), details(SECOND)], OTHER, WHEN],
          '0x',
        ),
      ),
    ).to.deep.equal([
      { ...one, token: TOKEN },
      { ...one, token: SECOND },
    ]);
    const taken = { kind: 'token', from: ME, to: OTHER, amount: 7n, token: TOKEN };
    expect(
      effects(call('transferFrom(address,address,uint160,address)', ME, OTHER, 7n, TOKEN)),
    ).to.deep.equal([taken]);
    expect(
      effects(call('transferFrom((address,address,uint160,address)[])', [[ME, OTHER, 7n, TOKEN]])),
    ).to.deep.equal([taken]);
    expect(
      effects(
        call(
          'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)',
          [[TOKEN, 9n], 0n, WHEN],
          [OTHER, 7n],
          ME,
          '0x',
        ),
      ),
    ).to.deep.equal([taken]);
    expect(
      effects(
        call(
          'permitWitnessTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes32,string,bytes)',
          [[[TOKEN, 9n]], 0n, WHEN],
          [[OTHER, 7n]],
          ME,
          `0x${'33'.repeat(32)}`,
          'Order witness)',
          '0x',
        ),
      ),
    ).to.deep.equal([taken]);
    expect(effects(call('lockdown((address,address)[])', [[TOKEN, OTHER]]))).to.deep.equal([
      { kind: 'approval', spender: OTHER, amount: 0n, token: TOKEN },
    ]);
  });

  it('of more than 32 kB are not read, as that takes long', () => {
    const long = many(Array.from({ length: 600 }, () => '0x'));
    expect(readCall(TARGET, long, ME)).to.deep.include({ deeds: [], unreadable: true });
    expect(decodeCall(long)).to.deep.include({ name: null, values: [] });
    expect(decodeCall(many(Array.from({ length: 400 }, () => '0x'))).name).to.equal('multicall');
  });

  it('finds an approval inside a multicall inside a multicall', () => {
    const { deeds, unreadable, nested } = readCall(TARGET, many([many([approve()]), transfer()]), ME);
    expect(unreadable).to.equal(false);
    expect(nested).to.equal(true);
    expect(deeds).to.deep.equal([
      { name: 'approve', contract: TARGET, effect: { kind: 'approval', spender: OTHER, amount: MAX } },
      { name: 'transfer', contract: TARGET, effect: { kind: 'token', to: OTHER, amount: 5n } },
    ]);
  });

  it('cannot read a multicall with one call in it that it cannot read, and keeps what it found', () => {
    for (const data of [
      many([approve(), UNKNOWN]),
      many([UNKNOWN, approve()]),
      many([approve(), many([UNKNOWN])]),
      many([approve(), `${transfer()}00`]),
      call('aggregate3((address,bool,bytes)[])', [
        [TARGET, true, UNKNOWN],
        [TARGET, true, approve()],
      ]),
    ]) {
      const { deeds, unreadable } = readCall(TARGET, data, ME);
      expect(unreadable).to.equal(true);
      expect(deeds.map(({ name }) => name)).to.deep.equal(['approve']);
    }
  });

  it('says in whose name each call is made, and with how much of the coin', () => {
    const inner: [string, string][] = [
      ['aggregate((address,bytes)[])', ''],
      ['tryAggregate(bool,(address,bytes)[])', ''],
      ['aggregate3((address,bool,bytes)[])', ''],
      ['aggregate3Value((address,bool,uint256,bytes)[])', 'value'],
      ['executeBatch((address,uint256,bytes)[])', 'value'],
      ['execute(address,uint256,bytes)', 'value'],
      ['execTransactionFromModule(address,uint256,bytes,uint8)', 'value'],
    ];
    const datas: Record<string, string> = {
      'aggregate((address,bytes)[])': call('aggregate((address,bytes)[])', [[TOKEN, transfer()]]),
      'tryAggregate(bool,(address,bytes)[])': call('tryAggregate(bool,(address,bytes)[])', true, [
        [TOKEN, transfer()],
      ]),
      'aggregate3((address,bool,bytes)[])': call('aggregate3((address,bool,bytes)[])', [
        [TOKEN, false, transfer()],
      ]),
      'aggregate3Value((address,bool,uint256,bytes)[])': call(
        'aggregate3Value((address,bool,uint256,bytes)[])',
        [[TOKEN, false, 3n, transfer()]],
      ),
      'executeBatch((address,uint256,bytes)[])': call('executeBatch((address,uint256,bytes)[])', [
        [TOKEN, 3n, transfer()],
      ]),
      'execute(address,uint256,bytes)': call('execute(address,uint256,bytes)', TOKEN, 3n, transfer()),
      'execTransactionFromModule(address,uint256,bytes,uint8)': call(
        'execTransactionFromModule(address,uint256,bytes,uint8)',
        TOKEN,
        3n,
        transfer(),
        0n,
      ),
    };
    for (const [signature, value] of inner) {
      const { deeds, unreadable } = readCall(TARGET, datas[signature]!, ME);
      expect(unreadable, signature).to.equal(false);
      expect(deeds.at(-1), signature).to.deep.equal({
        name: 'transfer',
        contract: TOKEN,
        by: TARGET,
        effect: { kind: 'token', to: OTHER, amount: 5n },
      });
      if (value)
        expect(deeds[0], signature).to.deep.equal({
          name: null,
          contract: TOKEN,
          by: TARGET,
          effect: { kind: 'coin', to: TOKEN, amount: 3n },
        });
    }
  });

  it('reads a Safe: what it sends, foreign code that takes it over, and a batch that such code sends', () => {
    expect(effects(safe(TOKEN, 0n, transfer()))).to.deep.equal([{ kind: 'token', to: OTHER, amount: 5n }]);
    expect(effects(safe(OTHER, 9n, '0x'))).to.deep.equal([{ kind: 'coin', to: OTHER, amount: 9n }]);
    expect(readCall(TARGET, safe(OTHER, 0n, UNKNOWN, 1n), ME)).to.deep.include({ unreadable: true });
    expect(readCall(TARGET, safe(OTHER, 0n, approve(), 1n), ME)).to.deep.include({
      unreadable: false,
      deeds: [{ name: 'execTransaction', contract: TARGET, effect: { kind: 'foreign-code', to: OTHER } }],
    });
    const batch = call(
      'multiSend(bytes)',
      `0x${packed(TOKEN, 0n, transfer())}${packed(TARGET, 0n, call('enableModule(address)', OTHER))}${packed(OTHER, 2n, '0x')}`,
    );
    expect(effects(safe(SECOND, 0n, batch, 1n))).to.deep.equal([
      { kind: 'foreign-code', to: SECOND },
      { kind: 'token', to: OTHER, amount: 5n },
      { kind: 'control', to: OTHER },
      { kind: 'coin', to: OTHER, amount: 2n },
    ]);
    expect(readCall(TARGET, safe(TOKEN, 0n, transfer(), 0n, 1n), ME).unreadable, 'a price').to.equal(true);
    expect(readCall(TARGET, safe(TOKEN, 0n, transfer(), 2n), ME).unreadable, 'operation 2').to.equal(true);
    const cut = call('multiSend(bytes)', `0x${packed(TOKEN, 0n, transfer()).slice(0, -2)}`);
    expect(readCall(TARGET, safe(SECOND, 0n, cut, 1n), ME).unreadable, 'a batch cut short').to.equal(true);
  });

  it('reads a smart account by its mode: one call, several, or foreign code', () => {
    const mode = (kind: string) => `0x${kind.padEnd(64, '0')}`;
    const one = `0x${TOKEN.slice(2)}${3n.toString(16).padStart(64, '0')}${transfer().slice(2)}`;
    expect(effects(call('execute(bytes32,bytes)', mode('00'), one))).to.deep.equal([
      { kind: 'coin', to: TOKEN, amount: 3n },
      { kind: 'token', to: OTHER, amount: 5n },
    ]);
    const several = `0x${encodeCall('f', ['(address,uint256,bytes)[]'], [[[TOKEN, 0n, approve()]]]).slice(10)}`;
    expect(effects(call('execute(bytes32,bytes)', mode('01'), several))).to.deep.equal([
      { kind: 'approval', spender: OTHER, amount: MAX },
    ]);
    const foreign = `0x${OTHER.slice(2)}${approve().slice(2)}`;
    expect(effects(call('execute(bytes32,bytes)', mode('ff'), foreign))).to.deep.equal([
      { kind: 'foreign-code', to: OTHER },
    ]);
    for (const [kind, data] of [
      ['02', one],
      ['00', '0x1234'],
      ['01', one],
    ] as const)
      expect(readCall(TARGET, call('execute(bytes32,bytes)', mode(kind), data), ME).unreadable).to.equal(
        true,
      );
  });

  it('reads what takes control of a contract', () => {
    expect(effects(call('transferOwnership(address)', OTHER))).to.deep.equal([
      { kind: 'control', to: OTHER },
    ]);
    expect(effects(call('upgradeToAndCall(address,bytes)', OTHER, '0x'))).to.deep.equal([
      { kind: 'control', to: OTHER },
    ]);
    expect(effects(call('swapOwner(address,address,address)', ME, TARGET, OTHER))).to.deep.equal([
      { kind: 'control', to: OTHER },
    ]);
    expect(effects(call('renounceOwnership()'))).to.deep.equal([{ kind: 'control' }]);
  });

  describe('on the Universal Router', () => {
    const DETAILS = '(address,uint160,uint48,uint48)';
    const input = (types: string[], values: AbiValue[]) => `0x${encodeCall('f', types, values).slice(10)}`;
    const path = `${TOKEN}000bb8${SECOND.slice(2)}`.toLowerCase();
    const to = (n: number) => checksum(`0x${n.toString(16).padStart(40, '0')}`);
    const swap = (recipient: string, isUsers = true) =>
      input(['address', 'uint256', 'uint256', 'bytes', 'bool'], [recipient, 100n, 90n, path, isUsers]);
    const run = (commands: string, ...inputs: string[]) =>
      readCall(TARGET, call('execute(bytes,bytes[],uint256)', commands, inputs, WHEN), ME);
    const does = (commands: string, ...inputs: string[]) =>
      run(commands, ...inputs).deeds.map(({ effect }) => effect);

    it('says what is paid and what is asked for', () => {
      expect(does('0x00', swap(to(1)))).to.deep.equal([
        { kind: 'pay', token: TOKEN, amount: 100n },
        { kind: 'receive', to: ME, amount: 90n, token: SECOND },
      ]);
      expect(does('0x01', swap(OTHER)), 'the output is exact').to.deep.equal([
        { kind: 'pay', token: SECOND, amount: 90n },
        { kind: 'receive', to: OTHER, amount: 100n, token: TOKEN },
      ]);
      const v2 = input(
        ['address', 'uint256', 'uint256', 'address[]', 'bool'],
        [to(2), 100n, 90n, [TOKEN, SECOND], false],
      );
      expect(does('0x080c', v2, input(['address', 'uint256'], [to(1), 80n]))).to.deep.equal([
        { kind: 'receive', to: ME, amount: 80n, rest: true, unwraps: true },
      ]);
      expect(
        does('0x84', input(['address', 'address', 'uint256'], [TOKEN, to(1), 4n])),
        'what may fail brings nothing for sure',
      ).to.deep.equal([]);
    });

    it('finds the permit inside, and transfers to others', () => {
      const permit = input(
        [`(${DETAILS},address,uint256)`, 'bytes'],
        [[[TOKEN, (1n << 160n) - 1n, WHEN, 0n], OTHER, WHEN], '0x'],
      );
      expect(does('0x0a', permit)).to.deep.equal([
        { kind: 'approval', from: ME, spender: OTHER, amount: (1n << 160n) - 1n, token: TOKEN, until: WHEN },
      ]);
      expect(does('0x02', input(['address', 'address', 'uint160'], [TOKEN, OTHER, 8n]))).to.deep.equal([
        { kind: 'token', from: ME, to: OTHER, amount: 8n, token: TOKEN },
      ]);
      expect(
        does('0x0506', ...[1, 2].map(() => input(['address', 'address', 'uint256'], [NOBODY, OTHER, 25n]))),
      ).to.deep.equal([
        { kind: 'pass-on', to: OTHER, amount: 25n },
        { kind: 'pass-on', to: OTHER, share: 25n },
      ]);
    });

    it('reads a plan inside a plan', () => {
      const plan = (commands: string, inputs: string[]) => input(['bytes', 'bytes[]'], [commands, inputs]);
      expect(does('0x21', plan('0x00', [swap(to(1))]))).to.have.length(2);
      let deep = plan('0x00', [swap(to(1))]);
      for (let i = 0; i < 8; i++) deep = plan('0x21', [deep]);
      expect(run('0x21', deep).unreadable, 'too deep').to.equal(true);
    });

    it('cannot read a command that it does not know, nor one that does not fit', () => {
      expect(run('0x10', swap(to(1))).unreadable, 'V4').to.equal(true);
      expect(run('0x40', swap(to(1))).unreadable, 'the older mask').to.equal(true);
      expect(run('0x0000', swap(to(1))).unreadable, 'an input is missing').to.equal(true);
      expect(run('0x00', `${swap(to(1))}00`).unreadable, 'bytes after the end').to.equal(true);
      expect(run('0x0a', swap(to(1))).unreadable, 'another command’s input').to.equal(true);
    });
  });

  describe('on Seaport', () => {
    const ITEM = '(uint8,address,uint256,uint256,uint256)';
    const PAID = '(uint8,address,uint256,uint256,uint256,address)';
    const ORDER = `(address,address,${ITEM}[],${PAID}[],uint8,uint256,uint256,bytes32,uint256,bytes32,uint256)`;
    const B32 = `0x${'0'.repeat(64)}`;
    const order = (offer: AbiValue[], paid: AbiValue[], type = 0n): AbiValue => [
      OTHER,
      NOBODY,
      offer,
      paid,
      type,
      0n,
      WHEN,
      B32,
      1n,
      B32,
      BigInt(paid.length),
    ];
    const advanced = (parameters: AbiValue, part: bigint[] = [1n, 1n], recipient = NOBODY) =>
      encodeCall(
        'fulfillAdvancedOrder',
        [
          `(${ORDER},uint120,uint120,bytes,bytes)`,
          '(uint256,uint8,uint256,uint256,bytes32[])[]',
          'bytes32',
          'address',
        ],
        [[parameters, ...part, '0x', '0x'], [], B32, recipient],
      );
    const item = [2n, TOKEN, 7n, 1n, 1n];

    it('says the most that is given and the least that comes back', () => {
      const falling = order([[1n, SECOND, 0n, 100n, 40n]], [[3n, TOKEN, 7n, 2n, 5n, OTHER]]);
      expect(
        effects(encodeCall('fulfillOrder', [`(${ORDER},bytes)`, 'bytes32'], [[falling, '0x'], B32])),
      ).to.deep.equal([
        { kind: 'nft', to: OTHER, id: 7n, amount: 5n, token: TOKEN },
        { kind: 'receive', to: ME, amount: 40n, token: SECOND },
      ]);
      expect(
        effects(advanced(order([item], [[1n, SECOND, 0n, 9n, 9n, OTHER]]), [1n, 1n], TARGET)),
      ).to.deep.equal([
        { kind: 'token', to: OTHER, amount: 9n, token: SECOND },
        { kind: 'receive', to: TARGET, amount: 1n, token: TOKEN, id: 7n },
      ]);
    });

    it('reads basic orders by their route', () => {
      const BASIC =
        '(address,uint256,uint256,address,address,address,uint256,uint256,uint8,uint256,uint256,bytes32,uint256,bytes32,bytes32,uint256,(uint256,address)[],bytes)';
      const basic = (paid: AbiValue[], offer: AbiValue[], type: bigint) =>
        encodeCall(
          'fulfillBasicOrder',
          [BASIC],
          [[...paid, OTHER, NOBODY, ...offer, type, 0n, WHEN, B32, 1n, B32, B32, 1n, [[3n, TARGET]], '0x']],
        );
      expect(effects(basic([NOBODY, 0n, 50n], [TOKEN, 7n, 1n], 0n)), 'the coin for an item').to.deep.equal([
        { kind: 'pay', to: OTHER, amount: 50n },
        { kind: 'pay', to: TARGET, amount: 3n },
        { kind: 'receive', to: ME, amount: 1n, token: TOKEN, id: 7n },
      ]);
      expect(effects(basic([TOKEN, 7n, 1n], [SECOND, 0n, 50n], 16n)), 'an item for tokens').to.deep.equal([
        { kind: 'nft', to: OTHER, id: 7n, amount: 1n, token: TOKEN },
        { kind: 'receive', to: ME, amount: 47n, token: SECOND },
      ]);
      expect(readCall(TARGET, basic([TOKEN, 7n, 1n], [SECOND, 0n, 50n], 24n), ME).unreadable).to.equal(true);
    });

    it('cannot read orders that the contract settles while they run', () => {
      for (const data of [
        advanced(order([item], []), [1n, 2n]),
        advanced(order([item], [], 4n)),
        advanced(order([[4n, TOKEN, 0n, 1n, 1n]], [])),
      ])
        expect(readCall(TARGET, data, ME).unreadable).to.equal(true);
    });
  });

  it('never runs away, whatever calls are inside calls', () => {
    let deep = approve();
    for (let i = 0; i < 40; i++) deep = many([deep]);
    expect(readCall(TARGET, deep, ME).unreadable, 'too deep').to.equal(true);
    const wide = readCall(TARGET, many(Array.from({ length: 65 }, () => approve())), ME);
    expect(wide.unreadable, 'too many').to.equal(true);
    const doubling = Array.from({ length: 3 }).reduce<string>(
      (inner) => many(Array(16).fill(inner)),
      approve(),
    );
    const { deeds, unreadable } = readCall(TARGET, doubling, ME);
    expect(unreadable).to.equal(true);
    expect(deeds.length <= 65).to.equal(true);
  });

  it('reads any bytes without failing, and only what encodes to the same bytes', () => {
    const selectors = [...known().keys()];
    fc.assert(
      fc.property(
        fc.constantFrom(...selectors),
        fc.array(
          fc.oneof(
            fc.uint8Array({ minLength: 32, maxLength: 32 }).map(hexOf),
            fc.integer({ min: 0, max: 8 }).map((n) => (n * 32).toString(16).padStart(64, '0')),
            fc.integer({ min: 0, max: 5 }).map((n) => n.toString(16).padStart(64, '0')),
          ),
          { maxLength: 14 },
        ),
        fc.uint8Array({ maxLength: 2 }).map(hexOf),
        (head, words, rest) => {
          const data = head + words.join('') + rest;
          const { call: read, unreadable } = readCall(TARGET, data, ME);
          expect(read.name !== null || unreadable).to.equal(true);
          if (read.name === null) return;
          const again = encodeCall(
            read.name,
            read.values.map(({ type }) => type),
            read.values.map(({ value }) => value),
          );
          expect(again).to.equal(data);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('reads truncated, extended or changed data as something else or not at all', () => {
    const batch = many([approve(7n), transfer()]);
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: batch.length - 1 }),
        fc.constantFrom(...'0123456789abcdef'),
        (i, digit) => {
          const changed = batch.slice(0, i) + digit + batch.slice(i + 1);
          const { deeds, unreadable } = readCall(TARGET, changed, ME);
          const same =
            JSON.stringify(deeds, plain) === JSON.stringify(readCall(TARGET, batch, ME).deeds, plain);
          expect(changed === batch || unreadable || !same).to.equal(true);
        },
      ),
      { numRuns: 400 },
    );
  });
});

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);
const hexOf = (bytes: Uint8Array) => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');

/** Every function of the list, by its selector. */
function known(): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of FUNCTIONS.trim().split('\n')) {
    const fragment = FunctionFragment.from(`function ${line.split(': ')[0]}`);
    const { selector, inputs } = fragment;
    expect(found.has(selector), `${line} is there twice`).to.equal(false);
    found.set(selector, fragment.format());
    expect(decodeCall(selector).name === null || inputs.length === 0).to.equal(true);
  }
  return found;
}
