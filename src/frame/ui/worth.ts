/** Amounts in the user's currency: always beside the coin, for reading only. */
import { html, type TemplateResult } from 'lit';
import type { Amount } from '../../chains/chain.ts';
import type { Network } from '../../chains/network.ts';
import { Prices, type Worth } from '../../prices/prices.ts';
import { isOld, minutesOld, type Rounding, worthText } from '../../prices/worth-text.ts';
import { numbers } from '../../ui/amount-text.ts';
import { msg, plural, str } from '../../ui/localize.ts';
import type { Reader } from '../frame.ts';

type Priced = Pick<Reader, 'networks' | 'clock'>;

const opened = new WeakMap<Priced, Prices | undefined>();

/** Undefined without a source, or with one that `networks.json` describes wrongly. */
export function pricesOf(frame: Priced): Prices | undefined {
  if (!opened.has(frame)) opened.set(frame, open(frame));
  return opened.get(frame);
}

function open({ networks, clock }: Priced): Prices | undefined {
  if (networks.fiat === undefined) return undefined;
  try {
    // Storage is read at each use: this throws where it is denied.
    const storage = {
      getItem: (key: string) => localStorage.getItem(key),
      setItem: (key: string, text: string) => localStorage.setItem(key, text),
    };
    return new Prices({ clock, entry: networks.fiat, storage, language: navigator.language });
  } catch {
    // The server of the frame refuses such a file; amounts stand without prices.
    return undefined;
  }
}

/** `price of 12 minutes ago`. */
export function ageText(worth: Pick<Worth, 'at'>, now: number): string {
  const minutes = minutesOld(worth, now);
  if (!minutes) return msg('price of this minute');
  return plural(minutes, msg('price of 1 minute ago'), msg(str`price of ${minutes} minutes ago`));
}

/** How a value is drawn. `says`: an old price says so in words; elsewhere in its title, and to screen readers. */
export interface Look {
  rounding: Rounding;
  now: number;
  says?: boolean;
}

export function worthOf(worth: Worth, { rounding, now, says = false }: Look): TemplateResult {
  const text = worthText(worth, rounding, numbers);
  const age = ageText(worth, now);
  if (!isOld(worth, now)) return html`<bdi dir="ltr" title=${age}>${text}</bdi>`;
  return says
    ? html`<bdi dir="ltr">${text}</bdi> · ${age}`
    : html`<bdi dir="ltr" title=${age}>${text}<span class="sr"> (${age})</span></bdi>`;
}

/** Draws what an amount on a network is worth, as of now. */
export type DrawWorth = (network: Network, amount: Amount) => TemplateResult | undefined;

const AGAIN = 60_000;

/**
 * Calls `show` with what draws values as prices come, once a minute, until `stop`: a new function each time, so that a view draws
 * again. `load` draws at once in a currency that was just chosen. Undefined without a source.
 */
export function watchWorth(
  frame: Priced,
  show: (draw: DrawWorth) => void,
): { load(): void; stop(): void } | undefined {
  const prices = pricesOf(frame);
  if (!prices) return undefined;
  let over = false;
  const draw = (): DrawWorth => (network, amount) => {
    const worth = amount.raw ? prices.worth(network, amount) : undefined;
    return worth && worthOf(worth, { rounding: 'down', now: frame.clock.date() });
  };
  const load = (): void => void prices.load().then(() => over || show(draw()));
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
