/** Who is paid at a checkout and for what, as signed by the service. Loaded for payments with a signed order. */
import { html, type TemplateResult } from 'lit';
import type { PaidOrder, Summary } from '../../../chains/approval/summary.ts';
import { fullAddress } from '../../../ui/address.ts';
import { language, msg, plural, str } from '../../../base/localize.ts';
import { priceText } from '../../../ui/amount-text.ts';
import { money } from '../../ui/amount.ts';
import { kv, type Row } from '../../ui/kv.ts';
import { type Danger, okLine, party } from './blocks.ts';

type Signed = Extract<PaidOrder, { state: 'signed' }>;
type Wrong = Extract<PaidOrder, { state: 'wrong' }>;

function contents({ reference, items }: Signed): TemplateResult {
  const things = plural(items, msg('1 item'), msg(str`${items} items`));
  return html`${reference === undefined ? '' : html`<bdi>${reference}</bdi> · `}${things}`;
}

/** A time of day, not a countdown. */
function until({ expires }: Signed): Row {
  const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' }).format(expires);
  return { term: msg('Price holds until'), value: time };
}

function wrong({ amount, to }: Summary, { reason, signed }: Wrong): Danger {
  const rows: Row[] = [];
  if (reason === 'amount' && signed?.amount)
    rows.push(
      { term: msg('Signed'), value: money(signed.amount) },
      { term: msg('Asked'), value: money(amount) },
    );
  if (reason === 'recipient' && signed && to)
    rows.push(
      { term: msg('Signed'), value: fullAddress(signed.to) },
      { term: msg('Asked'), value: fullAddress(to) },
    );
  const text =
    reason === 'expired'
      ? msg('Its price no longer holds. Go back to the shop for a new one.')
      : reason === 'signature'
        ? msg('This order was changed: its signature does not match. Nothing can be paid from here.')
        : msg('The merchant signed a different amount or address. Nothing can be paid from here.');
  return {
    title: msg('The signature is not for this order'),
    text: rows.length ? html`${text}${kv(rows)}` : text,
  };
}

export interface OrderWords {
  /** `Pay $31.00`. */
  effect: string;
  merchant: string;
  check: TemplateResult;
  row: TemplateResult;
  until: Row;
}

/** An order's part in the drawing of its payment. */
export interface OrderDrawing {
  /** Undefined unless it is signed. */
  words(): OrderWords | undefined;
  /** Why nothing can be paid. */
  dangers(): Danger[];
}

export function drawOrder(summary: Summary, order: PaidOrder): OrderDrawing {
  return {
    words: () => (order.state === 'signed' ? wordsOf(order) : undefined),
    dangers: () => (order.state === 'wrong' ? [wrong(summary, order)] : []),
  };
}

const wordsOf = (order: Signed): OrderWords => ({
  effect: msg(str`Pay ${priceText(order.total, order.currency)}`),
  merchant: order.merchant,
  check: okLine(msg('Address verified by the merchant’s signature')),
  row: party(msg('Order'), contents(order)),
  until: until(order),
});

/** What is said of an order once its payment is in a block. */
export interface PaidWords {
  /** `Paid $31.00`. */
  title: string;
  text: string;
  row: Row;
  back: string;
}

export function paidWords(order: Signed): PaidWords {
  return {
    title: msg(str`Paid ${priceText(order.total, order.currency)}`),
    text: msg(str`${order.merchant} has your payment.`),
    row: { term: msg('Order'), value: contents(order) },
    back: msg('Back to the shop'),
  };
}
