/** One suite for the requests of every EVM chain. */
import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { EvmProfile } from '../../../../src/chains/evm/profile.ts';
import type { Payloads } from '../../../../src/chains/requests/payloads.ts';
import { RequestInvalidError } from '../../../../src/base/errors.ts';
import { type Accepted, casesOf, type Kind, type Refused, TOKEN } from './payload-cases.ts';
import { issuesOf, titleOf } from '../payload-issues.ts';

export interface Suite {
  profile: EvmProfile;
  payloads: Payloads;
  /** What the requests of this chain accept and refuse in addition. */
  accepted: Accepted[];
  refused: Refused[];
}

export function payloadSuite({ profile, payloads, ...own }: Suite): void {
  const { valid, accepted, refused } = casesOf(profile);
  const kinds = Object.keys(valid) as Kind[];
  for (const kind of kinds) {
    describe(valid[kind].type, () => {
      const base = payloads.parse(valid[kind]);
      for (const [change, expected] of [...accepted[kind], ...own.accepted])
        it(`takes ${titleOf(change)}`, () => {
          const clean = payloads.parse({ ...valid[kind], ...change });
          const wanted = Object.fromEntries(
            Object.entries({ ...base, ...expected }).filter(([, v]) => v !== undefined),
          );
          expect(clean).to.deep.equal(wanted);
          expect(payloads.parse(clean), 'parsing twice changes nothing').to.deep.equal(clean);
        });
      for (const [change, path, message] of [...refused[kind], ...own.refused])
        it(`refuses ${titleOf(change)}`, () => {
          const issues = issuesOf({ ...valid[kind], ...change }, payloads.parse);
          expect(issues.map((i) => i.path)).to.deep.equal([path]);
          expect(issues[0]!.message).to.match(message);
        });
    });
  }

  it('names every bad field at once', () => {
    const issues = issuesOf(
      { type: profile.coinRequest, walletId: '', to: 'x', value: -1, gas: 1.5, more: 1 },
      payloads.parse,
    );
    expect(issues.map((i) => i.path).sort()).to.deep.equal(['gas', 'more', 'to', 'value', 'walletId']);
  });

  it('refuses anything that is not a request of this chain', () => {
    for (const value of [
      undefined,
      null,
      5,
      profile.coinRequest,
      [],
      {},
      { type: 'BTC_TRANSACTION' },
      { type: 'constructor' },
    ])
      expect(['type', '']).to.include(issuesOf(value, payloads.parse)[0]!.path);
  });

  it('turns the transfer action into the body it means', () => {
    const { type: _, ...transfer } = valid.TRANSFER;
    expect(payloads.parseTransfer(transfer).type).to.equal('TRANSFER');
    expect(payloads.parseTransfer({ ...transfer, tokenAddress: null }).type).to.equal('TRANSFER');
    expect(payloads.parseTransfer({ ...transfer, tokenAddress: TOKEN, data: '0x12' }).type).to.equal(
      'TOKEN_TRANSFER',
    );
    expect(issuesOf({ ...transfer, value: '-1' }, payloads.parseTransfer)[0]!.path).to.equal('value');
  });

  it('answers a request or request.invalid for any input at all', () => {
    const anyKind = fc.constantFrom(...kinds);
    fc.assert(
      fc.property(
        anyKind,
        fc.dictionary(
          fc.constantFrom(
            'walletId',
            'to',
            'value',
            'data',
            'gas',
            'nonce',
            'network',
            'inputs',
            'tokenId',
            '__proto__',
          ),
          fc.anything(),
        ),
        (kind, change) => {
          try {
            payloads.parse({ ...valid[kind], ...change, type: valid[kind].type });
          } catch (error) {
            expect(error).to.be.instanceOf(RequestInvalidError);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  describe('signatures', () => {
    const raw = { type: profile.rawSignature, walletId: 'w', data: '0x616263' };
    it('prefix and hash default to true', () => {
      expect(payloads.parseSigning(raw)).to.deep.equal({ ...raw, prefix: true, hash: true });
      expect(payloads.parseSigning({ ...raw, prefix: false, hash: null, pincode: '1234' })).to.deep.equal({
        ...raw,
        prefix: false,
        hash: true,
      });
    });
    for (const [change, path, message] of [
      [{ data: undefined }, 'data', /required/],
      [{ data: 'abc' }, 'data', /0x/],
      [{ data: '0xabc' }, 'data', /odd/],
      [{ prefix: 'yes' }, 'prefix', /true or false/],
      [{ hash: 1 }, 'hash', /true or false/],
      [{ walletId: undefined }, 'walletId', /required/],
      [{ pincode: '1' }, 'pincode', /4 to 6/],
      [{ extra: 1 }, 'extra', /not a field/],
      [{ type: 'VECHAIN_TRANSACTION' }, 'type', /one of/],
      [{ prefix: false, hash: false }, 'data', /32 bytes.*has 3/],
      [{ type: profile.transactionSignature, prefix: false, hash: false }, 'hash', /must be true/],
    ] as Refused[])
      it(`refuses ${titleOf(change)}`, () => {
        const issues = issuesOf({ ...raw, ...change }, payloads.parseSigning);
        expect(issues.map((i) => i.path)).to.deep.equal([path]);
        expect(issues[0]!.message).to.match(message);
      });
  });
}
