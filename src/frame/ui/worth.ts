/** Values in the user's currency: always next to the coin amount, for information only. */
import type { TemplateResult } from 'lit';
import type { Amount } from '../../chains/coin.ts';
import type { Clock } from '../../base/clock.ts';
import type { Network, Networks } from '../../chains/network.ts';
import { Prices } from '../../prices/prices.ts';
import { type Rounding, worthOf } from '../../ui/worth.ts';

interface Priced {
  readonly networks: Networks;
  readonly clock: Clock;
}

const pricesByFrame = new WeakMap<Priced, Prices | undefined>();

/** Undefined without a price source, or if its entry in `networks.json` is invalid. */
export function pricesOf(frame: Priced): Prices | undefined {
  if (!pricesByFrame.has(frame)) pricesByFrame.set(frame, open(frame));
  return pricesByFrame.get(frame);
}

function open({ networks, clock }: Priced): Prices | undefined {
  if (networks.fiat === undefined) return undefined;
  try {
    // Accessed on each use: this throws if storage is denied.
    const storage = {
      getItem: (key: string) => localStorage.getItem(key),
      setItem: (key: string, text: string) => localStorage.setItem(key, text),
    };
    return new Prices({ clock, entry: networks.fiat, storage, language: navigator.language });
  } catch {
    // The frame's server rejects such a file; here, amounts just have no prices.
    return undefined;
  }
}

/** Draws the current value of an amount on a network, as a holding unless it is rounded up. */
export type DrawWorth = (network: Network, amount: Amount, rounding?: Rounding) => TemplateResult | undefined;

/** Draws with the prices as they are when it is called. Undefined without a price source. */
export function drawWorth(frame: Priced): DrawWorth | undefined {
  const prices = pricesOf(frame);
  return (
    prices &&
    ((network, amount, rounding = 'down') => {
      const worth = amount.raw ? prices.worth(network, amount) : undefined;
      return worth && worthOf(worth, { rounding, now: frame.clock.date() });
    })
  );
}

const AGAIN = 60_000;

/**
 * Calls `show` with a function that draws values, once prices are loaded and then every minute, until `stop`. It is a new function each
 * time, so that views rerender. `load` redraws at once, in a currency just chosen. Undefined without a price source.
 */
export function watchWorth(
  frame: Priced,
  show: (draw: DrawWorth) => void,
): { load(): void; stop(): void } | undefined {
  const prices = pricesOf(frame);
  if (!prices) return undefined;
  let over = false;
  const load = (): void => void prices.load().then(() => over || show(drawWorth(frame)!));
  load();
  const stop = frame.clock.every(AGAIN, load);
  return {
    load,
    stop() {
      over = true;
      stop();
    },
  };
}
