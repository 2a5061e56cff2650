/**
 * Draws calls: what they do, simulated balance changes, warnings about tokens and contracts. Loaded for transactions that need it.
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../../api/wallet.ts';
import type { BalanceChange, CallArgument, Part, Summary } from '../../../chains/approval/summary.ts';
import { fullAddress } from '../../../ui/address.ts';
import { amountText as written, rowFigure, shortened } from '../../../ui/amount-text.ts';
import { chainBadge, tokenBadge } from '../../../ui/chain-badge.ts';
import { visibleText } from '../../../ui/text.ts';
import { msg, str } from '../../../base/localize.ts';
import { amountText, figure, money } from '../../ui/amount.ts';
import { kv } from '../../ui/kv.ts';
import { fold } from './blocks.ts';
import { callEffects } from './effects-drawing.ts';
import { tokensOf } from './summary.ts';

export { swapTerms } from './swap-drawing.ts';

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
  const told = [summary.total, ...tokensOf(summary)].filter((one) => one.token === token);
  return direction === 'out' && raw > told.reduce((sum, one) => sum + one.raw, 0n);
}

/** The node's operator. A numeric address means nothing to most people. */
function source(host: string, network: string): string {
  if (/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(host)) return msg('a node on this device');
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
  const note = [worse && msg('at least'), canDiffer && msg('can differ')].filter(Boolean).join(' · ');
  return html`<div class="delta" data-seen=${mustSee ? 'effect' : nothing} data-what=${mustSee ? `${amount.raw} ${amount.token}` : nothing}>
    <span class="line">${amount.token ? tokenBadge(amount.symbol) : chainBadge(wallet.secretType, 'm')}${amount.symbol}</span>
    ${note ? html`<span class="xs faint">${note}</span>` : nothing}
    <span class="${direction} figure">${
      amount.decimals === null
        ? money(`${sign}${amountText(amount)}`)
        : shortened(
            `${sign}${rowFigure(amount, direction === 'in' ? 'down' : 'up')}`,
            `${sign}${figure(amount)}`,
          )
    }</span>
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

/** The same, inside a clause's card. */
export function clauseCall(
  { call, effects }: Pick<Part, 'call' | 'effects'>,
  own: readonly Wallet[],
): TemplateResult | typeof nothing {
  if (!call) return nothing;
  return html`${callEffects(effects, own)}<div class="call">
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
    ${fold(
      msg(str`Raw data · ${(call.data.length - 2) / 2} bytes`),
      html`<p class="code raw" tabindex="0" role="region" aria-label=${msg('Raw data')}>${call.data}</p>`,
    )}
  </div>`;
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
