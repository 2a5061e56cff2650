/** What is used of THORNodes' answers: https://gitlab.com/thorchain/thornode, `openapi/openapi.yaml`. Amounts are text, of hundred-millionths. */
import * as z from 'zod/mini';
import type { CrossChainSwap } from '../../../api/history.ts';
import { NodeFailure } from '../../../chains/nodes/http.ts';
import { NotAvailable, type Pool, type Reason } from './assets.ts';

const Amount = z.pipe(
  z.string().check(z.regex(/^\d{1,30}$/)),
  z.transform((digits) => BigInt(digits)),
);
const Count = z.int().check(z.gte(0));
const Name = z.string().check(z.maxLength(128));
const Address = z.string().check(z.maxLength(128));
const Hash = z.string().check(z.regex(/^[0-9A-Fa-f]{64}$/));
const most = <T>(item: z.ZodMiniType<T>, length: number) => z.array(item).check(z.maxLength(length));

export const PoolsAnswer = most(
  z.pipe(
    z.object({
      asset: Name,
      status: Name,
      trading_halted: z.optional(z.boolean()),
      /** Absent or 0 for 8. */
      decimals: z.optional(z.int().check(z.gte(0), z.lte(18))),
      balance_asset: Amount,
      balance_rune: Amount,
    }),
    z.transform(
      ({ asset, status, trading_halted, decimals, balance_asset, balance_rune }): Pool => ({
        asset,
        isOpen: status === 'Available' && trading_halted !== true,
        decimals: decimals || 8,
        assetDepth: balance_asset,
        runeDepth: balance_rune,
      }),
    ),
  ),
  1000,
);

/** Of each chain, the vault to send to. */
export const InboundAnswer = most(
  z.object({
    chain: Name,
    address: Address,
    router: z.optional(Address),
    halted: z.boolean(),
    global_trading_paused: z.boolean(),
    chain_trading_paused: z.boolean(),
    outbound_fee: Amount,
    dust_threshold: Amount,
  }),
  100,
);
export type Inbound = z.infer<typeof InboundAnswer>[number];

export const VaultsAnswer = most(
  z.object({
    status: Name,
    addresses: most(z.object({ chain: Name, address: Address }), 100),
    routers: z.optional(z.nullable(most(z.object({ chain: Name, router: z.optional(Address) }), 100))),
    /** Chains on which it does not sign. */
    frozen: z.optional(z.nullable(most(Name, 100))),
  }),
  200,
);

export const BlockAnswer = z.object({
  header: z.object({
    chain_id: Name,
    height: Count,
    time: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/)),
  }),
});

/** What validators voted, by name in capitals. Only that which is asked for is read. */
export const MimirAnswer = z.looseObject({});
export type Mimir = z.infer<typeof MimirAnswer>;

/** A vote, -1 if there is none. Throws `NodeFailure` if it is no whole number. */
export function voteOn(name: string, mimir: Mimir): bigint {
  const value = Object.hasOwn(mimir, name) ? mimir[name] : -1;
  if (Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d{1,20}$/.test(value)))
    return BigInt(value as number | string);
  throw new NodeFailure('answers a vote that is no whole number');
}

export const QuoteAnswer = z.object({
  inbound_address: z.optional(Address),
  router: z.optional(Address),
  /** Seconds since 1970. */
  expiry: Count,
  recommended_min_amount_in: z.optional(Amount),
  dust_threshold: z.optional(Amount),
  expected_amount_out: Amount,
  fees: z.object({ asset: Name, outbound: z.optional(Amount), liquidity: Amount }),
  memo: z.optional(z.string().check(z.maxLength(250))),
  inbound_confirmation_seconds: z.optional(Count),
  outbound_delay_seconds: Count,
});
export type QuoteAnswer = z.infer<typeof QuoteAnswer>;

const Coin = z.object({ asset: Name, amount: Amount });
const Transfer = z.object({
  id: z.optional(Hash),
  chain: z.optional(Name),
  from_address: z.optional(Address),
  to_address: z.optional(Address),
  coins: z.nullable(most(Coin, 10)),
  memo: z.optional(z.string().check(z.maxLength(1024))),
});
const Stage = z.object({ completed: z.boolean() });

/** Stages that do not apply are absent. */
export const StatusAnswer = z.object({
  tx: z.optional(z.nullable(Transfer)),
  planned_out_txs: z.optional(
    z.nullable(most(z.object({ chain: Name, to_address: Address, coin: Coin, refund: z.boolean() }), 100)),
  ),
  out_txs: z.optional(z.nullable(most(Transfer, 100))),
  stages: z.object({
    inbound_observed: z.object({
      started: z.optional(z.boolean()),
      pre_confirmation_count: z.optional(Count),
      final_count: z.optional(Count),
      completed: z.boolean(),
    }),
    inbound_confirmation_counted: z.optional(
      z.object({
        counting_start_height: z.optional(Count),
        chain: z.optional(Name),
        external_observed_height: z.optional(Count),
        external_confirmation_delay_height: z.optional(Count),
        remaining_confirmation_seconds: z.optional(Count),
        completed: z.boolean(),
      }),
    ),
    inbound_finalised: z.optional(Stage),
    swap_status: z.optional(
      z.object({
        pending: z.boolean(),
        streaming: z.optional(z.object({ interval: Count, quantity: Count, count: Count })),
      }),
    ),
    swap_finalised: z.optional(Stage),
    outbound_delay: z.optional(
      z.object({
        remaining_delay_blocks: z.optional(Count),
        remaining_delay_seconds: z.optional(Count),
        completed: z.boolean(),
      }),
    ),
    outbound_signed: z.optional(
      z.object({
        scheduled_outbound_height: z.optional(Count),
        blocks_since_scheduled: z.optional(Count),
        completed: z.boolean(),
      }),
    ),
  }),
});
export type SwapStatus = z.infer<typeof StatusAnswer>;

/**
 * Of a deposit, THORChain's blocks in which it was agreed on, had its confirmations, and from which the last of its outputs may be sent; 0 or
 * absent before that.
 */
export const DetailsAnswer = z.object({
  tx_id: z.optional(Hash),
  tx: z.optional(
    z.nullable(z.object({ tx: z.optional(z.nullable(z.object({ memo: Transfer.shape.memo }))) })),
  ),
  consensus_height: z.optional(Count),
  finalised_height: z.optional(Count),
  outbound_height: z.optional(Count),
});
export type SwapDetails = z.infer<typeof DetailsAnswer>;

const Events = z.optional(z.nullable(z.array(z.unknown())));

/** What happened in a block, outside and inside of its transactions. Old nodes have no `finalize_block_events`. */
export const EventsAnswer = z.object({
  header: z.object({ height: Count }),
  begin_block_events: Events,
  end_block_events: Events,
  finalize_block_events: Events,
  txs: z.optional(z.nullable(z.array(z.object({ result: z.object({ events: Events }) })))),
});

/** `id`: of the deposit. `code`: of `x/thorchain/errors.go`. */
const RefundEvent = z.object({
  type: z.literal('refund'),
  id: Hash,
  code: z.optional(z.string()),
  reason: z.string(),
});

/** The end of a swap in parts. Reasons are one after the other, of the parts that failed. */
const PartsEvent = z.object({
  type: z.literal('streaming_swap'),
  tx_id: Hash,
  quantity: z.string().check(z.regex(/^[1-9]\d{0,5}$/)),
  failed_swaps: z.string().check(z.regex(/^\d+(?:, \d+)*$/)),
  failed_swap_reasons: z.string(),
});

/** What a block sent back. */
export interface Refund {
  /** Of the deposit. */
  id: string;
  /** Undefined for what is not known here. */
  reason: CrossChainSwap['reason'];
  /** Undefined for a deposit that came back whole. */
  parts: CrossChainSwap['parts'];
}

/** Of a block. An event of another form is none. */
export function refundsIn(block: z.infer<typeof EventsAnswer>): Refund[] {
  const { begin_block_events, end_block_events, finalize_block_events, txs } = block;
  const lists = [
    finalize_block_events,
    begin_block_events,
    ...(txs ?? []).map(({ result }) => result.events),
    end_block_events,
  ];
  const events = lists.flatMap((list) => list ?? []);
  const ends = events.flatMap((event) => PartsEvent.safeParse(event).data ?? []);
  return events
    .flatMap((event) => RefundEvent.safeParse(event).data ?? [])
    .map(({ id, code, reason }) => {
      const end = ends.find(({ tx_id }) => tx_id.toUpperCase() === id.toUpperCase());
      if (!end) return { id, reason: reasonOf(reason, code), parts: undefined };
      const parts = { returned: end.failed_swaps.split(',').length, all: Number(end.quantity) };
      return { id, reason: reasonOf(end.failed_swap_reasons), parts };
    });
}

type RefundReason = NonNullable<CrossChainSwap['reason']>;

/** Parts of reasons, whose whole text differs by version and may quote the memo. */
const REFUND_REASONS: readonly [RegExp, RefundReason][] = [
  [/less than price limit|outbound amount does not meet requirements/, 'limit'],
  [/trading (?:is )?halted/, 'halted'],
  [/inactive vault/, 'vault'],
  [/\bpool\b.*(?:does not exist|doesn't exist|is not available)|ragnarok/, 'pool'],
  [/invalid tx type|price limit:.* is invalid|memo can't be empty/, 'order'],
  [/not enough asset to pay for fees/, 'limit'],
];
const REFUND_CODES: Readonly<Record<string, RefundReason>> = { 104: 'vault', 105: 'order', 107: 'pool' };

function reasonOf(text: string, code = ''): RefundReason | undefined {
  const [, named] = REFUND_REASONS.find(([part]) => part.test(text)) ?? [];
  return named ?? (Object.hasOwn(REFUND_CODES, code) ? REFUND_CODES[code] : undefined);
}

/** Parts of refusals, whose whole text differs by version: what they mean here, and in words. */
const REFUSALS: readonly [RegExp, Reason, string][] = [
  [/trading is halted/, 'halted', 'Trading is halted.'],
  [/less than dust threshold/, 'dust', 'It is less than THORChain notices.'],
  [
    /emit asset .* less than price limit|outbound amount does not meet requirements|not enough (?:asset )?to pay for fees/,
    'fees-exceed-output',
    'Nothing would be left of it after fees.',
  ],
  [/pool does not exist|pool .* (?:doesn't exist|is not available)/, 'pool', 'There is no open pool for it.'],
  [/bad (?:from|to) asset/, 'pool', 'THORChain does not know the asset.'],
  [
    /bad destination address|is not the same chain as the target asset/,
    'memo',
    'THORChain does not pay to this recipient.',
  ],
  [/memo too long/, 'memo', 'Its order would be too long for the chain.'],
];

/**
 * What a node refuses, in either form that its versions have: `{code, message}`, `{error}`. Undefined for what is no refusal of a swap, so that
 * another node may do better.
 */
export function refusalOf(text: string): NotAvailable | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { message, error } = (body ?? {}) as { message?: unknown; error?: unknown };
  const words = [message, error].find((each) => typeof each === 'string');
  const refusal = words && REFUSALS.find(([part]) => part.test(words));
  return refusal ? new NotAvailable(refusal[1], refusal[2], new Error(words.slice(0, 500))) : undefined;
}
