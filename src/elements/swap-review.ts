/** The review of a built swap, and the notice that its price has moved. */
import { html, nothing, type TemplateResult } from 'lit';
import type { CreateSwap, ExchangeRate } from '../api/swap.ts';
import type { Wallet } from '../api/wallet.ts';
import type { NativeTransaction } from '../chains/requests.ts';
import { amountText } from '../ui/amount-text.ts';
import { icon, iconBack, iconCaution, iconInfo } from '../ui/icons.ts';
import { msg, str } from '../base/localize.ts';
import { amountLabel, otherAmount, type SwapFields } from './swap-fields.ts';
import { type Run, stepsOf } from './swap-run.ts';
import type { Asset } from '../ui/assets.ts';
import type { Rounding } from '../ui/worth.ts';
import { spinner, walletLines } from './view.ts';
import { type Priced, worth } from './worth.ts';

export interface Review {
  rate: ExchangeRate;
  isBest: boolean;
  body: CreateSwap;
  requests: NativeTransaction[];
  /** When the requests were built. */
  at: number;
  from: Asset;
  to: Asset;
  wallet: Wallet;
  destination: Wallet | undefined;
  /** The worst acceptable amount of the other side. */
  limit: bigint;
  /** The same exchange's current rate, once it is worse than the limit; null if it no longer has one. */
  moved?: ExchangeRate | null | undefined;
}

export interface ReviewActions {
  busy: boolean;
  /** A rejection or a problem, if any. */
  notice: unknown;
  totals: unknown;
  badge(asset: Asset): unknown;
  host: Priced;
  back(): void;
  renew(): void;
  swap(event: Event): void;
}

function sellLabel({ rate, from }: Review): string {
  return amountLabel(BigInt(rate.rawInputAmount!), rate.inputDecimals!, from.symbol, 'up');
}

function buyLabel({ rate, to }: Review): string {
  return amountLabel(BigInt(rate.rawOutputAmount!), rate.outputDecimals!, to.symbol, 'down');
}

/** What the exchange may take: the input of a sale, the maximum input of a purchase. */
function limitLabel(review: Review): string {
  const { rate, from, limit } = review;
  return rate.orderType === 'SELL'
    ? sellLabel(review)
    : amountLabel(limit, rate.inputDecimals!, from.symbol, 'up');
}

/** The worst acceptable amount of the other side. */
function boundLabel({ rate, from, to, limit }: Review): string {
  return rate.orderType === 'SELL'
    ? amountLabel(limit, rate.outputDecimals!, to.symbol, 'down')
    : amountLabel(limit, rate.inputDecimals!, from.symbol, 'up');
}

export function runOf(it: Review, { from, to, orderType, value, slippage, custom }: SwapFields): Run {
  const { wallet, rate, destination, requests } = it;
  return {
    requestId: newId(),
    walletId: wallet.id,
    alias: wallet.alias,
    secretType: wallet.secretType,
    exchange: rate.exchange,
    sell: sellLabel(it),
    buy: buyLabel(it),
    limit: limitLabel(it),
    buySymbol: it.to.symbol,
    exact: rate.orderType === 'BUY',
    bound: boundLabel(it),
    units: {
      sell: { symbol: it.from.symbol, decimals: rate.inputDecimals! },
      buy: { symbol: it.to.symbol, decimals: rate.outputDecimals! },
    },
    saved: { from, to, orderType, value, slippage, custom, destination: destination?.id },
    steps: stepsOf(requests),
  };
}

export function review(it: Review, actions: ReviewActions): TemplateResult {
  const { rate, from, to, wallet, destination, isBest, moved } = it;
  const isSale = rate.orderType === 'SELL';
  const { busy } = actions;
  const locked = busy || moved !== undefined;
  const valueOf = (asset: Asset, raw: string, rounding: Rounding) =>
    worth(actions.host, wallet, { ...asset, raw: BigInt(raw) }, rounding);
  return html`<div class="head2"><button type="button" class="btn icon" aria-label=${msg('Back')} @click=${actions.back}>${icon(iconBack(), 'flip')}</button><h2 class="title grow" tabindex="-1">${msg('Review swap')}</h2></div>
    <div class="card"><div class="delta"><span class="line">${actions.badge(from)}${isSale ? msg('You sell') : msg('You sell about')}</span><b class="num">${amountText(sellLabel(it))}${valueOf(from, rate.rawInputAmount!, 'up')}</b></div
    ><div class="delta"><span class="line">${actions.badge(to)}${isSale ? msg('You get about') : msg('You get')}</span><b class="num in">${amountText(buyLabel(it))}${valueOf(to, rate.rawOutputAmount!, 'down')}</b></div></div>
    ${actions.totals}
    <dl class="kv"><div><dt>${msg('Exchange')}</dt><dd>${rate.exchange} ${isBest ? html`<span class="tag">${msg('Best')}</span>` : nothing}</dd></div
    ><div><dt>${msg('Slippage limit')}</dt><dd>${it.body.slippage}%</dd></div
    ><div><dt>${msg('Wallet')}</dt><dd>${walletLines(wallet.alias, wallet.address)}</dd></div>${
      destination
        ? html`<div><dt>${msg('Receive in')}</dt><dd>${walletLines(destination.alias, destination.address)}</dd></div>`
        : nothing
    }</dl>
    ${moved === undefined ? html`<div class="alert">${icon(iconInfo())}<div class="grow"><p>${announcement(it)}</p></div></div>` : priceMoved(it, actions)}${actions.notice}
    <button type="button" part="button" class="btn primary lg block" aria-disabled=${locked || nothing} @click=${actions.swap}>${busy ? spinner() : nothing}<span>${msg('Swap')}</span></button>`;
}

/** In the wallet's words: `0.5 ETH for at least 991.024… DUSD by Uniswap V3`. */
function inWords(it: Review): string {
  const { exchange, orderType } = it.rate;
  return orderType === 'SELL'
    ? msg(str`${sellLabel(it)} for at least ${boundLabel(it)} by ${exchange}`)
    : msg(str`at most ${boundLabel(it)} for ${buyLabel(it)} by ${exchange}`);
}

/** Announces what the wallet will ask for. */
function announcement(it: Review): string {
  const { exchange } = it.rate;
  const approvals = stepsOf(it.requests).filter(({ kind }) => kind !== 'swap').length;
  const [first] = it.requests;
  if (first && 'clauses' in first && first.clauses.length > 1)
    return msg(
      str`You approve one request in your wallet: a limit of ${limitLabel(it)} for ${exchange} and the swap, together.`,
    );
  switch (approvals) {
    case 0:
      return msg(str`You approve the swap in your wallet: ${inWords(it)}.`);
    case 1:
      return msg(
        str`You approve two requests in your wallet: first a limit of ${limitLabel(it)} for ${exchange}, then the swap.`,
      );
    default:
      return msg(
        str`You approve three requests in your wallet: the old limit of ${exchange} is set to 0, then to ${limitLabel(it)}, then comes the swap.`,
      );
  }
}

function priceMoved(it: Review, { busy, renew, back }: ReviewActions): TemplateResult {
  const { moved, rate } = it;
  const text = moved ? movedText(rate, moved) : msg(str`${rate.exchange} has no rate for it any more.`);
  return html`<div class="alert caution" role="alert">${icon(iconCaution())}<div class="grow"><b>${msg('The price moved')}</b><p>${text}</p><div class="line">${
    moved
      ? html`<button type="button" part="button" class="btn secondary mini" aria-disabled=${busy || nothing} @click=${renew}>${msg('Use the new rate')}</button>`
      : nothing
  }<button type="button" class="btn secondary mini" @click=${back}>${msg('Cancel')}</button></div></div></div>`;
}

function movedText(before: ExchangeRate, now: ExchangeRate): string {
  const [was, is] = [otherAmount(before).raw, otherAmount(now).raw];
  const change = was > 0n ? Number(((is > was ? is - was : was - is) * 10_000n) / was) / 100 : 0;
  return before.orderType === 'SELL'
    ? msg(str`The new rate is ${change}% lower than the one you reviewed.`)
    : msg(str`The new price is ${change}% higher than the one you reviewed.`);
}

/** Not `randomUUID`, which is missing on pages without TLS. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
