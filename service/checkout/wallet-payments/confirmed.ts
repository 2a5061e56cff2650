/** Whether a transfer that nobody waited for has its confirmations: one that a reorganisation removed must not count. */
import type { TransferRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import { readerOf } from './chains/reader-of.ts';

/** Throws `node.unreachable`. */
export async function isConfirmed(
  { db, networks }: Pick<Service, 'db' | 'networks'>,
  transfer: TransferRow,
): Promise<boolean> {
  if (transfer.state !== 'unassigned') return transfer.state === 'paid';
  const quote = await db
    .selectFrom('wallet_quotes')
    .select(['secret_type', 'confirmations'])
    .where('id', '=', transfer.quote_id)
    .executeTakeFirstOrThrow();
  const { locate, readBlock, isFinal } = readerOf(quote.secret_type);
  const node = await networks.reachBlocks(quote.secret_type, transfer.network);
  const { transaction_hash: hash, log_index: logIndex, token_address: token, address, amount } = transfer;
  const seenIn = { block: Number(transfer.block_number), blockHash: transfer.block_hash };
  const [place, head] = await Promise.all([
    locate(node, { hash, logIndex, seenIn }, { token, address, amount: BigInt(amount) }),
    readBlock(node, 'latest'),
  ]);
  if (!place || !head || head.number - place.block + 1 < quote.confirmations) return false;
  return (await isFinal?.(node, { number: place.block, hash: place.blockHash })) !== false;
}
