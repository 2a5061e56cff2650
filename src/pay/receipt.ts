/** `/pay/{page}?receipt`: the receipt, to keep or print. */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { readPayReceipt, type Receipt } from '../api/receipt.ts';
import { ConnectError } from '../base/errors.ts';
import { grouped, priceText } from '../ui/amount-text.ts';
import { customElement, property, state } from '../ui/decorators.ts';
import { iconClock } from '../ui/list-icons.ts';
import { language, msg, str } from '../base/localize.ts';
import { hero } from '../ui/status.ts';
import { caller } from './calls.ts';
import { brandProperties } from './colors.ts';
import { end, loadingView, offline } from './ends.ts';
import { adoptPart } from './styles.ts';
import { isFree, merchantLine, testBanner } from './summary.ts';

const styles = css`
  pay-receipt { display: block; max-inline-size: 640px; margin-inline: auto; padding: var(--_s5); }
  .receipt { padding: var(--_s8); display: flex; flex-direction: column; gap: var(--_s5); }
  .receipt h2 { margin: 0; font-size: var(--_fs-md); }
  .receipt table { inline-size: 100%; border-collapse: collapse; font-size: var(--_fs-sm); }
  .receipt :is(th, td) { padding: 7px 0; text-align: start; vertical-align: top; border-block-end: 1px solid var(--_border); font-weight: 400; overflow-wrap: anywhere; }
  .receipt thead th { color: var(--_text-2); }
  .receipt :is(th, td) + :is(th, td) { padding-inline-start: var(--_s3); text-align: end; font-variant-numeric: tabular-nums; }
  .receipt tfoot :is(th, td) { font-weight: 640; border: 0; }
  .receipt .mono { overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
  @media (max-width: 680px) {
    pay-receipt { padding: 0; }
    .receipt { padding: var(--_s5) var(--_s4); }
  }
  @media print {
    :root { color-scheme: light; background: none; }
    pay-receipt { max-inline-size: none; padding: 0; }
    pay-receipt .checkout { border: 0; }
    .receipt { padding: 0; }
    .receipt .btn { display: none; }
    .receipt tr { break-inside: avoid; }
  }
`;

const time = (at: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(at);

type Coins = Receipt['coins'][number];

const coinText = ({ amount, symbol }: Coins): TemplateResult =>
  html`<bdi dir="ltr">${grouped(amount)} ${symbol}</bdi>`;

function rows(all: readonly (readonly [string, unknown] | undefined)[]): TemplateResult {
  return html`<dl class="kv">
    ${all.map((row) => row && html`<div><dt>${row[0]}</dt><dd>${row[1]}</dd></div>`)}
  </dl>`;
}

function paidWith({
  card,
  coins,
  amountTotal,
}: Receipt): readonly (readonly [string, unknown] | undefined)[] {
  return [
    isFree({ amountTotal }) ? [msg('Payment'), msg('Free')] : undefined,
    card ? [msg('Card'), html`<bdi dir="ltr">•••• ${card.last4}</bdi>`] : undefined,
    ...coins.flatMap((each) => coinRows(each, msg('From your wallet'))),
  ];
}

function coinRows(coins: Coins, name: string): readonly (readonly [string, unknown])[] {
  return [
    [name, coinText(coins)],
    [msg('Network'), coins.networkName],
    [msg('Transaction hash'), transaction(coins)],
  ];
}

function transaction({ transactionHash, transactionUrl }: Coins): TemplateResult {
  const hash = html`<bdi class="mono" dir="ltr">${transactionHash}</bdi>`;
  return transactionUrl
    ? html`<a href=${transactionUrl} target="_blank" rel="noopener noreferrer">${hash}</a>`
    : hash;
}

function items({ lineItems, currency, amountTotal }: Receipt): TemplateResult {
  const text = (amount: number): TemplateResult => html`<bdi dir="ltr">${priceText(amount, currency)}</bdi>`;
  return html`<table>
    <thead>
      <tr><th scope="col">${msg('Item')}</th><th scope="col">${msg('Amount')}</th></tr>
    </thead>
    <tbody>
      ${lineItems.map(
        ({ name, quantity, unitAmount, amount }) => html`<tr>
          <th scope="row">${name}${quantity > 1 ? unitsAt(quantity, priceText(unitAmount, currency)) : nothing}</th>
          <td>${text(amount)}</td>
        </tr>`,
      )}
    </tbody>
    <tfoot>
      <tr><th scope="row">${msg('Total')}</th><td>${text(amountTotal)}</td></tr>
    </tfoot>
  </table>`;
}

function unitsAt(quantity: number, price: string): TemplateResult {
  return html` <bdi class="muted" dir="ltr">${quantity} × ${price}</bdi>`;
}

function refunds({ refunds: all, currency }: Receipt): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<section class="stack mid" aria-labelledby="refunds">
    <h2 id="refunds">${msg('Refunds')}</h2>
    ${all.map(({ status, at, amount, coins }) =>
      rows([
        [status === 'succeeded' ? msg('Refunded') : msg('On its way back'), time(at)],
        ...(coins ? coinRows(coins, msg('Amount')) : []),
        amount === null
          ? undefined
          : [msg('Amount'), html`<bdi dir="ltr">${priceText(amount, currency)}</bdi>`],
      ]),
    )}
  </section>`;
}

function none(): TemplateResult {
  const title = msg('There is no receipt yet');
  const text = msg('You will find it here once the payment has arrived. Check that the link is complete.');
  return end(nothing, html`${hero('warn', iconClock(), title, text)}`, nothing);
}

@customElement('pay-receipt')
export class ReceiptPage extends LitElement {
  @property({ attribute: false }) read!: () => Promise<Receipt>;
  /** `window.print`. */
  @property({ attribute: false }) print = (): void => window.print();

  @state() private receipt: Receipt | 'none' | 'unreachable' | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptPart(styles);
    void this.#load();
  }

  async #load(): Promise<void> {
    this.receipt = undefined;
    try {
      const receipt = await this.read();
      document.title = msg(str`Receipt ${receipt.number}`);
      const { style } = document.documentElement;
      for (const [name, value] of Object.entries(receipt.branding ? brandProperties(receipt.branding) : {}))
        style.setProperty(name, value);
      this.receipt = receipt;
    } catch (error) {
      const { code } = error as ConnectError;
      const isNone = code === 'request.not-found' || code === 'checkout.session.unknown';
      this.receipt = isNone ? 'none' : 'unreachable';
    }
    await this.updateComplete;
    this.querySelector<HTMLElement>('h1')?.focus();
  }

  protected override render(): TemplateResult {
    const { receipt } = this;
    return html`<main>${this.#content(receipt)}</main>`;
  }

  #content(receipt: ReceiptPage['receipt']): TemplateResult {
    if (receipt === undefined) return loadingView();
    if (receipt === 'none') return none();
    if (receipt === 'unreachable')
      return offline(
        msg('The receipt did not load'),
        msg('Check your connection and try again.'),
        () => void this.#load(),
      );
    const { number, paidAt, merchant, merchantVerified, reference, livemode } = receipt;
    return html`${testBanner({ cards: [], livemode })}
      <article class="checkout receipt">
        ${merchantLine(receipt, true)}
        <h1 class="h1" tabindex="-1">${msg('Receipt')}</h1>
        ${rows([
          [msg('Receipt number'), html`<bdi class="mono" dir="ltr">${number}</bdi>`],
          [msg('Paid on'), time(paidAt)],
          [
            msg('Paid to'),
            merchantVerified
              ? html`${merchant} <span class="muted">(${msg('name verified')})</span>`
              : merchant,
          ],
          reference === null ? undefined : [msg('Order'), html`<bdi>${reference}</bdi>`],
          ...paidWith(receipt),
        ])}
        ${items(receipt)} ${refunds(receipt)}
        <button type="button" class="btn primary lg block" @click=${() => this.print()}>
          <span>${msg('Print')}</span>
        </button>
      </article>`;
  }
}

export function receiptPage(url: string, page: string): ReceiptPage {
  const call = caller(url);
  return Object.assign(new ReceiptPage(), { read: () => call(readPayReceipt, { params: { page } }) });
}

declare global {
  interface HTMLElementTagNameMap {
    'pay-receipt': ReceiptPage;
  }
}
