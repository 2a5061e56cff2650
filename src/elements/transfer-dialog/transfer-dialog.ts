import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import type { TransactionRequest } from '../../chains/requests.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import type { AskedFor, TransactionResult } from '../../channel/messages.ts';
import type { TransferParams } from '../../channel/ask-schema.ts';
import { msg } from '../../base/localize.ts';
import {
  type Call,
  ConnectElement,
  type Face,
  ignore,
  SENT_ITEM,
  type View,
  type ViewClass,
} from '../connect-element.ts';
import type { ElementAction } from '../events.ts';
import type { Asked, SentLines } from '../sent-lines.ts';

/** What the element needs of its view. */
interface Form {
  /** Opens the form. Resolves at broadcast. */
  ask(): Promise<TransactionResult>;
}

/** The properties that are parameters of a transfer: those that the form asks for, and those that go with it as they are. */
const ASKED = ['walletId', 'to', 'value', 'tokenAddress', 'data', 'network'] as const;
const UNASKED = ['alias', 'order'] as const;

/**
 * Sends coins or tokens. A form asks for what the page leaves open; if nothing is open, the approval follows directly.
 *
 * @element transfer-dialog
 * @attr {string} wallet-id - Wallet to send from.
 * @attr {string} to - Address, name such as `ada.eth`, or e-mail address.
 * @attr {string} value - Coins or tokens, in decimals: `1.5`.
 * @attr {string} secret-type - `ETHEREUM`, …; follows from a linked wallet when absent.
 * @attr {string} network - Id of the network to send on, from the wallet's `networks.json`: `base`. When absent the wallet's default one, or in
 *   the form the one that the user chooses.
 * @attr {string} token-address - Contract of the token; absent for the coin.
 * @attr {string} data - `0x` hex that goes with a transfer of coins.
 * @attr {string} alias - Name of the recipient.
 * @attr {boolean} open - Whether the form is shown. Setting it calls `show()`.
 * @attr {string} currency - ISO 4217: the currency of values beside amounts; that of the connect when absent.
 * @slot - The button's label. Focusable content (a button, a link, an element of your own) replaces the button: any click in it calls
 *   `show()`.
 * @slot fallback - Shown only until the elements work, and if the script does not load.
 * @fires {ConnectRequestEvent<'transfer' | 'execute'>} connect-request - Before the wallet opens; cancelable.
 * @fires {ConnectProgressEvent<'transfer' | 'execute'>} connect-progress - Progress of the request; `confirmed` and `failed` may come after the result.
 * @fires {ConnectResultEvent<'transfer' | 'execute'>} connect-result - At broadcast; `result` is `{ transactionHash }`.
 * @fires {ConnectCancelEvent<'transfer' | 'execute'>} connect-cancel - The user rejected or closed, or the page cancelled.
 * @fires {ConnectErrorEvent<'transfer' | 'execute'>} connect-error - `error.code` tells why.
 * @csspart button - Trigger, Continue, Open in a window.
 * @csspart button-primary - The filled ones of them.
 * @csspart button-quiet - The others.
 * @csspart heading - The dialog's heading.
 * @csspart input - Its fields.
 * @csspart hint - What helps with a field.
 * @csspart badge - The badge of a chain or token.
 * @csspart tag - Who holds a wallet's key.
 * @csspart dialog - The form's dialog.
 * @csspart close - Its close button.
 * @csspart panel - The outcome of the request, and the state of what was sent.
 */
export class TransferDialog extends ConnectElement {
  static override properties: PropertyDeclarations = {
    walletId: { attribute: 'wallet-id' },
    to: {},
    value: {},
    secretType: { attribute: 'secret-type' },
    network: {},
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
  declare network: string | undefined;
  declare tokenAddress: string | undefined;
  declare data: string | undefined;
  declare alias: string | undefined;
  declare currency: string | undefined;
  /** A signed order of checkout: the wallet shows its merchant and purpose. */
  declare order: string | undefined;
  /** A native or built request; it replaces everything above. */
  declare request: TransactionRequest | undefined;
  declare open: boolean;
  /** @internal Whether it shows what was sent until it is confirmed or has failed. */
  protected followsSent = true;
  #asking: Promise<TransactionResult> | undefined;
  #params: Asked = {};
  /** What earlier loads of the page asked for, by request id. */
  readonly #recovered = new Map<string, Asked>();
  #lines: SentLines | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#recall().catch(ignore);
  }

  /** Shows what an earlier load of the page sent and is still unconfirmed. Reading storage throws if the browser denies it. */
  async #recall(): Promise<void> {
    if (this.followsSent && !this.#lines && localStorage.getItem(SENT_ITEM))
      (await this.#sentLines()).adopt();
  }

  async #sentLines(): Promise<SentLines> {
    const { SentLines } = await import('../sent-lines.ts');
    return (this.#lines ??= new SentLines(this));
  }

  /** @internal */
  override asked(requestId: string, asked: AskedFor): void {
    this.#recovered.set(requestId, { secretType: this.#chainOf(asked.walletId), ...(asked as Asked) });
  }

  /** @internal */
  override start<T>(action: ElementAction, request: unknown, call: Call<T>): Promise<T> {
    const { requestId = '' } = request as { requestId?: string };
    this.#params = this.#recovered.get(requestId) ?? this.#params;
    return super.start(action, request, call);
  }

  /** @internal */
  override succeed(action: ElementAction, result: unknown, requestId?: string): void {
    super.succeed(action, result, requestId);
    if (!this.followsSent) return;
    const params = this.#recovered.get(requestId ?? '') ?? this.#params;
    this.#sentLines()
      .then((lines) => lines.add(result as TransactionResult, params, requestId))
      .catch(ignore);
  }

  /** Opens the form, or the approval if nothing is left to ask. Resolves at broadcast. */
  show(): Promise<TransactionResult> {
    const { request } = this;
    if (request) {
      this.open = false;
      const { walletId, network } = request;
      this.#params = { walletId, network, secretType: this.#chainOf(walletId) };
      return this.start('execute', request, (connect, options) => connect.execute(request, options));
    }
    const secretType = this.payloadChain();
    const params = { ...(secretType && { secretType }), ...this.#given(ASKED) } as TransferParams;
    const isComplete = (['walletId', 'to', 'value', 'secretType'] as const).every((name) => name in params);
    if (isComplete) {
      this.open = false;
      return this.transfer(params);
    }
    return (this.#asking ??= this.#ask());
  }

  /** The parameters of these names that the page has set. */
  #given(names: readonly (typeof ASKED | typeof UNASKED)[number][]): Partial<TransferParams> {
    const entries = names.map((name) => [name, this[name]] as const);
    return Object.fromEntries(entries.filter(([, field]) => field || field === 0 || field === 0n));
  }

  /** @internal */
  transfer(asked: TransferParams): Promise<TransactionResult> {
    const params = { ...asked, ...this.#given(UNASKED) };
    this.#params = params;
    return this.start('transfer', params, (connect, options) => connect.transfer(params, options));
  }

  async #ask(): Promise<TransactionResult> {
    try {
      this.open = true;
      return await ((await this.opened('transfer')) as View & Form).ask();
    } finally {
      if (!this.view) this.open = false;
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

  /** The element's content is the button's label. Pressable content replaces the button, because buttons cannot be nested. */
  protected override trigger(): TemplateResult {
    const again = () => this.requestUpdate();
    const content = [...this.childNodes].filter(isContent);
    if (content.some(isPressable)) return html`<slot @click=${this.onPress} @slotchange=${again}></slot>`;
    const [label, mark, look, busy] = this.view?.face?.() ?? this.face();
    const hasLabel = content.length > 0 && !busy;
    return this.button(
      html`${hasLabel ? nothing : label}<slot ?hidden=${!hasLabel} @slotchange=${again}></slot>`,
      mark,
      look,
      busy,
    );
  }
}

/** Excludes white space in the page's source, and nodes with a `slot` attribute, such as the fallback shown before this code loads. */
const isContent = (node: ChildNode): boolean =>
  node instanceof Text ? node.data.trim() !== '' : (node as Element).slot === '';

/** Contains something focusable, a button, or a custom element (its name has a hyphen), which may be the page's own button. */
const isPressable = (node: Node): boolean =>
  node instanceof HTMLElement &&
  [node, ...node.querySelectorAll<HTMLElement>('*')].some(
    (each) => each.tabIndex >= 0 || /^button$|-/.test(each.localName),
  );

declare global {
  interface HTMLElementTagNameMap {
    'transfer-dialog': TransferDialog;
  }
}
