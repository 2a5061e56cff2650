import { expect } from '@open-wc/testing';
import { askParams } from '../../../src/channel/ask-schema.ts';
import type { RequestInvalidError } from '../../../src/base/errors.ts';
import { TRANSFER } from './raw-host.ts';

describe('the parameters of what needs the user', () => {
  it('pass as they are', () => {
    expect(askParams('transfer', TRANSFER)).to.deep.equal(TRANSFER);
    expect(askParams('execute', { type: 'ETH_TRANSACTION', walletId: 'w', gas: 1n })['gas']).to.equal(1n);
  });

  for (const [what, params, path] of [
    ['a missing field', { ...TRANSFER, to: undefined }, 'to'],
    ['a field of the wrong type', { ...TRANSFER, walletId: 7 }, 'walletId'],
    ['an unknown chain', { ...TRANSFER, secretType: 'DOGECOIN' }, 'secretType'],
    ['an object as amount', { ...TRANSFER, value: {} }, 'value'],
    ['an unknown field, such as a PIN', { ...TRANSFER, pincode: '1234' }, ''],
    ['params that are none', null, ''],
  ] as const)
    it(`are refused for ${what}, naming the field`, () => {
      let error: RequestInvalidError | undefined;
      try {
        askParams('transfer', params);
      } catch (caught) {
        error = caught as RequestInvalidError;
      }
      expect(error?.code).to.equal('request.invalid');
      const [issue] = error!.issues;
      expect(issue!.path).to.equal(path);
      expect(issue!.message).to.match(/^(must|is|has) /);
    });

  it('lets no page say for whom a certificate is', () => {
    const certificate = { type: 'VECHAIN_CERTIFICATE', walletId: 'w', data: '0x00', purpose: 'agreement' };
    expect(askParams('sign', certificate)).to.deep.equal(certificate);
    for (const annex of [null, { domain: 'bank.example', timestamp: 1 }])
      expect(() => askParams('sign', { ...certificate, annex })).to.throw('annex');
  });
});
