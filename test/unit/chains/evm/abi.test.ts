import { expect } from '@open-wc/testing';
import { AbiCoder, ParamType } from 'ethers/abi';
import fc from 'fast-check';
import {
  type AbiValue,
  decode,
  decodeExactly,
  encodeCall,
  selector,
} from '../../../../src/chains/contracts/abi.ts';
import { abiTypeOf } from '../../../../src/chains/contracts/abi-types.ts';
import { revertReason } from '../../../../src/chains/contracts/calls.ts';
import { showCall } from '../../../../src/chains/call-reading/show-call.ts';
import { decodeCall } from '../../../../src/chains/call-reading/decode-call.ts';
import { readCall } from '../../../../src/chains/call-reading/inner-calls.ts';
import { checksum } from '../../../../src/chains/contracts/evm-address.ts';

const coder = AbiCoder.defaultAbiCoder();
const hex = (bytes: Uint8Array) => `0x${Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('')}`;
const A = checksum(`0x${'a1'.repeat(20)}`);
const B = checksum(`0x${'b2'.repeat(20)}`);

/** A random type with a random value. */
const elementary: fc.Arbitrary<[string, AbiValue]> = fc.oneof(
  fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((b): [string, AbiValue] => ['address', checksum(hex(b))]),
  fc.boolean().map((b): [string, AbiValue] => ['bool', b]),
  fc.string({ unit: 'grapheme', maxLength: 70 }).map((s): [string, AbiValue] => ['string', s]),
  fc.uint8Array({ maxLength: 70 }).map((b): [string, AbiValue] => ['bytes', hex(b)]),
  fc
    .integer({ min: 1, max: 32 })
    .chain((n) =>
      fc.uint8Array({ minLength: n, maxLength: n }).map((b): [string, AbiValue] => [`bytes${n}`, hex(b)]),
    ),
  fc
    .integer({ min: 1, max: 32 })
    .chain((n) =>
      fc.bigInt(0n, (1n << BigInt(n * 8)) - 1n).map((v): [string, AbiValue] => [`uint${n * 8}`, v]),
    ),
  fc
    .integer({ min: 1, max: 32 })
    .chain((n) =>
      fc
        .bigInt(-(1n << BigInt(n * 8 - 1)), (1n << BigInt(n * 8 - 1)) - 1n)
        .map((v): [string, AbiValue] => [`int${n * 8}`, v]),
    ),
);
const typed: fc.Arbitrary<[string, AbiValue]> = fc.letrec<{ value: [string, AbiValue] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    elementary,
    fc
      .array(tie('value'), { minLength: 1, maxLength: 4 })
      .map((parts): [string, AbiValue] => [
        `(${parts.map(([type]) => type).join(',')})`,
        parts.map(([, value]) => value),
      ]),
    fc
      .tuple(tie('value'), fc.integer({ min: 0, max: 3 }), fc.boolean())
      .map(([[type, value], n, fixed]): [string, AbiValue] => [
        `${type}[${fixed ? n + 1 : ''}]`,
        Array.from({ length: fixed ? n + 1 : n }, () => value),
      ]),
  ),
})).value;
const word = (n: number) => n.toString(16).padStart(64, '0');

describe('contract calls', () => {
  it('are read back as they were written, for any type', () => {
    fc.assert(
      fc.property(fc.array(typed, { maxLength: 4 }), (arguments_) => {
        const types = arguments_.map(([type]) => type);
        const values = arguments_.map(([, value]) => value);
        for (const type of types) expect(abiTypeOf(type)!.text).to.equal(ParamType.from(type).format());
        const data = encodeCall('f', types, values);
        expect(decodeExactly(types, `0x${data.slice(10)}`)).to.deep.equal(values);
      }),
      { numRuns: 300 },
    );
  });

  it('never runs away on bytes that are not arguments', () => {
    fc.assert(
      fc.property(typed, fc.uint8Array({ maxLength: 300 }), ([type], bytes) => {
        try {
          decode([type], hex(bytes));
        } catch (error) {
          expect(error).to.be.instanceOf(Error);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('know the types of the ABI, each in one form', () => {
    for (const type of ['uint', 'int[]', 'uint256', '(address,(bool,bytes)[2])[]', 'bytes32', 'int8[3][]'])
      expect(abiTypeOf(type)?.text, type).to.equal(ParamType.from(type).format());
    const others =
      'uint7 uint08 uint264 bytes0 bytes33 bytes08 fixed128x18 function tuple(bool) (bool bool) (bool,) bool[ bool[-1] bool[02] Bool (bool (bool)) (bool),(bool) bytes[ ()[ uint256,bool __proto__ struct';
    for (const type of [...others.split(' '), '', ' ', 'uint256 amount', 'address payable'])
      expect(abiTypeOf(type), type).to.equal(undefined);
  });

  it('knows the selectors of the standards', () => {
    expect(selector('transfer', ['address', 'uint256'])).to.equal('0xa9059cbb');
    expect(selector('approve', ['address', 'uint'])).to.equal('0x095ea7b3');
    expect(selector('setApprovalForAll', ['address', 'bool'])).to.equal('0xa22cb465');
    expect(
      selector('exactInputSingle', ['(address,address,uint24,address,uint256,uint256,uint256,uint160)']),
    ).to.equal('0x414bf389');
  });

  it('reads what a call does', () => {
    const effect = (name: string, types: string[], values: AbiValue[]) =>
      readCall(B, encodeCall(name, types, values), A).deeds[0]!.effect;
    expect(effect('transfer', ['address', 'uint256'], [A, 5n])).to.deep.equal({
      kind: 'token',
      to: A,
      amount: 5n,
    });
    expect(effect('transferFrom', ['address', 'address', 'uint256'], [A, B, 5n])).to.deep.include({
      kind: 'token',
      from: A,
      to: B,
    });
    expect(effect('approve', ['address', 'uint256'], [A, 5n])).to.deep.equal({
      kind: 'approval',
      spender: A,
      amount: 5n,
    });
    expect(effect('increaseAllowance', ['address', 'uint256'], [A, 5n])).to.deep.include({
      kind: 'approval',
      increase: true,
    });
    expect(effect('setApprovalForAll', ['address', 'bool'], [A, true])).to.deep.equal({
      kind: 'approval-for-all',
      operator: A,
      approved: true,
    });
    expect(effect('safeTransferFrom', ['address', 'address', 'uint256'], [A, B, 9n])).to.deep.equal({
      kind: 'nft',
      from: A,
      to: B,
      id: 9n,
      amount: 1n,
    });
    expect(
      effect('safeTransferFrom', ['address', 'address', 'uint256', 'uint256', 'bytes'], [A, B, 9n, 3n, '0x']),
    ).to.deep.include({ kind: 'nft', id: 9n, amount: 3n });
    expect(effect('approve', ['address', 'address', 'uint160', 'uint48'], [A, B, 3n, 1n])).to.deep.equal({
      kind: 'approval',
      spender: B,
      amount: 3n,
      token: A,
      until: 1n,
    });
  });

  it('shows an unknown call as unknown, and never half-decoded', () => {
    expect(decodeCall('0x12345678').name).to.equal(null);
    expect(decodeCall('0x').name).to.equal(null);
    expect(decodeCall('0xa9059cbb').name, 'arguments missing').to.equal(null);
    expect(decodeCall(`0xa9059cbb${'f'.repeat(128)}`).name, 'not an address').to.equal(null);
  });

  it('refuse what ethers alone would read: other bytes encode to the same values', () => {
    const text = (hexDigits: string) => word(32) + word(hexDigits.length / 2) + hexDigits.padEnd(64, '0');
    for (const [type, good, bad] of [
      ['bytes4', `12345678${'0'.repeat(56)}`, `12345678${'0'.repeat(54)}01`],
      ['(bytes31,uint256)', `${'ff'.repeat(31)}00${word(0)}`, `${'ff'.repeat(32)}${word(0)}`],
      ['uint8', word(255), 'f'.repeat(64)],
      ['int8', 'f'.repeat(64), `${'0'.repeat(62)}ff`],
      ['bool', word(1), word(2)],
      ['address', word(1), `01${word(1).slice(2)}`],
      ['uint256', word(1), `${word(1)}00`],
      ['string', text('c3a9'), text('c3')],
      ['bytes', text('ab'), `${word(32)}${word(1)}ab${'0'.repeat(61)}1`],
      ['bytes', text('ab'), word(64) + word(0) + text('ab').slice(64)],
    ] as const) {
      expect(() => decodeExactly([type], `0x${good}`), `${type} ${good}`).not.to.throw();
      expect(() => decodeExactly([type], `0x${bad}`), `${type} ${bad}`).to.throw();
    }
  });

  it('read a call only where encoding it again gives the same bytes', () => {
    const approve = encodeCall('approve', ['address', 'uint256'], [B, 5n]);
    const batch = encodeCall('multicall', ['bytes[]'], [['0xab']]);
    expect(decodeCall(approve).name).to.equal('approve');
    expect(decodeCall(approve.toUpperCase().replace('0X', '0x')).name, 'upper case').to.equal('approve');
    for (const [data, why] of [
      [`${approve}00`, 'bytes after the end'],
      [`${batch.slice(0, -1)}1`, 'padding that is not zero'],
      [
        batch
          .replace(word(1) + word(32), word(1) + word(64))
          .replace(word(1) + 'ab', `${word(0)}${word(1)}ab`),
        'a gap',
      ],
    ] as const) {
      expect(data === approve || data === batch, why).to.equal(false);
      expect(decodeCall(data).name, why).to.equal(null);
    }
  });

  it('scales arguments of listed tokens', () => {
    const token = { address: A, symbol: 'USDC', name: '', decimals: 6, logo: '' };
    const transfer = encodeCall('transfer', ['address', 'uint256'], [B, 1500000n]);
    const shown = showCall(decodeCall(transfer), transfer, token, [token]);
    expect(shown.arguments.map((a) => [a.name, a.type, a.value])).to.deep.equal([
      ['to', 'address', B],
      ['amount', 'uint256', '1500000'],
    ]);
    expect(shown.arguments[1]!.amount).to.deep.equal({
      raw: 1500000n,
      decimals: 6,
      symbol: 'USDC',
      token: A,
    });
    const swap = encodeCall(
      'swapExactTokensForETH',
      ['uint256', 'uint256', 'address[]', 'address', 'uint256'],
      [5n, 1n, [A, B], A, 9n],
    );
    const inputs = showCall(decodeCall(swap), swap, undefined, [token]).arguments;
    expect(inputs[0]!.amount?.symbol).to.equal('USDC');
    expect(inputs[1]!.amount).to.equal(undefined);
    expect(inputs[2]!.value).to.equal(`[${A}, ${B}]`);
  });

  it('reads why a call fails', async () => {
    expect(await revertReason(`0x08c379a0${coder.encode(['string'], ['too little']).slice(2)}`)).to.equal(
      'too little',
    );
    expect(await revertReason(`0x4e487b71${coder.encode(['uint256'], [0x11]).slice(2)}`)).to.equal(
      'Panic 0x11',
    );
    for (const data of [undefined, '0x', '0x08c379a0', '0x4e487b71', '0x08c379a0ff'])
      expect(await revertReason(data)).to.equal(undefined);
  });

  it('decode no more than the data holds, however its values overlap', () => {
    const items = 2_000;
    // Every item of the list is the same 60,000 bytes.
    const data = `0xac9650d8${word(32)}${word(items)}${word(items * 32).repeat(items)}${word(60_000)}${'ab'.repeat(60_000)}`;
    expect(decodeCall(data).name).to.equal(null);
    const honest = encodeCall('multicall', ['bytes[]'], [Array<string>(200).fill('0xab')]);
    expect(decodeCall(honest).name).to.equal('multicall');
    const pairs = [
      [1n, 2n],
      [3n, 4n],
      [5n, 6n],
    ];
    const encoded = encodeCall('f', ['uint256[2][]'], [pairs]);
    expect(decode(['uint256[2][]'], `0x${encoded.slice(10)}`)).to.deep.equal([pairs]);
  });
});
