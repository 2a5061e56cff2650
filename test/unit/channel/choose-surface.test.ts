import { expect } from '@open-wc/testing';
import {
  asksToEmbed,
  chooseSurface,
  firstParty,
  type JudgedFacts,
} from '../../../src/channel/choose-surface.ts';

const best: JudgedFacts = {
  listed: true,
  preference: 'auto',
  hostname: 'localhost',
  frameHostname: 'localhost',
  topLevel: true,
  secure: true,
  seesCover: true,
};

describe('the surface', () => {
  const cases: [string, Partial<JudgedFacts>, 'iframe' | 'popup'][] = [
    ['is an iframe on the same host, whatever the port', {}, 'iframe'],
    ['is a popup on another host', { hostname: '127.0.0.1' }, 'popup'],
    [
      'is an iframe on another host of the configured site',
      { hostname: 'shop.example', frameHostname: 'connect.shop.example', site: 'shop.example' },
      'iframe',
    ],
    [
      'is a popup when the host only ends like the site',
      { hostname: 'badshop.example', frameHostname: 'connect.shop.example', site: 'shop.example' },
      'popup',
    ],
    [
      'is a popup when the frame is not on the site',
      { hostname: 'a.shop.example', frameHostname: 'connect.example', site: 'shop.example' },
      'popup',
    ],
    [
      'is a popup on a sister host without a configured site',
      { hostname: 'a.shop.example', frameHostname: 'b.shop.example' },
      'popup',
    ],
    ['is a popup when the page is in a frame itself', { topLevel: false }, 'popup'],
    ['is a popup on a page without TLS', { secure: false }, 'popup'],
    ['is a popup where a frame cannot see that it is covered', { seesCover: false }, 'popup'],
    ['is a popup on a page that the operator does not list', { listed: false }, 'popup'],
    [
      'is a popup on a page that the operator does not list, whatever it asks for',
      { listed: false, preference: 'iframe' },
      'popup',
    ],
    ['is what the page asks for: popup', { preference: 'popup' }, 'popup'],
    ['is what the page asks for: iframe', { preference: 'iframe', hostname: 'other.example' }, 'iframe'],
  ];
  for (const [name, facts, expected] of cases)
    it(name, () => expect(chooseSurface({ ...best, ...facts })).to.equal(expected));

  it('asks the operator only if the answer makes a difference', () => {
    expect(asksToEmbed(best)).to.equal(true);
    expect(asksToEmbed({ ...best, preference: 'popup' }), 'its reads may see the vault').to.equal(true);
    expect(asksToEmbed({ ...best, hostname: 'other.example' })).to.equal(false);
    expect(asksToEmbed({ ...best, hostname: 'other.example', preference: 'iframe' })).to.equal(true);
    expect(asksToEmbed({ ...best, topLevel: false })).to.equal(false);
  });

  it('has the wallet’s own storage only on its site and directly in the page', () => {
    expect(firstParty(best)).to.equal(true);
    expect(firstParty({ ...best, secure: false, seesCover: false })).to.equal(true);
    expect(firstParty({ ...best, topLevel: false })).to.equal(false);
    expect(firstParty({ ...best, hostname: 'other.example', preference: 'iframe' })).to.equal(false);
  });
});
