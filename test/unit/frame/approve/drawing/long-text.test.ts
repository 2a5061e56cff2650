import { expect, fixture, html } from '@open-wc/testing';
import { linesIn, LongText, PIECE, piecesOf } from '../../../../../src/frame/approve/drawing/long-text.ts';
import { frame } from '../../../turns.ts';

const HIDDEN = '\u200b';

describe('a long text', () => {
  it('is cut into pieces that hold all of it, none larger than a frame may render', () => {
    const texts = [
      'a'.repeat(120_000),
      HIDDEN.repeat(120_000),
      'A line of the terms.\r\n'.repeat(5000),
      '🐚'.repeat(3000),
      '',
    ];
    for (const text of texts) {
      const pieces = piecesOf(text);
      expect(pieces.join('')).to.equal(text);
      for (const piece of pieces) {
        expect(piece.length).to.be.at.most(PIECE.characters + 1);
        expect(piece.split(HIDDEN).length - 1).to.be.at.most(PIECE.boxes);
        expect(piece, 'no half of a character').to.not.match(/^\p{Surrogate}|\p{Surrogate}$/u);
        expect(piece.startsWith('\n'), 'no half of a line break').to.equal(false);
      }
    }
  });

  it('of 120 kB draws a few hundred nodes at once, and its end only after all before it', async () => {
    const box = await fixture<HTMLElement>(
      html`<div class="body" style="block-size: 300px; overflow: auto"></div>`,
    );
    const element = new LongText();
    element.setAttribute('must', '');
    element.style.cssText = 'display: block; white-space: pre-wrap; overflow-wrap: anywhere';
    const nodes = (): number => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_ALL);
      let count = 0;
      while (walker.nextNode()) count++;
      return count;
    };
    const drawn: number[] = [];
    let before = 0;
    element.addEventListener('cbf-drawn', () => {
      drawn.push(nodes() - before);
      before = nodes();
    });
    element.text = HIDDEN.repeat(120_000);
    box.append(element);
    const end = element.querySelector<HTMLElement>('.end')!;
    for (let turn = 0; turn < 20; turn++) {
      box.scrollTo(0, box.scrollHeight);
      await frame();
    }
    expect(drawn.length, 'it goes on as it is read').to.be.greaterThan(2);
    expect(Math.max(...drawn), 'nodes a piece').to.be.below(PIECE.boxes * 8);
    expect(element.whole).to.equal(false);
    expect(end.hidden, 'the end is not there yet').to.equal(true);
    element.text = 'Short';
    expect(element.whole).to.equal(true);
    expect(end.isConnected && !end.hidden && end.dataset['seen'] === 'end').to.equal(true);
  });

  it('counts its lines, but not the empty ones at its end', () => {
    expect(linesIn('one\n\nthree\n\n\n')).to.equal(3);
  });
});
