/** Draws a swap's terms: output, recipient, deadline. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../../api/wallet.ts';
import type { Part, Summary } from '../../../chains/approval/summary.ts';
import { language, msg, str } from '../../../base/localize.ts';
import { amountText, money } from '../../ui/amount.ts';
import { kv } from '../../ui/kv.ts';
import { counterpart, party } from './blocks.ts';

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
  if (!swap || (!isClause && part.parts)) return nothing;
  const { orderType, output, recipient, deadline } = swap;
  const same = (address: string) => address.toLowerCase() === recipient.toLowerCase();
  const mine = own.find(({ address }) => same(address));
  // If the swap is the whole transaction, the effect and the footer say the sentence already.
  return html`<section class="stack tight">
    ${isClause ? html`<p class="strong">${sentence(part)}</p>` : nothing}
    <div class="card to">
      ${same(wallet.address) ? nothing : html`<dl>${party(msg('Receives it'), counterpart(recipient, mine?.alias), true)}</dl>`}
      <div class="call">${kv([
        {
          term: orderType === 'SELL' ? msg('You get at least') : msg('You get exactly'),
          value: money(output),
        },
        { term: msg('Good until'), value: until(deadline) },
      ])}</div>
    </div>
  </section>`;
}

/** A deadline beyond any date means none. */
function until(deadline: bigint): unknown {
  const date = new Date(Number(deadline) * 1000);
  if (Number.isNaN(date.getTime())) return msg('no end');
  return html`<time datetime=${date.toISOString()}>${date.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })}</time>`;
}
