import { expect } from '@open-wc/testing';
import { encodeCall } from '../../../src/chains/contracts/abi.ts';
import {
  allowance,
  balanceOf,
  DECIMALS,
  NAME,
  supportsInterface,
  SYMBOL,
} from '../../../src/chains/contracts/token-calls.ts';

const OWNER = '0x52908400098527886E0F7030069857D2E4169EE7';
const SPENDER = '0x00000000219ab540356cBB839Cbe05303d7705Fa';

describe('the calls that tokens answer', () => {
  it('are what the ABI makes of them', () => {
    expect(DECIMALS).to.equal(encodeCall('decimals', [], []));
    expect(SYMBOL).to.equal(encodeCall('symbol', [], []));
    expect(NAME).to.equal(encodeCall('name', [], []));
    expect(balanceOf(OWNER)).to.equal(encodeCall('balanceOf', ['address'], [OWNER]));
    expect(allowance(OWNER, SPENDER)).to.equal(
      encodeCall('allowance', ['address', 'address'], [OWNER, SPENDER]),
    );
    expect(supportsInterface('0x80ac58cd')).to.equal(
      encodeCall('supportsInterface', ['bytes4'], ['0x80ac58cd']),
    );
  });
});
