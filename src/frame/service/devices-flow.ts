/** The devices that may spend from the user's service wallets, in Settings. */
import { ConnectError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import type { ServiceAccess, ServiceDevice } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import type { Trouble } from '../ui/rows.ts';
import { tellSite } from '../shell/site-wallets.ts';
import { DevicesView, RemoveDeviceView } from './devices-view.ts';
import { asEnrolled, serviceOf } from './service-account-flow.ts';
import { troubleOf } from './trouble.ts';

/** Resolves on Back, or with true once this browser itself has been removed. */
export async function showDevices(frame: Frame, options: OpenOptions): Promise<boolean> {
  const service = await serviceOf(frame);
  const view = new DevicesView();
  for (;;) {
    let trouble: Trouble;
    try {
      const devices = await asEnrolled(frame, options, () => service.devices());
      if (!devices) return false;
      view.devices = devices;
    } catch (error) {
      trouble = troubleOf(error);
      if (!trouble) throw error;
    }
    Object.assign(view, { trouble, busy: false });
    const { type, detail } = await frame.stage
      .open(view, options)
      .next('cbf-remove', 'cbf-retry', 'cbf-back');
    if (type === 'cbf-back') return false;
    if (type === 'cbf-retry') {
      view.busy = true;
      continue;
    }
    try {
      if (!(await remove(frame, service, detail, options)) || !detail.device.own) continue;
    } catch (error) {
      // The reloaded list shows the outcome.
      if (!troubleOf(error)) throw error;
      continue;
    }
    await tellSite(frame.link, frame.networks, await frame.vault());
    return true;
  }
}

/** False on Back. */
async function remove(
  frame: Frame,
  service: ServiceAccess,
  { device, name }: { device: ServiceDevice; name: string },
  options: OpenOptions,
): Promise<boolean> {
  const view = Object.assign(new RemoveDeviceView(), { device, name });
  const { type } = await frame.stage.open(view, options).next('cbf-remove', 'cbf-back');
  if (type === 'cbf-back') return false;
  view.busy = true;
  try {
    await asEnrolled(frame, options, () => service.removeDevice(device.thumbprint).then(() => true));
  } catch (error) {
    // It has already been removed elsewhere.
    if (!(error instanceof ConnectError) || error.code !== 'request.invalid') throw error;
  }
  frame.stage.shell.say({ text: msg('Removed') });
  return true;
}
