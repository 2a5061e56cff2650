import { html, type TemplateResult } from 'lit';
import { roundAmount } from '../chains/amount.ts';

/** With thousands apart, every digit kept: `1802.11` is `1,802.11`. For people only. */
export const grouped = (figure: string): string =>
  figure.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(...)+$)/g, ','));

/** A balance for display, rounded down: `1.284`. */
export const balanceText = (rawBalance: string, decimals: number, places = 4): string =>
  grouped(roundAmount(BigInt(rawBalance), decimals, 'down', places));

/** An amount inside other text stays left to right: `1.284 ETH`. */
export const amountText = (text: string): TemplateResult => html`<bdi dir="ltr">${text}</bdi>`;

interface Balance {
  rawBalance: string;
  decimals: number;
  symbol: string | null;
}

/** `1.284 ETH`. */
export const nativeText = ({ rawBalance, decimals, symbol }: Balance): TemplateResult =>
  amountText(`${balanceText(rawBalance, decimals)} ${symbol ?? ''}`.trim());
