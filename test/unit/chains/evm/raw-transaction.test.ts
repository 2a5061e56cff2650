import { expect } from '@open-wc/testing';
import { keccak256, type Signature, SigningKey } from 'ethers/crypto';
import { Transaction } from 'ethers/transaction';
import { decodeRlp, encodeRlp, type RlpStructuredData } from 'ethers/utils';
import fc from 'fast-check';
import { address } from '../../../../src/chains/evm/transaction.ts';
import {
  parseUnsigned,
  resemblesTransaction,
  serialize,
  type TransactionFields,
  transactionOf,
} from '../../../../src/chains/evm/raw-transaction.ts';
import { bytesOf, hexOf } from '../../../../src/base/bytes.ts';
import eip155 from '../../../vectors/eip155.vectors.json';
import eip1559 from '../../../vectors/eip1559.vectors.json';
import eip2930 from '../../../vectors/eip2930.vectors.json';
import legacy from '../../../vectors/eth-legacy-transactions.vectors.json';

const hexBytes = (size: { minLength?: number; maxLength: number }) => fc.uint8Array(size).map(hexOf);
const exactly = (size: number) => hexBytes({ minLength: size, maxLength: size });
const price = fc.bigInt(0n, 1n << 100n);

/** Any transaction; `price` and `tip` are used as its type needs them. */
const anyTransaction = fc
  .record({
    type: fc.constantFrom<0 | 1 | 2>(0, 1, 2),
    chainId: fc.oneof(fc.constantFrom(1, 127, 128, 255, 256), fc.integer({ min: 1, max: 2 ** 50 })),
    nonce: fc.oneof(fc.constantFrom(0, 127, 128), fc.maxSafeNat()),
    gas: fc.bigInt(0n, (1n << 64n) - 1n),
    price,
    tip: price,
    to: fc.option(exactly(20)),
    value: fc.oneof(fc.constantFrom(0n, 127n, 128n), fc.bigInt(0n, (1n << 256n) - 1n)),
    data: fc.oneof(hexBytes({ maxLength: 60 }), hexBytes({ maxLength: 400 })),
    accessList: fc.array(fc.tuple(exactly(20), fc.array(exactly(32), { maxLength: 3 })), { maxLength: 3 }),
  })
  .map(({ price: most, tip, accessList, ...rest }): TransactionFields => {
    if (rest.type === 0) return { ...rest, gasPrice: most };
    if (rest.type === 1) return { ...rest, gasPrice: most, accessList };
    return { ...rest, maxFeePerGas: most + tip, maxPriorityFeePerGas: tip, accessList };
  });

/** Parsed addresses are checksummed. */
const lower = <T>(value: T): T => value && (JSON.parse(JSON.stringify(value).toLowerCase()) as T);

/** By ethers, and the same by us. */
function unsignedOf(fields: TransactionFields): string {
  const bytes = transactionOf(fields).unsignedSerialized;
  expect(serialize(fields)).to.equal(bytes);
  return bytes;
}

function signedOf(fields: TransactionFields, signature: Signature): string {
  const transaction = transactionOf(fields);
  transaction.signature = signature;
  expect(serialize(fields, signature)).to.equal(transaction.serialized);
  return transaction.serialized;
}

interface Row {
  group: string;
  name: string;
  txBytes: string;
  result: { London: { valid: boolean; sender?: string; hash?: string; exception?: string } };
}

/** The bytes that a transaction signs; undefined if they are not a canonical RLP list. */
function withoutSignature(bytes: string): string | undefined {
  const typed = /^0x0[12]/.test(bytes);
  try {
    const rlp = typed ? `0x${bytes.slice(4)}` : bytes;
    const items = decodeRlp(rlp) as RlpStructuredData[];
    if (encodeRlp(items) !== rlp) return undefined;
    const unsigned = items.slice(0, typed ? -3 : 6);
    return typed ? bytes.slice(0, 4) + encodeRlp(unsigned).slice(2) : encodeRlp(unsigned);
  } catch {
    return undefined;
  }
}

describe('raw transactions', () => {
  it('are read back as the same fields, and only unsigned', () => {
    const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((b) => b[0]! > 0 && b[0]! < 255);
    fc.assert(
      fc.property(anyTransaction, key, (fields, privateKey) => {
        const unsigned = unsignedOf(fields);
        const read = parseUnsigned(unsigned);
        expect(read && { ...read, to: lower(read.to), accessList: lower(read.accessList) }).to.deep.equal({
          ...fields,
          accessList: fields.type === 0 ? undefined : fields.accessList,
        });
        const signed = signedOf(fields, new SigningKey(privateKey).sign(keccak256(unsigned)));
        expect(Transaction.from(signed).from).to.equal(address(privateKey));
        expect(parseUnsigned(signed), 'is signed already').to.equal(undefined);
        expect(resemblesTransaction(unsigned) && resemblesTransaction(signed)).to.equal(true);
      }),
      { numRuns: 100 },
    );
  });

  it('of the greatest length are written in less than a quarter of the milliseconds that ethers takes', () => {
    const data = `0x${'5a'.repeat(120_000)}`;
    const prices = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };
    const fields = { type: 2, chainId: 1, nonce: 1, gas: 1n, ...prices, to: null, value: 0n, data } as const;
    const took = (write: () => string): number => {
      const since = performance.now();
      write();
      return performance.now() - since;
    };
    const best = (write: () => string) => Math.min(...Array.from({ length: 5 }, () => took(write)));
    expect(best(() => serialize(fields))).to.be.below(
      best(() => transactionOf(fields).unsignedSerialized) / 4,
    );
  });

  it('are never read from bytes other than those they are written to', () => {
    fc.assert(
      fc.property(anyTransaction, fc.nat(), fc.integer({ min: 0, max: 255 }), (fields, place, byte) => {
        const bytes = bytesOf(unsignedOf(fields));
        bytes[place % bytes.length] = byte;
        const changed = hexOf(bytes);
        for (const given of [changed, `${changed}00`, changed.slice(0, -2)]) {
          const read = parseUnsigned(given);
          if (read) expect(unsignedOf(read)).to.equal(given);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('EIP-155: gives the published bytes to sign, and reads them', () => {
    const v = eip155.vectors[0] as unknown as { signingData: string; signingHash: string };
    const read = parseUnsigned(v.signingData)!;
    expect(read).to.include({ type: 0, chainId: 1, nonce: 9, gas: 21_000n, gasPrice: 20n * 10n ** 9n });
    expect(transactionOf(read).unsignedHash).to.equal(v.signingHash);
    for (const row of eip155.vectors.slice(1) as { signedTx: string; sender: string }[]) {
      const { chainId, ...fields } = parseUnsigned(withoutSignature(row.signedTx)!)!;
      const { signature } = Transaction.from(row.signedTx);
      const whole = { ...fields, chainId: Number(signature!.legacyChainId ?? chainId) };
      expect(signedOf(whole, signature!)).to.equal(row.signedTx);
    }
  });

  it('EIP-155, 2930 and 1559: reads every valid published transaction, and no other', () => {
    // Exceptions about the signature or the execution only: what is signed is well-formed.
    const SIGNED =
      /INVALID_SIGNATURE|INVALID_CHAINID|EC_RECOVERY|LEADING_ZEROS_[VRS]$|INVALID_SIGNATURE_[RS]|TOO_(FEW|MANY)_ELEMENTS|INTRINSIC_GAS/;
    let read = 0;
    let refused = 0;
    for (const row of [...legacy.vectors, ...eip1559.vectors, ...eip2930.vectors] as unknown as Row[]) {
      const { valid, hash, exception } = row.result.London;
      const name = `${row.group} ${row.name} ${exception}`;
      // With empty r and s it is what EIP-155 signs on the network with chain id v.
      const isSigned = !row.txBytes.endsWith('8080');
      expect(isSigned && parseUnsigned(row.txBytes) !== undefined, `${name}: signed`).to.equal(false);
      const unsigned = withoutSignature(row.txBytes);
      const fields = unsigned === undefined ? undefined : parseUnsigned(unsigned);
      if (valid) {
        // A nonce beyond safe integers.
        if (row.name === 'TransactionWithHighNonce64Minus2') continue;
        read++;
        const { signature, chainId } = Transaction.from(row.txBytes);
        const whole = signedOf({ ...fields!, chainId: Number(chainId) }, signature!);
        expect(whole, name).to.equal(row.txBytes);
        expect(keccak256(whole), name).to.equal(hash);
      } else if (!SIGNED.test(exception!)) {
        refused++;
        expect(fields === undefined, name).to.equal(true);
      }
    }
    expect(read).to.be.greaterThan(30);
    expect(refused).to.be.greaterThan(70);
  });

  it('refuses anything that is not canonical or has another shape', () => {
    const to = `94${'11'.repeat(20)}`;
    const list = (...items: string[]) => {
      const body = items.join('');
      return `${(0xc0 + body.length / 2).toString(16)}${body}`;
    };
    const good = ['01', '01', '02', '03', '825208', to, '80', '80', 'c0'];
    const at = (index: number, item: string) => good.map((old, i) => (i === index ? item : old));
    expect(parseUnsigned(`0x02${list(...good)}`) !== undefined).to.equal(true);
    for (const [what, items] of [
      ['a zero that has a byte', at(1, '00')],
      ['a leading zero', at(1, '820001')],
      ['a short byte in long form', at(1, '8101')],
      ['a nonce of 8 bytes', at(1, `88${'ff'.repeat(8)}`)],
      ['gas of 9 bytes', at(4, `89${'ff'.repeat(9)}`)],
      ['a value of 33 bytes', at(6, `a1${'ff'.repeat(33)}`)],
      ['a tip above the price', at(2, '04')],
      ['an address of 19 bytes', at(5, `93${'11'.repeat(19)}`)],
      ['a list as address', at(5, 'c0')],
      ['a list as data', at(7, 'c0')],
      ['bytes as access list', at(8, '80')],
      ['an access list entry with more', at(8, list(list(to, 'c0', '80')))],
      ['an access list entry with less', at(8, list(list(to)))],
      ['a slot of 1 byte', at(8, list(list(to, list('01'))))],
      ['one field more', [...good, '80']],
      ['one field less', good.slice(0, -1)],
    ] as const)
      expect(parseUnsigned(`0x02${list(...items)}`) === undefined, what).to.equal(true);
    for (const bytes of ['0x', '0x02', '0x02c0', '0xc0', '0x80', '0x02f8', `0x02f9ffff${'00'.repeat(9)}`])
      expect(parseUnsigned(bytes), bytes).to.equal(undefined);
    const body = good.join('');
    const size = (body.length / 2).toString(16);
    expect(parseUnsigned(`0x02f8${size}${body}`), 'a short list in long form').to.equal(undefined);
    expect(parseUnsigned(`0x02f900${size}${body}`), 'a length with a zero').to.equal(undefined);
    expect(parseUnsigned(`0x02${list(...good)}00`), 'bytes after the end').to.equal(undefined);
    expect(parseUnsigned(`0x03${list(...good)}`), 'another type').to.equal(undefined);
    expect(parseUnsigned(`0x${'f9ffff'.repeat(20_000)}`), 'lists without end').to.equal(undefined);
    expect(resemblesTransaction(`0x${'c1'.repeat(65_000)}`), 'deep lists').to.equal(false);
  });
});
