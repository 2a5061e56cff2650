/** The JSON of THORNode's API (`openapi/openapi.yaml`), from the books and the engine. */
import { type Books, chainOf, rounded, SwapFailure } from './books.ts';
import { type Engine, secondsOf, type Swap } from './engine.ts';
import { SHORT_CODES } from './memo.ts';

/** An error of the API. Code 2 is HTTP 500, code 3 is 400. */
export class Refusal extends Error {
  override name = 'Refusal';
  constructor(
    readonly code: 2 | 3,
    message: string,
  ) {
    super(message);
  }
}

const BLOCK_SECONDS = 6;
const EXPIRY_SECONDS = 15 * 60;
const BPS = 10_000n;
/** Of the greater of both fees. */
const MIN_AMOUNT_FEES = 3n;

export function pools({ pools: all }: Books): object[] {
  return all.map(({ asset, balanceAsset, balanceRune, decimals, status }) => ({
    asset,
    ...shortCode(asset),
    status,
    ...(decimals > 0 && { decimals }),
    pending_inbound_asset: '0',
    pending_inbound_rune: '0',
    balance_asset: `${balanceAsset}`,
    balance_rune: `${balanceRune}`,
    asset_tor_price: '0',
    pool_units: `${balanceRune}`,
    LP_units: `${balanceRune}`,
    synth_units: '0',
    synth_supply: '0',
    savers_depth: '0',
    trading_halted: false,
  }));
}

function shortCode(asset: string): { short_code?: string } {
  const code = Object.keys(SHORT_CODES).find((short) => SHORT_CODES[short] === asset);
  return code ? { short_code: code } : {};
}

export function inboundAddresses(books: Books, { sides }: Engine): object[] {
  return sides.map((side) => {
    const { gasAsset, dustThreshold, gasRate, gasRateUnits, txSize } = chainOf(`${side.name}.`);
    const isGlobal = books.isInEffect('HALTTRADING');
    return {
      chain: side.name,
      pub_key: `local-vault-${books.active.number}`,
      address: side.addressOf(books.active.number),
      ...(side.router && { router: side.router }),
      halted: books.isTradingHalted(side.name),
      global_trading_paused: isGlobal,
      chain_trading_paused: books.isTradingHalted(side.name) && !isGlobal,
      chain_lp_actions_paused: false,
      observed_fee_rate: `${gasRate}`,
      gas_rate: `${(gasRate * 3n) / 2n || 1n}`,
      gas_rate_units: gasRateUnits,
      outbound_tx_size: `${txSize}`,
      outbound_fee: `${books.outboundFee(gasAsset)}`,
      dust_threshold: `${dustThreshold}`,
    };
  });
}

export function vaults(books: Books, { sides }: Engine): object[] {
  return books.vaults.map(({ number, status }) => ({
    block_height: 1,
    pub_key: `local-vault-${number}`,
    coins: [],
    type: 'AsgardVault',
    status,
    membership: [],
    chains: sides.map(({ name }) => name),
    routers: sides.flatMap(({ name, router }) => (router ? [{ chain: name, router }] : [])),
    addresses: sides.map((side) => ({ chain: side.name, address: side.addressOf(number) })),
    frozen: [],
  }));
}

export function lastBlocks({ height }: Books, { sides }: Engine): object[] {
  return sides.map(({ name }) => ({
    chain: name,
    last_observed_in: 1,
    last_signed_out: height,
    thorchain: height,
  }));
}

/** The newest one, or the one of a height. What swaps did is at the end of a block, the rest before its transactions. */
export function block({ height: tip, time, chainId }: Books, { swaps }: Engine, height = tip): object {
  if (!(height >= 1 && height <= tip))
    throw new Refusal(
      2,
      `fail to get block from tendermint rpc: height ${height} must be less than or equal to the current blockchain height ${tip}`,
    );
  const header = {
    version: { block: '11', app: '0' },
    chain_id: chainId,
    height,
    time: new Date(time - (tip - height) * BLOCK_SECONDS * 1000).toISOString(),
  };
  const refunds = [...swaps.values()].filter(({ doneAt, code }) => doneAt === height && code !== undefined);
  return {
    id: { hash: '', parts: { total: 1, hash: '' } },
    header,
    begin_block_events: [{ type: 'rewards', bond_reward: '0', mode: 'BeginBlock' }],
    end_block_events: refunds
      .filter(({ code }) => code === SWAP_FAIL)
      .map((swap) => ({ ...refundEvent(swap), mode: 'EndBlock' })),
    finalize_block_events: refunds.filter(({ code }) => code !== SWAP_FAIL).map(refundEvent),
    txs: [],
  };
}

/** `CodeSwapFail`. */
const SWAP_FAIL = 108;

function refundEvent({ deposit, chain, code, reason }: Swap): Record<string, string> {
  const { hash, from, vault, asset, amount, memo } = deposit;
  return {
    type: 'refund',
    code: `${code}`,
    reason: reason ?? '',
    id: hash,
    chain,
    from,
    to: `vault ${vault}`,
    coin: `${amount} ${asset}`,
    memo,
  };
}

/** `/tx/details/{hash}`, which knows nothing of what was not observed. */
export function details(hash: string, { swaps }: Engine): object {
  const swap = swaps.get(hash);
  if (!swap) throw new Refusal(2, `tx: ${hash} doesn't exist`);
  const { deposit, chain, seenAt, doneAt, outs } = swap;
  const tx = {
    tx: {
      id: hash,
      chain,
      from_address: deposit.from,
      coins: [{ asset: deposit.asset, amount: `${deposit.amount}` }],
      memo: deposit.memo,
    },
    status: outs.length > 0 && outs.every(({ paid }) => paid) ? 'done' : 'incomplete',
  };
  return {
    tx_id: hash,
    tx,
    txs: [tx],
    actions: [],
    out_txs: paidOf(swap),
    consensus_height: seenAt,
    ...(doneAt !== undefined && { finalised_height: doneAt }),
    ...(outs.length > 0 && { outbound_height: Math.max(...outs.map(({ height }) => height)) }),
  };
}

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
  const { out, liquidityFee, fee } = simulate(books, { from, to, amount, limit: priceLimit });
  const limit = liquidityTolerance ? (out * (BPS - bpsOf(liquidityTolerance, BPS - 1n))) / BPS : priceLimit;
  const memo = memoOf({ to, destination, refund, limit, streaming: streamingOf(query) }, books);
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
    max_streaming_quantity: 1,
    streaming_swap_blocks: 0,
    total_swap_seconds: secondsOf(source.name, confirmations) + (delay + 1) * BLOCK_SECONDS,
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

function simulate(
  books: Books,
  { from, to, amount, limit }: { from: string; to: string; amount: bigint; limit: bigint },
): { out: bigint; liquidityFee: bigint; fee: bigint } {
  const copy = books.snapshot();
  try {
    for (const asset of [from, to])
      if (copy.isTradingHalted(chainOf(asset).name))
        throw new SwapFailure("trading is halted, can't process swap: invalid request");
    const { out: gross, liquidityFee } = copy.swap(from, to, amount);
    if (gross < limit) throw new SwapFailure(`emit asset ${gross} less than price limit ${limit}`);
    const fee = copy.outboundFee(to);
    const out = gross > fee ? rounded(gross - fee, copy.pool(to).decimals) : 0n;
    if (out === 0n) throw new SwapFailure('not enough asset to pay for fees');
    if (out < limit) throw new SwapFailure(`outbound amount does not meet requirements (${out}/${limit})`);
    return { out, liquidityFee, fee };
  } catch (error) {
    if (error instanceof SwapFailure) throw new Refusal(2, `failed to simulate swap: ${error.message}`);
    throw error;
  }
}

function streamingOf(query: URLSearchParams): string {
  const [interval, quantity] = [
    query.get('streaming_interval') ?? '0',
    query.get('streaming_quantity') ?? '0',
  ];
  return Number(interval) > 0 || Number(quantity) > 1 ? `/${Number(interval)}/${Number(quantity)}` : '';
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

/** `/tx/status/{hash}`: stages that do not apply are absent. */
export async function status(hash: string, books: Books, engine: Engine): Promise<object> {
  const swap = engine.swaps.get(hash);
  if (!swap) return { stages: { inbound_observed: { started: false, final_count: 0, completed: false } } };
  const { deposit, chain, outs, isDone } = swap;
  const side = engine.side(chain)!;
  const height = await side.height();
  const isCounted = isDone || height >= swap.finalAt;
  const scheduled = Math.max(0, ...outs.map((out) => out.height));
  const isDelayed = outs.some((out) => out.height > swap.seenAt);
  return {
    tx: {
      id: hash,
      chain,
      from_address: deposit.from,
      to_address: side.addressOf(deposit.vault),
      coins: [{ asset: deposit.asset, amount: `${deposit.amount}` }],
      gas: null,
      memo: deposit.memo,
    },
    ...(outs.length > 0 && {
      planned_out_txs: outs.map(({ to, asset, amount, isRefund }) => ({
        chain: chainOf(asset).name,
        to_address: to,
        coin: { asset, amount: `${amount}` },
        refund: isRefund,
      })),
      out_txs: paidOf(swap),
    }),
    stages: {
      inbound_observed: {
        started: true,
        pre_confirmation_count: 4,
        final_count: isCounted ? 4 : 0,
        completed: true,
      },
      inbound_confirmation_counted: {
        counting_start_height: swap.seenAt,
        chain,
        external_observed_height: deposit.block,
        external_confirmation_delay_height: swap.finalAt,
        remaining_confirmation_seconds: isCounted ? 0 : secondsOf(chain, swap.finalAt - height),
        completed: isCounted,
      },
      ...(isCounted && {
        inbound_finalised: { completed: isDone },
        swap_status: { pending: !isDone },
        swap_finalised: { completed: isDone },
      }),
      ...(isDone &&
        outs.length > 0 && {
          ...(isDelayed && {
            outbound_delay: {
              remaining_delay_blocks: Math.max(0, scheduled - books.height),
              remaining_delay_seconds: Math.max(0, scheduled - books.height) * BLOCK_SECONDS,
              completed: scheduled <= books.height,
            },
          }),
          outbound_signed: {
            scheduled_outbound_height: scheduled,
            ...(scheduled <= books.height && { blocks_since_scheduled: books.height - scheduled }),
            completed: outs.every(({ paid }) => paid),
          },
        }),
    },
  };
}

function paidOf({ outs }: Swap): object[] {
  return outs.flatMap(({ paid, asset, amount, to, memo }) =>
    paid
      ? [
          {
            id: paid.hash,
            chain: chainOf(asset).name,
            from_address: paid.from,
            to_address: to,
            coins: [{ asset, amount: `${amount}` }],
            gas: [{ asset: chainOf(asset).gasAsset, amount: `${paid.gas}` }],
            memo,
          },
        ]
      : [],
  );
}

export function outboundQueue({ queue }: Engine): object[] {
  return queue.map(({ asset, amount, to, memo, height }) => ({
    chain: chainOf(asset).name,
    to_address: to,
    coin: { asset, amount: `${amount}` },
    memo,
    height,
  }));
}
