/** Valid and invalid requests of one chain, field by field. */
import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { Payloads } from '../../../../src/chains/requests/payloads.ts';
import type { UtxoProfile } from '../../../../src/chains/utxo/profile.ts';
import { ConnectError, RequestInvalidError } from '../../../../src/base/errors.ts';

interface Table {
  params: UtxoProfile;
  payloads: Payloads;
  /** One mainnet address of each type, with its dust limit. */
  addresses: readonly (readonly [string, number])[];
  /** A test network's address: well-formed, so only the node's network decides. */
  testnet: string;
  /** Not an address of this chain, and why. */
  foreign: readonly (readonly [string, string])[];
  feeField: 'feePerByte' | 'feePerKiloByte';
  /** Input and parsed fee rate. */
  fees: readonly (readonly [unknown, string])[];
  badFees: readonly unknown[];
}

const text = (value: unknown) =>
  JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? `${v}n` : v));

export function describePayloads(table: Table): void {
  const { params, payloads, addresses, foreign, feeField } = table;
  const { secretType, type } = params;
  const [[to]] = addresses as [[string, number]];
  const valid: Record<string, Record<string, unknown>> = {
    [type]: { type, walletId: 'w-1', to, value: 100_000 },
    TRANSFER: { type: 'TRANSFER', secretType, walletId: 'w-1', to, value: 0.5 },
    GAS_TRANSFER: { type: 'GAS_TRANSFER', secretType, walletId: 'w-1', to, value: 0.5 },
  };
  const bodies = ['TRANSFER', 'GAS_TRANSFER'];

  function issues(request: unknown): string {
    try {
      payloads.parse(request);
      return 'accepted';
    } catch (error) {
      if (!(error instanceof RequestInvalidError)) throw error;
      return error.issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
    }
  }

  function refuses(kind: string, changes: readonly (readonly [object, string, string])[]): void {
    for (const [change, path, message] of changes) {
      const found = issues({ ...valid[kind], ...change });
      expect(found, text(change)).to.include(message);
      expect(found.split(': ')[0], text(change)).to.equal(path);
    }
  }

  const common: readonly (readonly [object, string, string])[] = [
    [{ walletId: undefined }, 'walletId', 'is required'],
    [{ walletId: '' }, 'walletId', 'is required'],
    [{ walletId: 5 }, 'walletId', 'must be text'],
    [{ walletId: 'w'.repeat(65) }, 'walletId', 'at most 64'],
    [{ pincode: 1234 }, 'pincode', '4 to 6 digits'],
    [{ pincode: '123' }, 'pincode', '4 to 6 digits'],
    [{ pincode: '1234567' }, 'pincode', '4 to 6 digits'],
    [{ pincode: '12a4' }, 'pincode', '4 to 6 digits'],
    [{ surplus: 1 }, 'surplus', 'is not a field'],
    [{ from: to }, 'from', 'is not a field'],
    [{ nonce: 1 }, 'nonce', 'is not a field'],
    [{ to: undefined }, 'to', 'is required'],
    [{ to: null }, 'to', 'is required'],
    [{ to: '' }, 'to', 'is required'],
    [{ to: 12 }, 'to', 'must be an address as text'],
    [{ to: 'nonsense' }, 'to', 'is not a'],
    [{ to: `${to.slice(0, -1)}${to.endsWith('q') ? 'p' : 'q'}` }, 'to', 'wrong checksum'],
    [{ value: undefined }, 'value', 'is required'],
    [{ value: null }, 'value', 'must be a number'],
    [{ value: true }, 'value', 'must be a number'],
    [{ value: -1 }, 'value', 'must not be negative'],
    [{ value: '-1' }, 'value', 'must not be negative'],
    [{ value: Number.NaN }, 'value', 'not NaN'],
    [{ value: Number.POSITIVE_INFINITY }, 'value', 'must be finite'],
    [{ value: '1e3' }, 'value', 'without an exponent'],
    [{ value: '0x10' }, 'value', 'decimal'],
    [{ value: ' 1' }, 'value', 'decimal'],
    [{ value: 0 }, 'value', 'must be at least'],
    ...foreign.map(([address, message]) => [{ to: address }, 'to', message] as const),
  ];

  describe(`${secretType} requests`, () => {
    it('takes every type of address, amounts in each form, and PINs, which it drops', () => {
      for (const [address] of addresses)
        expect(text(payloads.parse({ ...valid[type], to: address })), address).to.equal(
          text({ type, walletId: 'w-1', to: address, value: 100_000n }),
        );
      expect(payloads.parse({ ...valid[type], to: table.testnet })['to']).to.equal(table.testnet);
      for (const value of [100_000, '100000', 100_000n, 1e5, '0100000'])
        expect(text(payloads.parse({ ...valid[type], value, pincode: '739154' }))).to.equal(
          text({ type, walletId: 'w-1', to, value: 100_000n }),
        );
      const segwit = addresses.map(([address]) => address).find((address) => address.includes('1q'))!;
      expect(payloads.parse({ ...valid[type], to: segwit.toUpperCase() })['to']).to.equal(segwit);
    });

    it('takes transfers in coins, to an e-mail address too', () => {
      for (const kind of bodies) {
        for (const [value, shown] of [
          [0.5, '0.5'],
          ['0.50000000', '0.50000000'],
          [6e-5, '0.00006000'],
          [2n, '2'],
        ] as const) {
          const { value: parsed } = payloads.parse({ ...valid[kind], value });
          expect(Number(parsed), text(value)).to.equal(Number(shown));
        }
        expect(payloads.parse({ ...valid[kind], to: 'a@b.example', value: '0.00000001' })['to']).to.equal(
          'a@b.example',
        );
        expect(
          payloads.parse({ ...valid[kind], network: null, alias: 'shop', pincode: null })['alias'],
        ).to.equal('shop');
      }
      for (const data of ['', '0x', null])
        expect(payloads.parse({ ...valid['TRANSFER'], data })['data']).to.equal(undefined);
    });

    it(`refuses what a ${type} must not say, with the field’s path`, () => {
      refuses(type, [
        ...common,
        [{ value: 1.5 }, 'value', 'whole number of satoshi'],
        [{ value: '100000.0' }, 'value', 'whole number of satoshi'],
        [{ value: 123456789012345680000 }, 'value', 'is not exact as a JavaScript number'],
        [{ value: 1n << 256n }, 'value', 'must fit in 256 bits'],
        [{ value: params.supply + 1n }, 'value', 'than there will ever be'],
        [{ to: 'a@b.example' }, 'to', 'is an e-mail address or a name, which only a transfer takes'],
        [{ data: 'x'.repeat(81) }, 'data', 'is longer than 80 bytes'],
        [{ secretType }, 'secretType', 'is not a field'],
        [{ network: null }, 'network', 'is not a field'],
        [{ gasPrice: 1 }, 'gasPrice', 'is not a field'],
      ]);
    });

    it('refuses dust by the kind of address it goes to', () => {
      for (const [address, least] of addresses) {
        expect(issues({ ...valid[type], to: address, value: least }), address).to.equal('accepted');
        expect(issues({ ...valid[type], to: address, value: least - 1 }), address).to.equal(
          `value: must be at least ${least} satoshi: the network does not carry less to this address`,
        );
        expect(issues({ ...valid['TRANSFER'], to: address, value: 0.00000001 })).to.include(
          'value: must be at least',
        );
      }
    });

    it('takes a fee rate, or refuses it', () => {
      for (const [given, parsed] of table.fees)
        expect(payloads.parse({ ...valid[type], [feeField]: given })[feeField], text(given)).to.equal(parsed);
      expect(payloads.parse({ ...valid[type], [feeField]: null })[feeField]).to.equal(undefined);
      for (const given of table.badFees)
        expect(issues({ ...valid[type], [feeField]: given }), text(given)).to.match(
          new RegExp(`^${feeField}: must`),
        );
      const other = feeField === 'feePerByte' ? 'feePerKiloByte' : 'feePerByte';
      expect(issues({ ...valid[type], [other]: 1000 })).to.equal(
        `${other}: is not a field of this request; leave it out`,
      );
    });

    it('refuses what build bodies must not say, with the field’s path', () => {
      for (const kind of bodies)
        refuses(kind, [
          ...common,
          [{ secretType: undefined }, 'secretType', `must be ${secretType}`],
          [{ secretType: 'ETHEREUM' }, 'secretType', `must be ${secretType}`],
          [{ value: 0.123456789 }, 'value', 'at most 8 digits after the point'],
          [{ value: 10n ** 80n }, 'value', 'must fit in 256 bits'],
          [{ value: '9'.repeat(341) }, 'value', 'is too long'],
          [{ value: '84000001' }, 'value', 'than there will ever be'],
          [
            { network: { name: 'x', nodeUrl: 'https://node.example' } },
            'network',
            'only supported for Ethereum',
          ],
          [{ alias: 7 }, 'alias', 'must be text'],
          [{ tokenAddress: to }, 'tokenAddress', 'is not a field'],
          [{ [feeField]: 5000 }, feeField, 'is not a field'],
        ]);
      refuses('TRANSFER', [
        [{ data: `0x${'00'.repeat(81)}` }, 'data', 'is longer than 80 bytes'],
        [{ data: 'é'.repeat(41) }, 'data', 'is longer than 80 bytes'],
        [{ data: '0x0' }, 'data', 'odd number'],
        [{ data: '\ud800' }, 'data', 'half a character'],
        [{ data: 5 }, 'data', 'must be text'],
      ]);
      refuses('GAS_TRANSFER', [[{ data: '0x00' }, 'data', 'is not a field']]);
    });

    it('knows no tokens and no contracts', () => {
      const refused = (work: () => unknown): string => {
        try {
          work();
          return 'accepted';
        } catch (error) {
          return (error as ConnectError).code;
        }
      };
      for (const other of ['TOKEN_TRANSFER', 'NFT_TRANSFER', 'CONTRACT_EXECUTION'])
        expect(refused(() => payloads.parse({ ...valid['TRANSFER'], type: other }))).to.equal(
          'chain.not-supported',
        );
      const transfer = { walletId: 'w-1', to, value: 0.5, secretType };
      expect(refused(() => payloads.parseTransfer({ ...transfer, tokenAddress: to }))).to.equal(
        'chain.not-supported',
      );
      expect(payloads.parseTransfer({ ...transfer, tokenAddress: null })['type']).to.equal('TRANSFER');
      for (const bad of [null, 7, 'x', [], { type: 'ETH_TRANSACTION' }, { type: '__proto__' }])
        expect(issues(bad)).to.not.equal('accepted');
    });

    it('parses its own answer to the same answer', () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...addresses.map(([address]) => address)),
          fc.bigInt({ min: 6_000n, max: params.supply }),
          fc.constantFrom(undefined, ...table.fees.map(([fee]) => fee)),
          (address, value, fee) => {
            const once = payloads.parse({ ...valid[type], to: address, value, [feeField]: fee });
            expect(text(payloads.parse(once))).to.equal(text(once));
            const coins = `${value / 10n ** 8n}.${(value % 10n ** 8n).toString().padStart(8, '0')}`;
            const body = payloads.parse({ ...valid['TRANSFER'], to: address, value: coins });
            expect(text(payloads.parse(body))).to.equal(text(body));
          },
        ),
        { numRuns: 200 },
      );
    });
  });
}
