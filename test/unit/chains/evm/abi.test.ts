import { expect } from '@open-wc/testing';
import { AbiCoder, FunctionFragment, ParamType } from 'ethers/abi';
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
import { showCall } from '../../../../src/chains/call-reading/drawn-call.ts';
import { decodeCall } from '../../../../src/chains/call-reading/decode-call.ts';
import { FUNCTIONS } from '../../../../src/chains/call-reading/functions.ts';
import { readCall } from '../../../../src/chains/call-reading/inner-calls.ts';
import { checksum } from '../../../../src/chains/contracts/evm-address.ts';

const coder = AbiCoder.defaultAbiCoder();
const hex = (bytes: Uint8Array) => `0x${Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('')}`;
const A = checksum(`0x${'a1'.repeat(20)}`);
const B = checksum(`0x${'b2'.repeat(20)}`);

/** A random value of the type. */
function valueOf({ type, arrayChildren, arrayLength, components }: ParamType): fc.Arbitrary<AbiValue> {
  if (arrayChildren) {
    const [minLength, maxLength] = arrayLength === -1 ? [0, 3] : [arrayLength!, arrayLength!];
    return fc.array(valueOf(arrayChildren), { minLength, maxLength });
  }
  if (components) return fc.tuple(...components.map(valueOf));
  if (type === 'address') return bytesOf(20).map(checksum);
  if (type === 'bool') return fc.boolean();
  // A byte order mark is text, too.
  if (type === 'string')
    return fc
      .tuple(fc.constantFrom('', '\ufeff'), fc.string({ unit: 'grapheme', maxLength: 70 }))
      .map((all) => all.join(''));
  if (type === 'bytes') return fc.uint8Array({ maxLength: 70 }).map(hex);
  const size = Number(/\d+$/.exec(type)![0]);
  if (type.startsWith('bytes')) return bytesOf(size);
  const half = 1n << BigInt(size - 1);
  return type.startsWith('u') ? fc.bigInt(0n, 2n * half - 1n) : fc.bigInt(-half, half - 1n);
}
const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(hex);

const someType: fc.Arbitrary<string> = fc.letrec<{ type: string }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom('address', 'bool', 'string', 'bytes'),
    fc.integer({ min: 1, max: 32 }).chain((n) => fc.constantFrom(`bytes${n}`, `uint${n * 8}`, `int${n * 8}`)),
    fc.array(tie('type'), { minLength: 1, maxLength: 4 }).map((parts) => `(${parts.join(',')})`),
    fc.tuple(tie('type'), fc.constantFrom('', 0, 1, 2, 3)).map(([type, length]) => `${type}[${length}]`),
  ),
})).type;
/** A random type with a random value. */
const typed: fc.Arbitrary<[string, AbiValue]> = someType.chain((type) =>
  valueOf(ParamType.from(type)).map((value): [string, AbiValue] => [type, value]),
);
/** Up to four, as a call takes them. */
const listed: fc.Arbitrary<[types: string[], values: AbiValue[]]> = fc
  .array(typed, { maxLength: 4 })
  .map((all) => [all.map(([type]) => type), all.map(([, value]) => value)]);

const word = (n: number | bigint) => n.toString(16).padStart(64, '0');

/** What is done to the hex digits of an encoding. */
const change: fc.Arbitrary<(digits: string) => string> = fc.oneof(
  // One byte is another.
  fc.tuple(fc.nat(), bytesOf(1)).map(([at, byte]) => (digits: string) => {
    const start = (at % Math.max(1, digits.length / 2)) * 2;
    return digits.slice(0, start) + byte.slice(2) + digits.slice(start + 2);
  }),
  // One word is another, most often an offset or a length.
  fc
    .tuple(
      fc.nat(),
      fc.oneof(
        fc.nat(12).map((n) => word(n * 32)),
        fc.nat(400).map(word),
        fc.constantFrom(2n ** 31n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 64n + 32n, 2n ** 256n - 32n).map(word),
        bytesOf(32).map((bytes) => bytes.slice(2)),
      ),
    )
    .map(([at, other]) => (digits: string) => {
      const start = (at % Math.max(1, digits.length / 64)) * 64;
      return digits.slice(0, start) + other + digits.slice(start + 64);
    }),
  // One word takes the place of another.
  fc.tuple(fc.nat(), fc.nat()).map(([from, to]) => (digits: string) => {
    const words = digits.match(/.{64}/g) ?? [];
    if (words.length > 0) words[to % words.length] = words[from % words.length]!;
    return words.join('');
  }),
  fc.nat(70).map((bytes) => (digits: string) => digits.slice(0, Math.max(0, digits.length - bytes * 2))),
  fc
    .uint8Array({ minLength: 1, maxLength: 70 })
    .map((more) => (digits: string) => digits + hex(more).slice(2)),
  fc.constant((digits: string) => digits.toUpperCase()),
);
const changes = fc
  .array(change, { minLength: 1, maxLength: 3 })
  .map((all) => (digits: string) => all.reduce((changed, one) => one(changed), digits));

/** What ethers reads if every byte may be read once. Undefined where it refuses. */
function readByEthers(types: readonly (string | ParamType)[], data: string): AbiValue[] | undefined {
  AbiCoder._setDefaultMaxInflation(1);
  try {
    return coder.decode(types, data).toArray(true) as AbiValue[];
  } catch {
    return undefined;
  } finally {
    AbiCoder._setDefaultMaxInflation(1024);
  }
}

/** Undefined where it refuses, as it should. */
function attempt(read: () => AbiValue[]): AbiValue[] | undefined {
  try {
    return read();
  } catch (error) {
    expect(error).to.be.instanceOf(RangeError);
    return undefined;
  }
}

/** Both decoders do with `data` as ethers does, or as ethers and encoding again. */
function expectAsEthers(types: string[], data: string): void {
  const values = readByEthers(types, data);
  expect(attempt(() => decode(types, data))).to.deep.equal(values);
  const isExact = values !== undefined && coder.encode(types, values) === data.toLowerCase();
  expect(attempt(() => decodeExactly(types, data))).to.deep.equal(isExact ? values : undefined);
}

describe('contract calls', () => {
  it('are written as ethers writes them and read back as they were, for any type', () => {
    fc.assert(
      fc.property(listed, ([types, values]) => {
        for (const type of types) expect(abiTypeOf(type)!.text).to.equal(ParamType.from(type).format());
        const data = encodeCall('f', types, values);
        expect(data).to.equal(
          FunctionFragment.getSelector('f', types) + coder.encode(types, values).slice(2),
        );
        expectAsEthers(types, `0x${data.slice(10)}`);
        // Of a list of lists of nothing, neither reads more than it has bytes.
        if (!types.some((type) => type.includes('[0]')))
          expect(decodeExactly(types, `0x${data.slice(10)}`)).to.deep.equal(values);
      }),
      { numRuns: 300 },
    );
  });

  it('are read or refused as ethers does it, whatever is changed in them', () => {
    fc.assert(
      fc.property(listed, changes, ([types, values], changed) => {
        expectAsEthers(types, `0x${changed(coder.encode(types, values).slice(2))}`);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are read or refused as ethers does it, if they are no arguments at all', () => {
    fc.assert(
      fc.property(
        fc.array(someType, { maxLength: 3 }),
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }).map(hex),
          fc.array(fc.nat(12), { maxLength: 20 }).map((all) => `0x${all.map((n) => word(n * 32)).join('')}`),
          fc.array(fc.nat(3), { maxLength: 20 }).map((all) => `0x${all.map(word).join('')}`),
        ),
        expectAsEthers,
      ),
      { numRuns: 1_000 },
    );
  });

  it('refuse what are not bytes in hex', () => {
    for (const data of ['', '0', '0x0', 'ab', '0xag', '0xab\n', ' 0x', `0x${word(1).slice(1)}`])
      for (const types of [[], ['uint256']])
        expect(
          attempt(() => decode(types, data)),
          data,
        ).to.equal(undefined);
  });

  it('refuse values that do not fit, without repeating them', () => {
    for (const [type, value] of [
      ['uint8', 256n],
      ['uint8', -1n],
      ['int8', 128n],
      ['int8', -129n],
      ['uint256', 1n << 256n],
      ['uint256', '5'],
      ['uint256', true],
      ['uint7', 1n],
      ['bool', 1n],
      ['bool', 'true'],
      ['address', `0x${'12'.repeat(19)}`],
      ['address', '12'.repeat(20)],
      ['address', A.replace('A', 'a')],
      ['address', 5n],
      ['bytes', '0x123'],
      ['bytes', 'text'],
      ['bytes4', '0x123456'],
      ['bytes4', '0x1234567890'],
      ['string', 'half \ud83d'],
      ['string', 5n],
      ['uint256[]', 5n],
      ['uint256[2]', [1n]],
      ['uint256[]', ['x']],
      ['(uint256,bool)', [1n]],
      ['(uint256,bool)', [1n, true, true]],
    ] as [string, AbiValue][]) {
      const refusal = () => encodeCall('f', [type], [value]);
      expect(refusal, `${type} ${value}`).to.throw(
        RangeError,
        /^(not a (value|type) of|\d values for \d types$)/,
      );
    }
    expect(() => encodeCall('f', ['bool', 'bool'], [true])).to.throw(RangeError);
    expect(() => encodeCall('f', ['address'], [undefined as unknown as AbiValue])).to.throw(RangeError);
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

  it('reads every known function as ethers reads its declaration, whatever is changed in the call', () => {
    for (const line of FUNCTIONS.trim().split('\n')) {
      const fragment = FunctionFragment.from(`function ${line.split(': ')[0]}`);
      const { name, selector, inputs } = fragment;
      const callOf = (data: string, values: AbiValue[] | undefined) =>
        values && coder.encode(inputs, values) === data
          ? {
              name,
              signature: fragment.format(),
              values: inputs.map((input, i) => ({
                name: input.name,
                type: input.format(),
                value: values[i]!,
              })),
            }
          : { name: null, signature: null, values: [] };
      fc.assert(
        fc.property(fc.tuple(...inputs.map(valueOf)), changes, (values, changed) => {
          const data = coder.encode(inputs, values);
          expect(decodeCall(selector + data.slice(2))).to.deep.equal(callOf(data, values));
          const other = `0x${changed(data.slice(2)).toLowerCase()}`;
          expect(decodeCall(selector + other.slice(2))).to.deep.equal(
            callOf(other, readByEthers(inputs, other)),
          );
        }),
        { numRuns: 10 },
      );
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
