import { css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { ErrorCode, Issue } from '../../errors.ts';
import { iconDanger } from '../../ui/base-icons.ts';
import { iconChevronDown } from '../../ui/icons.ts';
import { msg, str } from '../../ui/localize.ts';
import { codeStyles } from '../ui/card-styles.ts';
import { icon } from '../ui/icon.ts';
import { hero } from '../ui/status.ts';
import { statusStyles } from '../ui/status-styles.ts';
import { FrameView } from '../ui/view.ts';

/**
 * A request that the wallet refuses, in plain words; what its developer needs to know is folded below.
 *
 * @fires cbf-close - Close, Esc.
 */
@customElement('cbf-problem')
export class ProblemView extends FrameView {
  static override styles = [
    FrameView.styles,
    statusStyles,
    codeStyles,
    css`
      details { align-self: stretch; }
      .code b { font-weight: 620; }
      .code li + li { margin-block-start: 6px; }
    `,
  ];

  @property() site = '';
  @property() code: ErrorCode = 'internal.error';
  /** `ConnectError.shortMessage`, for the developer. */
  @property({ attribute: false }) message = '';
  @property({ attribute: false }) issues: readonly Issue[] = [];

  protected override escape = 'cbf-close';

  #words(): [string, string] {
    const site = this.site || msg('The site');
    switch (this.code) {
      case 'request.invalid':
        return [
          msg('This request does not work'),
          msg(str`${site} asked for something the wallet cannot do. Nothing was sent.`),
        ];
      case 'request.conflict':
        return [
          msg('This request was changed'),
          msg(
            str`${site} asked for something else under the same number before. Nothing was sent. Start again on the site.`,
          ),
        ];
      case 'wallet.forbidden':
        return [
          msg('This wallet is not linked'),
          msg(
            str`${site} asked for a wallet that it may not use. Nothing was sent. Link your wallet on the site first.`,
          ),
        ];
      case 'wallet.archived':
        return [
          msg('This wallet is archived'),
          msg('Nothing was sent. Bring it back under Archived to use it again.'),
        ];
      case 'chain.not-supported':
        return [
          msg('This network is not supported'),
          msg(str`${site} asked for a network that this wallet does not know. Nothing was sent.`),
        ];
      case 'recipient.unknown':
        return [
          msg('No wallet found for this recipient'),
          msg('Nothing was sent. Ask the recipient for an address.'),
        ];
      default:
        return [msg('Something went wrong'), msg('Nothing was sent. Close this window and try again.')];
    }
  }

  #details(): TemplateResult | typeof nothing {
    const { issues, message } = this;
    if (!issues.length && !message) return nothing;
    return html`<details class="more">
      <summary>${msg('Details for the site’s developer')} ${icon(iconChevronDown(), 's')}</summary>
      <ul class="code">
        ${
          issues.length
            ? issues.map(
                (issue) =>
                  html`<li>${issue.path ? html`<b>${issue.path}</b> ` : nothing}${issue.message}</li>`,
              )
            : html`<li>${message}</li>`
        }
      </ul>
    </details>`;
  }

  protected override render(): TemplateResult {
    const [title, text] = this.#words();
    return this.layout({
      mid: true,
      plain: true,
      body: html`${hero('bad', iconDanger(), title, text)}${this.#details()}`,
      foot: html`<button type="button" class="btn secondary lg block" @click=${() => this.emit('cbf-close')}>
        <span>${msg('Close')}</span>
      </button>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-problem': ProblemView;
  }
}
