/**
 * Draws calls: what they do, simulated balance changes, warnings about tokens and contracts. Loaded for transactions that need it.
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../../api/wallet.ts';
import type { Amount } from '../../../chains/chain.ts';
import type { BalanceChange, CallArgument, Part, Summary } from '../../../chains/approval/summary.ts';
import { fullAddress, shortText } from '../../../ui/address.ts';
import { amountText as written, grouped, rowFigure, shortened } from '../../../ui/amount-text.ts';
import { chainBadge, tokenBadge } from '../../../ui/chain-badge.ts';
import { isolated, visibleText } from '../../../ui/text.ts';
import { msg, str } from '../../../base/localize.ts';
import { amountText, figure, money } from '../../ui/amount.ts';
import { kv } from '../../ui/kv.ts';
import { fold } from './blocks.ts';
import { callEffects } from './effects-drawing.ts';
import { tokensOf } from './summary.ts';
import { addWords, risk } from './warnings.ts';

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

const text = (amount: Amount | undefined): string => (amount ? isolated(amountText(amount)) : '');

addWords({
  'first-contract': () => ({
    title: msg('First time with this contract'),
    text: msg('You have not used it from this wallet before.'),
  }),
  'unlimited-approval': (_params, _summary, amount) => {
    const symbol = amount?.symbol ?? '';
    return {
      title: msg(str`This contract could take all your ${symbol}`),
      text: msg('The site asks for an unlimited limit, now and later.'),
      tick: risk(msg(str`I could lose all my ${symbol}`)),
    };
  },
  'spending-limit': ({ more }, _summary, amount) => ({
    title: msg('This gives a spending limit'),
    text: more
      ? msg(
          str`The contract below can take ${text(amount)} more than before, now or later. How much it may take already is not known.`,
        )
      : msg(str`The contract below can take up to ${text(amount)}, now or later.`),
  }),
  'approval-for-all': (_params, _summary, amount) => ({
    title: msg(str`This contract could take all your ${amount?.symbol ?? ''}`),
    text: msg('The site asks to move every item you hold in this collection, now and later.'),
    tick: risk(msg('I could lose all of them')),
  }),
  'nft-approval': (_params, _summary, amount) => ({
    title: msg(str`This contract could take your ${amount?.symbol ?? ''}`),
    text: msg('The site asks to move this item, now or later.'),
    tick: risk(msg('I could lose this item')),
  }),
  'control-given': ({ contract = '', address }) => ({
    title: msg('This gives control of a contract away'),
    text: address
      ? msg(str`${address} could then command ${contract}, and take all that it holds.`)
      : msg(str`It changes who commands ${contract}, and who can take all that it holds.`),
    tick: risk(msg('I could lose all that the contract holds')),
  }),
  'foreign-code': ({ contract = '', address = '' }) => ({
    title: msg('Foreign code takes over an account'),
    text: msg(str`Code of ${address} runs as ${contract}, and can take all that it holds.`),
    tick: risk(msg('I could lose all that the account holds')),
  }),
  'inner-transfer': ({ address = '' }, _summary, amount) => ({
    title: msg(str`This call also sends ${text(amount)}`),
    text: msg(str`It goes to ${address}.`),
    tick: risk(msg(str`I send ${amount ? amountText(amount) : ''}`)),
  }),
  'nothing-back': ({ address }) => ({
    title: msg('You pay, and nothing comes back'),
    text: address
      ? msg(str`What it asks for goes to ${address}, not to you.`)
      : msg('The call asks for nothing in return that could be relied on.'),
    tick: risk(msg('I could lose what I pay')),
  }),
  'swap-recipient': ({ address = '' }) => ({
    title: msg('Somebody else receives what you buy'),
    text: msg(str`It goes to ${address}, which is none of your wallets.`),
    tick: risk(msg('I could lose what I pay')),
  }),
  'trade-fee': ({ address = '', share = '' }) => ({
    title: msg(str`Fee to ${shortText(address)}, ${share}`),
    text: msg(str`${address} gets ${share} of what this brings.`),
  }),
  'no-plain-swap': ({ name = '' }) => ({
    title: msg('This is not one plain swap'),
    text: msg(str`It asks ${name} for something else, or for more.`),
    tick: risk(msg('I could lose what I pay')),
  }),
  'recipient-is-token': () => ({
    title: msg('The recipient is the token’s own contract'),
    text: msg('What is sent to it is lost in nearly every case.'),
    tick: risk(msg('I could lose what I send')),
  }),
  'recipient-is-exchange': () => ({
    title: msg('The recipient is an exchange’s contract'),
    text: msg('What is sent to it is lost in nearly every case.'),
    tick: risk(msg('I could lose what I send')),
  }),
  'no-code': (_, { contract }) => ({
    title: contract ? msg('There is no token at this address') : msg('There is no contract at this address'),
    text: msg('The call would do nothing, and what you send with it may be lost.'),
    tick: risk(msg('I could lose what I send')),
  }),
  'unlisted-token': ({ value, symbol = '', imitates }) => ({
    title: imitates ? msg(str`This is not ${imitates}`) : msg('Unknown token'),
    text: [
      ...(imitates
        ? [msg(str`It calls itself much like ${imitates}, but it is another, unknown token.`)]
        : []),
      value
        ? msg(
            str`Its own contract says that this is ${isolated(`${grouped(value)} ${symbol}`)}. Nobody we trust confirms it.`,
          )
        : msg('Nobody we trust says how many decimals it has, so its smallest units are shown.'),
    ].join(' '),
  }),
  'contract-creation': () => ({
    title: msg('This creates a contract'),
    text: msg('There is no recipient. The data below becomes a contract on the network.'),
  }),
  'unknown-call': () => ({
    title: msg('You cannot read this call'),
    text: msg('It could move anything this wallet lets it move.'),
    tick: msg('I understand the risk of a call I cannot read'),
  }),
  'simulation-unavailable': ({ reason }) => ({
    ...(reason === 'refused'
      ? {
          title: msg('This could not be tried'),
          text: msg('The node would not run it now, so nobody knows whether it fails or what it moves.'),
        }
      : {
          title: msg('Balance changes are not known'),
          text: msg('The node does not tell what this call moves.'),
        }),
    tick: risk(msg('nobody knows what this moves')),
  }),
  'trial-differs': () => ({
    title: msg('It can do something else than it shows'),
    text: msg('Two trial runs in different blocks came to different ends. What will happen is not known.'),
    tick: risk(msg('I could lose what this wallet holds')),
  }),
  'sponsor-declined': ({ host = '', reason = '' }) => ({
    title: msg('You pay the fee yourself'),
    text: msg(str`${host} does not pay it.`),
    ...(reason && { quote: { who: msg(str`The words of ${host}`), words: reason } }),
  }),
});
