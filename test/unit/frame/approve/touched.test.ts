import { expect } from '@open-wc/testing';
import type { Summary } from '../../../../src/chains/approval/summary.ts';
import { ApproveView } from '../../../../src/frame/approve/approve-view.ts';
import { TestClock } from '../../clock.ts';
import { MAIN_WALLET as wallet, named, RECIPIENT, show } from '../scene.ts';
import { drawingOf } from './drawing/drawing-of.ts';

const coins = (raw: bigint) => ({ symbol: 'ETH', decimals: 18, raw });
const transfer: Summary = {
  kind: 'transfer',
  networkName: 'Ethereum',
  amount: coins(25n * 10n ** 16n),
  from: wallet.address,
  to: RECIPIENT,
  fee: { expected: coins(252n * 10n ** 12n), maximum: coins(420n * 10n ** 12n) },
  total: coins(250420n * 10n ** 12n),
  balance: coins(1284n * 10n ** 15n),
  warnings: [],
};

async function open(more: Partial<ApproveView> = {}) {
  const clock = new TestClock();
  const drawing = drawingOf(transfer);
  const view = Object.assign(new ApproveView(), {
    clock,
    wallet,
    own: [wallet],
    armed: true,
    drawing,
    ...more,
  });
  /** Whether the view was ready for each press of its main button. */
  const presses: (boolean | undefined)[] = [];
  view.allows = (_event, ready) => {
    presses.push(ready);
    return false;
  };
  const { settle } = await show(view);
  const look = async (): Promise<void> => {
    await settle();
    await clock.pass(400);
    await settle();
  };
  await look();
  return { view, presses, look };
}

describe('a finger on Approve', () => {
  const touch = (button: HTMLElement, type: string): boolean =>
    button.dispatchEvent(new PointerEvent(type, { pointerType: 'touch', bubbles: true, composed: true }));

  it('approves nothing that came while it lay there, even once that has been seen', async () => {
    const { view, presses, look } = await open({ passkey: true });
    const approve = named(view, 'Approve with passkey');
    touch(approve, 'pointerdown');
    view.drawing = drawingOf({ ...transfer, to: wallet.address });
    await look();
    touch(approve, 'click');
    expect(presses).to.deep.equal([false]);
    touch(approve, 'pointerdown');
    touch(approve, 'click');
    expect(presses).to.deep.equal([false, true]);
  });

  it('is not needed by who uses a keyboard or a screen reader', async () => {
    const { view, presses } = await open({ passkey: true });
    named(view, 'Approve with passkey').click();
    expect(presses).to.deep.equal([true]);
  });
});

describe('a PIN that is being typed while the window is turned', () => {
  const turn = async (
    { view, look }: Awaited<ReturnType<typeof open>>,
    ...phases: ApproveView['phase'][]
  ) => {
    for (const phase of phases) {
      view.phase = phase;
      await look();
    }
  };
  const reason = (view: ApproveView): string | null | undefined =>
    view.shadowRoot!.querySelector('#why')?.textContent;

  it('is kept in a window too low for everything at once, and when it is turned back', async () => {
    const scene = await open();
    const { view } = scene;
    for (const digit of '739') view.pinRow!.press(digit);
    await turn(scene, 'look');
    expect(view.pinRow).to.equal(null);
    await turn(scene, 'pin');
    expect([view.pinRow!.value, reason(view)]).to.deep.equal(['739', 'Enter your PIN']);
    view.pinRow!.press('1');
    await turn(scene, 'look', undefined);
    expect([view.pinRow!.value, reason(view)]).to.deep.equal(['7391', undefined]);
  });

  it('is gone once what is asked has changed', async () => {
    const scene = await open();
    const { view } = scene;
    for (const digit of '7391') view.pinRow!.press(digit);
    await turn(scene, 'look');
    view.startOver('The fee rose.');
    await turn(scene, undefined);
    expect([view.pinRow!.value, reason(view)]).to.deep.equal(['', 'Enter your PIN']);
  });
});
