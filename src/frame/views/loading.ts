import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { msg } from '../../ui/localize.ts';
import { spinStyles, statusStyles } from '../ui/status-styles.ts';
import { FrameView } from '../ui/view.ts';

/** Something takes a moment. */
@customElement('cbf-loading')
export class LoadingView extends FrameView {
  static override styles = [FrameView.styles, statusStyles, spinStyles];

  @property({ attribute: false }) text = msg('Opening your wallet…');

  protected override render(): TemplateResult {
    return this.layout({
      mid: true,
      body: html`<div class="hero">
        <span class="spin l"></span>
        <h1 class="title" tabindex="-1">${this.text}</h1>
      </div>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-loading': LoadingView;
  }
}
