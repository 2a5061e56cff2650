import { expect } from '@open-wc/testing';
import { loadPayloads, SECRET_TYPES } from '../../../src/chains/index.ts';
import { BODIES, NATIVE, SIGNATURES } from '../../types/requests.ts';

describe('types of requests', () => {
  it('name what the chains parse, and nothing else', async () => {
    const all = await Promise.all(SECRET_TYPES.map(loadPayloads));
    const types = (of: 'transactions' | 'signatures') =>
      new Set(all.flatMap((payloads) => Object.keys(payloads[of])));
    expect(types('transactions')).to.have.all.keys([...Object.keys(NATIVE), ...Object.keys(BODIES)]);
    expect(types('signatures')).to.have.all.keys(Object.keys(SIGNATURES));
  });
});
