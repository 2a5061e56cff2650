/** What an order gives, compared with what it gets: by prices, else by the rate of an exchange that the operator lists. Loaded with the first order. */
import type { Bargain } from '../../chains/approval/signing.ts';
import { formatAmount } from '../../base/amount.ts';
import type { Amount } from '../../chains/coin.ts';
import { listedToken } from '../../chains/contracts/listed-token.ts';
import type { Network } from '../../chains/network.ts';
import { isCustom } from '../../chains/nodes/networks.ts';
import { type Reach, swapRates } from '../../swaps/index.ts';
import type { Frame } from '../frame.ts';
import { pricesOf } from '../ui/worth.ts';

/** Prices that take longer are not waited for. */
const PATIENCE = 3000;
/** Percent by which the order would move the price: from here on the exchange is too small to tell one. */
const MAX_IMPACT = 10;

/** Undefined where nobody knows a price of both. */
export async function compareWorth(
  frame: Pick<Frame, 'networks' | 'clock'>,
  reach: Reach,
  gives: readonly Amount[],
  gets: readonly Amount[],
): Promise<Bargain | undefined> {
  const { network } = reach.node;
  // Behind a node that the site chose, anything could be called by any name.
  if (isCustom(network)) return undefined;
  return (
    againstItself(gives, gets) ??
    (await byPrices(frame, network, gives, gets)) ??
    (await byExchange(reach, gives, gets))
  );
}

/** Of one asset against itself nothing is fair but all of it. */
function againstItself(gives: readonly Amount[], gets: readonly Amount[]): Bargain | undefined {
  const [given, ...more] = [...gives, ...gets];
  const isSame = (one: Amount) =>
    one.token?.toLowerCase() === given!.token?.toLowerCase() && one.symbol === given!.symbol;
  if (!gets.length || !more.every(isSame)) return undefined;
  const sum = (amounts: readonly Amount[]) => amounts.reduce((all, { raw }) => all + raw, 0n);
  return sum(gets) < sum(gives) ? 'poor' : 'fair';
}

async function byPrices(
  frame: Pick<Frame, 'networks' | 'clock'>,
  network: Network,
  gives: readonly Amount[],
  gets: readonly Amount[],
): Promise<Bargain | undefined> {
  const prices = pricesOf(frame);
  if (!prices) return undefined;
  await new Promise<void>((resolve) => {
    const stop = frame.clock.after(PATIENCE, resolve, 'limit');
    void prices.load().then(() => (stop(), resolve()));
  });
  const [given, received] = [prices.sum(network, gives), prices.sum(network, gets)];
  return given && received && (received.value * 2 < given.value ? 'poor' : 'fair');
}

async function byExchange(
  reach: Reach,
  gives: readonly Amount[],
  gets: readonly Amount[],
): Promise<Bargain | undefined> {
  const { chain, node } = reach;
  const [given, received] = [gives[0], gets[0]];
  if (!given || !received || gives.length > 1 || gets.length > 1) return undefined;
  if (!isListed(node.network, given) || !isListed(node.network, received)) return undefined;
  const { secretType } = chain;
  const query = {
    fromSecretType: secretType as 'ETHEREUM',
    toSecretType: secretType as 'ETHEREUM',
    fromToken: given.token ?? '',
    toToken: received.token ?? '',
    amount: formatAmount(given.raw, given.decimals!),
    orderType: 'SELL' as const,
  };
  const { bestRate } = await swapRates(query, () => reach).catch(() => ({ bestRate: null }));
  const { rawOutputAmount, priceImpact = 0 } = bestRate ?? {};
  if (rawOutputAmount === undefined || priceImpact > MAX_IMPACT) return undefined;
  return received.raw * 2n < BigInt(rawOutputAmount) ? 'poor' : 'fair';
}

/** The coin, or a token with the decimals and the symbol that the operator's list has for it: no item of a collection. */
function isListed({ tokens }: Network, { token, decimals, symbol }: Amount): boolean {
  if (token === undefined) return decimals !== null;
  const listed = listedToken(tokens, token);
  return listed !== undefined && listed.decimals === decimals && listed.symbol === symbol;
}
