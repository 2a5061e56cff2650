/** The devices that may spend from the user's service wallets, in Settings. */
import { ConnectError } from '../../base/errors.ts';
import { msg, language, str } from '../../base/localize.ts';
import type { ServiceAccess, ServiceDevice } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { QuestionView } from '../ui/question-view.ts';
import {
  listStyles,
  optionButton,
  optionCard,
  optionRow,
  optionStyles,
  type Trouble,
  troubleLine,
  troubleStyles,
} from '../ui/rows.ts';
import { tellSite } from '../shell/site-wallets.ts';
import { asEnrolled, serviceOf } from './service-account-flow.ts';
import { troubleOf } from './trouble.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from '../../ui/decorators.ts';
import { iconWindow } from '../../ui/list-icons.ts';
import { head } from '../ui/head.ts';
import { FrameView } from '../ui/view.ts';

/** A device, and its place in the list. */
export interface ListedDevice {
  device: ServiceDevice;
  index: number;
}

export interface DevicesEvents {
  'cbf-remove': ListedDevice;
  /** Asks the wallet service again. */
  'cbf-retry': null;
  /** Back, Esc. */
  'cbf-back': null;
}

/** The devices that may spend from the user's service wallets. */
@customElement('cbf-devices')
export class DevicesView extends FrameView<DevicesEvents> {
  static override styles = [FrameView.styles, listStyles, optionStyles, troubleStyles];

  @property({ attribute: false }) devices: readonly ServiceDevice[] = [];
  /** Why the list could not be loaded. */
  @property({ attribute: false }) trouble: Trouble;
  @property({ attribute: false }) busy = false;

  protected override readonly escape = 'cbf-back';

  #row(device: ServiceDevice, index: number): TemplateResult {
    const { own } = device;
    const name = own ? msg('Remove this browser') : msg(str`Remove device ${index + 1}`);
    const act = (): void => this.emit('cbf-remove', { device, index });
    return optionRow(
      iconWindow(),
      nameOf(device, index),
      added(device),
      optionButton(msg('Remove'), act, name),
    );
  }

  protected override render(): TemplateResult {
    const { devices } = this;
    return this.layout({
      body: html`${head(this, msg('Devices'))}
        <p class="muted sm">${msg('They may approve payments with your service wallets. Remove any that you lost or do not recognise. Then change your service PIN and get a new recovery code.')}</p>
        ${devices.length ? optionCard(devices.map((device, index) => this.#row(device, index))) : nothing}
        ${troubleLine(this.trouble, this.busy, () => this.emit('cbf-retry'))}`,
    });
  }
}

export function nameOf({ own }: ServiceDevice, index: number): string {
  return own ? msg('This browser') : msg(str`Device ${index + 1}`);
}

export function added({ createdAt }: ServiceDevice): string {
  const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  return msg(str`Added ${when.format(createdAt)}`);
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-devices': DevicesView;
  }
}

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
  { device, index }: ListedDevice,
  options: OpenOptions,
): Promise<boolean> {
  const view = removeQuestion({ device, index });
  const { type } = await frame.stage.open(view, options).next('cbf-remove', 'cbf-back');
  if (type === 'cbf-back') return false;
  view.state = { busy: true };
  try {
    await asEnrolled(frame, options, () => service.removeDevice(device.thumbprint).then(() => true));
  } catch (error) {
    // It has already been removed elsewhere.
    if (!(error instanceof ConnectError) || error.code !== 'request.invalid') throw error;
  }
  frame.stage.shell.say({ text: msg('Removed') });
  return true;
}

/** Devices are numbered in the order they were added: the service knows only their keys. */

export function removeQuestion({ device, index }: ListedDevice): QuestionView<'cbf-back' | 'cbf-remove'> {
  return new QuestionView(
    'cbf-back',
    ({ busy = false }) => ({
      heading: device.own ? msg('Remove this browser?') : msg('Remove this device?'),
      text: device.own
        ? msg(
            'Your service wallets will be removed from this browser. To use them here again you need your recovery code and your PIN.',
          )
        : msg(
            'It can no longer approve payments with your service wallets. Using them there again takes your recovery code and your PIN.',
          ),
      details: optionCard(optionRow(iconWindow(), nameOf(device, index), added(device), html``)),
      buttons: [
        { text: msg('Cancel'), event: 'cbf-back', look: 'secondary' },
        { text: msg('Remove'), event: 'cbf-remove', look: 'primary', disabled: busy },
      ],
    }),
    [listStyles, optionStyles],
  );
}
