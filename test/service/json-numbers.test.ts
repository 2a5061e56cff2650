/** Which numbers of a JSON text survive being read. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { lostNumberOf } from '../../service/http/json-numbers.ts';

const lost = (json: string) => {
  JSON.parse(json);
  const found = lostNumberOf(json);
  return found && `${found.path} ${found.double}`;
};

it('a number that is the decimal of its double is taken, however it is written', () => {
  for (const number of [
    '0',
    '-0',
    '0.0',
    '-0.0e5',
    '0E400',
    '0.1',
    '1.10',
    '100e-2',
    '1e18',
    '1E+18',
    '1e21',
    '1000000000000000000',
    '1000000000000000000000',
    '1000000000000000000.000',
    '10000000000000000e-16',
    '0.00000000000000000001',
    '0.000000000000000000010e1',
    '9007199254740992',
    '-9007199254740991',
    '123456789012345680000',
    '0.12345678901234568',
    '5e-324',
    '1.7976931348623157e308',
    '2.2250738585072014e-308',
    `1.${'0'.repeat(500)}`,
    `${'1'}${'0'.repeat(300)}`,
  ])
    assert.equal(lost(number), undefined, number);
});

it('a number that would become another is found', () => {
  for (const [number, double] of [
    ['9007199254740993', '9007199254740992'],
    ['-9007199254740993', '-9007199254740992'],
    ['9007199254740993.0', '9007199254740992'],
    ['9007199254740993e0', '9007199254740992'],
    ['9.007199254740993e15', '9007199254740992'],
    ['0.1234567890123456789', '0.12345678901234568'],
    ['1.0000000000000000001', '1'],
    ['1000000000000000001', '1000000000000000000'],
    ['123456789012345683968', '123456789012345680000'],
    ['1E400', 'Infinity'],
    ['-1e309', '-Infinity'],
    ['1e-400', '0'],
    ['1.23456789e-320', '1.2347e-320'],
    [`1e${'9'.repeat(30)}`, 'Infinity'],
    [`0.1e-${'9'.repeat(30)}`, '0'],
    [`1${'0'.repeat(309)}`, 'Infinity'],
    [`1.${'0'.repeat(1000)}1`, '1'],
  ] as const) {
    assert.equal(lost(number), ` ${double}`, number);
  }
});

it('it is named by its path', () => {
  const n = '9007199254740993';
  const read = '9007199254740992';
  for (const [json, path] of [
    [`{"value":${n}}`, 'value'],
    [`{ "a" : 1 , "value"\t:\n ${n} }`, 'value'],
    [`{"transactionRequest":{"to":"0x1","value":${n}},"pincode":"1"}`, 'transactionRequest.value'],
    [`{"a":{"b":[1,{"c":2}],"d":{}},"e":[[],[0,[],${n}]]}`, 'e.1.2'],
    [`[{"value":1},{"value":"1"},{"value":${n}}]`, '2.value'],
    [`[1,[2,3],{"a":[4]},${n}]`, '3'],
    [`{"a":1,"a":${n}}`, 'a'],
    [`{"a":${n},"a":1}`, 'a'],
    [`{"a\\"b":${n}}`, 'a"b'],
    [`{"\\u00e9\\\\":${n}}`, 'é\\'],
    [`{"\u{1f600}":{"é":${n}}}`, '\u{1f600}.é'],
    [`{"":{"":${n}}}`, '.'],
    [`{"toString":[true,false,null,${n}]}`, 'toString.3'],
    [`{"a":${n},"b":1e999}`, 'a'],
  ] as const)
    assert.equal(lost(json), `${path} ${read}`, json);
});

it('text is not taken for a number', () => {
  for (const json of [
    '"9007199254740993"',
    '{"value":"9007199254740993"}',
    '{"a":", 9007199254740993, 1e999"}',
    String.raw`{"a":"\": 9007199254740993"}`,
    String.raw`{"a":"\\","b":": 9007199254740993","c":"[1e999]"}`,
    '{"9007199254740993":1,": 1e999":[": 1e999"]}',
    String.raw`[" 9007199254740993\\\"", 1]`,
  ])
    assert.equal(lost(json), undefined, json);
});

it('what a program writes is never refused', () => {
  fc.assert(fc.property(fc.json(), (json) => lost(json) === undefined));
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      assert.equal(lost(JSON.stringify([number])), undefined);
      assert.equal(lost(`[${number.toExponential()}]`), undefined);
    }),
  );
});

it('an integer is taken if its double is that integer in its shortest text, and else found', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), (integer) => {
      const kept = BigInt(Number(integer).toLocaleString('en', { useGrouping: false })) === integer;
      assert.equal(lost(`{"value":${integer}}`) === undefined, kept, String(integer));
    }),
  );
});

it('a long run of digits takes no longer than another body', () => {
  assert.equal(lost(`[1${'0'.repeat(250_000)}1]`), '0 Infinity');
  assert.equal(lost(`[0.${'0'.repeat(250_000)}1]`), '0 0');
  assert.equal(lost(`[${'1e100,'.repeat(40_000)}1]`), undefined);
});
