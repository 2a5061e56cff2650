/**
 * What nodes answer to `POST /v3/transactions`, by `error_code` or else by `reason`. Sources: aeternity `aehttp_dispatch_ext.erl`,
 * `aec_tx_pool.erl`, `aetx.erl`.
 */
import type { RefusalTable } from '../nodes/broadcast.ts';

export const REFUSALS: RefusalTable = [
  [/^already_accepted$/, 'known'],
  // Also of what the pool has dropped.
  [/^already_known$/, 'seen'],
  [/^(nonce_too_low|ttl_expired)$/, 'over'],
  // Of the chain; `too_low_gas_price_for_miner` is the node's own.
  [/^(too_low_fee|too_low_gas_price)$/, 'transaction'],
  [/^(account_is_not_payable|could_not_resolve_recipient|signature_check_failed|broken_tx)$/, 'transaction'],
  [/^(generalized_account_cant_sign_non_meta_tx|invalid_encoding|Invalid api encoding)$/, 'transaction'],
];

/** Refusals that a user can do something about. */
export const WORDS: Readonly<Record<string, string>> = {
  already_known: 'it was sent before, and dropped',
  nonce_too_low: 'its nonce was used by another one',
  nonce_too_high: 'too many of the wallet’s transactions wait before it',
  too_low_gas_price_for_miner: 'the fee is too low',
  too_low_fee: 'the fee is too low',
  ttl_expired: 'it was sent too late; make a new one',
  account_is_not_payable: 'the recipient takes no coins',
};
