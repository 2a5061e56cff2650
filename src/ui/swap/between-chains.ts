/**
 * A swap to another chain: who receives it, how long it takes, what it costs, and what can happen to the coins meanwhile. Loaded with the first
 * one; nothing is reviewed before it is there.
 */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { ExchangeRates } from '../../api/swap.ts';
import type { Wallet } from '../../api/wallet.ts';
import { msg, str } from '../../base/localize.ts';
import { CHAIN_NAMES } from '../../chains/secret-type.ts';
import { amountText } from '../amount-text.ts';
import { icon, iconCaution } from '../icons.ts';
import { WalletPicker } from '../wallet-picker.ts';
import { amountLabel, impactText } from './swap-fields.ts';
import { aboutMinutes } from './swap-offers.ts';
import { whyUnavailable } from './swap-problem.ts';
import type { Between, CrossChainRate, SwapSource } from './swap-source.ts';

/** Reasons for which the user can choose something else. */
const MENDABLE = /^(?:dust|below-minimum|fees-exceed-output|pool|contract)$/;

export class BetweenChains implements Between {
  readonly #receiver: WalletPicker;

  constructor(private readonly source: SwapSource) {
    this.#receiver = new WalletPicker(source.host, 'receiver');
  }

  receiver(): TemplateResult {
    const { destinations, fields, host, ways } = this.source;
    const { destination, outputChain } = fields;
    if (!destination) {
      const chain = CHAIN_NAMES[outputChain!];
      return html`<div class="to-link"><p class="sm">${msg(str`You need a ${chain} wallet to receive it.`)}</p>${ways.linkTo(outputChain!)}</div>`;
    }
    const items = host.destinationWalletId === destination.id ? [] : destinations;
    const choose = (wallet: Wallet): void => void (fields.destination = wallet);
    return html`<div class="receiver">${this.#receiver.render(msg('Receive in'), items, destination, choose)}<p class="addr whole" translate="no">${destination.address}</p></div>`;
  }

  totals(rate: CrossChainRate, networkFee: unknown, price: unknown): TemplateResult {
    const { exchange, outputDecimals, priceImpact = 0, crossChain } = rate;
    const { liquidityFee, outboundFee, rawMinimumOutput, seconds } = crossChain;
    const symbol = this.source.fields.asset('to')?.symbol ?? outboundFee.symbol;
    const least = amountLabel(BigInt(rawMinimumOutput), outputDecimals!, symbol, 'down');
    return html`<dl class="kv"><div><dt>${msg('You get at least')}</dt><dd>${amountText(least)}</dd></div
      ><div><dt>${msg('Route')}</dt><dd>${exchange}</dd></div
      ><div><dt>${msg('It takes')}</dt><dd>${aboutMinutes(seconds)}</dd></div
      ><div><dt>${msg('Network fee')}</dt><dd>${networkFee}</dd></div
      ><div><dt>${msg('Exchange fee, included')}</dt><dd>${amountText(moneyText(liquidityFee))}</dd></div
      ><div><dt>${msg('Payout fee, included')}</dt><dd>${amountText(moneyText(outboundFee))}</dd></div
      ><div><dt>${msg('Price impact')}</dt><dd>${impactText(priceImpact)}</dd></div
      ><div><dt>${msg('Rate')}</dt><dd>${price}</dd></div></dl>
      <div class="alert caution">${icon(iconCaution())}<div class="grow"><p>${riskOf(rate)}</p></div></div>`;
  }

  unavailable({ noRates = [] }: ExchangeRates): TemplateResult | typeof nothing {
    const reason = noRates.find(({ code }) => code.endsWith('.unavailable'));
    if (!reason) return nothing;
    const { exchange, details, message } = reason;
    return html`<div class="alert caution" role="status">${icon(iconCaution())}<div class="grow"><b>${msg('Not available now')}</b
      ><details ?open=${MENDABLE.test(details?.reason ?? '')}><summary>${msg('Details')}</summary><p><bdi>${exchange}</bdi>: ${whyUnavailable(details?.reason)}</p><p class="muted" lang="en">${message}</p></details></div></div>`;
  }
}

/** What comes back is at most this, if fees stay as they are. */
function riskOf({ exchange, inputDecimals, rawInputAmount, crossChain }: CrossChainRate): string {
  const { symbol, rawAmount } = crossChain.refundFee;
  const rest = BigInt(rawInputAmount!) - BigInt(rawAmount);
  const back = amountLabel(rest > 0n ? rest : 0n, inputDecimals!, symbol, 'down');
  return msg(
    str`Validators of ${exchange} hold the coins until they pay out. It cannot be cancelled. If it fails, about ${back} comes back.`,
  );
}

function moneyText({ decimals, rawAmount, symbol }: CrossChainRate['crossChain']['outboundFee']): string {
  return amountLabel(BigInt(rawAmount), decimals, symbol, 'up');
}

/** Need `formStyles`. */
export const betweenChainsStyles = css`
  .receiver, .to-link { display: grid; gap: var(--_s2); }
  .receiver > .whole { padding-inline: var(--_s3); }
  .addr.whole { color: var(--_text-2); white-space: normal; overflow-wrap: anywhere; text-align: start; }
  .alert details { margin-block-start: 2px; }
  .alert summary { min-block-size: 24px; color: var(--_text-2); cursor: pointer; }
`;
