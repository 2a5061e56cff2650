import { html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { SignResult } from '../../channel/messages.ts';
import { icon, iconClose, iconPen } from '../../ui/icons.ts';
import { msg } from '../../base/localize.ts';
import type { Face } from '../connect-element.ts';
import { formStyles } from '../../ui/form-styles.ts';
import { copyTool, resultRow, resultStyles } from '../result-row.ts';
import type { SignRequest } from './sign-request.ts';
import { spinner } from '../../ui/parts.ts';
import { WalletPicker } from '../../ui/wallet-picker.ts';
import { PanelView } from '../view.ts';

/** The outcome of a request of `<sign-request>`. */
export class SignRequestView extends PanelView<SignRequest> {
  static override styles = [...PanelView.styles, formStyles, resultStyles];

  readonly #picker = new WalletPicker(this.host, 'wallet');

  face(): Face | undefined {
    return this.host.status.kind === 'waiting' ? [msg('Sign'), icon(iconPen()), 'primary', true] : undefined;
  }

  /** The choice among several wallets, which stands while one is asked. */
  above(): unknown {
    const { host } = this;
    const { choices, choice, status } = host;
    if (choices.length < 2) return nothing;
    const busy = status.kind === 'waiting' || status.kind === 'blocked';
    const choose = (wallet: Wallet) => (host.chosen = wallet);
    return html`<div class="gap">${this.#picker.render(msg('Wallet'), busy ? [choice!] : choices, choice, choose)}</div>`;
  }

  override after(): unknown {
    return nothing;
  }

  below(): TemplateResult {
    const { status } = this.host;
    const trouble = this.trouble(msg('Could not sign'));
    return html`<div role="status">${
      status.kind === 'waiting'
        ? this.#pending()
        : status.kind === 'done'
          ? this.#signed((status.result as SignResult).result.signature)
          : status.kind === 'rejected' && !status.closed
            ? this.#rejected()
            : nothing
    }</div>${trouble === nothing ? nothing : html`<div class=${status.kind === 'blocked' ? '' : 'after'}>${trouble}</div>`}${this.live()}`;
  }

  #pending(): TemplateResult {
    return html`<div
      class="card padded line after"
      part="panel"
    >${spinner('accent')}<span class="row-main"><span class="strong">${msg('Waiting for your approval')}</span><span class="sm muted">${msg('Check the message in the wallet window.')}</span></span>${this.cancelButton()}</div>`;
  }

  #signed(signature: string): TemplateResult {
    const done = this.copied(signature);
    const short = `${signature.slice(0, 10)}…${signature.slice(-6)}`;
    return resultRow({
      state: 'confirmed',
      title: msg('Message signed'),
      note: html`<span class="addr" dir="ltr" title=${signature}>${short}</span>`,
      tools: copyTool(done ? msg('Signature copied') : msg('Copy signature'), done, () =>
        this.copy(signature, msg('Signature copied')),
      ),
    });
  }

  #rejected(): TemplateResult {
    return html`<div
      class="alert after"
      part="panel"
    >${icon(iconClose())}<div class="grow"><b>${msg('You rejected the request')}</b><p>${msg('Nothing was signed.')}</p>${this.again()}</div></div>`;
  }
}
