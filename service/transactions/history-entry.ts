/** An entry of a wallet's history, as the database has it and as it is answered. */
import { sql } from 'kysely';
import type { HistoryEntry } from '../../src/api/history.ts';
import type { Coin } from '../../src/chains/coin.ts';
import type { Network } from '../../src/chains/network.ts';
import { confirmationsOn } from '../../src/chains/nodes/confirmations.ts';
import { CARDS, coinOf, gasCoinOf, type SecretType } from '../../src/chains/secret-type.ts';
import { readStoredSwap, swapAnswer } from '../../src/swaps/cross-chain/sent-swap.ts';
import type { Database } from '../database/database.ts';
import type { TransactionRow } from '../database/schema.ts';
import { type Effect, moneyOf, type Sum } from './effects.ts';
import { STATES } from './journal.ts';

export interface HistoryRow {
  id: string;
  wallet_id: string;
  direction: 'out' | 'in';
  hash: string;
  secret_type: SecretType;
  network: string;
  state: TransactionRow['state'];
  created_at: Date;
  effect: string | null;
  fee: string | null;
  dust: boolean;
  replaces: string | null;
  replaced_by: string | null;
  blocked_by: string | null;
  mined_block: string | null;
  confirmations: number | null;
  /** JSON of a `StoredSwap`. */
  swap: string | null;
}

const nonceOf = (table: string) => sql.raw(`(${table}.claims::jsonb ->> 'nonce')::bigint`);
/** The chain on which a nonce counts: a node that a request named may be of one in `networks.json`. */
const chainOf = (table: string) =>
  sql.raw(`coalesce(${table}.claims::jsonb ->> 'chainId', ${table}.network)`);

/** What the service signed. */
export function sentIn(db: Database) {
  return db
    .selectFrom('transactions as t')
    .select([
      'id',
      'wallet_id',
      sql<HistoryRow['direction']>`'out'`.as('direction'),
      'hash',
      'secret_type',
      'network',
    ])
    .select(['state', 'created_at', 'effect', 'fee', sql<boolean>`false`.as('dust')])
    .select([
      sql<string | null>`(select r.hash from transactions r where r.id = t.replaces)`.as('replaces'),
      sql<string | null>`(select s.hash from transactions s where s.replaces = t.id and s.state <> 'refused'
        order by s.created_at desc limit 1)`.as('replaced_by'),
      sql<string | null>`case when t.state in ('signed', 'sent') and t.mined_block is null then (select b.hash
        from transactions b where b.wallet_id = t.wallet_id and b.state in ('signed', 'sent') and b.mined_block is null
          and ${nonceOf('b')} < ${nonceOf('t')} and ${chainOf('b')} = ${chainOf('t')}
          and not exists (select from transactions m where m.wallet_id = t.wallet_id and m.mined_block is not null
            and ${nonceOf('m')} >= ${nonceOf('b')} and ${chainOf('m')} = ${chainOf('t')})
        order by ${nonceOf('b')}, b.created_at desc limit 1) end`.as('blocked_by'),
      'mined_block',
      'confirmations',
      sql<string | null>`(select x.swap from cross_chain_swaps x where x.transaction_id = t.id)`.as('swap'),
    ])
    .$castTo<HistoryRow>();
}

/** What arrived. */
export function arrivedIn(db: Database) {
  return db
    .selectFrom('arrivals')
    .select([
      'id',
      'wallet_id',
      sql<HistoryRow['direction']>`'in'`.as('direction'),
      'hash',
      'secret_type',
      'network',
    ])
    .select(['state', 'created_at', 'effect', sql<string | null>`null`.as('fee'), 'dust'])
    .select([sql<string | null>`null`.as('replaces'), sql<string | null>`null`.as('replaced_by')])
    .select([
      sql<string | null>`null`.as('blocked_by'),
      sql<string | null>`null::bigint`.as('mined_block'),
      sql<number | null>`null::integer`.as('confirmations'),
      sql<string | null>`null`.as('swap'),
    ])
    .$castTo<HistoryRow>();
}

export function entryAnswer(row: HistoryRow, networks: readonly Network[]): HistoryEntry {
  const { hash, secret_type: secretType, network, direction, state, created_at } = row;
  return {
    transactionHash: hash,
    secretType,
    network,
    direction,
    status: STATES[state],
    mined: minedOf(row, networks),
    ...(state === 'expired' || state === 'refused' || state === 'replaced' ? { reason: state } : {}),
    createdAt: created_at.toISOString(),
    ...effectIn(
      row,
      networks.find(({ id }) => id === network),
    ),
    ...(row.replaces === null ? {} : { replaces: row.replaces }),
    ...(row.replaced_by === null ? {} : { replacedBy: row.replaced_by }),
    ...(row.blocked_by === null ? {} : { blockedBy: row.blocked_by }),
    ...(row.dust ? { dust: true as const } : {}),
    ...swapIn(row),
  };
}

function swapIn({ swap: stored, state }: HistoryRow): Pick<HistoryEntry, 'swap'> {
  // Nothing was sent, so nothing is exchanged.
  if (stored === null || STATES[state] === 'failed') return {};
  const swap = readStoredSwap(JSON.parse(stored));
  return swap ? { swap: swapAnswer(swap) } : {};
}

/** Where a transaction is that waits for its confirmations, as it was last looked at. */
export function minedOf(
  { network, mined_block, confirmations }: Pick<HistoryRow, 'network' | 'mined_block' | 'confirmations'>,
  networks: readonly Network[],
): HistoryEntry['mined'] {
  if (mined_block === null || confirmations === null) return null;
  const on = networks.find(({ id }) => id === network);
  return { block: Number(mined_block), confirmations, needed: on ? confirmationsOn(on) : 1 };
}

function effectIn(
  { effect, fee, secret_type }: HistoryRow,
  network: Network | undefined,
): Partial<HistoryEntry> {
  if (effect === null) return {};
  const { kind, from, to, contract, amount, parts, maximumFee, nonce } = JSON.parse(effect) as Effect;
  // The operator may have removed the network since. Then nobody knows what its coin is called, if it can have one of its own.
  const on = network ?? { secretType: secret_type, tokens: [] };
  const isNameless = !network && CARDS[secret_type].contracts === 'evm';
  const named = (coin: Coin) => (isNameless ? { ...coin, symbol: null } : coin);
  const money = (sum: Sum) => moneyOf(sum, named(coinOf(on)), on.tokens);
  const gas = (raw: string) => moneyOf({ raw }, named(gasCoinOf(on)), []);
  return {
    kind,
    ...(from === undefined ? {} : { from }),
    to,
    ...(contract === undefined ? {} : { contract }),
    amount: money(amount),
    ...(parts && {
      parts: parts.map((part) => ({ ...part, amount: money(part.amount) })),
    }),
    ...(maximumFee !== undefined && {
      fee: { maximum: gas(maximumFee), ...(fee !== null && { paid: gas(fee) }) },
    }),
    ...(nonce === undefined ? {} : { nonce }),
  };
}
