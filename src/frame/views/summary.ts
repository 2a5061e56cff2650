/** Draws a transaction: what leaves, to whom, at what cost. Shared by the approval and by the signature of a raw transaction. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { Part, Summary, Warning } from '../../chains/chain.ts';
import { differences } from '../../chains/known.ts';
import { iconChevronDown } from '../../ui/approval-icons.ts';
import { msg, str } from '../../ui/localize.ts';
import { shortAddress } from '../../ui/address.ts';
import { alert } from '../ui/alert.ts';
import { fullAddress } from '../ui/address.ts';
import { amountText, figure, headline, money } from '../ui/amount.ts';
import { icon } from '../ui/icon.ts';
import { kv, type Row } from '../ui/kv.ts';
import { holderMark } from '../../ui/holder-mark.ts';
import { warningText, worstFirst } from './warnings.ts';

export type ChangedPart = 'fee' | 'maximum' | 'total' | 'balance' | 'amount' | 'warnings';

/** What `swap-drawing.ts` adds of a swap: it is there before the first. */
export const also: {
  swap?: (part: Part | Summary, view: { own: readonly Wallet[]; wallet: Wallet }) => unknown;
} = {};

/** "you send" under the large amount. */
export function purpose(summary: Part | Summary): string {
  const { kind, unlimited } = summary;
  if ('parts' in summary && summary.parts) {
    const { length } = summary.parts;
    return isMixed(summary)
      ? msg('that happen together or not at all')
      : msg(str`you send, in ${length} clauses`);
  }
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

/** Several clauses that have no sum. */
function isMixed({ parts, amount }: Summary): boolean {
  return !!parts && !amount.raw;
}

/** `0.25 ETH`, `Unlimited USDC`, `3 clauses`. */
export function headlineText(summary: Summary): string {
  const { amount, unlimited, parts } = summary;
  if (isMixed(summary)) return msg(str`${parts!.length} clauses`);
  return unlimited ? msg(str`Unlimited ${amount.symbol}`) : amountText(amount);
}

export function amountBlock(summary: Summary): TemplateResult {
  const { amount, unlimited, parts } = summary;
  return html`<div>
    ${
      isMixed(summary)
        ? html`<p class="amount">${parts!.length} <small>${msg('clauses')}</small></p>`
        : headline(amount, unlimited ? msg('Unlimited') : undefined)
    }
    <p class="sm muted num under">${purpose(summary)}</p>
  </div>`;
}

/** Alias and short address of one of the user's own wallets. */
export function walletName({ alias, address }: Pick<Wallet, 'alias' | 'address'>): TemplateResult {
  return html`<span class="strong">${alias}</span>
    <span class="muted">${shortAddress(address)}</span>`;
}

/** `email`: what the recipient was found by. */
export function parties(summary: Summary, wallet: Wallet, reported: boolean, email = ''): TemplateResult {
  return html`<div class="card">
    ${sender(summary, wallet)}${summary.parts ? nothing : counterparts(summary, reported, isOwn(wallet, summary.to) ? wallet.alias : email)}
  </div>`;
}

/** The wallet, or another address of its key. */
function sender({ from }: Summary, wallet: Wallet): TemplateResult {
  return html`<div class="party">
    <span class="k">${msg('From')}</span><span>${isOwn(wallet, from) ? html`${walletName(wallet)}${holderMark(wallet)}` : fullAddress(from)}</span>
  </div>`;
}

function isOwn({ address }: Wallet, other: string | null): boolean {
  return address.toLowerCase() === other?.toLowerCase();
}

/** Recipient and contract. `name` of a recipient that is the user's own. */
export function counterparts(
  part: Part | Summary,
  reported: boolean,
  name = '',
  warnings: readonly Warning[] = 'warnings' in part ? part.warnings : [],
): TemplateResult {
  const { contract, amount } = part;
  return html`${recipient(part, reported, name, warnings)}
    ${
      contract
        ? html`<div class="party">
            <span class="k">${msg('Token')}</span>
            <span>${amount.token === contract ? html`<span class="strong block">${amount.symbol}</span>` : nothing}${fullAddress(contract)}</span>
          </div>`
        : nothing
    }`;
}

export function recipient(
  part: Part | Summary,
  reported: boolean,
  name = '',
  warnings: readonly Warning[] = 'warnings' in part ? part.warnings : [],
): TemplateResult {
  const { to } = part;
  return html`<div class="party">
    <span class="k">${msg('To')}</span>
    <span
      >${reported ? html`<span class="tag bad mark">${msg('Reported address')}</span><br />` : nothing}${
        name ? html`<span class="strong block">${name}</span>` : nothing
      }${
        to === null
          ? html`<span class="strong">${msg('A new contract')}</span>`
          : fullAddress(to, unlike(to, warnings))
      }</span
    >
  </div>`;
}

/** Where an address differs from one that it looks like. */
export function unlike(address: string, warnings: readonly Warning[]): Set<number> | undefined {
  const twin = warnings.find(
    ({ code, params }) =>
      code === 'resembles-known' && params?.['address']?.toLowerCase() === address.toLowerCase(),
  );
  return twin && differences(address, twin.params!['known']!);
}

/** `terms`: rows of the chain's own before the total. */
export function fees(
  summary: Summary,
  changed: ReadonlySet<ChangedPart>,
  terms: readonly Row[] = [],
): TemplateResult {
  const { expected, maximum } = summary.fee;
  const rows = costRows(summary, changed);
  return kv([
    { term: msg('Expected fee'), value: money(expected), changed: changed.has('fee') },
    rows[0] ?? { term: msg('Maximum fee'), value: money(maximum), changed: changed.has('maximum') },
    ...terms,
    rows[1],
  ]);
}

/** What leaves at most: of the coin, and the fee where it is paid in another. */
export function costRows(
  { kind, amount, total, fee: { maximum } }: Summary,
  changed: ReadonlySet<ChangedPart>,
): (Row | undefined)[] {
  const apart = maximum.symbol !== total.symbol;
  // Of the coin nothing leaves, not even the fee: then it is the token that does.
  const most = apart && !total.raw && kind === 'transfer' ? amount : total;
  return [
    apart ? { term: msg('Maximum fee'), value: money(maximum), changed: changed.has('maximum') } : undefined,
    apart && !most.raw
      ? undefined
      : { term: msg('Total at most'), value: money(most), total: true, changed: changed.has('total') },
  ];
}

/** What the wallet holds after it, if all of the fee is spent. Only where nothing but the coin leaves it and it is enough. */
export function afterwards(
  { balance, total, shortOf, from, to }: Summary,
  wallet: Wallet,
): TemplateResult | typeof nothing {
  const left = balance.raw - total.raw;
  if (shortOf || left < 0n || !total.raw || !isOwn(wallet, from) || isOwn(wallet, to)) return nothing;
  return html`<div class="card">
    <div class="delta wrap">
      <span class="muted">${msg(str`${wallet.alias} after this`)}</span>
      <span><span class="faint num">${figure(balance)} →</span> <b class="num">${money({ ...balance, raw: left })}</b></span>
    </div>
  </div>`;
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
  // That there is not enough is an alert of its own, and must not be pushed out of sight.
  const room = Math.max(summary.shortOf ? 1 : 2, dangers);
  const draw = (warning: Warning): TemplateResult => {
    const { title, text, quote } = warningText(warning, summary);
    const { text: own, action } = extra(warning);
    // Of several clauses, which one.
    const address = summary.parts && warning.params?.['address'];
    const added = own ?? (address ? shortAddress(address) : undefined);
    return alert(warning.level, { title, text: added ? html`${text} ${added}` : text, quote, action });
  };
  const rest = sorted.slice(room);
  return {
    shown: sorted.slice(0, room).map(draw),
    more: rest.length
      ? disclosure(
          msg(str`More to know (${rest.length})`),
          html`<div class="stack tight">${rest.map(draw)}</div>`,
        )
      : nothing,
  };
}

/** What is shown when it is asked for. */
export function disclosure(title: string, content: unknown, onOpen?: () => void): TemplateResult {
  return html`<details class="more" @toggle=${onOpen}>
    <summary>${title} ${icon(iconChevronDown(), 's')}</summary>
    ${content}
  </details>`;
}
