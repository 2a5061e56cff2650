/** What an approval draws beyond a plain transfer: calls, and what a trial run changed. Loaded for transactions that have them. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { BalanceChange, CallArgument, Part, Summary } from '../../chains/chain.ts';
import { msg, str } from '../../ui/localize.ts';
import { fullAddress } from '../ui/address.ts';
import { amountText, figure, money } from '../ui/amount.ts';
import { chainBadge, tokenBadge } from '../ui/chain-badge.ts';
import { kv } from '../ui/kv.ts';
import { fold } from './blocks.ts';
import { callEffects } from './effects-drawing.ts';
import { visibleText } from '../ui/visible-text.ts';

export function balanceChanges(
  { changes, according }: Summary,
  wallet: Wallet,
): TemplateResult | typeof nothing {
  if (!changes?.length) return nothing;
  return html`<section class="stack tight">
    <h2 class="sect"><span>${msg('Balance change')}</span>${
      according ? html`<span class="xs faint">${msg(str`according to ${according}`)}</span>` : nothing
    }</h2>
    <div class="card">${changes.map((one) => change(one, wallet))}</div>
  </section>`;
}

function change({ amount, direction, worse, canDiffer }: BalanceChange, wallet: Wallet): TemplateResult {
  const sign = direction === 'in' ? '+' : '−';
  const note = [worse && msg('at least'), canDiffer && msg('can differ')].filter(Boolean).join(' · ');
  return html`<div class="delta">
    <span class="line">${amount.token ? tokenBadge(amount.symbol) : chainBadge(wallet.secretType, 'm')}${amount.symbol}</span>
    ${note ? html`<span class="xs faint">${note}</span>` : nothing}
    <span class="${direction} figure"><bdi dir="ltr">${sign}${amount.decimals === null ? amountText(amount) : figure(amount)}</bdi></span>
  </div>`;
}

/** Decoded name and arguments; the data itself, whole, behind "Raw data". */
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

/** The same inside the card of a clause. */
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
  if (mine) return msg(str`${mine.alias} (you)`);
  return type === 'address' ? fullAddress(value) : html`<bdi dir="ltr">${visibleText(value)}</bdi>`;
}
