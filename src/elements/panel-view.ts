/** Panels and copying, which all views except the transfer form share. */
import { html, type TemplateResult } from 'lit';
import { icon, iconCheck, iconCopy } from '../ui/icons.ts';
import { msg } from '../base/localize.ts';
import type { ConnectElement } from './connect-element.ts';
import { panelStyles } from './panel-styles.ts';
import { ElementView } from './view.ts';

const COPIED_MS = 2000;

export abstract class PanelView<H extends ConnectElement> extends ElementView<H> {
  static override styles = [...ElementView.styles, panelStyles];

  #copied = '';
  #timer = 0;

  protected async copy(text: string, said: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      this.say(msg('The browser did not allow to copy.'));
      return;
    }
    this.#copied = text;
    this.say(said);
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.#copied = '';
      this.say('');
    }, COPIED_MS);
  }

  protected copyAddress(address: string, name: string): TemplateResult {
    const done = this.#copied === address;
    return html`<button
      type="button"
      part="copy"
      class="btn icon ${done ? 'done' : ''}"
      aria-label=${done ? msg('Address copied') : name}
      @click=${() => this.copy(address, msg('Address copied'))}
    >${icon(done ? iconCheck() : iconCopy())}</button>`;
  }

  /** Whether this text was copied a moment ago. */
  protected copied(text: string): boolean {
    return this.#copied === text;
  }
}
