import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { TypedDataEncoder } from 'ethers/hash';
import { hashTypedData } from 'viem';
import type { RequestInvalidError } from '../../../../src/base/errors.ts';
import {
  encodeType,
  readTypedData,
  typedDataDigest,
  typedDataDigests,
} from '../../../../src/chains/evm/typed-data.ts';
import { METAMASK_EXAMPLE, PERMIT2_PERMIT, SEAPORT_ORDER } from './typed-data-of-dapps.ts';
import eip712 from '../../../vectors/eip712.vectors.json';

interface Given {
  types: Record<string, { name: string; type: string }[]>;
  primaryType: string;
  domain: Record<string, unknown>;
  message: Record<string, unknown>;
}
const digestOf = (data: unknown) => typedDataDigest(readTypedData(JSON.stringify(data), 'ETHEREUM'));

/** The standard's example mail, changed by the test. */
const mail = (change: (data: any) => void = () => {}): Given => {
  const data = {
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      Person: [
        { name: 'name', type: 'string' },
        { name: 'wallet', type: 'address' },
        { name: 'born', type: 'int16' },
        { name: 'flags', type: 'bool[2]' },
      ],
      Mail: [
        { name: 'from', type: 'Person' },
        { name: 'to', type: 'Person[]' },
        { name: 'key', type: 'bytes4' },
        { name: 'body', type: 'bytes' },
        { name: 'cents', type: 'uint8' },
      ],
    },
    primaryType: 'Mail',
    domain: { name: 'Mail', chainId: 31337, verifyingContract: `0x${'cc'.repeat(20)}` },
    message: {
      from: { name: 'Ada', wallet: `0x${'aa'.repeat(20)}`, born: -1815, flags: [true, false] },
      to: [{ name: 'Bob ✓', wallet: `0x${'bb'.repeat(20)}`, born: 0, flags: [false, false] }],
      key: '0x01020304',
      body: '0xDEADbeef',
      cents: 255,
    },
  };
  change(data);
  return data;
};

/** What viem makes of the same data. */
const viemsDigestOf = (data: unknown) => hashTypedData(data as never);

describe('typed data (EIP-712)', () => {
  it('hashes the example of the standard and the cases of ethers as published', () => {
    let checked = 0;
    for (const vector of eip712.vectors as unknown as (Given & {
      name: string;
      digest: string;
      encodeType?: string;
    })[]) {
      const { types, primaryType, domain, message, digest, name } = vector;
      checked++;
      if (Object.keys(domain).length === 0) {
        // The standard requires at least one field.
        expect(refused(JSON.stringify({ types, primaryType, domain, message })).issues[0]!.path).to.equal(
          'data.domain',
        );
        continue;
      }
      const data = readTypedData(JSON.stringify({ types, primaryType, domain, message }), 'ETHEREUM');
      expect(typedDataDigest(data), name).to.equal(digest);
      if (vector.encodeType) expect(encodeType(primaryType, data.types)).to.equal(vector.encodeType);
    }
    expect(checked).to.equal(eip712.count);
  });

  it('gives the hashes of domain and message of the example of the standard', () => {
    const example = (eip712.vectors as unknown as Given[]).find(({ primaryType }) => primaryType === 'Mail')!;
    const { types, primaryType, domain, message } = example;
    const data = readTypedData(JSON.stringify({ types, primaryType, domain, message }), 'ETHEREUM');
    expect(typedDataDigests(data)).to.deep.equal({
      domainHash: '0xf2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f',
      messageHash: '0xc52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e',
      digest: '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2',
    });
  });

  it('hashes what viem hashes: lists, structs in structs, every kind of value', () => {
    expect(digestOf(mail())).to.equal(viemsDigestOf(mail()));
    const empty = mail(({ message }) => (message.to = []));
    expect(digestOf(empty)).to.equal(viemsDigestOf(empty));
    const inHex = mail(({ message, domain }) => {
      message.cents = '0xff';
      message.from.born = '-1815';
      domain.chainId = '31337';
    });
    expect(digestOf(inHex)).to.equal(digestOf(mail()));
  });

  it('hashes integers of every width, and bytes, as viem does', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 32 }),
        fc.boolean(),
        fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (size, signed, number, bytes) => {
          const bits = size * 8;
          const value = signed ? BigInt.asIntN(bits, number) : BigInt.asUintN(bits, number);
          const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
          const data = {
            types: {
              Value: [
                { name: 'number', type: `${signed ? '' : 'u'}int${bits}` },
                { name: 'fixed', type: `bytes${size}` },
                { name: 'free', type: 'bytes' },
              ],
            },
            primaryType: 'Value',
            domain: { name: 'x' },
            message: {
              number: String(value),
              fixed: `0x${hex.slice(0, size * 2)}`,
              free: `0x${hex.slice(size)}`.slice(0, 34),
            },
          };
          if (data.message.free.length % 2) data.message.free += '0';
          expect(digestOf(data)).to.equal(viemsDigestOf(data));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('refuses types that hold themselves, which ethers does not hash', () => {
    const friends = mail(({ types }) => types.Person.push({ name: 'friends', type: 'Person[]' }));
    expect(refused(JSON.stringify(friends)).issues[0]!.path).to.equal('data.types.Person');
    const circle = mail(({ types }) => {
      types.Person.push({ name: 'home', type: 'House' });
      types.House = [{ name: 'guests', type: 'Person[]' }];
    });
    expect(refused(JSON.stringify(circle)).issues[0]!.path).to.equal('data.types.Person');
  });

  it('takes the members of the domain in the order that the data declares', () => {
    const data = mail(({ types }) => types.EIP712Domain.reverse());
    expect(digestOf(data)).to.equal(viemsDigestOf(data));
    expect(digestOf(data)).to.not.equal(digestOf(mail()));
    // Without a declaration it is the standard order.
    expect(digestOf(mail(({ types }) => delete types.EIP712Domain))).to.equal(digestOf(mail()));
  });

  for (const [what, path, change] of [
    ['an integer that is too large', 'data.message.cents', (d) => (d.message.cents = 256)],
    ['a negative number for an unsigned integer', 'data.message.cents', (d) => (d.message.cents = -1)],
    ['a signed integer that is too small', 'data.message.from.born', (d) => (d.message.from.born = -32769)],
    ['a signed integer that is too large', 'data.message.from.born', (d) => (d.message.from.born = 32768)],
    ['a number that JSON does not hold exactly', 'data.domain.chainId', (d) => (d.domain.chainId = 2 ** 53)],
    ['a fraction', 'data.message.cents', (d) => (d.message.cents = 1.5)],
    ['an empty text for an integer', 'data.message.cents', (d) => (d.message.cents = '')],
    ['an integer with spaces', 'data.message.cents', (d) => (d.message.cents = ' 7')],
    ['truth for an integer', 'data.message.cents', (d) => (d.message.cents = true)],
    ['a number for truth', 'data.message.from.flags.0', (d) => (d.message.from.flags[0] = 1)],
    ['text for truth', 'data.message.from.flags.1', (d) => (d.message.from.flags[1] = 'false')],
    ['too few bytes', 'data.message.key', (d) => (d.message.key = '0x010203')],
    ['too many bytes', 'data.message.key', (d) => (d.message.key = '0x0102030405')],
    ['bytes that are not hex', 'data.message.body', (d) => (d.message.body = '0xzz')],
    ['half a byte', 'data.message.body', (d) => (d.message.body = '0x123')],
    ['bytes as a list of numbers', 'data.message.body', (d) => (d.message.body = [1, 2])],
    ['an address that is not hex', 'data.message.from.wallet', (d) => (d.message.from.wallet = 'ada')],
    ['an address as a number', 'data.message.from.wallet', (d) => (d.message.from.wallet = 1)],
    [
      'an address of 19 bytes',
      'data.message.from.wallet',
      (d) => (d.message.from.wallet = `0x${'aa'.repeat(19)}`),
    ],
    [
      'an address with a wrong checksum',
      'data.message.to.0.wallet',
      (d) => (d.message.to[0].wallet = '0x71c7656EC7ab88b098defB751B7401B5f6d8976F'),
    ],
    ['a number for text', 'data.message.from.name', (d) => (d.message.from.name = 7)],
    ['half a character', 'data.message.from.name', (d) => (d.message.from.name = 'a\ud800b')],
    ['a list that is too short', 'data.message.from.flags', (d) => d.message.from.flags.pop()],
    ['a list that is too long', 'data.message.from.flags', (d) => d.message.from.flags.push(true)],
    ['an object for a list', 'data.message.to', (d) => (d.message.to = {})],
    ['a missing value', 'data.message.cents', (d) => delete d.message.cents],
    ['a missing struct', 'data.message.from', (d) => delete d.message.from],
    ['null for a struct', 'data.message.from', (d) => (d.message.from = null)],
    ['a list for a struct', 'data.message.from', (d) => (d.message.from = [])],
    ['a field that no type declares', 'data.message.extra', (d) => (d.message.extra = 1)],
    ['a field inside that no type declares', 'data.message.to.0.amount', (d) => (d.message.to[0].amount = 1)],
    ['a domain field that is not declared', 'data.domain.version', (d) => (d.domain.version = '1')],
    ['a declared domain field that is missing', 'data.domain.name', (d) => delete d.domain.name],
    [
      'a domain field of its own',
      'data.types.EIP712Domain.3',
      (d) => {
        d.types.EIP712Domain.push({ name: 'owner', type: 'address' });
        d.domain.owner = `0x${'aa'.repeat(20)}`;
      },
    ],
    [
      'a domain field of another type',
      'data.types.EIP712Domain.1',
      (d) => (d.types.EIP712Domain[1].type = 'string'),
    ],
    [
      'a domain without any field',
      'data.domain',
      (d) => {
        delete d.types.EIP712Domain;
        d.domain = {};
      },
    ],
    ['an unknown type', 'data.types.Mail.4.type', (d) => (d.types.Mail[4].type = 'uint7')],
    ['the alias of a type', 'data.types.Mail.4.type', (d) => (d.types.Mail[4].type = 'uint')],
    ['fixed point', 'data.types.Mail.4.type', (d) => (d.types.Mail[4].type = 'fixed128x18')],
    ['bytes of 33', 'data.types.Mail.2.type', (d) => (d.types.Mail[2].type = 'bytes33')],
    ['a list of no items', 'data.types.Person.3.type', (d) => (d.types.Person[3].type = 'bool[0]')],
    ['the domain as a member', 'data.types.Mail.0.type', (d) => (d.types.Mail[0].type = 'EIP712Domain')],
    [
      'a member that is there twice',
      'data.types.Mail.5.name',
      (d) => d.types.Mail.push({ name: 'cents', type: 'uint8' }),
    ],
    [
      'a member name that could be two',
      'data.types.Mail.4.name',
      (d) => (d.types.Mail[4].name = 'cents,bool paid'),
    ],
    ['a struct named like a type', 'data.types.uint8', (d) => (d.types.uint8 = [])],
    ['a struct name with a bracket', 'data.types.A()', (d) => (d.types['A()'] = [])],
    [
      'a type that nothing uses',
      'data.types.Hidden',
      (d) => (d.types.Hidden = [{ name: 'a', type: 'bool' }]),
    ],
    ['a member with more fields', 'data.types.Mail.4.indexed', (d) => (d.types.Mail[4].indexed = true)],
    ['a primary type that is not there', 'data.primaryType', (d) => (d.primaryType = 'Letter')],
    ['the domain as primary type', 'data.primaryType', (d) => (d.primaryType = 'EIP712Domain')],
    ['a primary type that only objects have', 'data.primaryType', (d) => (d.primaryType = 'constructor')],
    ['more than its four parts', 'data.note', (d) => (d.note = 'x')],
    [
      'too many types',
      'data.types',
      (d) => {
        for (let i = 0; i < 70; i++) d.types[`T${i}`] = [];
      },
    ],
    ['too many values', 'data', (d) => (d.message.to = Array.from({ length: 600 }, () => d.message.to[0]))],
    [
      'a struct that is too deep',
      undefined,
      (d) => {
        for (let i = 0; i < 20; i++)
          d.types[`Box${i}`] = [{ name: 'box', type: i === 0 ? 'uint8' : `Box${i - 1}` }];
        d.types.Mail.push({ name: 'box', type: 'Box19' });
        let box: unknown = 1;
        for (let i = 0; i < 20; i++) box = { box };
        d.message.box = box;
      },
    ],
  ] as [string, string | undefined, (data: any) => void][])
    it(`refuses ${what}`, () => {
      const error = refused(JSON.stringify(mail(change)));
      if (path) expect(error.issues[0]!.path).to.equal(path);
      else expect(error.issues[0]!.message).to.include('nested');
    });

  it('refuses __proto__ anywhere, and anything that is not JSON', () => {
    const text = JSON.stringify(mail());
    const message = text.replace('"cents":255', '"cents":255,"__proto__":{"cents":1}');
    expect(refused(message).issues[0]!.path).to.equal('data.message.__proto__');
    const types = text.replace('"types":{', '"types":{"__proto__":[],');
    expect(refused(types).issues[0]!.path).to.equal('data.types.__proto__');
    const member = text.replace('"name":"cents"', '"name":"__proto__"');
    expect(refused(member).issues[0]!.path).to.equal('data.types.Mail.4.name');
    expect(refused('{').issues[0]!.path).to.equal('data');
    expect(refused('[]').issues[0]!.path).to.equal('data');
  });

  it('reads any JSON without an error of another kind', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const parts = [
          json,
          `{"types":${json},"primaryType":"A","domain":${json},"message":${json}}`,
          `{"types":{"A":${json}},"primaryType":"A","domain":{},"message":${json}}`,
          `{"types":{"A":[]},"primaryType":${json},"domain":{},"message":{}}`,
        ];
        for (const text of parts) for (const how of [undefined, 'omit'] as const) refused(text, how);
      }),
      { numRuns: 200 },
    );
  });
});

describe('typed data with more than is signed', () => {
  const read = (data: unknown) => readTypedData(JSON.stringify(data), 'ETHEREUM', 'omit');
  /** The hash as ethers has it: of the types that are used, as it refuses others. */
  const ethersDigest = ({ types, domain, message }: Given, ...used: string[]) =>
    TypedDataEncoder.hash(domain, Object.fromEntries(used.map((name) => [name, types[name]!])), message);

  for (const [whose, data, used, unsigned] of [
    ['the example of MetaMask', METAMASK_EXAMPLE, ['Mail', 'Person'], ['Group']],
    [
      'a permit of Permit2',
      PERMIT2_PERMIT,
      ['PermitSingle', 'PermitDetails'],
      ['PermitBatch', 'chainId', 'details › symbol'],
    ],
    [
      'an order of Seaport',
      SEAPORT_ORDER,
      ['OrderComponents', 'OfferItem', 'ConsiderationItem'],
      ['totalOriginalConsiderationItems'],
    ],
  ] as [string, Given, string[], string[]][])
    it(`is signed without it: ${whose}`, () => {
      const read = readTypedData(JSON.stringify(data), 'ETHEREUM', 'omit');
      expect(read.unsigned).to.deep.equal(unsigned);
      expect(typedDataDigest(read)).to.equal(ethersDigest(data, ...used));
      expect(() => readTypedData(JSON.stringify(data), 'ETHEREUM')).to.throw('leave it out');
    });

  it('keeps nothing of what is left out, wherever it stands', () => {
    const data = mail((d) => {
      d.note = 'a';
      d.types.Unused = 'no list';
      d.types.Mail[4].indexed = true;
      d.domain.salt = `0x${'ab'.repeat(32)}`;
      d.message.to[0].wallets = [`0x${'dd'.repeat(20)}`];
    });
    const { unsigned, ...kept } = read(data);
    const { unsigned: none, ...plain } = read(mail());
    expect(none).to.deep.equal([]);
    expect(kept).to.deep.equal(plain);
    expect(typedDataDigest({ ...kept, unsigned })).to.equal(viemsDigestOf(mail()));
    expect(unsigned).to.deep.equal([
      'note',
      'Mail › 4 › indexed',
      'Unused',
      'domain › salt',
      'to › 0 › wallets',
    ]);
  });

  it('is refused where the hash would be another one', () => {
    for (const [path, change] of [
      ['data.message.cents', (d) => delete d.message.cents],
      ['data.message.from', (d) => (d.message.from = null)],
      ['data.message.cents', (d) => (d.message.cents = 256)],
      ['data.domain.name', (d) => delete d.domain.name],
      ['data.types.Mail.5.name', (d) => d.types.Mail.push({ name: 'cents', type: 'uint8' })],
      ['data.types.Mail.0.type', (d) => delete d.types.Person],
      // Without a declaration nobody can say whether it belongs to the domain.
      [
        'data.domain.owner',
        (d) => {
          delete d.types.EIP712Domain;
          d.domain.owner = 1;
        },
      ],
    ] as [string, (data: any) => void][])
      expect(refused(JSON.stringify(mail(change)), 'omit').issues[0]!.path).to.equal(path);
  });
});

function refused(text: string, unsignedFields?: 'omit'): RequestInvalidError {
  try {
    readTypedData(text, 'ETHEREUM', unsignedFields);
  } catch (error) {
    expect((error as RequestInvalidError).code).to.equal('request.invalid');
    return error as RequestInvalidError;
  }
  throw new Error('it was read');
}
