/** `/quote/swap` of THORNode's API (`x/thorchain/querier_quotes.go`). */
import { BLOCK_SECONDS, Refusal, shortCode } from './answers.ts';
import { type Books, chainOf, rounded, SwapFailure } from './books.ts';
import { type Engine, secondsOf } from './engine.ts';
import { SHORT_CODES } from './memo.ts';
import { mostParts } from './streaming.ts';

const EXPIRY_SECONDS = 15 * 60;
const BPS = 10_000n;
/** Of the greater of both fees. */
const MIN_AMOUNT_FEES = 3n;

/** `/quote/swap`, which simulates a swap and keeps nothing of it. */
export function quote(query: URLSearchParams, books: Books, engine: Engine): object {
  const required = (name: string): string => {
    const value = query.get(name);
    if (!value) throw new Refusal(3, `missing ${name} parameter`);
    return value;
  };
  const [fromName, toName, amountText] = ['from_asset', 'to_asset', 'amount'].map(required) as [
    string,
    string,
    string,
  ];
  const [tolerance, liquidityTolerance] = [query.get('tolerance_bps'), query.get('liquidity_tolerance_bps')];
  if (tolerance && liquidityTolerance)
    throw new Refusal(3, 'must only include one of: tolerance_bps or liquidity_tolerance_bps');
  const from = assetOf(fromName, 'from', books);
  const to = assetOf(toName, 'to', books);
  if (!/^\d{1,30}$/.test(amountText)) throw new Refusal(3, 'bad amount: not a number');
  const amount = BigInt(amountText);
  const source = chainOf(from);
  if (amount < source.dustThreshold) throw new Refusal(2, 'amount less than dust threshold');
  const destination = query.get('destination') ?? '';
  if (destination && !engine.side(chainOf(to).name)?.isAddress(destination))
    throw new Refusal(2, 'bad destination address: unable to parse address: is not recognizable');
  const refund = query.get('refund_address') ?? '';
  if (refund && !engine.side(source.name)?.isAddress(refund))
    throw new Refusal(2, 'bad refund address: unable to parse address: is not recognizable');
  if (Number(query.get('affiliate_bps') ?? 0) > 1000)
    throw new Refusal(2, 'bad affiliate params: total affiliate fee must not be more than 1000 bps');
  if (query.get('affiliate')) throw new Refusal(2, 'fail to fetch THORName');

  const priceLimit = limitByPrice(books, { from, to, amount }, tolerance);
  const parts = partsOf(query, books, { from, to, deposit: amount });
  const simulated = simulate(books, { from, to, amount, limit: priceLimit }, parts.quantity);
  const { out, liquidityFee, fee } = simulated;
  const limit = liquidityTolerance ? (out * (BPS - bpsOf(liquidityTolerance, BPS - 1n))) / BPS : priceLimit;
  const memo = memoOf({ to, destination, refund, limit, streaming: parts.text }, books);
  if (destination && memo.length > source.memoBytes)
    throw new Refusal(2, 'generated memo too long for source chain');
  const side = engine.side(source.name);
  const confirmations = books.confirmations(from, amount);
  const delay = books.delay(to, out);
  const payoutInSource = books.runeIn(from, books.inRune(to, fee));
  const ownFee = books.outboundFee(from);
  return {
    ...(side && { inbound_address: side.addressOf(books.active.number) }),
    inbound_confirmation_blocks: confirmations,
    inbound_confirmation_seconds: secondsOf(source.name, confirmations),
    outbound_delay_blocks: delay,
    outbound_delay_seconds: delay * BLOCK_SECONDS,
    fees: {
      asset: to,
      affiliate: '0',
      outbound: `${fee}`,
      liquidity: `${liquidityFee}`,
      total: `${fee + liquidityFee}`,
      slippage_bps: Number((liquidityFee * BPS) / (out + fee + liquidityFee)),
      total_bps: Number(((fee + liquidityFee) * BPS) / (out + fee + liquidityFee)),
    },
    ...(side?.router && { router: side.router }),
    expiry: Math.floor(books.time / 1000) + EXPIRY_SECONDS,
    warning: 'Do not cache this response. Do not send funds after the expiry.',
    notes: 'First output should be to inbound_address.',
    dust_threshold: `${source.dustThreshold}`,
    recommended_min_amount_in: `${(payoutInSource > ownFee ? payoutInSource : ownFee) * MIN_AMOUNT_FEES}`,
    recommended_gas_rate: `${source.gasRate}`,
    gas_rate_units: source.gasRateUnits,
    ...(destination && { memo }),
    expected_amount_out: `${out}`,
    max_streaming_quantity: parts.most,
    streaming_swap_blocks: parts.blocks,
    streaming_swap_seconds: parts.blocks * BLOCK_SECONDS,
    // The delay begins with the deposit.
    total_swap_seconds: secondsOf(source.name, confirmations) + Math.max(delay, parts.blocks) * BLOCK_SECONDS,
  };
}

function assetOf(name: string, which: 'from' | 'to', books: Books): string {
  const asset = books.match(SHORT_CODES[name] ?? name);
  try {
    chainOf(asset);
  } catch (error) {
    throw new Refusal(2, `bad ${which} asset: ${(error as Error).message}`);
  }
  return asset;
}

function bpsOf(text: string, most: bigint): bigint {
  if (!/^\d{1,6}$/.test(text) || BigInt(text) > most)
    throw new Refusal(3, 'tolerance basis points must be less than 10000');
  return BigInt(text);
}

/** Of the amount at the pools' price, without fees and slip. */
function limitByPrice(
  books: Books,
  { from, to, amount }: { from: string; to: string; amount: bigint },
  tolerance: string | null,
): bigint {
  if (!tolerance) return 0n;
  const bps = bpsOf(tolerance, BPS);
  try {
    return (books.runeIn(to, books.inRune(from, amount)) * (BPS - bps)) / BPS;
  } catch {
    throw new Refusal(2, 'pool does not exist');
  }
}

/** In parts, as many times what the first one gives; the whole must go, too, and the fee is paid once. */
function simulate(
  books: Books,
  order: { from: string; to: string; amount: bigint; limit: bigint },
  quantity: bigint,
): { out: bigint; liquidityFee: bigint; fee: bigint } {
  const { fee, ...whole } = simulateOne(books, order);
  if (quantity === 0n) return { ...whole, out: whole.gross - fee, fee };
  const { amount, limit } = order;
  const part = simulateOne(books, { ...order, amount: amount / quantity, limit: limit / quantity });
  return { out: part.gross * quantity - fee, liquidityFee: part.liquidityFee * quantity, fee };
}

function simulateOne(
  books: Books,
  { from, to, amount, limit }: { from: string; to: string; amount: bigint; limit: bigint },
): { gross: bigint; liquidityFee: bigint; fee: bigint } {
  const copy = books.snapshot();
  try {
    for (const asset of [from, to])
      if (copy.isTradingHalted(chainOf(asset).name))
        throw new SwapFailure("trading is halted, can't process swap: invalid request");
    const { out: gross, liquidityFee } = copy.swap(from, to, amount, limit);
    const fee = copy.outboundFee(to);
    const out = gross > fee ? rounded(gross - fee, copy.pool(to).decimals) : 0n;
    if (out === 0n) throw new SwapFailure('not enough asset to pay for fees');
    if (out < limit) throw new SwapFailure(`outbound amount does not meet requirements (${out}/${limit})`);
    return { gross, liquidityFee, fee };
  } catch (error) {
    if (error instanceof SwapFailure) throw new Refusal(2, `failed to simulate swap: ${error.message}`);
    throw error;
  }
}

/** `quantity` is 0 for a swap at once; the memo has what was asked for. */
function partsOf(
  query: URLSearchParams,
  books: Books,
  order: { from: string; to: string; deposit: bigint },
): { most: number; quantity: bigint; blocks: number; text: string } {
  const [interval, asked] = (['interval', 'quantity'] as const).map((name) => {
    const text = query.get(`streaming_${name}`) || '0';
    if (!/^\d{1,18}$/.test(text)) throw new Refusal(3, `bad streaming ${name} amount: not a number`);
    return BigInt(text);
  }) as [bigint, bigint];
  const hasPools = [order.from, order.to].every((name) => books.pools.some(({ asset }) => asset === name));
  const most = hasPools ? mostParts(books, { ...order, interval }) : 0n;
  const chosen = asked === 0n || asked > most ? most : asked;
  const quantity = interval === 0n ? 0n : chosen;
  return {
    most: Number(most),
    quantity,
    blocks: quantity > 0n ? Number(interval * (quantity - 1n)) : 0,
    text: interval > 0n || asked > 1n ? `/${interval}/${asked}` : '',
  };
}

/** With the shortest name that leads to the asset: without a contract if there is no other token of its ticker. */
function memoOf(
  order: { to: string; destination: string; refund: string; limit: bigint; streaming: string },
  books: Books,
): string {
  const { to, destination, refund, limit, streaming } = order;
  const [head = '', contract = ''] = to.split('-');
  const rivals = books.pools.filter(({ asset }) => asset !== to && asset.startsWith(`${head}-`));
  let name = shortCode(to).short_code ?? head;
  if (rivals.length > 0)
    for (let length = 1; length <= contract.length; length++) {
      name = `${head}-${contract.slice(-length)}`;
      if (!rivals.some(({ asset }) => asset.endsWith(contract.slice(-length)))) break;
    }
  const fields = ['=', name, refund ? `${destination}/${refund}` : destination];
  if (limit > 0n || streaming) fields.push(`${limit}${streaming}`);
  return fields.join(':');
}
