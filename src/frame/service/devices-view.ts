import { html, nothing, type TemplateResult } from 'lit';
import { language, msg, str } from '../../base/localize.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { iconWindow } from '../../ui/list-icons.ts';
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
  static override styles = [FrameView.styles, cardStyles, optionStyles, troubleStyles];

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
        <p class="muted sm">${msg('They may approve payments with your service wallets. Remove one that you lost or do not know. Then change your service PIN and get a new recovery code.')}</p>
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
