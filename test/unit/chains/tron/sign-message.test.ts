import { expect } from '@open-wc/testing';
import { bytesOf, hexOf } from '../../../../src/base/bytes.ts';
import { chain } from '../../../../src/chains/tron/index.ts';
import { payloads } from '../../../../src/chains/tron/payload.ts';
import { describeSigning, messageHash } from '../../../../src/chains/tron/sign-message.ts';
import { fromPage } from '../from-page.ts';
import { published } from '../messages/published.ts';

const { signData } = fromPage(chain, payloads);

describe('Messages of Tron', () => {
  it('TIP-191: hashes and signs them as published', async () => {
    const vectors = published('tip191');
    expect(vectors).to.have.length(4);
    for (const { message, messageHex, hash, privateKey, signature } of vectors) {
      const data = messageHex ?? hexOf(new TextEncoder().encode(message));
      if (hash) expect(messageHash(data)).to.equal(hash);
      const signed = await signData(
        { type: 'TRON_MESSAGE', walletId: 'w', data },
        bytesOf(`0x${privateKey}`),
      );
      expect(signed).to.deep.equal({ signature });
    }
  });

  it('tells whose signature a message has, whichever way a wallet writes the last byte', async () => {
    const { message, messageHex, privateKey, signature } = published('tip191')[0]!;
    const parse = (data: string) => payloads.parseSigning({ type: 'TRON_MESSAGE', walletId: 'w', data });
    const request = parse(messageHex ?? hexOf(new TextEncoder().encode(message)));
    const mine = await chain.address(bytesOf(`0x${privateKey}`));
    const other = 'THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV';
    const low = signature!.replace(/1b$/, '00').replace(/1c$/, '01');
    for (const form of [signature!, low, low.slice(2)])
      expect(await chain.isSignedBy(request, { signature: form }, mine)).to.equal(true);
    expect(await chain.isSignedBy(request, { signature: signature! }, other)).to.equal(false);
    expect(await chain.isSignedBy(parse('0x00'), { signature: signature! }, mine)).to.equal(false);
    for (const form of ['', '0x12', undefined as never, `0x${'0'.repeat(128)}1b`])
      expect(await chain.isSignedBy(request, { signature: form }, mine)).to.equal(false);
  });

  it('takes every message of the size of a hash for one', () => {
    const of = (bytes: number) =>
      describeSigning({ type: 'TRON_MESSAGE', walletId: 'w', data: `0x${'41'.repeat(bytes)}` });
    expect(of(32)).to.include({ kind: 'blind', reason: 'hash' });
    for (const bytes of [31, 33]) expect(of(bytes)).to.include({ kind: 'text' });
  });
});
