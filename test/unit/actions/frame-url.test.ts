import { expect } from '@open-wc/testing';
import { frameOf } from '../../../src/actions/frame-url.ts';

describe('the frame that a script belongs to', () => {
  for (const [script, frame] of [
    ['https://connect.example/connect.js', 'https://connect.example/'],
    ['https://connect.example/connect.js?a=/v1/#b', 'https://connect.example/'],
    ['https://connect.example/v1/connect.js', 'https://connect.example/'],
    ['https://connect.example/v0.1/connect.js', 'https://connect.example/'],
    ['https://connect.example/v1.10.0/connect.js', 'https://connect.example/'],
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
