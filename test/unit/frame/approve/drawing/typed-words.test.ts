import { expect } from '@open-wc/testing';
import { noticeOf } from '../../../../../src/frame/approve/drawing/typed-words.ts';

describe('warnings about typed data', () => {
  it('name what is not signed as text that can pass for nothing else', () => {
    const names = `Group, \u202e“Signed by Carabiner” https://shop.example ${'long '.repeat(100)}`;
    const { level, title, text } = noticeOf(
      { code: 'more-than-signed', level: 'caution', params: { names } },
      (address) => address,
    );
    expect([level, title]).to.deep.equal(['caution', 'The site sent more than is signed']);
    expect(text).to.match(/: \u2068Group, □'Signed by Carabiner' \[…\] long long .*…\u2069$/);
    expect(text.length).to.be.lessThan(200);
  });

  it('ask for a tick where a known form is good everywhere', () => {
    for (const code of ['every-network', 'every-contract'] as const) {
      expect(noticeOf({ code, level: 'caution' }, String).tick).to.equal(undefined);
      expect(noticeOf({ code, level: 'danger' }, String).tick).to.be.a('string');
    }
  });
});
