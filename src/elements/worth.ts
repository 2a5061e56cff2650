/**
 * The fiat value next to an amount. Loaded once an element shows an amount. Prices come from the wallet's own source: the page asks nobody
 * else, and learns only a price list.
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { Connect } from '../actions/types.ts';
import type { AssetPrices, Worth } from '../prices/prices.ts';
import { type Look, type Rounding, worthOf } from '../ui/worth.ts';
import type { Asset } from '../ui/assets.ts';
import type { ConnectElement } from './connect-element.ts';

/** Prices are refreshed at this interval while something shows them. */
const AGAIN_MS = 60_000;
/** Prices older than this are not shown. */
const STALE_MS = 3_600_000;

export type Priced = ConnectElement & { currency: string | undefined; network: string | undefined };

/** A wallet, on a network that the user chose or on its default one. The page's choice for the element goes before both. */
export interface Place {
  id: string;
  network?: string | undefined;
}

export type Money = Pick<Asset, 'address' | 'symbol' | 'decimals' | 'raw'>;

interface Known {
  connect: Connect;
  currency: string | undefined;
  asked: number;
  list?: AssetPrices | null | undefined;
}

/** By element, then by wallet id and network, the prices of that network's assets. */
const pricesByPlace = new WeakMap<Priced, Map<string, Known>>();
const redrawHosts = new WeakSet<Priced>();

/** Undefined without a price from the last hour. Requests prices when needed, and redraws the element once they arrive. */
export function valueOf(
  host: Priced,
  place: Place,
  { address = '', symbol, decimals, raw }: Money,
): Worth | undefined {
  if (!raw || decimals === null) return undefined;
  const list = listOf(host, place);
  const price = list?.prices.find((each) =>
    address ? each.tokenAddress.toLowerCase() === address.toLowerCase() : isCoin(each, symbol),
  );
  // A price from the future means that one of the clocks is wrong, so its age is unknown.
  if (!price || Math.abs(Date.now() - price.at) > STALE_MS) return undefined;
  return { value: (Number(raw) / 10 ** decimals) * price.price, currency: list!.currency, at: price.at };
}

const isCoin = (price: AssetPrices['prices'][number], symbol: string): boolean =>
  !price.tokenAddress && price.symbol === symbol;

/** `$612.50`, with the age of an old price. Nothing without a price. */
export function worth(
  host: Priced,
  place: Place | undefined,
  amount: Money | undefined,
  rounding: Rounding = 'down',
  says: Look['says'] = 'briefly',
): TemplateResult | typeof nothing {
  const value = place && amount && valueOf(host, place, amount);
  return value
    ? html`<span class="worth num">${worthOf(value, { rounding, now: Date.now(), says })}</span>`
    : nothing;
}

function listOf(host: Priced, { id, network: own }: Place): AssetPrices | null | undefined {
  const { current: connect } = host;
  const network = host.network || own;
  const key = `${id} ${network}`;
  const currency = host.currency?.toUpperCase() || undefined;
  const all = pricesByPlace.get(host) ?? new Map<string, Known>();
  pricesByPlace.set(host, all);
  let one = all.get(key);
  if (one?.connect !== connect || one.currency !== currency) {
    one = { connect, currency, asked: Number.NEGATIVE_INFINITY };
    all.set(key, one);
  }
  if (Date.now() - one.asked >= AGAIN_MS && !document.hidden) void ask(host, { id, network }, one);
  again(host);
  return one.list;
}

async function ask(host: Priced, { id, network }: Place, one: Known): Promise<void> {
  one.asked = Date.now();
  try {
    const list = await one.connect.prices(id, one.currency, network ? { network } : {});
    // A wallet of another version may answer in another format.
    one.list = Array.isArray(list?.prices) ? list : null;
  } catch (error) {
    // The last prices stay until they are stale. An unsupported currency is a mistake of the page, in this element or its connect.
    const { message } = error as Error;
    if (/\bcurrency\b/.test(message)) warn(host, message);
  }
  host.requestUpdate();
}

let lastWarning = '';

function warn(host: Priced, message: string): void {
  if (lastWarning === message) return;
  lastWarning = message;
  // oxlint-disable-next-line no-console -- a development warning that names the field
  console.warn(`<${host.localName}>: amounts are shown without their value. ${message}`);
}

/** Redraws the element later, which refreshes the prices if it still shows amounts. */
function again(host: Priced): void {
  if (redrawHosts.has(host)) return;
  redrawHosts.add(host);
  setTimeout(() => {
    redrawHosts.delete(host);
    if (host.isConnected) host.requestUpdate();
  }, AGAIN_MS);
}
