/** How one view follows another. */
import { expect, fixture, html } from '@open-wc/testing';
import type { TemplateResult } from 'lit';
import '../../../../src/frame/shell/shell.ts';
import type { Shell } from '../../../../src/frame/shell/shell.ts';
import { FrameView } from '../../../../src/frame/ui/view.ts';
import { wish } from '../../media.ts';

class MovingView extends FrameView {
  protected override render(): TemplateResult {
    return this.layout({
      body: html`<h1 tabindex="-1">Title</h1>`,
      foot: html`<button type="button">Done</button>`,
    });
  }
}
customElements.define('test-moving-view', MovingView);

describe('a view that follows another', () => {
  let shell: Shell;
  before(async function () {
    if (!(await wish({ reducedMotion: 'no-preference' }))) this.skip();
  });
  beforeEach(async () => {
    shell = await fixture<Shell>(html`<cbf-shell origin="https://shop.example"></cbf-shell>`);
  });
  afterEach(async () => {
    document.documentElement.dir = '';
    await wish({ reducedMotion: 'no-preference' });
  });

  async function next(): Promise<MovingView> {
    const view = new MovingView();
    // As a flow does that waits for the answer.
    view.addEventListener('cbf-back', (event) => event.stopPropagation());
    shell.view = html`${view}`;
    await shell.updateComplete;
    await view.updateComplete;
    return view;
  }

  /** Where its body starts, and what else in it moves. */
  function motion(view: MovingView): { from: number; moving: string[] } {
    const body = view.shadowRoot!.querySelector('.body')!;
    const [first] = body.getAnimations();
    first?.pause();
    const { translate } = getComputedStyle(body);
    return {
      from: translate === 'none' ? 0 : Number.parseFloat(translate),
      moving: view
        .shadowRoot!.getAnimations()
        .map(({ effect }) => (effect as KeyframeEffect).target!.className.trim()),
    };
  }

  const goBack = (view: MovingView): boolean =>
    view.dispatchEvent(new CustomEvent('cbf-back', { bubbles: true, composed: true }));

  it('comes from the end side, after Back from the start side, and its footer stands', async () => {
    for (const [dir, end] of [
      ['ltr', 1],
      ['rtl', -1],
    ] as const) {
      document.documentElement.dir = dir;
      const view = await next();
      expect(motion(view).moving).to.deep.equal(['body']);
      expect(Math.sign(motion(view).from), dir).to.equal(end);
      goBack(view);
      const under = await next();
      expect(Math.sign(motion(under).from), `${dir}, back`).to.equal(-end);
      expect(Math.sign(motion(await next()).from), `${dir}, on`).to.equal(end);
    }
  });

  it('is there at once with reduced motion', async () => {
    await wish({ reducedMotion: 'reduce' });
    expect(motion(await next())).to.deep.equal({ from: 0, moving: [] });
  });
});
