/** The review of a built swap, and the notice that its price has moved. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ExchangeRate } from '../../api/swap.ts';
import type { Wallet } from '../../api/wallet.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import { msg, str } from '../../base/localize.ts';
import { amountText } from '../../ui/amount-text.ts';
import type { Asset } from '../../ui/assets.ts';
import { icon, iconBack, iconCaution, iconCheck, iconClose, iconCopy, iconInfo } from '../../ui/icons.ts';
import type { Rounding } from '../../ui/worth.ts';
import { type Headed, heading, spinner, walletLines } from '../../ui/parts.ts';
import { amountLabel, otherAmount, percentText, type SwapFields } from '../../ui/swap/swap-fields.ts';
import type { Review } from '../../ui/swap/swap-build.ts';
import { aboutMinutes } from '../../ui/swap/swap-offers.ts';
import { copyTool, explorerTool, resultRow } from '../result-row.ts';
import { type Priced, worth } from '../worth.ts';
import { currentStep, isDone, isOver, isSent, isSentAway, type Run, type Step, stepsOf } from './swap-run.ts';

export interface ReviewActions {
  busy: boolean;
  /** A rejection or a problem, if any. */
  notice: unknown;
  totals: unknown;
  badge(asset: Asset, chain: SecretType): unknown;
  host: Priced & Headed;
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

export function runOf(
  it: Review,
  { from, to, toChain, orderType, value, slippage, custom }: SwapFields,
): Run {
  const { wallet, rate, destination, requests } = it;
  const { crossChain } = rate;
  return {
    requestId: newId(),
    walletId: wallet.id,
    alias: wallet.alias,
    secretType: wallet.secretType,
    network: it.body.network ?? undefined,
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
    saved: { from, to, toChain, orderType, value, slippage, custom, destination: destination?.id },
    crossChain: crossChain && { seconds: crossChain.seconds, receiver: destination!.alias },
    steps: stepsOf(requests),
  };
}

export function review(it: Review, actions: ReviewActions): TemplateResult {
  const { rate, from, to, wallet, destination, isBest, moved } = it;
  const isSale = rate.orderType === 'SELL';
  const { busy } = actions;
  const locked = busy || moved !== undefined;
  const receiver = rate.crossChain && destination ? destination : wallet;
  const valueOf = (asset: Asset, place: Wallet, raw: string, rounding: Rounding) =>
    worth(actions.host, place, { ...asset, raw: BigInt(raw) }, rounding);
  return html`<div class="head2"><button
    type="button"
    class="btn icon"
    aria-label=${msg('Back')}
    @click=${actions.back}
  >${icon(iconBack(), 'flip')}</button>${heading(actions.host, msg('Review swap'))}</div>
    <div class="card"><div class="delta"><span class="line">${actions.badge(from, wallet.secretType)}${isSale ? msg('You sell') : msg('You sell about')}</span><b class="num">${amountText(sellLabel(it))}${valueOf(from, wallet, rate.rawInputAmount!, 'up')}</b></div
    ><div class="delta"><span class="line">${actions.badge(to, receiver.secretType)}${isSale ? msg('You get about') : msg('You get')}</span><b class="num in">${amountText(buyLabel(it))}${valueOf(to, receiver, rate.rawOutputAmount!, 'down')}</b></div></div>
    ${actions.totals}
    <dl class="kv">${
      rate.crossChain
        ? nothing
        : html`<div><dt>${msg('Exchange')}</dt><dd>${rate.exchange} ${isBest ? html`<span part="tag" class="tag">${msg('Best')}</span>` : nothing}</dd></div>`
    }<div><dt>${msg('Slippage limit')}</dt><dd>${percentText(Number(it.body.slippage))}</dd></div
    ><div><dt>${msg('Wallet')}</dt><dd>${walletLines(wallet.alias, wallet.address)}</dd></div>${
      destination
        ? html`<div><dt>${msg('Receive in')}</dt><dd>${rate.crossChain ? html`<span class="strong">${destination.alias}</span> <span class="addr whole" translate="no">${destination.address}</span>` : walletLines(destination.alias, destination.address)}</dd></div>`
        : nothing
    }</dl>
    ${moved === undefined ? html`<div class="alert">${icon(iconInfo())}<div class="grow"><p>${announcement(it)}</p></div></div>` : priceMoved(it, actions)}${actions.notice}
    <button
      type="button"
      part="button button-primary"
      class="btn primary lg block"
      aria-disabled=${locked || nothing}
      @click=${actions.swap}
    >${busy ? spinner() : nothing}<span>${msg('Swap')}</span></button>`;
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
  const text = moved
    ? movedText(rate, moved)
    : msg(str`${rate.exchange} no longer has a rate for this swap.`);
  return html`<div
    class="alert caution"
    role="alert"
  >${icon(iconCaution())}<div class="grow"><b>${msg('The price moved')}</b><p>${text}</p><div class="line">${
    moved
      ? html`<button
        type="button"
        part="button button-quiet"
        class="btn secondary mini"
        aria-disabled=${busy || nothing}
        @click=${renew}
      >${msg('Use the new rate')}</button>`
      : nothing
  }<button type="button" class="btn secondary mini" @click=${back}>${msg('Cancel')}</button></div></div></div>`;
}

function movedText(before: ExchangeRate, now: ExchangeRate): string {
  const [was, is] = [otherAmount(before).raw, otherAmount(now).raw];
  const change = percentText(was > 0n ? Number(((is > was ? is - was : was - is) * 10_000n) / was) / 100 : 0);
  return before.orderType === 'SELL'
    ? msg(str`The new rate is ${change} lower than the one you reviewed.`)
    : msg(str`The new price is ${change} higher than the one you reviewed.`);
}

/** Not `randomUUID`, which is missing on pages without TLS. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

// The progress of a swap: a list of its transactions, and the result.

export interface StepActions {
  host: Priced & Headed;
  /** The wallet is being asked. */
  asking: boolean;
  /** The notice that all elements show for a blocked or lost request. */
  notice: unknown;
  /** The explorer's page for the swap's transaction. */
  explorer: string | null | undefined;
  copied(hash: string): boolean;
  copy(hash: string): void;
  cancel(): void;
  leave(): void;
  again(): void;
}

function titleOf(run: Run, { kind }: Step): string {
  switch (kind) {
    case 'reset':
      return msg(str`Set the limit of ${run.exchange} to 0`);
    case 'approve':
      return msg(str`Approve ${run.limit}`);
    case 'swap':
      if (run.crossChain) return msg(str`Send ${run.sell} to ${run.exchange}`);
      return msg(str`Swap for ${run.buySymbol}`);
  }
}

/** "Step 2 of 2. Swap for ETH: waiting for confirmation". */
export function spoken(run: Run): string {
  if (isSentAway(run)) return msg('It is sent, and on its way.');
  const step = currentStep(run);
  if (!step) return isDone(run) ? msg('The swap is done.') : '';
  const state = step.hash ? msg('waiting for confirmation') : msg('waiting for your approval');
  return msg(
    str`Step ${run.steps.indexOf(step) + 1} of ${run.steps.length}. ${titleOf(run, step)}: ${state}`,
  );
}

export function steps(run: Run, actions: StepActions): TemplateResult {
  const title = html`<div class="head2">${heading(actions.host, msg('Swap'))}</div>`;
  if (isSentAway(run)) return html`${title}${sentAway(run, actions)}`;
  if (isDone(run)) return html`${title}${done(run, actions)}`;
  const failed = isOver(run);
  return html`${title}<ol class="steps">${run.steps.map((step) => stepItem(run, step, actions))}</ol>${actions.notice}${
    failed
      ? html`<div class="actions"><button type="button" class="btn secondary" @click=${actions.leave}>${msg('Cancel')}</button><button
        type="button"
        part="button button-primary"
        class="btn primary"
        @click=${actions.again}
      >${msg('Try again')}</button></div>`
      : actions.asking
        ? html`<button
          type="button"
          part="button button-quiet"
          class="btn secondary"
          @click=${actions.cancel}
        >${msg('Cancel')}</button>`
        : nothing
  }${
    !failed && !actions.asking && isSent(run)
      ? html`<p class="sm muted">${msg('You can leave this page. The swap goes on.')}</p>`
      : nothing
  }`;
}

function stepItem(run: Run, step: Step, actions: StepActions): TemplateResult {
  const { state, hash } = step;
  const isNow = state !== 'done' && state !== 'fail' && step === currentStep(run);
  const look = isNow ? 'now' : state;
  const mark =
    state === 'done'
      ? icon(iconCheck(), 's')
      : state === 'fail'
        ? icon(iconClose(), 's')
        : isNow
          ? spinner()
          : run.steps.indexOf(step) + 1;
  return html`<li
    class=${look}
    aria-current=${isNow ? 'step' : nothing}
  ><span class="dot" aria-hidden="true">${mark}</span
    ><span class="row-main"><span class="strong">${titleOf(run, step)}</span><span class="sm ${state === 'fail' ? 'why' : 'muted'}">${stateOf(step, isNow && actions.asking, run.reason)}</span>${hash ? hashLine(hash, actions) : nothing}</span></li>`;
}

function stateOf({ state, hash, took }: Step, asked: boolean, reason = ''): string {
  switch (state) {
    case 'done':
      return took === undefined
        ? msg('Confirmed')
        : msg(str`Confirmed in ${Math.max(1, Math.round(took / 1000))} s`);
    case 'fail':
      return hash
        ? msg(
            'Failed: the exchange refused it, for example because the price moved past your limit. Only the fee was spent.',
          )
        : reason;
    default:
      if (hash) return msg('Waiting for confirmation');
      return asked ? msg('Waiting for your approval') : msg('Not yet');
  }
}

function hashLine(hash: string, { copied, copy }: StepActions): TemplateResult {
  return html`<span class="hash"><span class="sr">${msg('Transaction hash')}</span><span
    class="addr trunc"
    title=${hash}
  >${hash.slice(0, 12)}…${hash.slice(-8)}</span><button
    type="button"
    part="copy"
    class="btn icon ${copied(hash) ? 'done' : ''}"
    aria-label=${msg('Copy transaction hash')}
    @click=${() => copy(hash)}
  >${icon(copied(hash) ? iconCheck() : iconCopy())}</button></span>`;
}

/** What is known for certain about both sides: the amounts in the transaction's logs, or else the limit that the exchange kept. */
function endOf({ buy, sell, exact, bound, got, paid }: Run) {
  return {
    got: amountText(got ?? (exact ? buy : (bound ?? buy))),
    paid: amountText(paid ?? (exact ? (bound ?? sell) : sell)),
    atLeast: !exact && !got,
    atMost: exact && !paid,
  };
}

function done(run: Run, actions: StepActions): TemplateResult {
  const { alias, exchange, rawGot, units, walletId, network, saved } = run;
  const { got, paid, atLeast, atMost } = endOf(run);
  const value =
    rawGot && units
      ? worth(
          actions.host,
          { id: walletId, network },
          { ...units.buy, address: saved.to ?? '', raw: BigInt(rawGot) },
        )
      : nothing;
  return html`${resultRow({
    state: 'confirmed',
    title: html`${atLeast ? msg(html`You got at least ${got}`) : msg(html`You got ${got}`)}${value}`,
    note: atMost
      ? msg(html`for at most ${paid} from ${alias}, by ${exchange}`)
      : msg(html`for ${paid} from ${alias}, by ${exchange}`),
    tools: toolsFor(run, actions),
  })}${newSwap(actions)}`;
}

/** The coins have left. What becomes of them, only the wallet follows. */
function sentAway(run: Run, actions: StepActions): TemplateResult {
  const { alias, crossChain, exchange } = run;
  const { seconds, receiver } = crossChain!;
  const buy = amountText(run.buy);
  return html`${resultRow({
    state: 'waiting',
    title: msg(html`Sent, on its way: ${aboutMinutes(seconds)}`),
    note: html`${msg(html`${amountText(run.sell)} from ${alias}, by ${exchange}, for about ${buy} in ${receiver}`)}<br
      />${msg('Follow it in your wallet, under Activity.')}`,
    tools: toolsFor(run, actions),
  })}${newSwap(actions)}`;
}

/** Copying the hash of the swap's own transaction, and looking it up. */
function toolsFor({ steps: list }: Run, { copied, copy, explorer }: StepActions): TemplateResult {
  const hash = list.at(-1)?.hash;
  const copyHash = hash && copyTool(msg('Copy transaction hash'), copied(hash), () => copy(hash));
  return html`${copyHash}${explorerTool(explorer)}`;
}

function newSwap({ leave }: StepActions): TemplateResult {
  return html`<button
    type="button"
    part="button button-primary"
    class="btn primary block"
    @click=${leave}
  >${msg('New swap')}</button>`;
}
