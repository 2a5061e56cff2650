/** Preparing and signing transactions. */
import { parseUnits } from '../../base/amount.ts';
import { checkCoins, recipientOf } from '../requests/build-body.ts';
import { type Claims, freeNonce } from '../approval/claims.ts';
import type { Known, Node, PrivateKey, Signed } from '../terms.ts';
import { addressFacts, NOTHING_KNOWN } from '../approval/known.ts';
import { checkFrom, checkOwner } from '../approval/owner.ts';
import { invalid } from '../requests/payloads.ts';
import { restOf } from '../nodes/rest.ts';
import { address } from './account.ts';
import { readAddress } from './address.ts';
import { type AeternityDraft, COIN } from './draft.ts';
import { type Account, readAccount, readGasPrice, readHeight, readNextNonce, readWaiting } from './node.ts';
import type { AeternityRequest } from './payload.ts';
import { MIN_GAS_PRICE, feeAt, hash, signSpend } from './spend.ts';

/**
 * Key blocks until a transaction expires: about half an hour. Nodes keep one that the wallet cannot pay for
 * for weeks; with an expiry it is known when it may be sent again.
 */
export const LIFE = 10;

/** Every default filled in. One round trip to the node. */
export async function prepare(
  request: AeternityRequest,
  from: string,
  node: Node,
  known: Known = NOTHING_KNOWN,
): Promise<AeternityDraft> {
  checkFrom(from, readAddress);
  const { to, value: amount, data: payload = '0x', ...given } = spendOf(request);
  const { account, next, waiting, gasPrice, height, network, networkId } = await readAll(from, node);
  checkCoins(request, account.balance, COIN);
  const nonce = given.nonce ?? freeNonce(Math.max(next, account.nonce + 1), known.taken ?? []);
  if (nonce <= account.nonce)
    throw invalid('nonce', `was used already; the next one is ${account.nonce + 1}`);
  const ttl = given.ttl ?? height + LIFE;
  if (ttl !== 0 && ttl <= height)
    throw invalid(
      'ttl',
      `has passed: the network is at height ${height}; leave it out for about half an hour`,
    );
  const unpaid = { from, to, amount, ttl, nonce, payload };
  const fee = given.fee ?? feeAt(gasPrice, unpaid);
  const least = feeAt(MIN_GAS_PRICE, unpaid, fee);
  if (fee < least)
    throw invalid('fee', `is too low for the transaction’s size: it must be at least ${least} aettos`);
  return {
    secretType: 'AETERNITY',
    network,
    networkId,
    ...unpaid,
    fee,
    facts: {
      balance: available(account, waiting, nonce),
      minedNonce: account.nonce + 1,
      pendingNonce: next,
      generalized: account.generalized,
      usualFee: feeAt(gasPrice, unpaid),
      recipient: addressFacts(to, known),
    },
  };
}

export function claims({ nonce, facts }: AeternityDraft): Claims {
  return { nonce, nodeNext: facts.pendingNonce };
}

/** Offline and deterministic (RFC 8032). Throws `request.invalid` at `key` for another account's. */
export async function sign(draft: AeternityDraft, key: PrivateKey): Promise<Signed> {
  await checkOwner(key, draft.from, { addressOf: address, digest: hash });
  return signSpend(draft, draft.networkId, key);
}

/** All coins but the fee. One round trip. */
export async function maxSpendable(
  from: string,
  to: string | undefined,
  node: Node,
  payload = '0x',
): Promise<bigint> {
  const { account, next: nonce, waiting, gasPrice, height } = await readAll(from, node);
  const amount = available(account, waiting, nonce);
  const fee = feeAt(gasPrice, { from, to: to ?? from, amount, ttl: height + LIFE, nonce, payload });
  return amount > fee ? amount - fee : 0n;
}

type NativeRequest = Extract<AeternityRequest, { type: 'AE_TRANSACTION' }>;

export function spendOf(request: AeternityRequest): NativeRequest {
  if (request.type === 'AE_TRANSACTION') return request;
  const { walletId, to, value } = request;
  const data = request.type === 'TRANSFER' ? request.data : undefined;
  return {
    type: 'AE_TRANSACTION',
    walletId,
    to: recipientOf(to),
    value: parseUnits(value, COIN.decimals),
    ...(data === undefined ? {} : { data }),
  };
}

/** Everything in one round trip. */
export async function readAll(from: string, node: Node) {
  const rest = restOf(node);
  const [account, next, waiting, gasPrice, height] = await Promise.all([
    readAccount(rest, from),
    readNextNonce(rest, from),
    readWaiting(rest, from),
    readGasPrice(rest),
    readHeight(rest),
  ]);
  return { account, next, waiting, gasPrice, height, network: rest.network, networkId: rest.genesis! };
}

/**
 * A node accepts what the account cannot pay for, and keeps it pending: so what is already pending must be
 * counted. One whose nonce was used stays pending in vain.
 */
export function available(
  { balance, nonce }: Account,
  waiting: ReadonlyMap<number, bigint>,
  own: number,
): bigint {
  let left = balance;
  for (const [other, cost] of waiting) if (other > nonce && other !== own) left -= cost;
  return left > 0n ? left : 0n;
}
