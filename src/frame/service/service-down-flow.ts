/** The wallet service does not answer: asks the user whether to try again. */
import { type ConnectError, FrameUnreachableError } from '../../base/errors.ts';
import type { KeyStore } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { ServiceDownView } from './service-down-view.ts';

/** Waits for Try again and reloads once, whether or not the service then answers. Throws any other `trouble`, and `user.rejected`. */
export async function untilServed(
  frame: Frame,
  vault: KeyStore,
  trouble: ConnectError,
  options: OpenOptions,
): Promise<void> {
  if (trouble.code !== 'service.unreachable') throw trouble;
  const view = new ServiceDownView();
  await frame.stage.open(view, options).next('cbf-retry');
  view.busy = true;
  await vault.service?.reload();
}

/** For a signing request whose answer was lost. Resolves on Try again; rejects with `frame.unreachable` if the user postpones it. */
export async function untilAsked(frame: Frame, options: OpenOptions, requestId: string): Promise<void> {
  const view = Object.assign(new ServiceDownView(), { asked: true });
  const { type } = await frame.stage.open(view, options).next('cbf-retry', 'cbf-close', 'cbf-reject');
  if (type === 'cbf-retry') return;
  throw new FrameUnreachableError(
    'The wallet service has not answered whether it sent the transaction. Look the request up with connect.pending().',
    { requestId },
  );
}
