import { expect } from '@open-wc/testing';
import { hexOf } from '../../../../src/base/bytes.ts';
import { describeMessage } from '../../../../src/chains/messages/describe-message.ts';

const SCENE = { origin: 'https://shop.example', now: 0 };
const hex = (text: string) => hexOf(new TextEncoder().encode(text));
const show = (text: string) => describeMessage(hex(text), SCENE);

describe('What the approval of a message shows', () => {
  it('text as it is, with invisible characters', () => {
    const text = 'Hello\u202e \u0000 ü 😄\r\n\ufeff';
    expect(show(text)).to.deep.equal({ kind: 'text', text, hex: hex(text) });
  });

  it('other bytes as bytes', () => {
    for (const data of ['0x', '0xff', '0x000102'])
      expect(describeMessage(data, SCENE)).to.deep.equal({ kind: 'blind', hex: data, reason: 'bytes' });
  });

  for (const head of [
    'shop.example wants you to sign in with your Bitcoin account:',
    'https://shop.example wants you to sign in with your Tron account:',
    'shop.example:443 wants you to sign in with your Aeternity account:',
  ])
    it(`a sign-in to the site that asks as its text: ${head}`, () => {
      expect(show(`${head}\naddress`).kind).to.equal('text');
    });

  for (const [head, named] of [
    ['bank.example wants you to sign in with your Bitcoin account:', 'bank.example'],
    ['shop.example:8443 wants you to sign in with your Litecoin account:', 'shop.example:8443'],
    ['me@shop.example wants you to sign in with your Ethereum account:', 'me@shop.example'],
  ] as const)
    it(`a sign-in elsewhere as a danger: ${head}`, () => {
      const text = `${head}\naddress`;
      expect(show(text)).to.deep.equal({
        kind: 'sign-in',
        text,
        hex: hex(text),
        mismatches: [{ what: 'domain', named, actual: SCENE.origin }],
      });
    });

  it('a sign-in to the site by another scheme in these words', () => {
    expect(show('http://shop.example wants you to sign in with your Tron account:')).to.deep.include({
      mismatches: [{ what: 'scheme', named: 'http://shop.example', actual: SCENE.origin }],
    });
  });

  for (const text of [
    'Hello\nbank.example wants you to sign in with your Bitcoin account:',
    'bank.example  WANTS you to sign in\u200b with your Bitcoin account:',
    'bank.example wants you to sign in with your account',
    'ünder.example wants you to sign in with your Tron account:',
  ])
    it(`what reads like a sign-in and has not its form as a danger: ${JSON.stringify(text)}`, () => {
      expect(show(text)).to.deep.equal({ kind: 'sign-in', text, hex: hex(text), mismatches: [] });
    });

  it('none of that if no site asks', () => {
    const text = 'bank.example wants you to sign in with your Bitcoin account:';
    expect(describeMessage(hex(text)).kind).to.equal('text');
  });
});
