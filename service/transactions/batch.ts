/**
 * Several transactions of a wallet with one check of its PIN. Each is signed and sent as if it were alone, under its own `Idempotency-Key`,
 * so that a repeated batch continues where the first one ended. Other requests can use the wallet between two of them.
 */
import type { BatchRequest, BatchResult } from '../../src/api/orders.ts';
import { draftToJson } from '../../src/api/draft-json.ts';
import type { ParsedRequest } from '../../src/chains/terms.ts';
import { loadPayloads } from '../networks/chains.ts';
import { type NetworkChoice, splitNetwork } from '../../src/chains/nodes/networks.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import { ConnectError, type ErrorCode, type Issue, RequestInvalidError } from '../../src/base/errors.ts';
import { Turns } from '../concurrency/turns.ts';
import type { PinProof } from '../custody/pin-opener.ts';
import { findAnswered, Fingerprint, type KeyedRequest } from '../idempotency/request-keys.ts';
import type { Principal } from '../http/principal.ts';
import type { StoredWallet } from '../wallets/stored-wallets.ts';
import { type OtherNetwork, otherNetwork, requireUsable } from '../wallets/wallet-network.ts';
import { refusal } from './estimate.ts';
import { entryOf } from './journal.ts';
import { draftOf, type SpendRequest, spend, type Spender, type WithKey, withOneCheck } from './spending.ts';

interface Batch {
  wallet: StoredWallet;
  pincode: PinProof;
  body: Omit<BatchRequest, 'pincode' | 'passkey'>;
  principal: Principal;
  key: string;
}

interface ParsedTransaction {
  request: ParsedRequest;
  network: OtherNetwork | undefined;
}

/** Throws `request.invalid` and `request.conflict` before anything is signed, and as `Custody.withKey` does. */
export async function executeAll(
  spender: Spender,
  { wallet, pincode, body, principal, key }: Batch,
): Promise<BatchResult> {
  const requests = await parsed(spender, wallet, body.transactions);
  const { accountId } = principal;
  const fingerprint = new Fingerprint('batch', body);
  const batch: KeyedRequest = { accountId, key, fingerprint };
  const spendRequests = requests.map(
    ({ request, network }, at): SpendRequest => ({
      wallet,
      network,
      pincode,
      principal,
      // The keys of callers contain no spaces.
      keyedRequest: { accountId, key: `${key} ${at}`, fingerprint },
      batch,
      request: draftToJson(request),
      customNode: (request['network'] as NetworkChoice | null | undefined) ?? undefined,
      draft: draftOf(request, wallet),
    }),
  );
  await findAnswered(spender.db, batch);
  const stops = body.onRefusal !== 'continue';
  const all = (withKey: WithKey) => runAll(spender, spendRequests, { withKey, stops });
  // What was signed before needs no PIN, as with a single transaction.
  if (await areAllSigned(spender, spendRequests)) return all(never);
  for (const { network } of requests) await requireUsable(spender, principal, network);
  return withOneCheck(spender, { wallet, pincode }, all);
}

/**
 * Throws `request.invalid` at every field that is wrong: `transactions.3.to`. Thousands of clauses take a while, so others get their turns.
 */
async function parsed(
  { networks }: Spender,
  wallet: StoredWallet,
  transactions: BatchRequest['transactions'],
): Promise<ParsedTransaction[]> {
  const { id, secret_type } = wallet;
  const payloads = await loadPayloads(secret_type);
  const turns = new Turns();
  const requests: ParsedTransaction[] = [];
  const issues: Issue[] = [];
  for (const [at, one] of transactions.entries()) {
    await turns.next();
    try {
      if (one.walletId !== undefined && one.walletId !== id)
        throw invalid('walletId', 'must be the walletId of the batch, or absent');
      const { networkId, body } = splitNetwork(one);
      const request = payloads.parse({ ...body, walletId: id });
      const other = otherNetwork(networks, wallet, networkId);
      requests.push({ request, network: other && { ...other, field: `transactions.${at}.network` } });
    } catch (error) {
      if (!(error instanceof RequestInvalidError)) throw error;
      for (const { path, message } of error.details.issues)
        issues.push({ path: `transactions.${at}.${path}`, message });
    }
  }
  if (issues.length > 0) throw new RequestInvalidError(issues);
  return requests;
}

async function areAllSigned({ db }: Spender, requests: readonly SpendRequest[]): Promise<boolean> {
  for (const { keyedRequest } of requests) if (!(await findAnswered(db, keyedRequest))) return false;
  return true;
}

/** Errors that say nothing about the transaction: the batch fails with them, and continues when it is repeated. */
const OVERLOAD: readonly ErrorCode[] = ['service.unreachable', 'request.rate-limited', 'internal.error'];

const never: WithKey = () => Promise.reject(new Error('a signed transaction needs no key'));

async function runAll(
  spender: Spender,
  requests: readonly SpendRequest[],
  { withKey, stops }: { withKey: WithKey; stops: boolean },
): Promise<BatchResult> {
  const results: BatchResult = [];
  let stopped = false;
  for (const request of requests) {
    const result: BatchResult[number] = stopped
      ? await signedBefore(spender, request)
      : await runOne(spender, request, withKey);
    results.push(result);
    // No node answers: the next one would only be signed and then wait, too.
    stopped ||= result.outcome !== 'sent' && (stops || result.outcome !== 'refused');
  }
  return results;
}

async function runOne(
  spender: Spender,
  request: SpendRequest,
  withKey: WithKey,
): Promise<BatchResult[number]> {
  try {
    const { transactionHash } = await spend(spender, request, withKey);
    return { outcome: 'sent', transactionHash };
  } catch (error) {
    if (!(error instanceof ConnectError) || OVERLOAD.includes(error.code)) throw error;
    const { transactionHash } = error.details as { transactionHash?: string };
    if (error.code !== 'node.unreachable')
      return { outcome: 'refused', ...(transactionHash && { transactionHash }), error: refusal(error) };
    return transactionHash
      ? { outcome: 'unsent', transactionHash, error: refusal(error) }
      : { outcome: 'skipped', error: refusal(error) };
  }
}

/** A repeated batch may stop earlier than the first time. */
async function signedBefore({ db }: Spender, { keyedRequest }: SpendRequest): Promise<BatchResult[number]> {
  const row = await findAnswered(db, keyedRequest);
  if (!row) return { outcome: 'skipped' };
  const { state, hash, error } = entryOf(row);
  if (state === 'refused' && error)
    return { outcome: 'refused', transactionHash: hash, error: refusal(error) };
  return { outcome: state === 'signed' ? 'unsent' : 'sent', transactionHash: hash };
}
