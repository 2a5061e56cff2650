import { expect } from '@open-wc/testing';
import { pasteHint } from '../../../src/ui/paste.ts';

describe('pasting where no button can', () => {
  it('is told in the words of the platform', () => {
    expect(pasteHint({ platform: 'Win32', touch: false })).to.equal('Press Ctrl+V to paste.');
    expect(pasteHint({ platform: 'MacIntel', touch: false })).to.equal('Press ⌘V to paste.');
    // An iPad is a Mac by its own account.
    const held = 'Touch and hold the field, then choose Paste.';
    expect(pasteHint({ platform: 'MacIntel', touch: true })).to.equal(held);
    expect(pasteHint({ platform: 'Linux armv81', touch: true })).to.equal(held);
  });
});
