import { expect, fixture, html } from '@open-wc/testing';
import { PinField } from '../../../../src/frame/ui/pin-field.ts';
import { closeByPull } from '../../../../src/frame/shell/pull.ts';
import { Shell } from '../../../../src/frame/shell/shell.ts';

describe('a pull on the header of the sheet', () => {
  let shell: Shell;
  let closed: number;

  async function open(view = { innerWidth: 360, outerWidth: 360 }): Promise<void> {
    closed = 0;
    shell = await fixture<Shell>(html`<cbf-shell origin="https://shop.example" closable></cbf-shell>`);
    shell.addEventListener('cbf-close', () => (closed += 1));
    closeByPull(shell, { ...view, addEventListener: () => {} });
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
    await open({ innerWidth: 400, outerWidth: 1000 });
    pull(200);
    await open({ innerWidth: 500, outerWidth: 500 });
    pull(200);
    await open();
    shell.closable = false;
    pull(200);
    expect(closed).to.equal(0);
  });
});
