/** THORChain as an exchange between chains: its offers as rates, and the requests that send coins to it. */
import type { ConnectError } from '../../../base/errors.ts';
import { checksum } from '../../../chains/contracts/evm-address.ts';
import type { Network } from '../../../chains/network.ts';
import type { NativeTransaction } from '../../../chains/requests.ts';
import { CARDS, coinOf } from '../../../chains/secret-type.ts';
import { explain, swapError } from '../../failures.ts';
import { percentOf } from '../../percent.ts';
import type {
  BothReaches,
  ChainAsset,
  CrossChainExchange,
  CrossChainOptions,
  CrossChainOrder,
  CrossChainQuestion,
  CrossChainQuote,
} from '../exchange.ts';
import { chainOf, fromThor, NotAvailable, THOR_DECIMALS, toThor } from './assets.ts';
import { checkAtTwoNodes, requireFresh } from './check.ts';
import type { ThorchainEntry } from './entry.ts';
import { depositSteps, requireNoCode } from './ethereum.ts';
import { ThorNodes } from './nodes.ts';
import { isSameAddress, type Offer, Offers } from './offer.ts';

/** Its blocks: a swap is in the one after the deposit counts. */
const BLOCK_S = 6;
/** Of a deposit of ETH, and of a token. */
const COIN_GAS = 45_000n;
const TOKEN_GAS = 90_000n;

export function exchangeOf(
  entry: ThorchainEntry,
  networks: readonly Network[],
  options: CrossChainOptions,
): CrossChainExchange {
  return new Thorchain(entry, networks, options);
}

/** The error of a swap that is not available, as callers get it. */
export function unavailable(exchange: string, { reason, message, cause }: NotAvailable): ConnectError {
  return swapError(exchange, 'unavailable', message, { reason }, cause);
}

interface NamedAsset extends ChainAsset {
  /** THORChain's name of it. */
  name: string;
}

class Thorchain implements CrossChainExchange {
  readonly name: string;
  readonly decimals = THOR_DECIMALS;
  readonly #routers: ThorchainEntry['routers'];
  readonly #assets: readonly NamedAsset[];
  readonly #nodes: ThorNodes;
  readonly #offers: Offers;

  constructor(entry: ThorchainEntry, networks: readonly Network[], options: CrossChainOptions) {
    this.name = entry.name;
    this.#routers = entry.routers;
    this.#assets = entry.assets.flatMap((asset) => namedAsset(asset, networks));
    this.#nodes = new ThorNodes(entry, options);
    this.#offers = new Offers(this.#nodes);
  }

  pairs(network: string): [ChainAsset, ChainAsset][] {
    const here = this.#assets.filter((asset) => asset.network === network);
    const abroad = this.#assets.filter((asset) => asset.network !== network);
    return here.flatMap((from) => abroad.map((to): [ChainAsset, ChainAsset] => [from, to]));
  }

  rate({ from, to, amount, slippage }: CrossChainQuestion): Promise<CrossChainQuote> {
    return this.#orUnavailable(async () => {
      const { price, limit, refundFee, seconds } = await this.#offers.estimate({
        from: this.#nameOf(from),
        to: this.#nameOf(to),
        amount: toThor(amount, from.decimals),
        slippage,
      });
      const { output, gross, liquidityFee, outboundFee, ideal } = price;
      const beforeFees = gross + liquidityFee;
      return {
        output: fromThor(output, to.decimals),
        minimum: fromThor(limit, to.decimals),
        liquidityFee: fromThor(liquidityFee, to.decimals),
        outboundFee: fromThor(outboundFee, to.decimals),
        refundFee: fromThor(refundFee, from.decimals),
        fee: percentOf(liquidityFee, beforeFees),
        priceImpact: percentOf(ideal - beforeFees, ideal),
        seconds: seconds.inbound + BLOCK_S + seconds.outbound,
        ...(from.secretType === 'ETHEREUM' && { gas: from.address === '' ? COIN_GAS : TOKEN_GAS }),
      };
    });
  }

  create(order: CrossChainOrder, reaches: BothReaches): Promise<NativeTransaction[]> {
    return this.#orUnavailable(async () => {
      const { from, to, amount, slippage, recipient, least } = order;
      const toName = this.#nameOf(to);
      const offer = await this.#offers.offer({
        from: this.#nameOf(from),
        to: toName,
        amount: toThor(amount, from.decimals),
        slippage,
        recipient: chainOf(toName)!.readAddress(recipient),
        least: least === undefined ? undefined : atLeast(least, to.decimals),
      });
      this.#requirePrice(offer);
      const { source, target } = reaches;
      if (!source.chain.isAddress(offer.vault, source.node.network.kind))
        throw new NotAvailable('vault', 'The nodes name no address of the chain to send to.');
      const [checked, requests] = await Promise.all([
        checkAtTwoNodes(offer, this.#nodes, this.#routers),
        this.#requests(order, offer, source),
        to.secretType === 'ETHEREUM' && requireNoCode(recipient, target.node),
      ]);
      requireFresh(checked, this.#nodes.clock.date());
      return requests;
    });
  }

  /** Throws `swap.<dex>.get-price.failed` if less comes out than was seen before. */
  #requirePrice({ price, limit }: Offer): void {
    if (price.output >= limit) return;
    const details = { reason: 'moved', limit: limit.toString(), now: price.output.toString() };
    throw swapError(this.name, 'get-price.failed', explain('INSUFFICIENT_OUTPUT_AMOUNT'), details);
  }

  /** As each chain carries the memo. */
  async #requests(
    { from, amount, walletId, sender }: CrossChainOrder,
    offer: Offer,
    { node }: BothReaches['source'],
  ): Promise<NativeTransaction[]> {
    const { vault: to, memo } = offer;
    const value = amount.toString();
    if (from.secretType === 'ETHEREUM') {
      const routers = this.#routers.filter(({ network }) => network === from.network);
      const steps = await depositSteps(
        { name: this.name, offer, token: from, amount, sender, routers },
        node,
      );
      return steps.map((step) => ({
        type: 'ETH_TRANSACTION',
        walletId,
        to: checksum(step.to),
        value: step.value.toString(),
        data: step.data,
      }));
    }
    if (from.address !== '')
      return [{ type: 'TRC10_TRANSACTION', walletId, to, value, token: from.address, memo }];
    // The card's first type is the one that sends the coin.
    const [type] = CARDS[from.secretType].transactions;
    return [{ type, walletId, to, value, data: memo } as NativeTransaction];
  }

  #nameOf({ network, address }: ChainAsset): string {
    return this.#assets.find((asset) => asset.network === network && asset.address === address)!.name;
  }

  async #orUnavailable<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof NotAvailable ? unavailable(this.name, error) : error;
    }
  }
}

/** Nothing on a network without nodes. */
function namedAsset(
  { network: id, token, name }: ThorchainEntry['assets'][number],
  networks: readonly Network[],
): NamedAsset[] {
  const network = networks.find((each) => each.id === id);
  if (!network) return [];
  const place = { name, network: id, secretType: network.secretType };
  if (token === undefined) return [{ ...place, address: '', ...coinOf(network) }];
  return network.tokens
    .filter(({ address }) => isSameAddress(address, token))
    .slice(0, 1)
    .map(({ address, symbol, decimals }) => ({ ...place, address, symbol, decimals }));
}

/** Hundred-millionths of the least output, rounded up. */
function atLeast(output: bigint, decimals: number): bigint {
  const limit = toThor(output, decimals);
  return fromThor(limit, decimals) < output ? limit + 1n : limit;
}
