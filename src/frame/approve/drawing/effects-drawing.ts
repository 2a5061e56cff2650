/** The effects of a call that does several things or makes inner calls: one row each, in order. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../../api/wallet.ts';
import type { CallEffect } from '../../../chains/approval/summary.ts';
import { fullAddress } from '../../../ui/address.ts';
import { language, msg, str } from '../../../base/localize.ts';
import { amountText, money } from '../../ui/amount.ts';

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
      return amount?.raw || unlimited ? msg('Lets take') : msg('Lets take no more');
    case 'allow-all':
      return msg('Lets take');
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
  return html`<b class="block" data-seen="effect" data-what=${exact}>${money(text)}</b>`;
}

/** Recipient or spender, owner, and until when. */
function who({ kind, to, by, until, contract }: CallEffect, own: readonly Wallet[]): unknown {
  const party = (address: string): unknown => {
    const mine = own.find((wallet) => wallet.address.toLowerCase() === address.toLowerCase());
    return mine ? msg(str`${mine.alias} (you)`) : fullAddress(address);
  };
  return html`${to === undefined ? nothing : html`${kind === 'foreign-code' ? nothing : msg('To')} <span data-seen="to" data-what=${to}>${party(to)}</span>`}
    ${kind === 'foreign-code' && contract ? html`<span class="block muted">${msg('as')} ${party(contract)}</span>` : nothing}
    ${by === undefined ? nothing : html`<span class="block muted">${msg('From')} ${party(by)}</span>`}
    ${until === undefined ? nothing : html`<span class="block muted">${ends(until)}</span>`}`;
}

/** `until` is 0 for an effect within this transaction only, and beyond any date for one that does not expire. */
function ends(until: bigint): string {
  const date = new Date(Number(until) * 1000);
  if (until === 0n) return msg('in this transaction only');
  if (Number.isNaN(date.getTime())) return msg('without end');
  const text = date.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
  return msg(str`until ${text}`);
}
