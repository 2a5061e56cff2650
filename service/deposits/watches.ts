/** Which wallets are watched for deposits. */
import { sql, type Transaction } from 'kysely';
import type { Watch } from '../../src/api/wallet-event.ts';
import { confirmationsOn } from '../../src/chains/nodes/confirmations.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { inAccount } from '../database/account-scope.ts';
import type { Schema } from '../database/schema.ts';
import type { Principal } from '../http/principal.ts';
import { forgetUnwatched } from './announce.ts';
import { blockReaderOf } from '../scanning/chains/block-readers.ts';
import type { Service } from '../service.ts';
import { type StoredWallet, walletOf } from '../wallets/stored-wallets.ts';
import { usableOn, walletOn } from '../wallets/wallet-network.ts';

type Parts = Pick<Service, 'db' | 'networks'>;

/**
 * Idempotent. `named`: a network of the wallet; its default one if undefined. Reading blocks costs the operator, so it takes a network that
 * the client may use. Throws `wallet.forbidden`, `request.invalid` at `network`, `chain.not-supported`, and
 * `wallet.balance.not.supported.yet` if the wallet has no node.
 */
export async function watchWallet(
  { db, networks }: Parts,
  principal: Principal,
  walletId: string,
  named: string | undefined,
): Promise<Watch> {
  const wallet = await usableOn({ db, networks }, principal, await walletOf(db, principal, walletId), named);
  const { node } = await networks.reach(wallet.secret_type, wallet.network);
  const recipient = blockReaderOf(wallet.secret_type).keyOf(wallet.address);
  const watching = db.transaction();
  await inAccount(wallet.owner_id, () =>
    watching.execute(async (tx) => {
      const made = await tx
        .insertInto('wallet_watches')
        .values({ wallet_id: wallet.id, owner_id: wallet.owner_id, network: node.network.id, recipient })
        .onConflict((is) => is.doNothing())
        .returning('wallet_id')
        .executeTakeFirst();
      if (made) await openCursor(tx, wallet, node.network.id);
    }),
  );
  return watchOf({ db, networks }, wallet);
}

/** Starts reading a network on which nothing was watched. */
async function openCursor(
  tx: Transaction<Schema>,
  { secret_type }: StoredWallet,
  network: string,
): Promise<void> {
  const at = new Date();
  const isNew = sql`c.next_look_at is null`;
  await sql`insert into scan_cursors as c (network, secret_type, since, next_look_at, asked)
    values (${network}, ${secret_type}, ${at}, ${at}, 1)
    on conflict (network) do update set
      since = case when ${isNew} then excluded.since else c.since end,
      position = case when ${isNew} then null else c.position end,
      position_hash = case when ${isNew} then null else c.position_hash end,
      head = case when ${isNew} then null else c.head end,
      block_time = case when ${isNew} then null else c.block_time end,
      failures = case when ${isNew} then 0 else c.failures end,
      next_look_at = coalesce(c.next_look_at, excluded.next_look_at),
      asked = c.asked + 1`.execute(tx);
}

/** Throws `wallet.forbidden` and `request.not-found`. */
export async function readWatch(
  parts: Parts,
  principal: Principal,
  walletId: string,
  named: string | undefined,
): Promise<Watch> {
  return watchOf(parts, walletOn(parts.networks, await walletOf(parts.db, principal, walletId), named));
}

/** `wallet` as it is on the network. */
async function watchOf({ db, networks }: Parts, wallet: StoredWallet): Promise<Watch> {
  const { id, owner_id } = wallet;
  const on = networks.idOf(wallet);
  const network = networks.file.networks.find((one) => one.id === on);
  const watched = db
    .selectFrom('wallet_watches')
    .select('created_at')
    .where('wallet_id', '=', id)
    .where('network', '=', on ?? '');
  const row = await inAccount(owner_id, () => watched.executeTakeFirst());
  if (!row || !network)
    throw new ConnectError(
      'request.not-found',
      `The wallet is not watched for deposits${on === undefined ? '' : ` on ${on}`}.`,
    );
  return {
    walletId: id,
    network: network.id,
    confirmations: confirmationsOn(network),
    since: row.created_at.toISOString(),
  };
}

/** Does nothing if it is not watched there. Throws `wallet.forbidden`, and `request.invalid` at `network`. */
export async function unwatchWallet(
  { db, networks }: Parts,
  principal: Principal,
  walletId: string,
  named: string | undefined,
): Promise<void> {
  const wallet = await walletOf(db, principal, walletId);
  const { id, owner_id } = wallet;
  const on = named ?? networks.idOf(wallet) ?? wallet.network ?? '';
  const ending = db.transaction();
  await inAccount(owner_id, () =>
    ending.execute(async (tx) => {
      const watches = tx.deleteFrom('wallet_watches').where('wallet_id', '=', id).where('network', '=', on);
      const { numDeletedRows } = await watches.executeTakeFirst();
      // A network that the service has no more may have a watch. One that never was would be a mistake.
      if (numDeletedRows === 0n) walletOn(networks, wallet, named);
      await forgetUnwatched(tx, sql`d.wallet_id = ${id} and d.network = ${on} and d.announced_at is null`);
    }),
  );
}
