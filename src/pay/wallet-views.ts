/** The views of a wallet payment, from the price to the last confirmation. All are stateless. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { Connect } from '../actions/types.ts';
import type { PayPage, PayWallet, WalletPayment } from '../api/pay.ts';
import type { Wallet } from '../api/wallet.ts';
import { CHAIN_NAMES } from '../chains/secret-type.ts';
import { alert } from '../ui/alert.ts';
import { hashStyles, transactionHash } from '../ui/copy.ts';
import { icon, iconChevronDown, iconLock } from '../ui/icons.ts';
import { iconClock } from '../ui/list-icons.ts';
import { addressStyles, shortAddress, shortText } from '../ui/address.ts';
import { grouped, priceText } from '../ui/amount-text.ts';
import { clock } from '../ui/countdown.ts';
import { chainBadge, chainBadgeStyles, tokenBadge } from '../ui/chain-badge.ts';
import { msg, str } from '../base/localize.ts';
import type { Problem } from './pay-form.ts';
import type * as Elsewhere from './wallet-elsewhere.ts';
import { timeOf } from './summary.ts';
import { paymentProblem } from './wallet-text.ts';

export interface Shared {
  page: PayPage;
  wallet: PayWallet;
  problem: Problem | undefined;
  /** The page is returning to the shop. */
  busy: boolean;
  /** A request was approved, but its answer was lost. */
  lost: boolean;
  /** `<transfer-dialog>`, part of every view: it may be waiting for an answer, and the wallet returns focus to it. */
  dialog: unknown;
  /** Leads to the other coins and tokens that the shop takes, if there are any. */
  others: unknown;
  back: () => void;
}

export function coins({ symbol }: PayWallet, { amount }: WalletPayment): string {
  return `${grouped(amount)} ${symbol}`;
}

function view(name: string, title: string, problems: unknown, content: unknown): TemplateResult {
  return html`<section class="co-way" data-view=${name} aria-labelledby="wallet-title">
    <h1 class="title" id="wallet-title" tabindex="-1">${title}</h1>
    ${problems}${content}
  </section>`;
}

/** A view of a payment that is not sent yet. */
export function open(
  name: string,
  { page, problem, busy, back }: Shared,
  said: Problem | undefined,
  content: unknown,
) {
  const shown = problem ?? said;
  return view(
    name,
    msg('Pay with a wallet'),
    shown ? alert(shown.level, shown) : nothing,
    html`${content}
      <button type="button" class="btn text back" aria-disabled=${busy ? 'true' : nothing} @click=${back}>
        <span>${msg(str`Back to ${page.merchant}`)}</span>
      </button>`,
  );
}

export function priceView(shared: Shared): TemplateResult {
  return open(
    'price',
    shared,
    undefined,
    html`<p class="line muted" role="status"><span class="spin"></span>${msg('Getting the price')}</p>${shared.dialog}`,
  );
}

/** The hash with which support looks up or settles the payment. */
function problemHash({ problem, transactionHash: hash }: WalletPayment): TemplateResult | typeof nothing {
  return problem && hash ? transactionHash(hash) : nothing;
}

function retry(label: string, again: () => void): TemplateResult {
  return html`<button type="button" class="btn primary lg block" @click=${again}><span>${label}</span></button>`;
}

export function noPriceView(shared: Shared & { text: string; again: () => void }): TemplateResult {
  return open(
    'no-price',
    shared,
    undefined,
    html`<div role="alert">${alert('caution', { text: shared.text })}</div>
      ${retry(msg('Try again'), shared.again)}${shared.others}${shared.dialog}`,
  );
}

export function expiredView(shared: Shared & { payment: WalletPayment; again: () => void }): TemplateResult {
  const { payment, page, wallet, lost, again } = shared;
  const text =
    payment.problem || lost
      ? msg('This price no longer holds.')
      : msg('This price no longer holds. Nothing was paid at this price.');
  return open(
    'expired',
    shared,
    paymentProblem(payment, wallet.symbol, page.merchant),
    html`${problemHash(payment)}
      <p class="muted">${text}</p>
      ${retry(msg('Get a new price'), again)}${payment.problem ? nothing : shared.others}${shared.dialog}`,
  );
}

export interface Quoted extends Shared {
  payment: WalletPayment;
  /** How long the price is still valid, and until when by the customer's clock. */
  seconds: number;
  ends: number;
  note: string;
  connect: Connect;
  /** The wallets that can pay; undefined until loaded. */
  wallets: readonly Wallet[] | undefined;
  /** At least one wallet is linked, on any network. */
  linked: boolean;
  from: string;
  choose: (id: string) => void;
  elsewhere: typeof Elsewhere | undefined;
  openElsewhere: () => void;
  /** Reports a transaction sent by another app. */
  name: (hash: string) => void;
}

/** Seconds before the end of a price at which it is counted down. */
const COUNTED = 120;

function priceClock({ seconds, ends }: Quoted): unknown {
  const counted = html`<span class="num" role="timer">${clock(seconds)}</span>`;
  return seconds > COUNTED
    ? msg(str`This price holds until ${timeOf(ends)}`)
    : msg(html`This price holds for ${counted}`);
}

export function quotedView(quoted: Quoted): TemplateResult {
  const { page, wallet, payment, note, dialog, others } = quoted;
  const { received } = payment;
  const price = priceText(page.amountTotal, page.currency);
  return open(
    'quoted',
    quoted,
    paymentProblem(payment, wallet.symbol, page.merchant),
    html`${problemHash(payment)}
      <div class="co-quote">
        ${wallet.tokenAddress ? tokenBadge(wallet.symbol) : chainBadge(wallet.secretType)}
        <div class="grow">
          <p class="co-coins"><bdi dir="ltr">${coins(wallet, payment)}</bdi></p>
          <p class="sm muted"><bdi dir="ltr">${price}</bdi> · ${wallet.networkName}</p>
          ${received ? nothing : others}
        </div>
        <p class="xs muted line">
          ${icon(iconClock(), 's')}<span>${priceClock(quoted)}</span>
        </p>
      </div>
      ${received ? nothing : sender(quoted)}
      ${dialog}
      ${note ? html`<p class="sm center muted">${note}</p>` : nothing}
      ${payment.problem === 'overpaid' ? nothing : elsewhereIn(quoted)}
      <p class="xs faint fine">${icon(iconLock(), 's')}<span>${msg(
        'You approve it in your own wallet. Your keys never leave it.',
      )}</span></p>`,
  );
}

/** The paying wallet, or how to link one, which may be created on the way. */
function sender(quoted: Quoted): TemplateResult | typeof nothing {
  const { wallet, wallets, linked, connect, from, choose } = quoted;
  if (!wallets) return nothing;
  const chain = CHAIN_NAMES[wallet.secretType];
  const why = linked
    ? msg(str`None of your linked wallets is on ${wallet.networkName}.`)
    : msg(str`No ${chain} wallet yet? Create one in a few seconds, or import one you have.`);
  return html`<div class="field">
    ${wallets.length ? chosen(wallets, from, choose) : html`<p class="sm muted">${why}</p>`}
    <link-wallets class=${linked ? '' : 'first'} .connect=${connect} secret-types=${wallet.secretType}></link-wallets>
  </div>`;
}

function chosen(wallets: readonly Wallet[], from: string, choose: (id: string) => void): TemplateResult {
  const [only, ...more] = wallets as [Wallet, ...Wallet[]];
  if (!more.length)
    return html`<span class="label">${msg('From')}</span>
      <p class="between"><span class="trunc">${only.alias}</span>${shortAddress(only.address)}</p>`;
  return html`<label for="from">${msg('From')}</label>
    <select id="from" class="input" @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
      ${wallets.map(
        ({ id, alias, address }) =>
          html`<option value=${id} .selected=${id === from}>${alias} · ${shortText(address)}</option>`,
      )}
    </select>`;
}

/** Paying from a wallet outside this browser. */
function elsewhereIn({ wallet, payment, elsewhere, openElsewhere, name }: Quoted): TemplateResult {
  // The missing amount is sent from the same wallet as the rest.
  const isShort = payment.problem === 'underpaid';
  const sent = isShort ? { ...payment, amount: payment.difference! } : payment;
  const toggled = (event: Event): void => {
    if ((event.target as HTMLDetailsElement).open) openElsewhere();
  };
  const title = isShort ? msg('Send the rest from another app') : msg('Pay from another app');
  return html`<details class="co-else" ?open=${isShort} @toggle=${toggled}>
    <summary>${title}${icon(iconChevronDown(), 's')}</summary>
    ${elsewhere ? elsewhere.elsewhereView(wallet, sent, name) : html`<span class="spin"></span>`}
  </details>`;
}

export interface Pending extends Shared {
  /** Absent until the service knows the transaction. */
  payment: WalletPayment | undefined;
  hash: string;
  note: string;
  elsewhere: typeof Elsewhere | undefined;
  openElsewhere: () => void;
  /** Reports another transaction in place of this one. */
  name: (hash: string) => void;
}

/** Until a block has it: the hash may be mistyped, or of a transaction that was replaced. */
function correction({ wallet, payment, elsewhere, openElsewhere, name }: Pending): unknown {
  if (!payment || payment.state === 'paid' || payment.confirmations > 0) return nothing;
  const toggled = (event: Event): void => {
    if ((event.target as HTMLDetailsElement).open) openElsewhere();
  };
  return html`<details class="co-else" @toggle=${toggled}>
    <summary>${msg('Is this not your transaction?')}${icon(iconChevronDown(), 's')}</summary>
    ${elsewhere ? elsewhere.hashForm(wallet, msg('Enter the hash of the right one'), name) : html`<span class="spin"></span>`}
  </details>`;
}

/** Waiting for confirmations; no action is needed. */
export function pendingView(pending: Pending): TemplateResult {
  const { page, wallet, payment, hash, dialog, note } = pending;
  const { needed } = wallet;
  const next = Math.min((payment?.confirmations ?? 0) + 1, needed);
  const waiting =
    needed === 1
      ? msg('Waiting for the confirmation')
      : msg(str`Waiting for confirmation ${next} of ${needed}`);
  const rows: [string, unknown][] = [
    [msg('Amount'), payment ? html`<bdi dir="ltr">${coins(wallet, payment)}</bdi>` : '…'],
    [msg('For'), html`<bdi dir="ltr">${priceText(page.amountTotal, page.currency)}</bdi>`],
    [msg('Network'), wallet.networkName],
  ];
  return view(
    'pending',
    msg('Payment sent'),
    nothing,
    html`<p class="line"><span class="spin accent"></span><span>${waiting}</span></p>
      <dl class="kv">${rows.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>
      ${transactionHash(hash)}
      ${note ? html`<p class="err">${note}</p>` : nothing}
      ${correction(pending)}
      <p class="sm muted">${msg(
        str`You can close this page: ${page.merchant} is notified automatically.`,
      )}</p>${dialog}`,
  );
}

export const walletStyles = [
  chainBadgeStyles,
  hashStyles,
  addressStyles,
  css`
    .co-quote { display: grid; grid-template-columns: auto 1fr; gap: var(--_s2) var(--_s3); align-items: center; padding: var(--_s3); border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface-2); }
    .co-quote > :last-child { grid-column: 1 / -1; padding-block-start: var(--_s2); border-block-start: 1px solid var(--_border); }
    .co-coins { font-size: var(--_fs-xl); font-weight: 640; letter-spacing: -.015em; line-height: 1.25; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
    .between { min-block-size: var(--_hit); padding-inline: var(--_s3); border: 1px solid var(--_border); border-radius: var(--_r-sm); background: var(--_surface-2); }
    link-wallets::part(wallets) { display: none; }
    link-wallets:not(.first) { margin-block-start: calc(-1 * var(--_s3)); }
    .first::part(button) { inline-size: 100%; }
    .co-else { border-block: 1px solid var(--_border); }
    .co-else summary { display: flex; align-items: center; justify-content: space-between; gap: var(--_s2); min-block-size: var(--_hit); border-radius: var(--_r-xs); font-size: var(--_fs-sm); font-weight: 560; list-style: none; cursor: pointer; }
    .co-else summary::-webkit-details-marker { display: none; }
    .co-else[open] > summary .i { transform: rotate(180deg); }
    .co-else > :is(.stack, .field) { padding-block-end: var(--_s4); }
    .co-qr { display: grid; justify-items: center; }
    .qr { inline-size: min(184px, 100%); border-radius: var(--_r-sm); }
    .hash { padding-block: var(--_s1); }
    .spin.accent { color: var(--_accent-text); }
    [data-view]:focus { outline: none; }
  `,
];
