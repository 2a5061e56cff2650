/** The wallet service does not answer: asks the user whether to try again. */
import { type ConnectError, FrameUnreachableError } from '../../base/errors.ts';
import type { KeyStore } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { msg } from '../../base/localize.ts';
import { iconRefresh } from '../../ui/icons.ts';
import { iconOffline } from '../../ui/list-icons.ts';
import { badgeQuestion, type QuestionView } from '../ui/question-view.ts';

/** Waits for Try again and reloads once, whether or not the service then answers. Throws any other `trouble`, and `user.rejected`. */
export async function untilServed(
  frame: Frame,
  vault: KeyStore,
  trouble: ConnectError,
  options: OpenOptions,
): Promise<void> {
  if (trouble.code !== 'service.unreachable') throw trouble;
  const view = serviceDown();
  await frame.stage.open(view, options).next('cbf-retry');
  view.state = { busy: true };
  await vault.service?.reload();
}

/** For a signing request whose answer was lost. Resolves on Try again; rejects with `frame.unreachable` if the user postpones it. */
export async function untilAsked(frame: Frame, options: OpenOptions, requestId: string): Promise<void> {
  const view = answerMissing();
  const { type } = await frame.stage.open(view, options).next('cbf-retry', 'cbf-close', 'cbf-reject');
  if (type === 'cbf-retry') return;
  throw new FrameUnreachableError(
    'The wallet service has not answered whether it sent the transaction. Look the request up with connect.pending().',
    { requestId },
  );
}

/** The wallet service does not answer. */
export function serviceDown(): QuestionView<'cbf-reject' | 'cbf-retry'> {
  return badgeQuestion('cbf-reject', ({ busy = false }) => ({
    badge: ['warn', iconOffline()],
    heading: msg('Cannot reach the wallet service'),
    text: msg('It holds the key of this wallet, so nothing can be approved until it answers.'),
    buttons: [
      { text: msg('Reject'), event: 'cbf-reject', look: 'secondary', disabled: busy },
      {
        text: msg('Try again'),
        event: 'cbf-retry',
        look: 'primary',
        glyph: iconRefresh(),
        disabled: busy,
        spins: busy,
      },
    ],
  }));
}

/** It was asked to sign; whether it did is unknown. Later: the request stays in the journal. */
export function answerMissing() {
  return badgeQuestion<'cbf-reject' | 'cbf-close' | 'cbf-retry'>('cbf-reject', () => ({
    badge: ['warn', iconOffline()],
    heading: msg('No answer yet'),
    text: msg(
      'You approved it, and the wallet service has not said whether it was sent. Trying again never sends it twice.',
    ),
    buttons: [
      { text: msg('Later'), event: 'cbf-close', look: 'secondary' },
      { text: msg('Try again'), event: 'cbf-retry', look: 'primary', glyph: iconRefresh() },
    ],
  }));
}
