/** The passkey of the user's account at the wallet service: adds it, and removes it with the passkey itself or the recovery code. */
import { ConnectError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { usePin } from '../unlock/ask-pin-flow.ts';
import { unlock } from '../unlock/unlock.ts';
import { EnterCodeView } from './enter-code-view.ts';
import { pinOnly, serviceOf, wrongCode } from './service-account-flow.ts';

/** Undefined if nothing was added and nothing failed. */
export async function addServicePasskey(
  frame: Frame,
  options: OpenOptions,
): Promise<'added' | 'failed' | undefined> {
  const service = await serviceOf(frame);
  const why = msg(
    'From then on, service wallets approve only with your passkey, on every device. If you lose it, your recovery code removes it.',
  );
  const result = await usePin(frame, pinOnly(service), why, options, async (pin) => {
    try {
      await service.addPasskey(pin);
      return 'added';
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      if (error.details['reason'] === 'passkey') return 'failed';
      if (error.code !== 'user.rejected') throw error;
      return 'dismissed';
    }
  });
  return result === 'dismissed' ? undefined : result;
}

/** Returns whether it was removed; false on Back. */
export async function removeServicePasskey(frame: Frame, options: OpenOptions): Promise<boolean> {
  const [service, { EnterPinView }] = await Promise.all([
    serviceOf(frame),
    import('../unlock/enter-pin-view.ts'),
  ]);
  const view = Object.assign(new EnterPinView(), {
    text: msg('To remove it from your account. After that, your service PIN is enough again.'),
    passkey: true,
    hasPin: false,
    withCode: true,
    final: true,
  });
  const screen = frame.stage.open(view, options);
  const tell = (error: string): void => {
    view.busy = false;
    view.error = error;
  };
  for (;;) {
    const { type } = await screen.next('cbf-passkey', 'cbf-restore', 'cbf-back');
    if (type === 'cbf-back') return false;
    if (type === 'cbf-restore') {
      if (await removeLostPasskey(frame, options)) return true;
      frame.stage.show(screen);
      continue;
    }
    view.busy = true;
    if (await unlock(frame, service.pin, screen, tell, () => service.removePasskey().then(() => true)))
      return true;
  }
}

/** With the recovery code. False on Back. */
export async function removeLostPasskey(frame: Frame, options: OpenOptions): Promise<boolean> {
  const service = await serviceOf(frame);
  const view = Object.assign(new EnterCodeView(), { use: 'passkey' as const });
  const screen = frame.stage.open(view, options);
  for (;;) {
    const { type } = await screen.next('cbf-continue', 'cbf-back');
    if (type === 'cbf-back') return false;
    view.busy = true;
    try {
      await service.removePasskey(view.code);
      return true;
    } catch (error) {
      view.error = wrongCode(error);
    } finally {
      view.busy = false;
    }
  }
}
