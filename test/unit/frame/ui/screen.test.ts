/** What a flow gets from a view, and what must not compile. */
import { expect } from '@open-wc/testing';
import { Screen } from '../../../../src/frame/ui/screen.ts';
import { FrameView } from '../../../../src/frame/ui/view.ts';
import { TransactionView } from '../../../../src/frame/wallets/transaction-view.ts';

function shown(): Screen<TransactionView> {
  const { signal } = new AbortController();
  return new Screen(new EventTarget(), new TransactionView(), { signal, requestId: '1' });
}

describe('the answer of a view', () => {
  it('has the detail of its event', async () => {
    const screen = shown();
    const answered = screen.next('cbf-replace', 'cbf-back');
    const detail = { how: 'cancel' };
    screen.view.dispatchEvent(new CustomEvent('cbf-replace', { detail }));
    const answer = await answered;
    expect(answer).to.deep.equal({ type: 'cbf-replace', detail });
    // Only events of this type have it, which the compiler knows.
    if (answer.type === 'cbf-replace') expect(answer.detail.how).to.equal('cancel');
  });

  it('has no detail where the event has none', async () => {
    const screen = shown();
    const answered = screen.next('cbf-back');
    screen.view.dispatchEvent(new CustomEvent('cbf-back'));
    expect((await answered).detail).to.equal(null);
  });
});

/** Never called: the type check fails if one of these lines compiles. */
export async function misspelt(screen: Screen<TransactionView>): Promise<void> {
  // @ts-expect-error: the view has no such event.
  await screen.next('cbf-replaced');
  const { type, detail } = await screen.next('cbf-replace', 'cbf-send');
  // @ts-expect-error: only a replacement says how.
  if (type === 'cbf-send') throw detail.how;
}

export class Misspelt extends FrameView<{ 'cbf-send': { hash: string }; 'cbf-back': null }> {
  emits(): void {
    // @ts-expect-error: the view has no such event.
    this.emit('cbf-sned', { hash: '0x1' });
    // @ts-expect-error: it is missing its detail.
    this.emit('cbf-send');
    // @ts-expect-error: its detail is another.
    this.emit('cbf-send', { hsah: '0x1' });
    // @ts-expect-error: it has no detail.
    this.emit('cbf-back', { hash: '0x1' });
  }
}
