/**
 * What arrived at wallets, for their histories: a node is asked when a history is read, and its answer is stored. Nodes differ in what they
 * report. None reports everything, and nothing that is paid or signed depends on it.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Chain } from '../../src/chains/chain.ts';
import type { Node } from '../../src/chains/terms.ts';
import type { Arrived, Incoming } from '../../src/chains/nodes/incoming.ts';
import { coinOf } from '../../src/chains/secret-type.ts';
import { ConnectError } from '../../src/base/errors.ts';
import type { NodeQueries } from '../concurrency/node-queries.ts';
import type { Database } from '../database/database.ts';
import type { ServiceNetworks } from '../networks/service-networks.ts';
import type { StoredWallet } from '../wallets/stored-wallets.ts';
import { walletOn } from '../wallets/wallet-network.ts';
import { type Effect, sumOf } from './effects.ts';

/** Least time between two looks at a wallet's arrivals on a network, over all processes. */
const PAUSE = '15 seconds';
/** How long an answer waits for the node. */
const MAX_MS = 8_000;
/** Age after which no block is replaced any more. */
const FINAL_MS = 3_600_000;
/** How many transactions one look asks for individually, because the node no longer lists them. */
const MAX_ASKED = 20;

interface Looking {
  db: Database;
  networks: ServiceNetworks;
  queries: NodeQueries;
  log: FastifyBaseLogger;
}

/** A wallet on one of its networks, where something may have arrived. */
export class Destination {
  readonly wallet: StoredWallet;
  /** Undefined while the wallet's default network has no node. */
  readonly network: string | undefined;
  readonly #isDefault: boolean;

  /** `named`: a network of the wallet; its default one if undefined. Throws `request.invalid` at `network`. */
  constructor(networks: ServiceNetworks, wallet: StoredWallet, named: string | undefined) {
    this.wallet = wallet;
    this.network = networks.idOf(walletOn(networks, wallet, named));
    this.#isDefault = this.network === networks.idOf(wallet);
  }

  /** Where it is stored how far the node was asked. */
  get looks() {
    const { wallet, network } = this;
    return this.#isDefault
      ? { table: sql`arrival_looks`, key: sql`wallet_id`, id: sql`${wallet.id}` }
      : { table: sql`network_looks`, key: sql`wallet_id, network`, id: sql`${wallet.id}, ${network}` };
  }

  /** `Incoming.id` as it is stored: one transaction may be in the blocks of two networks. */
  placeOf(id: string): string {
    return this.#isDefault ? id : `${this.network} ${id}`;
  }
}

/** Asks the node what is new, unless that was done just now. Returns when the node last answered; undefined if it never has. */
export async function lookForArrivals(looking: Looking, to: Destination): Promise<Date | undefined> {
  const { db, networks, queries, log } = looking;
  const { wallet, network } = to;
  if (network !== undefined) {
    const look = async (): Promise<void> => {
      const { chain, node } = await networks.reach(wallet.secret_type, network);
      const due = chain.incoming && (await takeTurn(db, to));
      if (!chain.incoming || !due) return;
      const { findIncoming } = await chain.incoming();
      const cursor = due.position === null ? undefined : Number(due.position);
      const news = await findIncoming(wallet.address, node, cursor, coinOf(node.network));
      await keep(db, to, news, network);
      await checkYoung(db, { to, chain, node, news });
    };
    const looked = queries
      .runShared(network, ['arrivals', wallet.id], look)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'the node did not report what arrived at a wallet'),
      );
    // What a slow node reports is in the next answer.
    await Promise.race([looked, wait(MAX_MS, undefined, { ref: false })]);
  }
  return lookedAt(db, to);
}

/** When the node last answered; undefined if it never has. */
export async function lookedAt(db: Database, { looks }: Destination): Promise<Date | undefined> {
  const { rows } = await sql<{ read_at: Date | null }>`
    select read_at from ${looks.table} where (${looks.key}) = (${looks.id})`.execute(db);
  return rows[0]?.read_at ?? undefined;
}

/** Undefined if this or another process has looked just now. */
async function takeTurn(
  db: Database,
  { wallet, looks: { table, key, id } }: Destination,
): Promise<{ position: string | null } | undefined> {
  const { rows } = await sql<{ position: string | null }>`
    insert into ${table} as l (${key}, owner_id, looked_at)
      values (${id}, ${wallet.owner_id}, clock_timestamp())
    on conflict (${key}) do update set looked_at = excluded.looked_at
      where l.looked_at <= excluded.looked_at - ${PAUSE}::interval
    returning position`.execute(db);
  return rows[0];
}

async function keep(
  db: Database,
  to: Destination,
  { items, cursor }: Arrived,
  network: string,
): Promise<void> {
  // One statement can write a row only once.
  const rows = [...new Map(items.map((item) => [item.id, item])).values()].map((item) =>
    rowOf(to, item, network),
  );
  await db.transaction().execute(async (tx) => {
    if (rows.length > 0)
      await tx
        .insertInto('arrivals')
        .values(rows)
        .onConflict((is) =>
          is.columns(['wallet_id', 'place']).doUpdateSet((of) => ({
            state: of.ref('excluded.state'),
            settled: of.ref('excluded.settled'),
            // What is not mined yet keeps the time at which it was first seen.
            created_at: sql<Date>`case when excluded.state = 'sent' then arrivals.created_at else excluded.created_at end`,
          })),
        )
        .execute();
    const { table, key, id } = to.looks;
    await sql`update ${table} set read_at = clock_timestamp(), position = coalesce(${cursor ?? null}::bigint, position)
      where (${key}) = (${id})`.execute(tx);
  });
}

function rowOf(to: Destination, { id, hash, from, amount, at, dust }: Incoming, network: string) {
  const { wallet } = to;
  const effect: Effect = { kind: 'transfer', from, to: wallet.address, amount: sumOf(amount) };
  // A chain's clock may be ahead, but nothing has arrived in the future.
  const time = Math.min(at ?? Date.now(), Date.now());
  return {
    id: randomUUID(),
    wallet_id: wallet.id,
    owner_id: wallet.owner_id,
    place: to.placeOf(id),
    secret_type: wallet.secret_type,
    network,
    hash,
    state: at === undefined ? ('sent' as const) : ('confirmed' as const),
    effect: JSON.stringify(effect),
    dust: dust === true,
    settled: isFinal(at),
    created_at: new Date(time),
  };
}

function isFinal(at: number | undefined): boolean {
  return at !== undefined && Date.now() - at > FINAL_MS;
}

/** What was mined or pending, and is no longer listed by the node: a reorganisation may have removed it. */
async function checkYoung(
  db: Database,
  { to, chain, node, news }: { to: Destination; chain: Chain; node: Node; news: Arrived },
): Promise<void> {
  const listed = new Set(news.items.map(({ id }) => to.placeOf(id)));
  const young = await db
    .selectFrom('arrivals')
    .select(['id', 'place', 'hash', 'state', 'created_at'])
    .where('wallet_id', '=', to.wallet.id)
    .where('network', '=', node.network.id)
    .where('settled', '=', false)
    .orderBy('created_at', 'desc')
    .execute();
  const unlisted = young.filter(({ place }) => !listed.has(place)).slice(0, MAX_ASKED);
  for (const { id, hash, state: before, created_at } of unlisted) {
    const state = await stateOf(chain, hash, node);
    // One of several nodes may be some blocks behind, so it takes two looks.
    const isGone = state === 'failed' || (state === 'unknown' && before === 'sent');
    if (isGone) await db.deleteFrom('arrivals').where('id', '=', id).execute();
    else if (state !== undefined) {
      const isMined = state === 'confirmed';
      await db
        .updateTable('arrivals')
        .set({ state: isMined ? 'confirmed' : 'sent', settled: isMined && isFinal(created_at.getTime()) })
        .where('id', '=', id)
        .execute();
    }
  }
}

/** Undefined while the node does not answer. */
function stateOf(chain: Chain, hash: string, node: Node) {
  const receipt = chain.receipt(hash, node).then(({ state }) => state);
  return receipt.catch((error: unknown) => {
    if (error instanceof ConnectError) return undefined;
    throw error;
  });
}
