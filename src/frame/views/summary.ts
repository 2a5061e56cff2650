/** Draws a transaction: what leaves, to whom, at what cost. Shared by the approval and by the signature of a raw transaction. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { Amount, CallArgument, DecodedCall, Summary, Warning } from '../../chains/chain.ts';
import { iconChevronDown } from '../../ui/icons.ts';
import { msg, str } from '../../ui/localize.ts';
import { shortAddress } from '../../ui/address.ts';
import { alert } from '../ui/alert.ts';
import { fullAddress } from '../ui/address.ts';
import { amountText, figure, headline, money } from '../ui/amount.ts';
import { chainBadge, tokenBadge } from '../ui/chain-badge.ts';
import { icon } from '../ui/icon.ts';
import { kv } from '../ui/kv.ts';
import { warningText, worstFirst } from './warnings.ts';

export type ChangedPart = 'fee' | 'maximum' | 'total' | 'balance' | 'amount' | 'warnings';

/** "you send" under the large amount. */
export function purpose({ kind, unlimited }: Summary): string {
  switch (kind) {
    case 'approval':
      return unlimited ? msg('spending limit you give away') : msg('spending limit you give');
    case 'call':
      return msg('you send with the call');
    case 'creation':
      return msg('you send to the new contract');
    case 'transfer':
      return msg('you send');
  }
}

export function amountBlock(summary: Summary): TemplateResult {
  return html`<div>
    ${headline(summary.amount, summary.unlimited ? msg('Unlimited') : undefined)}
    <p class="sm muted num under">${purpose(summary)}</p>
  </div>`;
}

/** Alias and short address of one of the user's own wallets. */
export function walletName({ alias, address }: Pick<Wallet, 'alias' | 'address'>): TemplateResult {
  return html`<span class="strong">${alias}</span>
    <span class="muted">${shortAddress(address)}</span>`;
}

export function parties(summary: Summary, wallet: Wallet, reported: boolean): TemplateResult {
  return html`<div class="card">
    <div class="party"><span class="k">${msg('From')}</span><span>${walletName(wallet)}</span></div>
    ${recipient(summary, reported)}
    ${
      summary.contract
        ? html`<div class="party">
            <span class="k">${msg('Token')}</span>
            <span>${summary.amount.token === summary.contract ? html`<span class="strong block">${summary.amount.symbol}</span>` : nothing}${fullAddress(summary.contract)}</span>
          </div>`
        : nothing
    }
  </div>`;
}

export function recipient({ to }: Summary, reported: boolean): TemplateResult {
  return html`<div class="party">
    <span class="k">${msg('To')}</span>
    <span
      >${reported ? html`<span class="tag bad mark">${msg('Reported address')}</span><br />` : nothing}${
        to === null ? html`<span class="strong">${msg('A new contract')}</span>` : fullAddress(to)
      }</span
    >
  </div>`;
}

export function fees(summary: Summary, changed: ReadonlySet<ChangedPart>): TemplateResult {
  return kv([
    { term: msg('Expected fee'), value: money(summary.fee.expected), changed: changed.has('fee') },
    { term: msg('Maximum fee'), value: money(summary.fee.maximum), changed: changed.has('maximum') },
    totalRow(summary, changed),
  ]);
}

export function totalRow(summary: Summary, changed: ReadonlySet<ChangedPart>) {
  return {
    term: msg('Total at most'),
    value: money(summary.total),
    total: true,
    changed: changed.has('total'),
  };
}

/** What the wallet holds after it, if all of the fee is spent. Only where nothing but the coin moves and it is enough. */
export function afterwards(
  { balance, total, shortOf }: Summary,
  wallet: Wallet,
): TemplateResult | typeof nothing {
  const left = balance.raw - total.raw;
  if (shortOf || left < 0n) return nothing;
  return html`<div class="card">
    <div class="delta wrap">
      <span class="muted">${msg(str`${wallet.alias} after this`)}</span>
      <span><span class="faint num">${figure(balance)} →</span> <b class="num">${money({ ...balance, raw: left })}</b></span>
    </div>
  </div>`;
}

export function balanceChanges(
  { changes, according }: Summary,
  wallet: Wallet,
): TemplateResult | typeof nothing {
  if (!changes?.length) return nothing;
  return html`<section class="stack tight">
    <h2 class="sect"><span>${msg('Balance change')}</span>${
      according ? html`<span class="xs faint">${msg(str`according to ${according}`)}</span>` : nothing
    }</h2>
    <div class="card">${changes.map(({ amount, direction }) => change(amount, direction, wallet))}</div>
  </section>`;
}

function change(amount: Amount, direction: 'in' | 'out', wallet: Wallet): TemplateResult {
  const sign = direction === 'in' ? '+' : '−';
  return html`<div class="delta">
    <span class="line">${amount.token ? tokenBadge(amount.symbol) : chainBadge(wallet.secretType, 'm')}${amount.symbol}</span>
    <span class="${direction} figure"><bdi dir="ltr">${sign}${amount.decimals === null ? amountText(amount) : figure(amount)}</bdi></span>
  </div>`;
}

/** Decoded name and arguments; the data itself, whole, behind "Raw data". */
export function contractCall(
  call: DecodedCall | undefined,
  own: readonly Wallet[],
): TemplateResult | typeof nothing {
  if (!call) return nothing;
  return html`<section class="stack tight">
    <h2 class="sect">${msg('Contract call')}</h2>
    <div class="card call">
      <div class="mono strong name">${call.name ?? msg('Unknown call')}</div>
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
      ${rawData(call.data)}
    </div>
  </section>`;
}

function argumentValue({ type, value, amount }: CallArgument, own: readonly Wallet[]): unknown {
  if (amount) return money(amount);
  const mine = own.find(({ address }) => address.toLowerCase() === value.toLowerCase());
  if (mine) return msg(str`${mine.alias} (you)`);
  return type === 'address' ? fullAddress(value) : html`<bdi dir="ltr">${value}</bdi>`;
}

export function rawData(data: string): TemplateResult {
  return html`<details class="more">
    <summary>${msg('Raw data')} ${icon(iconChevronDown(), 's')}</summary>
    <p class="code raw" tabindex="0" role="region" aria-label=${msg('Raw data')}>${data}</p>
  </details>`;
}

export interface AlertParts {
  /** At most two, worst first; a danger is never left out. */
  shown: TemplateResult[];
  /** Cautions that did not fit, behind a summary. */
  more: TemplateResult | typeof nothing;
}

/** `extra` adds to a warning: what the user holds, "Limit to". */
export function alerts(
  summary: Summary,
  extra: (warning: Warning) => { text?: unknown; action?: unknown } = () => ({}),
): AlertParts {
  const sorted = worstFirst(summary.warnings);
  const dangers = sorted.filter(({ level }) => level === 'danger').length;
  const room = Math.max(2, dangers);
  const draw = (warning: Warning): TemplateResult => {
    const { title, text } = warningText(warning, summary);
    const { text: added, action } = extra(warning);
    return alert(warning.level, { title, text: added ? html`${text} ${added}` : text, action });
  };
  const rest = sorted.slice(room);
  return {
    shown: sorted.slice(0, room).map(draw),
    more: rest.length
      ? html`<details class="more">
          <summary>${msg(str`More to know (${rest.length})`)} ${icon(iconChevronDown(), 's')}</summary>
          <div class="stack tight">${rest.map(draw)}</div>
        </details>`
      : nothing,
  };
}
