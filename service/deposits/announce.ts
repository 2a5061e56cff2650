/** Deposits in the database, and their events. */
import { sql } from 'kysely';
import type { Deposit } from '../../src/api/wallet-event.ts';
import { formatAmount } from '../../src/base/amount.ts';
import type { Network } from '../../src/chains/network.ts';
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
  /** Address of a token; null for the coin. */
  token: string | null;
  symbol: string;
  decimals: number;
  amount: bigint;
}

/** Stores each only once: one that was announced stays announced, whichever block it is in now. */
export async function storeDeposits(
  tx: Database,
  { id: network }: Network,
  { number, hash }: Block,
  deposits: readonly NewDeposit[],
): Promise<void> {
  if (deposits.length === 0) return;
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
}

/** Announces the deposits that the block of this number confirms, if their wallets are still watched. */
export async function announceDue(
  tx: Database,
  notify: Notify,
  network: Network,
  number: number,
): Promise<void> {
  const due = sql`network = ${network.id} and announced_at is null
    and block_number <= ${number - confirmationsOn(network) + 1}`;
  const { rows } = await sql<DepositRow>`update deposits d set announced_at = clock_timestamp()
    where ${due} and exists (
      select from wallet_watches w where w.wallet_id = d.wallet_id and w.network = d.network)
    returning *`.execute(tx);
  // Deposits of wallets that are no longer watched since the block was read.
  await sql`delete from deposits where ${due}`.execute(tx);
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
