import { css, html, nothing, type TemplateResult } from 'lit';
import { alert, alertStyles } from '../../ui/alert.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { iconExport } from '../../ui/list-icons.ts';
import { msg } from '../../base/localize.ts';
import { hero, statusStyles } from '../../ui/status.ts';
import { FrameView } from '../ui/view.ts';

export interface FileSavedEvents {
  /** I have the file. */
  'cbf-done': null;
  /** Not yet, Esc. */
  'cbf-back': null;
}

/** Shown after the backup file was handed to the browser's downloads: only the user can see whether it arrived. */
@customElement('cbf-file-saved')
export class FileSavedView extends FrameView<FileSavedEvents> {
  static override styles = [
    FrameView.styles,
    alertStyles,
    statusStyles,
    // Inline-block: broken across lines, the name could be read as two.
    css`.file { display: inline-block; max-inline-size: 100%; overflow-wrap: anywhere; color: var(--_text); }`,
  ];

  /** The file's name. */
  @property() name = '';
  /** The 12 words were checked. */
  @property({ attribute: false }) backedUp = false;
  /** A passkey opens the file, too. */
  @property({ attribute: false }) passkey = false;

  protected override readonly escape = 'cbf-back';

  protected override render(): TemplateResult {
    return this.layout({
      mid: true,
      plain: true,
      body: html`${hero('acc', iconExport(), msg('Is the file saved?'), msg(html`Look for ${html`<bdi class="file">${this.name}</bdi>`} in your downloads, and keep it where you find it without this browser.`))}
        ${
          this.passkey || this.backedUp
            ? nothing
            : alert('caution', {
                title: msg('Write down the 12 words too'),
                text: msg('Your PIN does not open this file: only your 12 words open it.'),
              })
        }`,
      foot: html`<button type="button" class="btn primary lg block" @click=${() => this.emit('cbf-done')}>
          <span>${msg('I have the file')}</span>
        </button>
        <button type="button" class="btn ghost lg block" @click=${() => this.emit('cbf-back')}>
          <span>${msg('Not yet')}</span>
        </button>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-file-saved': FileSavedView;
  }
}
