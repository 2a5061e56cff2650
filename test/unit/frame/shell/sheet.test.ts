import { expect, fixture, html } from '@open-wc/testing';
import { css, type TemplateResult } from 'lit';
import { PinField } from '../../../../src/frame/ui/pin-field.ts';
import { beSheet } from '../../../../src/frame/shell/sheet.ts';
import { FrameView } from '../../../../src/frame/ui/view.ts';
import { Shell } from '../../../../src/frame/shell/shell.ts';
import { frames } from '../../turns.ts';

describe('a pull on the header of the sheet', () => {
  let shell: Shell;
  let closed: number;

  async function open(sheet = true): Promise<void> {
    closed = 0;
    shell = await fixture<Shell>(html`<cbf-shell origin="https://shop.example" closable></cbf-shell>`);
    shell.addEventListener('cbf-close', () => (closed += 1));
    beSheet(shell, { sheet, tellHeight() {} });
  }

  function pull(by: number, { on = 'header', pointerType = 'touch', between = '' } = {}): void {
    const target = shell.shadowRoot!.querySelector(on)!;
    const fire = (type: string, clientY: number) =>
      target.dispatchEvent(
        new PointerEvent(type, { clientY, pointerType, isPrimary: true, bubbles: true, composed: true }),
      );
    fire('pointerdown', 10);
    if (between) fire(between, 20);
    fire('pointerup', 10 + by);
  }

  it('closes the wallet from 80 px on', async () => {
    await open();
    pull(79);
    pull(-120);
    expect(closed).to.equal(0);
    pull(80);
    expect(closed).to.equal(1);
  });

  it('does nothing with a mouse, below the header, or when the browser took it for a gesture of its own', async () => {
    await open();
    pull(200, { pointerType: 'mouse' });
    pull(200, { on: '.main' });
    pull(200, { between: 'pointercancel' });
    expect(closed).to.equal(0);
  });

  it('does nothing while the PIN has digits', async () => {
    await open();
    const field = new PinField();
    shell.view = html`${field}`;
    await shell.updateComplete;
    await field.updateComplete;
    field.press('7');
    pull(200);
    expect(closed).to.equal(0);
    field.press('delete');
    pull(200);
    expect(closed).to.equal(1);
  });

  it('does nothing where the wallet is a dialog, and where there is no page to go back to', async () => {
    await open(false);
    pull(200);
    await open();
    shell.closable = false;
    pull(200);
    expect(closed).to.equal(0);
  });
});

/** Its body is as high as it is told; its footer has 60 px. */
class TestView extends FrameView {
  static override styles = [
    FrameView.styles,
    css`
      .body { padding: 0; }
      .part { block-size: var(--part); }
      .foot { box-sizing: border-box; block-size: 60px; padding: 0; }
    `,
  ];

  protected override render(): TemplateResult {
    return this.layout({ body: html`<div class="part"></div>`, foot: html`<p></p>`, mid: true });
  }
}
customElements.define('test-sheet-view', TestView);

describe('the height of the sheet', () => {
  let heights: number[];
  let shell: Shell;
  let view: TestView;
  const link = { sheet: true, tellHeight: (height: number) => void heights.push(height) };

  const be = async (part: number): Promise<void> => {
    view.style.setProperty('--part', `${part}px`);
    await frames(3);
  };
  const headerHeight = (): number => shell.shadowRoot!.querySelector('header')!.offsetHeight;

  beforeEach(async () => {
    heights = [];
    link.sheet = true;
    const box = await fixture<HTMLElement>(
      html`<div><cbf-shell origin="https://shop.example"></cbf-shell></div>`,
    );
    box.style.cssText = 'inline-size: 360px; block-size: 600px';
    shell = box.querySelector('cbf-shell')!;
    view = new TestView();
    view.style.setProperty('--part', '200px');
    shell.view = html`${view}`;
    await shell.updateComplete;
    await view.updateComplete;
    beSheet(shell, link);
    await frames(3);
  });

  it('is that of its contents, where they have room to spare and where they scroll', async () => {
    expect(headerHeight()).to.equal(58);
    expect(heights).to.deep.equal([58 + 200 + 60]);
    await be(900);
    expect(heights).to.deep.equal([318, 58 + 900 + 60]);
  });

  it('has a lower header on the smallest phones, the same with Close as without', async () => {
    shell.parentElement!.style.inlineSize = '320px';
    expect(headerHeight()).to.equal(54);
    shell.closable = true;
    await shell.updateComplete;
    // Close is 44 px high, and the line below is another.
    expect(headerHeight()).to.equal(55);
  });

  it('does not shrink: what folds must not pull away what is about to be pressed', async () => {
    await be(100);
    await be(210);
    expect(heights).to.deep.equal([318, 328]);
  });

  it('is told once, though the page gives another room', async () => {
    for (const given of ['560px', '800px']) {
      shell.parentElement!.style.blockSize = given;
      await frames(3);
    }
    expect(heights).to.deep.equal([318]);
  });

  it('grows for the next view, and stays between two', async () => {
    shell.view = html``;
    await shell.updateComplete;
    await frames(3);
    const next = new TestView();
    next.style.setProperty('--part', '300px');
    shell.view = html`${next}`;
    await shell.updateComplete;
    await frames(3);
    expect(heights).to.deep.equal([318, 418]);
  });

  it('is not told once the page shows a dialog, and the header has no bar then', async () => {
    link.sheet = false;
    beSheet(shell, link);
    await be(300);
    expect(heights).to.deep.equal([318]);
    expect(headerHeight()).to.equal(52);
  });
});
