/**
 * Draws calls: what they do, simulated balance changes, warnings about tokens and contracts. Loaded for transactions that need it.
 */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../../api/wallet.ts';
import { language, msg, str } from '../../../base/localize.ts';
import type {
  BalanceChange,
  CallArgument,
  CallEffect,
  CallWords,
  Part,
  Summary,
  Warning,
} from '../../../chains/approval/summary.ts';
import { fullAddress } from '../../../ui/address.ts';
import { amountText as written, rowFigure, shortened } from '../../../ui/amount-text.ts';
import { chainBadge, tokenBadge } from '../../../ui/chain-badge.ts';
import { visibleText } from '../../../ui/text.ts';
import { amountText, figure, money } from '../../ui/amount.ts';
import { codeStyles } from '../../ui/card-styles.ts';
import { kv } from '../../ui/kv.ts';
import { counterpart, fold, party } from './blocks.ts';
import { orderTerms, payee } from './cross-chain-drawing.ts';
import type { LimitOffer } from './limit-field.ts';
import { type Extra, recipient, tokenOf, tokensOf } from './summary.ts';

export { crossChainWords } from './cross-chain-drawing.ts';

export const callStyles = [
  codeStyles,
  css`
    .delta { display: flex; justify-content: space-between; align-items: center; gap: var(--_s2); padding: 8px var(--_s3); font-size: var(--_fs-sm); }
    .delta + .delta { border-block-start: 1px solid var(--_border); }
    .delta .out { color: var(--_text); font-weight: 620; }
    .delta .in { color: var(--_success); font-weight: 620; }
    .figure { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; text-align: end; }
    .call > .name { padding: 10px 12px; overflow-wrap: anywhere; }
    .call > .kv { padding: 0 12px; border-block-start: 1px solid var(--_border); }
    .call > .fold { border: 0; border-block-start: 1px solid var(--_border); border-radius: 0; }
    .code.raw { max-block-size: 140px; margin-block-end: 12px; }
    .clauses { display: grid; gap: var(--_s2); }
    .clauses > li > .between { padding: var(--_s2) var(--_s3); border-block-end: 1px solid var(--_border); font-size: var(--_fs-sm); }
    .clauses > li > .between > .muted { white-space: nowrap; }
    .clauses .call { border-block-start: 1px solid var(--_border); }
  `,
];

/**
 * What a token that nobody we trust knows says itself, below the smallest units that count: `1.5 TST, as the token itself says`. Of an order
 * between chains, who receives it.
 */
export function claimLine({
  amount,
  swap,
  unlimited,
  crossChain,
}: Pick<Part, 'amount' | 'swap' | 'unlimited'> & Pick<Summary, 'crossChain'>): TemplateResult | undefined {
  if (crossChain) return payee({ crossChain });
  const shown = swap?.input ?? amount;
  const { raw, decimals, claimedDecimals } = shown;
  if (decimals !== null || claimedDecimals === undefined || !raw || unlimited) return undefined;
  const scaled = money({ ...shown, decimals: claimedDecimals });
  return html`<span class="block sm muted">${msg(html`${scaled}, as the token itself says`)}</span>`;
}

export function balanceChanges(summary: Summary, wallet: Wallet): TemplateResult | typeof nothing {
  const { changes, according, networkName } = summary;
  if (!changes?.length) return nothing;
  const rows = [...changes].sort((a, b) => Number(a.direction === 'in') - Number(b.direction === 'in'));
  return html`<section class="stack tight">
    <h2 class="sect"><span>${msg('Balance change')}</span>${
      according
        ? html`<span class="xs faint">${msg(html`according to ${written(source(according, networkName))}`)}</span>`
        : nothing
    }</h2>
    <div class="card">${rows.map((one) => change(one, wallet, isExtra(one, summary)))}</div>
  </section>`;
}

/** It takes more than the footer's total says: then it must have been on screen itself. */
function isExtra({ direction, amount: { token, raw } }: BalanceChange, summary: Summary): boolean {
  const amounts = [summary.total, ...tokensOf(summary)].filter((one) => one.token === token);
  return direction === 'out' && raw > amounts.reduce((sum, one) => sum + one.raw, 0n);
}

/** The node's operator. A numeric address means nothing to most people. */
function source(host: string, network: string): string {
  if (/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(host)) return msg('a test run on this device');
  return /^([\d.]+|\[[\da-f:.]+\])(:\d+)?$/i.test(host)
    ? msg(str`a node of ${network}`)
    : host.replace(/:\d+$/, '');
}

function change(
  { amount, direction, worse, canDiffer }: BalanceChange,
  wallet: Wallet,
  mustSee: boolean,
): TemplateResult {
  const sign = direction === 'in' ? '+' : '−';
  const badge = amount.token ? tokenBadge(amount.symbol) : chainBadge(wallet.secretType, 'm');
  const note = [worse && msg('at least'), canDiffer && msg('can differ')].filter(Boolean).join(' · ');
  return html`<div
    class="delta"
    data-seen=${mustSee ? 'effect' : nothing}
    data-what=${mustSee ? `${amount.raw} ${amount.token}` : nothing}
  >
    <span class="line">${badge}${amount.symbol}</span>
    ${note ? html`<span class="xs faint">${note}</span>` : nothing}
    <span class="figure"><span class=${direction}>${
      amount.decimals === null
        ? money(`${sign}${amountText(amount)}`)
        : shortened(
            `${sign}${rowFigure(amount, direction === 'in' ? 'down' : 'up')}`,
            `${sign}${figure(amount)}`,
          )
    }</span>${claimLine({ amount })}</span>
  </div>`;
}

/** Decoded name and arguments, with the full data behind "Raw data". */
export function contractCall(
  { call, effects }: Pick<Summary, 'call' | 'effects'>,
  own: readonly Wallet[],
): TemplateResult | typeof nothing {
  if (!call) return nothing;
  return html`<section class="stack tight">
    <h2 class="sect">${msg('Contract call')}</h2>
    <div class="card">${clauseCall({ call, effects }, own)}</div>
  </section>`;
}

/** A decoded call without a heading. */
export function clauseCall(
  { call, effects }: Pick<Part, 'call' | 'effects'>,
  own: readonly Wallet[],
): TemplateResult | typeof nothing {
  if (!call) return nothing;
  return html`${callEffects(effects, own)}<div class="call">
    <div class="mono strong name">${call.name ?? msg('Unknown call')}</div>
    ${call.words ? callWords(call.words, own) : nothing}
    ${
      call.arguments.length
        ? kv(
            call.arguments.map((argument) => ({
              term: html`<span class="mono">${argument.name}</span>`,
              value: argumentValue(argument, own),
            })),
          )
        : nothing
    }
    ${fold(
      msg(str`Raw data · ${(call.data.length - 2) / 2} bytes`),
      html`<p class="code raw" tabindex="0" role="region" aria-label=${msg('Raw data')}>${call.data}</p>`,
    )}
  </div>`;
}

/** What the operator lists for the contract, by an element that is loaded for it. */
function callWords(words: CallWords, own: readonly Wallet[]): TemplateResult {
  void import('./words-drawing.ts');
  return html`<cbf-call-words .words=${words} .draw=${(one: CallArgument) => argumentValue(one, own)}></cbf-call-words>`;
}

function argumentValue({ type, value, amount }: CallArgument, own: readonly Wallet[]): unknown {
  if (amount) return money(amount);
  const mine = own.find(({ address }) => address.toLowerCase() === value.toLowerCase());
  if (mine) {
    const name = html`<bdi>${mine.alias}</bdi>`;
    return msg(html`${name} (you)`);
  }
  return type === 'address' ? fullAddress(value) : html`<bdi dir="ltr">${words(type, value)}</bdi>`;
}

/** A text that the site chose in pieces, by an element that is loaded for it. */
function words(type: string, value: string): unknown {
  if (type !== 'string' || value.length < 400) return visibleText(value);
  void import('./long-text.ts');
  return html`<cbf-long-text .text=${value}></cbf-long-text>`;
}

/** Each clause with its amount, recipient, contract, swap and call. Needs `callStyles`. */
export function clauses(
  { parts, warnings }: Summary,
  scene: { own: readonly Wallet[]; wallet: Wallet },
): TemplateResult | typeof nothing {
  if (!parts) return nothing;
  const reported = warnings.flatMap(({ code, params }) =>
    code === 'reported-address' ? (params?.['address']?.toLowerCase() ?? []) : [],
  );
  return html`<ol class="clauses to">${parts.map(
    (part, i) => html`<li class="card">
      <div class="between">
        <span class="muted">${msg(str`Clause ${i + 1} of ${parts.length}`)}</span>
        <span class="figure"><b>${partAmount(part)}</b> <span class="muted">${purpose(part)}</span>${claimLine(part)}</span>
      </div>
      ${counterparts(part, part.to !== null && reported.includes(part.to.toLowerCase()), part.exchange, warnings)}
      ${swapTerms(part, scene)}${clauseCall(part, scene.own)}
    </li>`,
  )}</ol>`;
}

function partAmount({ amount, unlimited }: Part): TemplateResult {
  return money(unlimited ? msg(str`Unlimited ${amount.symbol}`) : amount);
}

/** The words next to a clause's amount, such as "you send". */
function purpose({ kind, unlimited }: Part): string {
  switch (kind) {
    case 'approval':
      return unlimited ? msg('unlimited spending you allow') : msg('spending limit you give');
    case 'call':
      return msg('you send with the call');
    case 'creation':
      return msg('you send to the new contract');
    case 'transfer':
      return msg('you send');
  }
}

/** Recipient and contract of a clause. */
function counterparts(
  part: Part,
  reported: boolean,
  name: string | undefined,
  warnings: readonly Warning[],
): TemplateResult {
  return html`<dl>${recipient(part, reported, name, warnings)}${tokenOf(part, true)}</dl>`;
}

/** A limit of more than this many times the balance far exceeds present needs. */
const FAR = 100n;

/** The user's balance, and "Limit to", in the warning about an allowance that can be limited. */
export function limitOf(
  { limit, busy }: { limit: LimitOffer | undefined; busy: boolean },
  { code, amount }: Warning,
  onLimit: (raw: bigint) => void,
): ReturnType<Extra> {
  if (!limit || !amount || amount.token !== limit.held.token) return {};
  const { held, allowed } = limit;
  const isFar = code === 'spending-limit' && amount.raw > held.raw * FAR;
  if (!isFar && code !== 'unlimited-approval') return {};
  void import('./limit-field.ts');
  return {
    ...(isFar && { title: msg('Far more than you hold') }),
    text: msg(
      html`${msg(html`You hold ${money(held)}.`)} ${msg('A limit of what you need today is safer.')}`,
    ),
    action:
      held.raw > 0n && (!isFar || amount.raw === allowed)
        ? html`<cbf-limit-field
            .offer=${limit}
            ?disabled=${busy}
            @cbf-limit-chosen=${({ detail }: CustomEvent<bigint>) => onLimit(detail)}
          ></cbf-limit-field>`
        : nothing,
  };
}

// The terms of a swap: output, recipient, deadline.

/** “Swap exactly 1 ETH for at least 1,802.11 USDC by Uniswap V2”. */
function sentence({ swap, exchange = '' }: Part | Summary): string {
  if (!swap) return '';
  const [input, output] = [amountText(swap.input), amountText(swap.output)];
  return swap.orderType === 'SELL'
    ? msg(str`Swap exactly ${input} for at least ${output} by ${exchange}`)
    : msg(str`Swap at most ${input} for exactly ${output} by ${exchange}`);
}

/** Nothing for a summary whose clauses say it. */
export function swapTerms(
  part: Part | Summary,
  { own, wallet }: { own: readonly Wallet[]; wallet: Wallet },
): TemplateResult | typeof nothing {
  const { swap } = part;
  const isClause = !('from' in part);
  if (!isClause && part.crossChain) return orderTerms(part, until);
  if (!swap || (!isClause && part.parts)) return nothing;
  const { orderType, output, recipient, deadline } = swap;
  const same = (address: string) => address.toLowerCase() === recipient.toLowerCase();
  const mine = own.find(({ address }) => same(address));
  // If the swap is the whole transaction, the effect and the footer say the sentence already.
  return html`<section class="stack tight">
    ${isClause ? html`<p class="strong">${sentence(part)}</p>` : nothing}
    <div class="card to">
      ${
        same(wallet.address)
          ? nothing
          : html`<dl>${party(msg('Receives it'), counterpart(recipient, mine?.alias), true)}</dl>`
      }
      <div class="call">${kv([
        {
          term: orderType === 'SELL' ? msg('You get at least') : msg('You get exactly'),
          value: money(output),
        },
        { term: msg('Good until'), value: until(deadline ?? NEVER) },
      ])}</div>
    </div>
  </section>`;
}

/** A deadline beyond any date means none. */
const NEVER = 2n ** 64n;

function until(deadline: bigint): unknown {
  const date = new Date(Number(deadline) * 1000);
  if (Number.isNaN(date.getTime())) return msg('no end date');
  const text = date.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
  return html`<time datetime=${date.toISOString()}>${text}</time>`;
}

// The effects of a call that does several things or makes inner calls: one row each, in order.

/** `own`: the user's wallets. */
export function callEffects(
  effects: readonly CallEffect[] | undefined,
  own: readonly Wallet[],
): TemplateResult | typeof nothing {
  if (!effects?.length) return nothing;
  return html`<ol class="effects" aria-label=${msg('What it does')}>
    ${effects.map(
      (effect) => html`<li class="party">
      <span class="k">${verb(effect)}</span>
      <span>${what(effect)}${who(effect, own)}</span>
    </li>`,
    )}
  </ol>`;
}

function verb({ kind, amount, unlimited }: CallEffect): string {
  switch (kind) {
    case 'send':
      return msg('Sends');
    case 'allow':
      return amount?.raw || unlimited ? msg('Allows taking') : msg('No longer allows taking');
    case 'allow-all':
      return msg('Allows taking');
    case 'control':
      return msg('Gives control');
    case 'foreign-code':
      return msg('Runs code of');
    case 'pay':
      return msg('Pays at most');
    case 'receive':
      return amount ? msg('Asks for at least') : msg('Asks for something');
    case 'pass-on':
      return msg('Passes on');
    case 'call':
      return msg('Calls');
  }
}

function what(effect: CallEffect): unknown {
  const { kind, amount, unlimited, share, contract, name } = effect;
  if (kind === 'control' || kind === 'foreign-code' || kind === 'call')
    return html`${name ? html`<span class="mono strong block">${name}</span>` : nothing}${
      kind !== 'foreign-code' && contract ? fullAddress(contract) : nothing
    }`;
  if (!amount) return nothing;
  const text = unlimited
    ? msg(str`Unlimited ${amount.symbol}`)
    : kind === 'allow-all'
      ? msg(str`every ${amount.symbol}, now and later`)
      : share === undefined
        ? amount
        : msg(str`${share} of its ${amount.symbol}`);
  const exact = typeof text === 'string' ? text : amountText(text);
  return html`<b class="block" data-seen="effect" data-what=${exact}>${money(text)}</b>${text === amount ? claimLine({ amount }) : nothing}`;
}

/** Recipient or spender, owner, and until when. */
function who({ kind, to, by, until, contract }: CallEffect, own: readonly Wallet[]): unknown {
  const party = (address: string): unknown => {
    const mine = own.find((wallet) => wallet.address.toLowerCase() === address.toLowerCase());
    return mine ? msg(str`${mine.alias} (you)`) : fullAddress(address);
  };
  return html`${
    to === undefined
      ? nothing
      : html`${kind === 'foreign-code' ? nothing : msg('To')} <span
        data-seen="to"
        data-what=${to}
      >${party(to)}</span>`
  }
    ${kind === 'foreign-code' && contract ? html`<span class="block muted">${msg('as')} ${party(contract)}</span>` : nothing}
    ${by === undefined ? nothing : html`<span class="block muted">${msg('From')} ${party(by)}</span>`}
    ${until === undefined ? nothing : html`<span class="block muted">${ends(until)}</span>`}`;
}

/** `until` is 0 for an effect within this transaction only, and beyond any date for one that does not expire. */
function ends(until: bigint): string {
  const date = new Date(Number(until) * 1000);
  if (until === 0n) return msg('in this transaction only');
  if (Number.isNaN(date.getTime())) return msg('with no end date');
  const text = date.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
  return msg(str`until ${text}`);
}
