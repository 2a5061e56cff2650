/** The JSON of THORNode's API (`openapi/openapi.yaml`), from the books and the engine. */
import { type Books, chainOf } from './books.ts';
import { type Engine, type Refund, secondsOf, type Swap } from './engine.ts';
import { SHORT_CODES } from './memo.ts';
import type { Stream } from './streaming.ts';

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

export const BLOCK_SECONDS = 6;

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

export function shortCode(asset: string): { short_code?: string } {
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
  const done = [...swaps.values()].filter(({ doneAt }) => doneAt === height);
  const refunds = done.flatMap((swap) => swap.refunds.map((refund) => ({ swap, refund })));
  const inQueue = refunds.filter(({ refund }) => QUEUE_CODES.includes(refund.code));
  const ends = done.flatMap((swap) => (swap.stream ? [partsEvent(swap, swap.stream)] : []));
  return {
    id: { hash: '', parts: { total: 1, hash: '' } },
    header,
    begin_block_events: [{ type: 'rewards', bond_reward: '0', mode: 'BeginBlock' }],
    end_block_events: [...inQueue.map(refundEvent), ...ends].map((event) => ({ ...event, mode: 'EndBlock' })),
    finalize_block_events: refunds.filter((each) => !inQueue.includes(each)).map(refundEvent),
    txs: [],
  };
}

/** Of what is decided when swaps are carried out: `CodeSwapFail` and `CodeFailAddOutboundTx`. */
const QUEUE_CODES = [108, 131];

function refundEvent({ swap, refund }: { swap: Swap; refund: Refund }): Record<string, string> {
  const { hash, from, vault, memo } = swap.deposit;
  return {
    type: 'refund',
    code: `${refund.code}`,
    reason: refund.reason,
    id: hash,
    chain: swap.chain,
    from,
    to: `vault ${vault}`,
    coin: `${refund.amount} ${refund.asset}`,
    memo,
  };
}

function partsEvent({ deposit }: Swap, stream: Stream): Record<string, string> {
  const { order, interval, quantity, count, lastHeight, swapped, gained, failures } = stream;
  return {
    type: 'streaming_swap',
    tx_id: deposit.hash,
    interval: `${interval}`,
    quantity: `${quantity}`,
    count: `${count}`,
    last_height: `${lastHeight}`,
    deposit: `${order.deposit} ${order.from}`,
    in: `${swapped} ${order.from}`,
    out: `${gained} ${order.to}`,
    failed_swaps: failures.map(({ part }) => part).join(', '),
    failed_swap_reasons: failures.map(({ reason }) => reason).join('\n '),
  };
}

/** `/tx/details/{hash}`, which knows nothing of what was not observed. */
export function details(hash: string, { swaps }: Engine): object {
  const swap = swaps.get(hash);
  if (!swap) throw new Refusal(2, `tx: ${hash} doesn't exist`);
  const { deposit, chain, seenAt, finalisedAt, outs } = swap;
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
    ...(finalisedAt !== undefined && { finalised_height: finalisedAt }),
    ...(outs.length > 0 && { outbound_height: Math.max(...outs.map(({ height }) => height)) }),
  };
}

/** `/tx/status/{hash}`: stages that do not apply are absent. */
export async function status(hash: string, books: Books, engine: Engine): Promise<object> {
  const swap = engine.swaps.get(hash);
  if (!swap) return { stages: { inbound_observed: { started: false, final_count: 0, completed: false } } };
  const { deposit, chain, outs, isDone, stream, finalisedAt } = swap;
  const side = engine.side(chain)!;
  const height = await side.height();
  const isCounted = isDone || height >= swap.finalAt;
  const scheduled = Math.max(0, ...outs.map((out) => out.height));
  const isDelayed = finalisedAt !== undefined && scheduled > finalisedAt;
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
        inbound_finalised: { completed: finalisedAt !== undefined },
        swap_status: { pending: !isDone, ...(!isDone && stream && { streaming: paceOf(stream) }) },
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

/** While it is not over. */
function paceOf({ interval, quantity, count }: Stream): Record<string, number> {
  return { interval: Number(interval), quantity: Number(quantity), count: Number(count) };
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
