import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { PinConsentView } from '../../../../src/frame/ui/consent-view.ts';
import { frames } from '../../turns.ts';
import { deep, deepAll, focused } from '../scene.ts';
import { settled, until, type World, world } from '../world.ts';

const NOT_TAKEN = 'These digits were not taken. Choose the PIN field and type your PIN.';

const view = (w: World): PinConsentView => w.frame.stage.screen!.view as PinConsentView;
const typed = (w: World): string => view(w).pinRow!.value;
const title = (w: World): HTMLElement => deep(w.shell, 'cbf-approve h1, h1');

/** An approval that has been in sight for 800 ms, with the focus on its heading. */
async function opened(w: World): Promise<void> {
  w.transfer();
  await w.seen();
  await until(() => w.text().includes('Send 0.2 ETH'), 'the approval');
  await frames(5);
  title(w).focus();
}

describe('digits typed on the heading of an approval', () => {
  it('move the focus to the PIN field and count, so that a PIN can be typed at once', async () => {
    const w = await world();
    await opened(w);
    expect(focused()?.localName).to.equal('h1');
    await sendKeys({ type: '7391' });
    expect(typed(w)).to.equal('7391');
    expect(focused()?.getAttribute('aria-label')).to.equal('PIN');
  });

  it('are discarded before it was in plain sight for 800 ms, and so is what follows without a pause', async () => {
    const w = await world();
    w.guard.state = 'waiting';
    const asked = w.transfer();
    await w.approval();
    await until(() => focused()?.textContent === 'Send 0.2 ETH', 'the focus on the heading');
    await sendKeys({ type: '73' });
    w.guard.change('clear');
    await frames(5);
    await sendKeys({ type: '91' });
    expect(typed(w), 'half a PIN').to.equal('');
    expect(w.text()).to.contain(NOT_TAKEN);
    expect(focused()?.localName, 'nor does the field get the focus').to.equal('h1');
    await w.clock.pass(1000);
    await sendKeys({ type: '7391' });
    expect(typed(w)).to.equal('7391');
    await frames(3);
    expect(w.text()).not.to.contain(NOT_TAKEN);
    expect(asked.settled).to.equal(false);
  });

  it('count only in the field itself for a minute after a danger stood in this document', async () => {
    const w = await world();
    w.chain.summary = { warnings: [{ code: 'reported-address', level: 'danger', tick: true }] };
    const first = w.transfer();
    await w.seen();
    await until(() => deepAll(w.shell, '.tick').length, 'the danger');
    title(w).focus();
    await sendKeys({ type: '7391' });
    expect(typed(w), 'while it stands').to.equal('');
    expect(w.text()).to.contain(NOT_TAKEN);
    first.abort.abort();
    await settled(first);
    w.chain.summary = {};
    // The same request again, as from a page that renders its element again.
    await opened(w);
    await w.clock.pass(50_000);
    await sendKeys({ type: '7391' });
    expect(typed(w), '50 s later').to.equal('');
    await w.clock.pass(10_000);
    await sendKeys({ type: '7391' });
    expect(typed(w), 'a minute later').to.equal('7391');
  });

  it('count only in the field itself after a request was replaced', async () => {
    const w = await world();
    const first = w.transfer();
    await w.find('PIN');
    first.abort.abort();
    await settled(first);
    w.ask('transfer', {
      walletId: w.wallet.id,
      secretType: 'ETHEREUM',
      to: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
      value: '3',
    });
    const button = await w.find('Show the new request');
    await w.clock.pass(800);
    button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }));
    button.dispatchEvent(new PointerEvent('click', { bubbles: true, composed: true, pointerType: 'mouse' }));
    await w.seen();
    await frames(10);
    expect(focused()?.localName).to.equal('h1');
    await sendKeys({ type: '7391' });
    expect(typed(w)).to.equal('');
    expect(w.text()).to.contain(NOT_TAKEN);
  });

  it('stay where they are typed if that takes input, and are left alone with a key of the browser', async () => {
    const w = await world();
    await opened(w);
    (await w.find('Reject')).focus();
    await sendKeys({ type: '7' });
    expect(typed(w)).to.equal('');
    title(w).focus();
    await sendKeys({ down: 'Control' });
    await sendKeys({ press: '1' });
    await sendKeys({ up: 'Control' });
    expect(typed(w)).to.equal('');
  });
});
