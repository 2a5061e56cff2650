/** What is cached of a network's exchanges and tokens. */
import type { TradingPair } from '../api/swap.ts';
import { decode, encodeCall } from '../chains/contracts/abi.ts';
import type { Chain } from '../chains/chain.ts';
import type { Node } from '../chains/terms.ts';
import { listedToken } from '../chains/contracts/listed-token.ts';
import type { Network } from '../chains/network.ts';
import { invalid } from '../chains/requests/payloads.ts';
import { coinOf } from '../chains/secret-type.ts';
import { readLabel, unlistedLabel } from '../chains/contracts/token-facts.ts';
import { type AddressForm, addressFormOf, type Caller, callerOf } from './caller.ts';
import { type ExchangeEntry, entriesOf, withAddresses } from './entry.ts';
import type { Asset, Exchange } from './exchange.ts';
import { ppmOf } from './percent.ts';
import type { TransferFees } from './pool-exchange.ts';

/** A chain with the client of one of its networks. */
export interface Reach {
  chain: Pick<Chain, 'secretType' | 'isAddress'>;
  node: Node;
}

/** What `exchange.ts` of a kind's folder exports. */
interface ExchangeMaker {
  exchangeOf(entry: ExchangeEntry, transferFees: TransferFees): Exchange;
}

const KEPT_MS = 5 * 60_000;
const GAS_MS = 60_000;
const MAX_TOKENS = 1000;

export class Market {
  /** The last answer about pairs. */
  pairs: { answer: Promise<TradingPair[]>; until: number } | undefined;
  #gasPrice: { answer: Promise<bigint>; until: number } | undefined;
  /** Unlisted tokens, as their contracts describe them. */
  readonly #unlisted = new Map<string, { asset: Asset; until: number }>();

  private constructor(
    readonly exchanges: readonly Exchange[],
    readonly addresses: AddressForm,
  ) {}

  /** Throws `internal.error` if the exchanges in `networks.json` are invalid. */
  static async of(network: Network): Promise<Market> {
    const addresses = await addressFormOf(network.secretType);
    const transferFees = new Map(
      network.tokens.flatMap(({ address, transferFee }) =>
        transferFee === undefined
          ? []
          : [[addresses.inContracts(address).toLowerCase(), ppmOf(transferFee)] as const],
      ),
    );
    const made = entriesOf(network).map(async (entry) => {
      const { exchangeOf } = (await import(`./exchanges/${entry.kind}/exchange.ts`)) as ExchangeMaker;
      return exchangeOf(withAddresses(entry, addresses.inContracts), transferFees);
    });
    return new Market(await Promise.all(made), addresses);
  }

  /** An approximate gas price, cached for a minute: close enough to compare offers. */
  gasPrice(caller: Caller): Promise<bigint> {
    if (this.#gasPrice && this.#gasPrice.until > Date.now()) return this.#gasPrice.answer;
    const answer = caller.gasPrice();
    const price = { answer, until: Date.now() + GAS_MS };
    this.#gasPrice = price;
    answer.catch(() => {
      if (this.#gasPrice === price) this.#gasPrice = undefined;
    });
    return answer;
  }

  /** The two assets of a swap: takes one round trip, or none if both are known. Throws `request.invalid` at the field. */
  async assets(
    { node }: Reach,
    caller: Caller,
    query: { fromToken?: string | null | undefined; toToken?: string | null | undefined },
  ): Promise<{ from: Asset; to: Asset }> {
    const asset = async (field: 'fromToken' | 'toToken'): Promise<Asset> => {
      const value = query[field];
      if (value == null || value === '') return { address: '', ...coinOf(node.network) };
      const written = this.#readToken(field, value);
      const listed = listedToken(node.network.tokens, written);
      const address = this.addresses.inContracts(listed?.address ?? written);
      if (listed) return { address, symbol: listed.symbol, decimals: listed.decimals };
      const token = this.#unlisted.get(address);
      if (token && token.until > Date.now()) return token.asset;
      const read = await describe(caller, { address, written }, [
        coinOf(node.network),
        ...node.network.tokens,
      ]);
      if (!read) throw invalid(field, 'is not a token contract on this network');
      if (this.#unlisted.size >= MAX_TOKENS) this.#unlisted.clear();
      this.#unlisted.set(address, { asset: read, until: Date.now() + KEPT_MS });
      return read;
    };
    const [from, to] = await Promise.all([asset('fromToken'), asset('toToken')]);
    if (from.address.toLowerCase() === to.address.toLowerCase())
      throw invalid('toToken', 'must be another token than fromToken');
    return { from, to };
  }

  #readToken(field: string, value: string): string {
    try {
      return this.addresses.read(value);
    } catch (error) {
      throw invalid(field, (error as Error).message);
    }
  }
}

const markets = new WeakMap<Network, Market>();

/** Undefined if the network has no exchange. */
export async function marketOf({
  chain,
  node,
}: Reach): Promise<{ market: Market; caller: Caller } | undefined> {
  const { network } = node;
  if (!network.exchanges?.length) return undefined;
  const caller = await callerOf(chain.secretType, node);
  if (!caller) return undefined;
  let market = markets.get(network);
  if (!market) {
    market = await Market.of(network);
    markets.set(network, market);
  }
  return { market, caller };
}

/** Undefined if no token contract is at the address. */
async function describe(
  caller: Caller,
  { address, written }: { address: string; written: string },
  trusted: readonly { symbol: string }[],
): Promise<Asset | undefined> {
  const [decimals, symbol] = await caller.read(
    ['decimals', 'symbol'].map((name) => ({ to: address, data: encodeCall(name, [], []) })),
  );
  try {
    const [digits] = decode(['uint8'], decimals ?? '0x') as [bigint];
    const label = unlistedLabel(await readLabel(symbol), written, trusted).symbol;
    return { address, symbol: label, decimals: Number(digits) };
  } catch {
    return undefined;
  }
}
