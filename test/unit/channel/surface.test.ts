import { expect, fixture, html } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import { themeOf } from '../../../src/channel/dialog-style.ts';
import { iframe, type Surface } from '../../../src/channel/surface.ts';
import { expectAccessible } from '../axe.ts';
import type { Shell } from '../../../src/frame/shell/shell.ts';
import '../../../src/frame/shell/shell.ts';
import { wish } from '../media.ts';
import { poll } from '../../waiting.ts';
import { frame } from '../turns.ts';

describe('light or dark', () => {
  const { style } = document.documentElement;
  afterEach(() => style.removeProperty('color-scheme'));

  for (const [scheme, theme] of [
    ['dark', 'dark'],
    ['light', 'light'],
    ['only dark', 'dark'],
    ['light dark', undefined],
    ['dark light', undefined],
    ['normal', undefined],
  ] as const)
    it(`is ${theme ?? 'the system’s'} on a page that is ${scheme}, unless its developer has chosen`, () => {
      style.colorScheme = scheme;
      expect([themeOf(), themeOf('auto')]).to.deep.equal([theme, theme]);
      expect([themeOf('light'), themeOf('dark')]).to.deep.equal(['light', 'dark']);
    });

  it('draws the wallet as its page is, until the user chooses', async () => {
    style.colorScheme = 'dark';
    const shell = await fixture<Shell>(html`<cbf-shell></cbf-shell>`);
    expect(getComputedStyle(shell).backgroundColor).to.equal('rgb(22, 26, 33)');
    shell.theme = 'light';
    await shell.updateComplete;
    expect(getComputedStyle(shell).backgroundColor).to.equal('rgb(255, 255, 255)');
  });
});

describe('the dialog around the wallet', () => {
  let surface: Surface | undefined;
  afterEach(async () => {
    surface?.close();
    await setViewport({ width: 800, height: 600 });
  });

  let closed: number;
  function open(): HTMLDialogElement {
    closed = 0;
    surface = iframe({ url: 'about:blank', title: 'Confirm in your wallet', onClose: () => void closed++ });
    const host = [...document.body.children].find((each) => each.shadowRoot?.querySelector('iframe'))!;
    return host.shadowRoot!.querySelector('dialog')!;
  }

  it('is closed by the icon of the wallet’s own Close, at the same place', async () => {
    const shell = await fixture<Shell>(html`<cbf-shell .closable=${true}></cbf-shell>`);
    shell.style.cssText = 'position: fixed; inset: 0';
    const theirs = shell.renderRoot.querySelector('[aria-label=Close]')!;
    const dialog = open();
    const ours = dialog.querySelector('[aria-label=Close]')!;
    expect(ours.textContent).to.equal('');
    const paths = [theirs, ours].map((button) => button.querySelector('path')!.getAttribute('d'));
    expect(paths[0]).to.equal(paths[1]);
    const [a, b] = [shell, dialog.querySelector('section')!].map((around, index) => {
      const mark = [theirs, ours][index]!.querySelector('svg')!.getBoundingClientRect();
      const { right, top } = around.getBoundingClientRect();
      return [mark.width, Math.round(right - mark.right), Math.round(mark.top - top)];
    });
    expect(b).to.deep.equal(a);
  });

  it('stands still from the moment the wallet answers: what moves counts as covered', async function () {
    if (!(await wish({ reducedMotion: 'no-preference' }))) this.skip();
    const dialog = open();
    expect(dialog.getAnimations().length).to.be.greaterThan(0);
    surface!.ready();
    expect(dialog.getAnimations()).to.deep.equal([]);
    expect(getComputedStyle(dialog).translate).to.equal('none');
  });

  it('says that it takes longer, and offers a window and Close, until the wallet answers', async () => {
    const dialog = open();
    const status = dialog.querySelector('[role=status]')!;
    const found = (name: string): HTMLElement | undefined =>
      [...dialog.querySelectorAll('button')].find(({ textContent }) => textContent === name);
    let opened = 0;
    surface!.slow!(() => void opened++);
    await poll(() => found('Open in a window'), 'the notice');
    expect(status.textContent).to.equal('Opening your wallet…Taking longer than usual');
    found('Open in a window')!.click();
    found('Close')!.click();
    expect([opened, closed]).to.deep.equal([1, 1]);
    for (const width of [800, 320]) {
      await setViewport({ width, height: 600 });
      for (const name of ['Open in a window', 'Close']) {
        const { left, right } = found(name)!.getBoundingClientRect();
        // Not of the rectangle, which the opening animation moves by fractions of a pixel.
        expect(found(name)!.offsetHeight, name).to.be.at.least(48);
        expect([left > 0, right < width], name).to.deep.equal([true, true]);
      }
    }
    await setViewport({ width: 800, height: 600 });
    await expectAccessible(dialog);
    surface!.ready();
    expect([found('Open in a window'), found('Close')]).to.deep.equal([undefined, undefined]);
    expect(dialog.getAnimations()).to.deep.equal([]);
  });

  it('says nothing of it where the wallet answered meanwhile', async () => {
    const dialog = open();
    surface!.slow!(() => {});
    surface!.ready();
    await import('../../../src/channel/blocked.ts');
    await frame();
    expect(dialog.querySelector('.slow')).to.equal(null);
  });

  it('takes the place of the form that led to it, and gives it back with the focus', async () => {
    const form = await fixture<HTMLDialogElement>(
      html`<dialog part="dialog"><button>Continue</button></dialog>`,
    );
    const style = new CSSStyleSheet();
    style.replaceSync('.away { visibility: hidden; }');
    document.adoptedStyleSheets.push(style);
    form.showModal();
    const button = form.querySelector('button')!;
    button.focus();
    open();
    expect(getComputedStyle(form).visibility).to.equal('hidden');
    expect(getComputedStyle(form, '::backdrop').visibility).to.equal('hidden');
    surface!.hide();
    expect(getComputedStyle(form).visibility).to.equal('visible');
    expect(document.activeElement).to.equal(button);
    document.adoptedStyleSheets.pop();
  });

  it('leaves a dialog of the page alone', async () => {
    const own = await fixture<HTMLDialogElement>(html`<dialog><button>Pay</button></dialog>`);
    own.showModal();
    own.querySelector('button')!.focus();
    open();
    expect(own.className).to.equal('');
  });

  it('is a sheet at the lower edge below 480 px, and a dialog from there on', async () => {
    await setViewport({ width: 479, height: 700 });
    const dialog = open();
    surface!.ready();
    const { left, right, bottom, top } = dialog.getBoundingClientRect();
    expect([left, right, bottom]).to.deep.equal([0, 479, 700]);
    expect(top).to.be.at.least(24);
    expect(getComputedStyle(dialog).borderRadius).to.equal('18px 18px 0px 0px');
    await setViewport({ width: 480, height: 700 });
    expect(dialog.getBoundingClientRect().width).to.equal(400);
    // WebKit would take the next one for as wide as the page was before.
    surface!.close();
    await setViewport({ width: 479, height: 700 });
    expect(open().getBoundingClientRect().width).to.equal(479);
    // A sheet would move out of the next test's sight.
    await setViewport({ width: 800, height: 700 });
  });

  it('is a sheet as high as the wallet says, but never too low for an approval, nor higher than the screen', async () => {
    await setViewport({ width: 400, height: 800 });
    const dialog = open();
    surface!.ready();
    const heights = [300, 600, 5000].map((height) => {
      surface!.resize!(height);
      expect(dialog.getBoundingClientRect().bottom).to.equal(800);
      return dialog.querySelector('iframe')!.getBoundingClientRect().height;
    });
    expect(heights).to.deep.equal([480, 600, 800 - 24 - 1]);
    await setViewport({ width: 800, height: 800 });
    expect(dialog.getBoundingClientRect().height).to.equal(688);
  });

  it('moves a sheet out of sight before it is gone, where nobody can press it any more', async function () {
    if (!(await wish({ reducedMotion: 'no-preference' }))) this.skip();
    await setViewport({ width: 400, height: 800 });
    const dialog = open();
    surface!.ready();
    surface!.close();
    expect([dialog.open, dialog.isConnected, dialog.inert]).to.deep.equal([false, true, true]);
    const [moves] = dialog.getAnimations();
    expect(moves?.effect?.getTiming().duration).to.equal(200);
    await Promise.all(dialog.getAnimations().map(({ finished }) => finished));
    await Promise.resolve();
    await frame();
    expect(dialog.isConnected).to.equal(false);
  });
});
