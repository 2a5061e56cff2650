/**
 * The value of a transaction: on its approval, at its end and in the activity. Loaded if `networks.json` names a price source. Nothing that
 * is signed depends on it.
 */
import { css, html, type LitElement } from 'lit';
import { msg } from '../../base/localize.ts';
import type { Summary } from '../../chains/approval/summary.ts';
import type { Amount } from '../../chains/coin.ts';
import type { Network } from '../../chains/network.ts';
import { isCustom } from '../../chains/nodes/networks.ts';
import { NO_CURRENCY } from '../../prices/no-currency.ts';
import { priceKey } from '../../prices/price-key.ts';
import { worthOf } from '../../ui/worth.ts';
import type { PastWorth } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { Lines } from '../ui/consent-view.ts';
import { type DrawWorth, drawWorth, pricesOf } from '../ui/worth.ts';
import { tokensOf, type WorthDrawing } from './drawing/summary.ts';
import type { Outgoing } from './outcome/delivery.ts';

const AGAIN = 60_000;

export interface ApprovalWorth extends WorthDrawing {
  /** Reads no more prices. */
  stop(): void;
}

/** For `view`, which is drawn again with new prices until `stop`. */
export function worthOnApproval(
  frame: Pick<Frame, 'networks' | 'clock'>,
  network: Network,
  view: LitElement,
): ApprovalWorth | undefined {
  const prices = pricesOf(frame);
  // A node chosen by the site can claim to be any chain; its coin may be worthless.
  if (!prices || isCustom(network)) return undefined;
  const note: WorthDrawing['note'] = (amount, effect) => {
    const worth = amount.raw ? prices.worth(network, amount) : undefined;
    const now = frame.clock.date();
    if (worth) return worthOf(worth, { rounding: 'up', now, says: effect ? true : 'briefly' });
    // Reserves the line, so that the heading does not move when the price arrives.
    const priced = prices.currency !== NO_CURRENCY && priceKey(network, amount) !== undefined;
    return effect && amount.raw && priced ? '\u00a0' : undefined;
  };
  const linesWithWorth: WorthDrawing['lines'] = (summary, lines) => {
    const leaving = leavingOf(summary);
    const worth = leaving.length ? prices.sum(network, leaving) : undefined;
    if (!worth) return lines;
    const text = worthOf(worth, { rounding: 'up', now: frame.clock.date(), says: false });
    const several = new Set(leaving.map(({ symbol }) => symbol)).size > 1;
    // A swap's minimum output stays in place; the values of its input and fees are next to them.
    return several && summary.swap ? lines : withWorth(lines, text, several);
  };
  const load = (): void => void prices.load().then(() => view.requestUpdate());
  load();
  const stop = frame.clock.every(AGAIN, load);
  view.addEventListener('cbf-settings-closed', load);
  return {
    styles: css`.sum .total .faint { font-weight: 400; font-size: var(--_fs-sm); white-space: nowrap; }`,
    note,
    lines: linesWithWorth,
    stop() {
      stop();
      view.removeEventListener('cbf-settings-closed', load);
    },
  };
}

/** Next to the total; with several assets in the first line, because the second is then full. */
function withWorth([first, total]: Lines, text: unknown, several: boolean): Lines {
  if (!several || first.risk)
    return [first, { ...total, value: html`${total.value} <span class="faint">${text}</span>` }];
  return [{ ...first, value: html`${text} ${msg('with the fee')}` }, total];
}

/** The maximum that can leave the wallet, fee included. */
function leavingOf(summary: Summary): Amount[] {
  const {
    total,
    fee: { maximum },
  } = summary;
  // The total includes the fee if both are in the same coin.
  const fee = maximum.symbol === total.symbol ? [] : [maximum];
  return [...tokensOf(summary), total, ...fee].filter(({ raw }) => raw);
}

/** Undefined without prices; a node chosen by the site can claim to be any chain, and its coin may be worthless. */
export function worthAtEnd(frame: Frame, network: Network): DrawWorth | undefined {
  return isCustom(network) ? undefined : drawWorth(frame);
}

/** Records the values at the time. */
export async function noteWorth(frame: Frame, { vault, node, summary, signed }: Outgoing): Promise<void> {
  const prices = pricesOf(frame);
  if (!prices || !summary || isCustom(node.network)) return;
  await prices.load();
  const past = (amount: Amount): PastWorth | undefined => {
    const worth = amount.raw ? prices.worth(node.network, amount) : undefined;
    return worth && { value: worth.value, currency: worth.currency };
  };
  const { kind, amount, swap, fee } = summary;
  const worth = kind === 'approval' ? undefined : past(swap?.input ?? amount);
  const feeWorth = past(fee.maximum);
  if (!worth && !feeWorth) return;
  await vault.activity.setReceipt(signed.hash, { ...(worth && { worth }), ...(feeWorth && { feeWorth }) });
}
