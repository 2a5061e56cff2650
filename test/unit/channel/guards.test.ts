import { expect } from '@open-wc/testing';
import { fromFrame } from '../../../src/channel/frame-link.ts';

/** As a boolean: a failed comparison of an object without a prototype hangs the test runner. */
const passes = (message: unknown): boolean => fromFrame(message) !== undefined;

describe('what the page lets through from the frame', () => {
  const good = { code: 'transaction.refused', message: 'The node said no.' };

  it('is an error with a code and a message', () => {
    expect(fromFrame({ type: 'error', id: 'request-1', error: good })).to.deep.include({ error: good });
    for (const error of [
      undefined,
      null,
      'no',
      {},
      { code: 7, message: 'x' },
      { code: 'user.rejected' },
      { message: 'x' },
    ])
      expect(passes({ type: 'error', id: 'request-1', error }), JSON.stringify(error)).to.equal(false);
  });

  it('is a height that a window can have', () => {
    expect(fromFrame({ type: 'height', height: 600 })).to.deep.include({ height: 600 });
    for (const height of [0, -1, 1.5, 10_000, NaN, Infinity, '600', '1px;inset:0', null, undefined])
      expect(passes({ type: 'height', height }), String(height)).to.equal(false);
  });

  it('is an answer that names its request, and a stage that exists', () => {
    expect(fromFrame({ type: 'result', id: 'request-1', result: 1 })).to.deep.include({ result: 1 });
    for (const message of [
      { type: 'result', id: '' },
      { type: 'result', id: 7 },
      { type: 'progress', id: 'request-1', stage: 'stolen' },
      { type: 'wallets', wallets: {} },
      { type: 'replaced', replaced: 'all' },
      { type: 'export' },
      null,
      'result',
    ])
      expect(passes(message), JSON.stringify(message)).to.equal(false);
  });
});
