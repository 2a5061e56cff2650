import { css, html, nothing, type TemplateResult } from 'lit';
import type { NativeBalance } from '../../api/wallet.ts';
import type { Amount } from '../../chains/coin.ts';
import { networksOf } from '../../chains/nodes/networks.ts';
import type { Network } from '../../chains/network.ts';
import { coinOf, gasCoinOf } from '../../chains/secret-type.ts';
import { rowAmount } from '../../ui/amount-text.ts';
import type { HeldWallet } from '../../wallets/types.ts';
import type { Reader } from '../frame.ts';
import { hidesBalances, unlessHidden } from '../ui/hidden-balances.ts';

/** How many networks or wallets are read at a time, each by a few requests to nodes of its own. */
const AT_ONCE = 6;

/**
 * Runs `read` for each network, or place on one, in order, at most `AT_ONCE` at a time. Resolves once all are done; `read` deals with its
 * own failures.
 *
 * @example await onEach(networksOf(frame.networks, wallet), (network) => readHoldingsOn(network));
 */
export async function onEach<T>(places: readonly T[], read: (place: T) => Promise<void>): Promise<void> {
  const left = [...places];
  const work = async (): Promise<void> => {
    for (let place = left.shift(); place; place = left.shift()) await read(place);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, left.length) }, work));
}

/** How many balances a list asks for at once. */
export const PAGE = 50;

/** By wallet id. */
export type Balances = ReadonlyMap<string, Holding>;

/**
 * Reads the balances of the first `PAGE` wallets, each on one network: its default one, or `networkId` if it is on that. Calls `show` as
 * answers arrive. A wallet whose node does not answer is omitted.
 */
export async function loadBalances(
  frame: Reader,
  wallets: readonly HeldWallet[],
  show: (balances: Balances) => void,
  networkId?: string,
): Promise<void> {
  const balances = new Map<string, Holding>();
  await Promise.all(
    wallets.slice(0, PAGE).map(async (wallet) => {
      try {
        const networks = networksOf(frame.networks, wallet);
        const network = networks.find(({ id }) => id === networkId) ?? networks[0];
        if (!network) return;
        const chain = await frame.chain(wallet.secretType);
        balances.set(wallet.id, holdingOf(network, await chain.balance(wallet.address, chain.node(network))));
        show(new Map(balances));
      } catch {
        // Better no figure than a wrong one.
      }
    }),
  );
}

function holdingOf(network: Network, { rawBalance, rawGasBalance }: NativeBalance): Holding {
  const [coin, gasCoin] = [coinOf(network), gasCoinOf(network)];
  return {
    coin: { ...coin, raw: BigInt(rawBalance) },
    ...(gasCoin.symbol !== coin.symbol && { gas: { ...gasCoin, raw: BigInt(rawGasBalance) } }),
  };
}

// A wallet's balance, shown next to its name.

export const holdingStyles = css`
  .held { text-align: end; line-height: 1.3; }
  .held > * { display: block; }
`;

/** The value of an amount in the user's currency, drawn below it if there is a price. */
type WorthOf = (amount: Amount) => TemplateResult | undefined;

export interface Holding {
  coin: Amount;
  /** If fees are paid in another coin. */
  gas?: Amount | undefined;
}

/** `1.2840 ETH`, rounded down: enough to recognise the wallet. */
export function rounded(held: Amount): TemplateResult {
  return unlessHidden(() => rowAmount(held, held.symbol));
}

/** At the end of a row, with the coin for fees below. Needs `holdingStyles`. */
export function holding(held: Holding | undefined, worthOf?: WorthOf): TemplateResult | typeof nothing {
  if (!held) return nothing;
  const { coin, gas } = held;
  const worth = hidesBalances() ? undefined : worthOf?.(coin);
  return html`<span class="num sm held"><span class="strong">${rounded(coin)}</span>${worth ? html`<span class="muted">${worth}</span>` : nothing}${gas ? html`<span class="muted">${rounded(gas)}</span>` : nothing}</span>`;
}
