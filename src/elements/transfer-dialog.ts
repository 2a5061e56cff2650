import { html, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import type { TransactionRequest } from '../chains/requests.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { TransactionResult } from '../channel/messages.ts';
import type { TransferParams } from '../channel/ask-schema.ts';
import { FrameUnreachableError } from '../errors.ts';
import { msg } from '../ui/localize.ts';
import { ConnectElement, type Face, ignore, type View, type ViewClass } from './connect-element.ts';
import type { ElementAction } from './events.ts';
import { SENT_ITEM } from './sent-item.ts';
import type { Asked, SentLines } from './sent-lines.ts';
import type { TransferDialogView } from './transfer-dialog-view.ts';

/**
 * Sends coins or tokens. What the page leaves open is asked in a form; when nothing is open, it goes straight to approval.
 *
 * @element transfer-dialog
 * @attr {string} wallet-id - Wallet to send from.
 * @attr {string} to - Address, or e-mail address.
 * @attr {string} value - Coins or tokens, in decimals: `1.5`.
 * @attr {string} secret-type - `ETHEREUM`, …; follows from a linked wallet when absent.
 * @attr {string} token-address - Contract of the token; absent for the coin.
 * @attr {string} data - `0x` hex that goes with a transfer of coins.
 * @attr {string} alias - Name of the recipient.
 * @attr {boolean} open - Whether the form shows. Setting it is `show()`.
 * @attr {string} currency - ISO 4217: what amounts are worth is shown in it, where the wallet has prices. Else that of the connect.
 * @slot - Replaces the trigger: any click in it is `show()`.
 * @fires {ConnectRequestEvent<'transfer' | 'execute'>} connect-request - Before the wallet opens; cancelable.
 * @fires {ConnectProgressEvent<'transfer' | 'execute'>} connect-progress - How far the request is; `confirmed` and `failed` may come after the result.
 * @fires {ConnectResultEvent<'transfer' | 'execute'>} connect-result - At broadcast; `result` is `{ transactionHash }`.
 * @fires {ConnectCancelEvent<'transfer' | 'execute'>} connect-cancel - The user rejected or closed, or the page cancelled.
 * @fires {ConnectErrorEvent<'transfer' | 'execute'>} connect-error - `error.code` tells why.
 * @csspart button - Trigger, Continue, Open in a window.
 * @csspart dialog - The form's dialog.
 * @csspart close - Its close button.
 * @csspart panel - What became of the request, and of what was sent.
 */
export class TransferDialog extends ConnectElement {
  static override properties: PropertyDeclarations = {
    walletId: { attribute: 'wallet-id' },
    to: {},
    value: {},
    secretType: { attribute: 'secret-type' },
    tokenAddress: { attribute: 'token-address' },
    data: {},
    alias: {},
    currency: {},
    order: { attribute: false },
    request: { attribute: false },
    open: { type: Boolean, reflect: true },
  };

  declare walletId: string | undefined;
  declare to: string | undefined;
  declare value: string | number | bigint | undefined;
  declare secretType: SecretType | undefined;
  declare tokenAddress: string | undefined;
  declare data: string | undefined;
  declare alias: string | undefined;
  declare currency: string | undefined;
  /** A signed order of checkout: whom it names as paid, and what for, shows in the wallet. */
  declare order: string | undefined;
  /** A native or built request; it replaces everything above. */
  declare request: TransactionRequest | undefined;
  declare open: boolean;
  /** @internal Whether it shows what was sent until a block decides. */
  protected followsSent = true;
  #asking: Promise<TransactionResult> | undefined;
  #params: Asked = {};
  #lines: SentLines | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#recall().catch(ignore);
  }

  /** Shows what a former load of the page sent and still waits. Reading storage throws where it is denied. */
  async #recall(): Promise<void> {
    if (this.followsSent && !this.#lines && localStorage.getItem(SENT_ITEM))
      (await this.#sentLines()).adopt();
  }

  async #sentLines(): Promise<SentLines> {
    const { SentLines } = await import('./sent-lines.ts');
    return (this.#lines ??= new SentLines(this));
  }

  /** @internal */
  override succeed(action: ElementAction, result: unknown, requestId?: string): void {
    super.succeed(action, result, requestId);
    if (!this.followsSent) return;
    const params = this.#params;
    this.#sentLines()
      .then((lines) => lines.add(result as TransactionResult, params, requestId))
      .catch(ignore);
  }

  /** Opens the form, or the approval when nothing is left to ask. Resolves at broadcast. */
  show(): Promise<TransactionResult> {
    const { request, walletId, to, value, tokenAddress, data, alias, order } = this;
    if (request) {
      this.open = false;
      this.#params = { walletId: request.walletId, secretType: this.#chainOf(request.walletId) };
      return this.start('execute', request, (connect, options) => connect.execute(request, options));
    }
    const secretType = this.payloadChain();
    const given = Object.entries({
      walletId,
      to,
      value,
      secretType,
      tokenAddress,
      data,
      alias,
      order,
    }).filter(([, field]) => field || field === 0 || field === 0n);
    const params = Object.fromEntries(given) as TransferParams;
    const isComplete = (['walletId', 'to', 'value', 'secretType'] as const).every((name) => name in params);
    if (isComplete) {
      this.open = false;
      return this.transfer(params);
    }
    return (this.#asking ??= this.#ask());
  }

  /** @internal */
  transfer(params: TransferParams): Promise<TransactionResult> {
    this.#params = params;
    return this.start('transfer', params, (connect, options) => connect.transfer(params, options));
  }

  async #ask(): Promise<TransactionResult> {
    try {
      this.open = true;
      let view: View;
      try {
        view = await this.showView();
      } catch (cause) {
        this.open = false;
        const error = new FrameUnreachableError('The form could not be loaded.', { cause });
        this.fail('transfer', error);
        throw error;
      }
      return await (view as TransferDialogView).ask();
    } finally {
      this.#asking = undefined;
    }
  }

  protected override press(): Promise<unknown> {
    return this.show();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (changed.has('open') && this.open) this.onPress();
  }

  protected override payloadChain(): SecretType | undefined {
    return (this.secretType?.toUpperCase() as SecretType) ?? this.#chainOf(this.walletId);
  }

  #chainOf(walletId: string | undefined): SecretType | undefined {
    return this.linked?.find(({ id }) => id === walletId)?.secretType;
  }

  protected override render(): unknown {
    return html`${super.render()}${this.#lines?.render()}`;
  }

  protected override loadView(): Promise<ViewClass> {
    return import('./transfer-dialog-view.ts').then((view): ViewClass => view.TransferDialogView);
  }

  protected override face(): Face {
    return [msg('Send'), undefined, 'primary'];
  }

  protected override trigger(): TemplateResult {
    return html`<slot @click=${this.onPress}>${super.trigger()}</slot>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'transfer-dialog': TransferDialog;
  }
}
