/** Draws an order to swap between chains, and has the words of the warnings about it. */
import { html, nothing, type TemplateResult } from 'lit';
import { msg, plural, str } from '../../../base/localize.ts';
import type { CrossChainOrder, Summary } from '../../../chains/approval/summary.ts';
import type { Amount } from '../../../chains/coin.ts';
import { shortText } from '../../../ui/address.ts';
import { isolated } from '../../../ui/text.ts';
import { amountText, feeText, money } from '../../ui/amount.ts';
import { kv, type Row } from '../../ui/kv.ts';
import { counterpart, party } from './blocks.ts';
import { unlike } from './summary.ts';
import { type CrossChainWords, risk } from './warnings.ts';

const text = (amount: Amount | undefined): string => (amount ? isolated(amountText(amount)) : '');
const couldLose = (): string => risk(msg('I could lose what I pay'));

export const crossChainWords: CrossChainWords = {
  'order-unchecked': () => ({
    title: msg('This swap between chains cannot be checked'),
    text: msg(
      'No source is listed here that could say whether the address still takes coins. If it does not, they are lost.',
    ),
    tick: couldLose(),
  }),
  'order-unreadable': () => ({
    title: msg('You cannot read this order'),
    text: msg(
      'It asks for a swap between chains in words that make no sense. At best the coins come back, less a fee.',
    ),
    tick: couldLose(),
  }),
  'order-no-limit': () => ({
    title: msg('It accepts any price'),
    text: msg('The order has no least amount. You could get next to nothing for what you pay.'),
    tick: couldLose(),
  }),
  'order-low-limit': ({ percent = '' }, _summary, amount) => ({
    title: msg(str`It accepts ${percent} less than today’s price`),
    text: msg(str`Today it would bring you about ${text(amount)}. The order accepts far less.`),
    tick: risk(msg('I could get only the least amount')),
  }),
  'order-high-limit': () => ({
    title: msg('It will probably come back'),
    text: msg('The order asks for more than today’s price, and each attempt costs the fee of a refund.'),
  }),
  'order-refund': ({ address = '' }) => ({
    title: msg('A refund would go to somebody else'),
    text: msg(str`If the swap fails, your coins go to ${address}, which is not one of your wallets.`),
    tick: couldLose(),
  }),
  'order-old-allowance': ({ spender = '' }, _summary, amount) => ({
    title: msg('An older contract may still take tokens'),
    text: msg(str`${spender} may take ${text(amount)}. This swap does not need that: take it back.`),
  }),
  'order-affiliates': ({ names = '', share = '' }) => ({
    title: msg(str`Others get ${share} of it`),
    text: msg(str`${names} gets ${share} of what you buy.`),
    tick: risk(msg(str`I give ${share} away`)),
  }),
  'order-streaming': () => ({
    title: msg('It is swapped in parts'),
    text: msg(
      'That can take up to a day. Each part has a price of its own, and some may come back, each less a fee.',
    ),
    tick: risk(msg('only a part may be swapped')),
  }),
};

/** `to Main wallet`, below the effect. */
export function payee({ crossChain }: Pick<Summary, 'crossChain'>): TemplateResult | undefined {
  const outlook = crossChain?.outlook;
  if (!outlook) return undefined;
  const { recipient, recipientAlias } = outlook;
  const name = html`<b>${recipientAlias ?? shortText(recipient)}</b>`;
  return html`<span class="block sm muted">${msg(html`to ${name}`)}</span>`;
}

/** Who receives what, what it costs, and what happens meanwhile. Needs `callStyles`. */
export function orderTerms(
  { crossChain, swap, warnings }: Pick<Summary, 'crossChain' | 'swap' | 'warnings'>,
  until: (deadline: bigint) => unknown,
): TemplateResult | typeof nothing {
  if (!crossChain) return nothing;
  const { outlook } = crossChain;
  return html`<section class="stack tight">
    ${
      outlook
        ? html`<div class="card to">
            <dl>${party(
              msg(str`Receives it on ${outlook.networkName}`),
              counterpart(outlook.recipient, outlook.recipientAlias, unlike(outlook.recipient, warnings)),
              true,
            )}</dl>
            <div class="call">${kv(rows(outlook, swap?.deadline, until))}</div>
          </div>`
        : nothing
    }
    <p class="sm">${meanwhile(crossChain)}</p>
  </section>`;
}

function rows(
  { minimum, expected, seconds, liquidityFee, outboundFee }: NonNullable<CrossChainOrder['outlook']>,
  deadline: bigint | undefined,
  until: (deadline: bigint) => unknown,
): Row[] {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return [
    { term: msg('You get at least'), value: money(minimum) },
    { term: msg('About, at today’s price'), value: money(expected) },
    { term: msg('Takes about'), value: plural(minutes, msg('1 minute'), msg(str`${minutes} minutes`)) },
    { term: msg('Exchange fee'), value: feeText(liquidityFee) },
    { term: msg('Payout fee'), value: feeText(outboundFee) },
    ...(deadline === undefined ? [] : [{ term: msg('Good until'), value: until(deadline) }]),
  ];
}

function meanwhile({ exchange, input, outlook }: CrossChainOrder): unknown {
  const name = exchange ?? msg('the exchange');
  if (!outlook)
    return msg(str`The validators of ${name} hold the coins until they pay out, and it cannot be cancelled.`);
  const back = input.raw - outlook.refundFee.raw;
  if (back <= 0n)
    return msg(
      str`The validators of ${name} hold the coins until they pay out, and it cannot be cancelled. If it fails, nothing comes back.`,
    );
  return msg(
    html`The validators of ${name} hold the coins until they pay out, and it cannot be cancelled. If it fails, about ${money({ ...input, raw: back })} comes back.`,
  );
}
