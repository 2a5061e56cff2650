/** Deposits in the database, their events, and their place in the histories of wallets. */
import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Deposit } from '../../src/api/wallet-event.ts';
import { formatAmount } from '../../src/base/amount.ts';
import type { Network } from '../../src/chains/network.ts';
import { isDust } from '../../src/chains/nodes/incoming.ts';
import { CARDS } from '../../src/chains/secret-type.ts';
import type { Database } from '../database/database.ts';
import type { DepositRow } from '../database/schema.ts';
import type { Block } from '../scanning/chains/block-reader.ts';
import { subjectOf } from '../wallets/stored-wallets.ts';
import type { Notify } from '../webhooks/wallet-events.ts';
import { confirmationsOn } from '../../src/chains/nodes/confirmations.ts';

export interface NewDeposit {
  walletId: string;
  /** The wallet's owner. */
  ownerId: string;
  hash: string;
  place: string;
  /** As people read it; null where several sent it together. */
  sender: string | null;
  /** The wallet's address. */
  recipient: string;
  /** Address of a token; null for the coin. */
  token: string | null;
  symbol: string;
  decimals: number;
  amount: bigint;
}

/** Stores each only once: one that was announced stays announced, whichever block it is in now. */
export async function storeDeposits(
  tx: Database,
  on: Network,
  { number, hash, time }: Block,
  deposits: readonly NewDeposit[],
): Promise<void> {
  if (deposits.length === 0) return;
  const network = on.id;
  const rows = deposits.map((deposit) => ({
    network,
    transaction_hash: deposit.hash,
    place: deposit.place,
    wallet_id: deposit.walletId,
    owner_id: deposit.ownerId,
    block_number: number,
    block_hash: hash,
    sender: deposit.sender,
    token_address: deposit.token,
    symbol: deposit.symbol,
    decimals: deposit.decimals,
    amount: String(deposit.amount),
  }));
  // Parameters of one statement are limited.
  for (let at = 0; at < rows.length; at += 1000)
    await tx
      .insertInto('deposits')
      .values(rows.slice(at, at + 1000))
      .onConflict((is) => is.doNothing())
      .execute();
  await listPending(tx, on, new Date(Math.min(time, Date.now())), deposits);
}

/**
 * Coins of chains whose nodes list no payments by address are in the wallet's history with their deposit, pending until it is announced.
 * Until then only this search decides about them, as `settled` tells the others.
 */
async function listPending(
  tx: Database,
  { id: network, secretType }: Network,
  at: Date,
  deposits: readonly NewDeposit[],
): Promise<void> {
  const coins = CARDS[secretType].contracts === 'evm' ? deposits.filter(({ token }) => token === null) : [];
  const rows = coins.map(({ walletId, ownerId, hash, sender, recipient, amount, decimals, symbol }) => ({
    id: randomUUID(),
    wallet_id: walletId,
    owner_id: ownerId,
    place: `${network} ${hash}:coin`,
    secret_type: secretType,
    network,
    hash,
    state: 'sent' as const,
    effect: JSON.stringify({
      kind: 'transfer',
      from: sender ?? undefined,
      to: recipient,
      amount: { raw: String(amount) },
    }),
    dust: isDust({ raw: amount, decimals, symbol }),
    settled: true,
    created_at: at,
  }));
  for (let from = 0; from < rows.length; from += 1000)
    await tx
      .insertInto('arrivals')
      .values(rows.slice(from, from + 1000))
      .onConflict((is) => is.columns(['wallet_id', 'place']).doNothing())
      .execute();
}

/** That the arrival `a` is of the deposit `d`. */
const IS_SAME = sql`a.wallet_id = d.wallet_id and a.place = d.network || ' ' || d.transaction_hash || ':coin'`;

/** Forgets deposits that were not announced, in blocks after this one: they are gone. */
export async function forgetAfter(tx: Database, network: string, block: number): Promise<void> {
  const gone = sql`d.network = ${network} and d.block_number > ${block} and d.announced_at is null`;
  await sql`delete from arrivals a using deposits d where ${gone} and ${IS_SAME}`.execute(tx);
  await sql`delete from deposits d where ${gone}`.execute(tx);
}

/** Forgets deposits `d` of wallets that are not watched any more. Whoever reads their histories asks a node what became of them. */
export async function forgetUnwatched(tx: Database, unwatched: RawBuilder<unknown>): Promise<void> {
  await sql`update arrivals a set settled = false from deposits d where ${unwatched} and ${IS_SAME}`.execute(
    tx,
  );
  await sql`delete from deposits d where ${unwatched}`.execute(tx);
}

/** Announces the deposits that the block of this number confirms, if their wallets are still watched. */
export async function announceDue(
  tx: Database,
  notify: Notify,
  network: Network,
  number: number,
): Promise<void> {
  const due = sql`d.network = ${network.id} and d.announced_at is null
    and d.block_number <= ${number - confirmationsOn(network) + 1}`;
  const { rows } = await sql<DepositRow>`update deposits d set announced_at = clock_timestamp()
    where ${due} and exists (
      select from wallet_watches w where w.wallet_id = d.wallet_id and w.network = d.network)
    returning *`.execute(tx);
  if (rows.length > 0)
    await sql`update arrivals a set state = 'confirmed' from deposits d
      where d.network = ${network.id} and d.transaction_hash = any(${rows.map((row) => row.transaction_hash)}::text[])
      and d.announced_at is not null and ${IS_SAME}`.execute(tx);
  // Their wallets are no longer watched since the block was read.
  await forgetUnwatched(tx, due);
  for (const row of rows)
    await notify(row.wallet_id, 'wallet.deposit', async () => {
      const wallet = await subjectOf(tx, row.wallet_id);
      return { wallet, deposit: describe(row, wallet.address, number - Number(row.block_number) + 1) };
    });
}

function describe(row: DepositRow, to: string, confirmations: number): Deposit {
  const { symbol, decimals, token_address: token } = row;
  return {
    transactionHash: row.transaction_hash,
    place: row.place,
    network: row.network,
    from: row.sender,
    to,
    amount: {
      value: formatAmount(BigInt(row.amount), decimals),
      raw: row.amount,
      decimals,
      symbol,
      ...(token === null ? {} : { tokenAddress: token }),
    },
    block: Number(row.block_number),
    blockHash: row.block_hash,
    confirmations,
  };
}

/** How long announced deposits are remembered: no reorganisation goes back so far. */
const KEPT = '30 days';

export async function forgetAnnounced(db: Database): Promise<void> {
  await sql`delete from deposits where announced_at < clock_timestamp() - ${KEPT}::interval`.execute(db);
}
