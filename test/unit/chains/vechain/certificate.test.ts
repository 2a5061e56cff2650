import { expect } from '@open-wc/testing';
import type { CertificateSignature } from '../../../../src/chains/terms.ts';
import { bytesOf, hexOf } from '../../../../src/base/bytes.ts';
import { chain } from '../../../../src/chains/vechain/index.ts';
import { payloads } from '../../../../src/chains/vechain/payload.ts';
import { RequestInvalidError } from '../../../../src/base/errors.ts';
import { issuesOf } from '../payload-issues.ts';
import { published } from '../messages/published.ts';

const utf8 = (text: string) => hexOf(new TextEncoder().encode(text));
const request = { type: 'VECHAIN_CERTIFICATE', walletId: 'w', purpose: 'agreement', data: utf8('I agree') };
const SCENE = { origin: 'https://shop.example:8443', now: 1_700_000_000_000 };
const NOBODY = { used: [], own: [], reported: [] };
const show = (change: object = {}, scene?: typeof SCENE) =>
  chain.describeSigning(
    payloads.parseSigning({ ...request, ...change }),
    '0x',
    undefined as never,
    NOBODY,
    scene,
  );
const refusal = async (work: () => Promise<unknown>) => {
  try {
    await work();
  } catch (error) {
    if (error instanceof RequestInvalidError) return error.issues[0]!;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('VeChain certificates', () => {
  it('name the wallet, the site and the time, and are signed over all of it', async () => {
    const seen = new Set<string>();
    for (const { privateKey, certificate } of published('certificate')) {
      const { purpose, payload, domain, timestamp, signer } = certificate!;
      const parsed = payloads.parseSigning({ ...request, purpose, data: utf8(payload.content) });
      if (!('annex' in parsed)) throw new Error('not a certificate');
      for (const annex of [
        { domain, timestamp },
        { domain: 'other', timestamp },
        { domain, timestamp: timestamp + 1 },
      ]) {
        const signed = (await chain.signData(
          { ...parsed, annex },
          bytesOf(privateKey!),
        )) as CertificateSignature;
        expect(signed.annex).to.deep.equal({ ...annex, signer });
        expect(signed.signature).to.match(/^0x[0-9a-f]{128}0[01]$/);
        seen.add(signed.signature);
      }
    }
    expect(seen.size).to.equal(6);
  });

  it('tell who signed them', async () => {
    const { privateKey, certificate } = published('certificate')[0]!;
    const { purpose, payload, domain, timestamp } = certificate!;
    const parse = (text: string) => payloads.parseSigning({ ...request, purpose, data: utf8(text) });
    const key = bytesOf(privateKey!);
    const mine = await chain.address(key);
    const parsed = parse(payload.content);
    const signed = (await chain.signData(
      { ...parsed, annex: { domain, timestamp } } as typeof parsed,
      key,
    )) as CertificateSignature;
    const { annex, signature } = signed;
    expect(await chain.isSignedBy(parsed, signed, mine)).to.equal(true);
    expect(await chain.isSignedBy(parse('Another text'), signed, mine)).to.equal(false);
    const other = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
    expect(await chain.isSignedBy(parsed, signed, other)).to.equal(false);
    for (const wrong of [
      { signature, annex: { ...annex, signer: other } },
      { signature, annex: { ...annex, domain: 'other.example' } },
      { signature, annex: { ...annex, timestamp: timestamp + 1 } },
      { signature: '0x12', annex },
      { signature } as never,
    ])
      expect(await chain.isSignedBy(parsed, wrong, mine)).to.equal(false);
  });

  it('show their text, and their host: that of the requesting site', async () => {
    expect(await show({}, SCENE)).to.deep.equal({
      kind: 'certificate',
      purpose: 'agreement',
      text: 'I agree',
      domain: 'shop.example:8443',
      mismatches: undefined,
    });
  });

  it('show a text that signs in elsewhere as a danger', async () => {
    const shown = await show(
      {
        data: utf8('bank.example wants you to sign in with your VeChain account:\n0x…'),
      },
      SCENE,
    );
    expect(shown.kind === 'certificate' && shown.mismatches).to.deep.equal([
      { what: 'domain', named: 'bank.example', actual: SCENE.origin },
    ]);
  });

  it('hold only text', async () => {
    for (const data of ['0x', '0xff', '0x0000'])
      expect(await refusal(() => show({ data }, SCENE))).to.include({ path: 'data' });
  });

  it('are not signed without an annex', async () => {
    const parsed = payloads.parseSigning(request);
    const key = new Uint8Array(32).fill(7);
    expect(await refusal(async () => chain.signData(parsed, key))).to.include({ path: 'annex' });
    expect(await refusal(() => show())).to.include({ path: 'annex' });
  });

  for (const [change, path] of [
    [{ annex: { domain: 'shop.example' } }, 'annex.timestamp'],
    [{ annex: { domain: '', timestamp: 1 } }, 'annex.domain'],
    [{ annex: { domain: 'shop.example', timestamp: 1.5 } }, 'annex.timestamp'],
    [{ annex: { domain: 'shop.example', timestamp: 1, signer: '0x' } }, 'annex.signer'],
    [{ domain: 'bank.example' }, 'domain'],
    [{ purpose: 'login' }, 'purpose'],
    [{ purpose: undefined }, 'purpose'],
    [{ prefix: true }, 'prefix'],
    [{ data: 'I agree' }, 'data'],
  ] as const)
    it(`refuse ${JSON.stringify(change)} `, () => {
      const [issue] = issuesOf({ ...request, ...change }, payloads.parseSigning);
      expect(issue!.path).to.equal(path);
    });

  it('are the same request when it is read again', () => {
    for (const annex of [undefined, null, { domain: 'shop.example', timestamp: 1 }]) {
      const once = payloads.parseSigning({ ...request, pincode: '1234', annex });
      expect(once).to.deep.equal({ ...request, annex: annex ?? null });
      expect(payloads.parseSigning(once)).to.deep.equal(once);
    }
  });
});
