/** The status of a transaction, whoever sent it. */
import type { HistoryEntry } from '../../src/api/history.ts';
import type { StatusQuery } from '../../src/api/transaction.ts';
import { confirmationsOn, stateOn } from '../../src/chains/nodes/confirmations.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import { CARDS, CHAIN_NAMES, type SecretType } from '../../src/chains/secret-type.ts';
import { ConnectError } from '../../src/base/errors.ts';
import type { Principal } from '../http/principal.ts';
import type { TransactionRow } from '../database/schema.ts';
import type { Service } from '../service.ts';
import { visibleTo } from '../wallets/stored-wallets.ts';
import { minedOf } from './history-entry.ts';
import { type StoredTransaction, entryOf, STATES } from './journal.ts';
import { look } from './sending.ts';

/** A hash as the database has it. Throws `request.invalid` at `hash`. */
export function hashOf(secretType: SecretType, hashText: string): string {
  const form = CARDS[secretType].hash;
  if (!form.test(hashText))
    throw invalid('hash', `is not the hash of a transaction on ${CHAIN_NAMES[secretType]}`);
  return form.ignoreCase ? hashText.toLowerCase() : hashText;
}

type Answer = Pick<HistoryEntry, 'status' | 'mined'>;

/** What is known of a transaction that the account's wallets signed, while no node answers. Throws `node.unreachable` for others. */
export async function readStatus(
  service: Pick<Service, 'db' | 'networks' | 'outbound' | 'events' | 'restored'>,
  principal: Principal,
  query: StatusQuery,
  hashText: string,
): Promise<Answer> {
  const { secretType, network } = query;
  const hash = hashOf(secretType, hashText);
  const own = await ownEntry(service, principal, query, hash);
  if (own) return stateOf(service, own);
  const { networks } = service;
  if (network !== undefined && !networks.has(secretType, network))
    throw invalid('network', `is not the id of a network that the service has for ${secretType}`);
  const { chain, node } = await networks.reach(secretType, network);
  const receipt = await chain.receipt(hash, node);
  const status = stateOn(node.network, receipt);
  const mined = status === 'pending' && receipt.mined;
  return { status, mined: mined ? { ...mined, needed: confirmationsOn(node.network) } : null };
}

/** What its node says now or, while none answers, what was known last. */
export async function stateOf(
  service: Pick<Service, 'db' | 'networks' | 'outbound' | 'events' | 'restored'>,
  entry: StoredTransaction,
): Promise<Answer> {
  const answer = (now: StoredTransaction): Answer => ({
    status: STATES[now.state],
    mined: minedOf(now, service.networks.file.networks),
  });
  if (['confirmed', 'failed', 'expired'].includes(entry.state)) return answer(entry);
  try {
    return answer(await look(service.db, service, entry));
  } catch (error) {
    if (error instanceof ConnectError) return answer(entry);
    throw error;
  }
}

async function ownEntry(
  { db }: Pick<Service, 'db'>,
  principal: Principal,
  { secretType, network }: StatusQuery,
  hash: string,
): Promise<StoredTransaction | undefined> {
  const row = await db
    .selectFrom('transactions')
    .selectAll()
    .where('hash', '=', hash)
    .where('secret_type', '=', secretType)
    .$if(network !== undefined, (query) => query.where('network', '=', network!))
    .where('wallet_id', 'in', visibleTo(db, principal).clearSelect().select('wallets.id'))
    // The same bytes may have been refused earlier.
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  return row && entryOf(row as TransactionRow);
}
