import { expect } from '@open-wc/testing';
import { createConnect } from '../../../src/actions/connect.ts';
import { frameOf } from '../../../src/actions/frame-url.ts';
import { FRAME } from './page.ts';

describe('the frame that a script belongs to', () => {
  for (const [script, frame] of [
    ['https://connect.example/connect.js', 'https://connect.example/'],
    ['https://connect.example/connect.js?a=/v1/#b', 'https://connect.example/'],
    ['https://connect.example/v1/connect.js', 'https://connect.example/'],
    ['https://connect.example/v0.1/connect.js', 'https://connect.example/'],
    ['https://connect.example/v1.10.0/connect.js', 'https://connect.example/'],
    ['https://connect.example/v1.10.0-rc.1/connect.js', 'https://connect.example/'],
    ['https://connect.example/v2-beta/connect.js', 'https://connect.example/v2-beta/'],
    ['http://localhost:4000/v1.4.0/connect.js', 'http://localhost:4000/'],
    ['https://example.com/wallet/connect.js', 'https://example.com/wallet/'],
    ['https://example.com/wallet/v1/connect.js', 'https://example.com/wallet/'],
    ['https://example.com/v1/wallet/connect.js', 'https://example.com/v1/wallet/'],
    ['https://example.com/version1/connect.js', 'https://example.com/version1/'],
    ['https://example.com/1.4.0/connect.js', 'https://example.com/1.4.0/'],
  ] as const)
    it(`of ${script}`, () => {
      expect(frameOf(script)).to.equal(frame);
    });
});

describe('the wallet’s own page', () => {
  for (const [frame, page] of [
    ['https://connect.example', 'https://connect.example/'],
    ['https://example.com/wallet/', 'https://example.com/wallet/'],
    [location.origin, undefined],
    ['http://connect.example', undefined],
  ] as const)
    it(`of ${frame} is ${page ?? 'none'}`, () => {
      const connect = createConnect({ frame });
      expect(connect.walletPage).to.equal(page);
      connect.destroy();
    });
});

describe('a page where no wallet can work', () => {
  it('has no pending answers, and looks for none in its storage, which a sandbox denies', async () => {
    const { databases } = indexedDB;
    let looks = 0;
    indexedDB.databases = () => {
      looks++;
      return Promise.resolve([]);
    };
    try {
      expect(await createConnect({ frame: location.origin }).pending()).to.deep.equal([]);
      expect(looks).to.equal(0);
      const connect = createConnect({ frame: FRAME });
      await connect.pending();
      expect(looks).to.equal(1);
      connect.destroy();
    } finally {
      indexedDB.databases = databases;
    }
  });
});
