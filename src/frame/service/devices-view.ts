import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from '../../ui/decorators.ts';
import { iconWindow } from '../../ui/list-icons.ts';
import { language, msg, str } from '../../base/localize.ts';
import type { ServiceDevice } from '../../wallets/types.ts';
import { cardStyles } from '../ui/card-styles.ts';
import { head } from '../ui/head.ts';
import {
  optionButton,
  optionCard,
  optionRow,
  optionStyles,
  type Trouble,
  troubleLine,
  troubleStyles,
} from '../ui/rows.ts';
import { FrameView } from '../ui/view.ts';

/** Devices are numbered in the order they were added: the service knows only their keys. */
function nameOf({ own }: ServiceDevice, index: number): string {
  return own ? msg('This browser') : msg(str`Device ${index + 1}`);
}

function added({ createdAt }: ServiceDevice): string {
  const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  return msg(str`Added ${when.format(createdAt)}`);
}

export interface DevicesEvents {
  'cbf-remove': { device: ServiceDevice; name: string };
  /** Asks the wallet service again. */
  'cbf-retry': null;
  /** Back, Esc. */
  'cbf-back': null;
}

/** The devices that may spend from the user's service wallets. */
@customElement('cbf-devices')
export class DevicesView extends FrameView<DevicesEvents> {
  static override styles = [FrameView.styles, cardStyles, optionStyles, troubleStyles];

  @property({ attribute: false }) devices: readonly ServiceDevice[] = [];
  /** Why the list could not be loaded. */
  @property({ attribute: false }) trouble: Trouble;
  @property({ attribute: false }) busy = false;

  protected override readonly escape = 'cbf-back';

  #row(device: ServiceDevice, index: number): TemplateResult {
    const { own } = device;
    const name = own ? msg('Remove this browser') : msg(str`Remove device ${index + 1}`);
    const act = (): void => this.emit('cbf-remove', { device, name: nameOf(device, index) });
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
        <p class="muted sm">${msg('They may approve payments with your service wallets. Remove one that you lost or do not know. Then change your service PIN and get a new recovery code.')}</p>
        ${devices.length ? optionCard(devices.map((device, index) => this.#row(device, index))) : nothing}
        ${troubleLine(this.trouble, this.busy, () => this.emit('cbf-retry'))}`,
    });
  }
}

export interface RemoveDeviceEvents {
  /** Remove. Set `busy`. */
  'cbf-remove': null;
  /** Back, Cancel, Esc. */
  'cbf-back': null;
}

/** Asks before a device is removed. */
@customElement('cbf-remove-device')
export class RemoveDeviceView extends FrameView<RemoveDeviceEvents> {
  static override styles = [FrameView.styles, cardStyles, optionStyles];

  @property({ attribute: false }) device!: ServiceDevice;
  /** As shown in the list. */
  @property({ attribute: false }) name = '';
  @property({ attribute: false }) busy = false;

  protected override readonly escape = 'cbf-back';

  protected override render(): TemplateResult {
    const { device, name, busy } = this;
    return this.layout({
      body: html`${head(this, device.own ? msg('Remove this browser?') : msg('Remove this device?'))}
        <p class="muted">${
          device.own
            ? msg(
                'Your service wallets leave this browser. To use them here again you need your recovery code and your PIN.',
              )
            : msg(
                'It can no longer approve payments with your service wallets. To use them there again takes your recovery code and your PIN.',
              )
        }</p>
        ${optionCard(optionRow(iconWindow(), name, added(device), html``))}`,
      foot: html`<div class="actions">
        <button type="button" class="btn secondary lg" @click=${() => this.emit('cbf-back')}>${msg('Cancel')}</button>
        <button type="button" class="btn primary lg" ?disabled=${busy} @click=${() => this.emit('cbf-remove')}>${msg('Remove')}</button>
      </div>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-devices': DevicesView;
    'cbf-remove-device': RemoveDeviceView;
  }
}
