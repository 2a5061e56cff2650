import { expect } from '@open-wc/testing';
import { draftFromJson, draftToJson } from '../../../src/api/draft-json.ts';

describe('a draft as text', () => {
  it('round-trips, without absent fields', () => {
    const text = draftToJson({
      nonce: 7,
      value: 2n ** 255n,
      debt: -1n,
      bytes: new Uint8Array([0, 15, 255]),
      clauses: [{ to: null, data: '0x' }],
      gas: undefined,
    });
    const draft = draftFromJson(text) as Record<string, unknown>;
    expect(Object.keys(draft)).to.deep.equal(['nonce', 'value', 'debt', 'bytes', 'clauses']);
    expect(draft['value'] === 2n ** 255n).to.equal(true);
    expect(draft['debt'] === -1n).to.equal(true);
    expect([...(draft['bytes'] as Uint8Array)]).to.deep.equal([0, 15, 255]);
    expect(draft['clauses']).to.deep.equal([{ to: null, data: '0x' }]);
    expect(draftToJson(draft)).to.equal(text);
  });

  it('is refused if it cannot be one', () => {
    for (const text of ['', '{', '{"$n":1}', '{"$n":"0x1"}', '{"$b":"0"}', `{"$n":"${'9'.repeat(81)}"}`])
      expect(() => draftFromJson(text), text).to.throw(SyntaxError);
  });
});
