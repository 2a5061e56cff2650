/** Panels and copying, which all views except the transfer form share. */
import { css, html, type TemplateResult } from 'lit';
import { msg } from '../base/localize.ts';
import { icon, iconCheck, iconCopy } from '../ui/icons.ts';
import type { ConnectElement } from './connect-element.ts';
import { ElementView } from './view.ts';

export const panelStyles = css`
  .card { border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface); color: var(--_text); }
  .card.padded { padding: var(--_s4); }
  .card.line { gap: var(--_s3); flex-wrap: nowrap; }
  .alert { display: flex; gap: var(--_s3); padding: var(--_s3); border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface-2); color: var(--_text); font-size: var(--_fs-sm); line-height: 1.4; }
  .alert.mid { align-items: center; }
  .alert b { display: block; font-size: calc(var(--_fs) * .93); font-weight: 620; }
  .alert.caution { border-color: var(--_caution-line); background: var(--_caution-soft); }
  .alert.caution :is(b, .i) { color: var(--_caution); }
  .alert.danger { border-color: var(--_danger-line); border-inline-start: 4px solid var(--_danger); background: var(--_danger-soft); }
  .alert.danger :is(b, .alert > .i) { color: var(--_danger); }
  .alert.good { border-color: var(--_success-line); background: var(--_success-soft); }
  .alert.good b, .alert.good > .i { color: var(--_success); }
  .alert .btn.mini { margin-block-start: 8px; }
`;

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
