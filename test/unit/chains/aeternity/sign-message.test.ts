import { expect } from '@open-wc/testing';
import { chain } from '../../../../src/chains/aeternity/index.ts';
import { payloads } from '../../../../src/chains/aeternity/payload.ts';
import { hexOf } from '../../../../src/base/bytes.ts';
import { fromPage } from '../from-page.ts';
import { published } from '../messages/published.ts';

const { signData, importKey, address } = fromPage(chain, payloads);

describe('Messages of Aeternity', () => {
  it('are signed as published', async () => {
    const vectors = published('aeternity');
    expect(vectors).to.have.length(2);
    for (const { message, secretKey, address: owner, signature } of vectors) {
      const key = await importKey(secretKey!);
      expect(await address(key)).to.equal(owner);
      const data = hexOf(new TextEncoder().encode(message));
      const signed = await signData({ type: 'AETERNITY_MESSAGE', walletId: 'w', data }, key);
      expect(signed).to.deep.equal({ signature: `0x${signature}` });
    }
  });
});
