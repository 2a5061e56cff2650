/** The calls of the service, by resource. Written by `npm run api` from the contract: do not edit it by hand. */
import {
  acceptPayments,
  approveTransaction,
  buildTransaction,
  cancelRefundLink,
  cancelTransaction,
  changePincode,
  createClientSecret,
  createRefund,
  createRefundLink,
  createSession,
  createSignature,
  createSwap,
  createWallet,
  createWalletWebhook,
  createWebhook,
  deleteReceivingKey,
  deleteReceivingWallet,
  deleteWalletWebhook,
  deleteWebhook,
  endSpendingSession,
  estimateTransaction,
  exchangeToken,
  executeBatch,
  executeTransaction,
  expireSession,
  exportWallet,
  findRecipient,
  importWallet,
  listClientSecrets,
  listDeliveries,
  listHeldTransactions,
  listNonFungibles,
  listPolicies,
  listRefundLinks,
  listRefunds,
  listSessions,
  listSpendingSessions,
  listTokenBalances,
  listTransactions,
  listWalletDeliveries,
  listWalletPayments,
  listWalletWebhooks,
  listWallets,
  listWebhooks,
  openSpendingSession,
  putPolicy,
  readBalance,
  readPolicy,
  readProfile,
  readReceipt,
  readReceivingWallet,
  readReceivingWallets,
  readRefund,
  readRefundLink,
  readSession,
  readTokenBalance,
  readTransaction,
  readTransactionStatus,
  readWallet,
  readWalletWebhook,
  readWatch,
  readWebhook,
  recoverPincode,
  redeliver,
  redeliverWalletEvent,
  renewRecoveryCode,
  revokeClientSecret,
  searchPayments,
  setBranding,
  setReceivingKey,
  setReceivingWallet,
  setReceivingWallets,
  speedUpTransaction,
  swapPairs,
  swapRates,
  unwatchWallet,
  updateWallet,
  uploadIcon,
  watchWallet,
  withdrawPolicy,
} from '../api/routes.ts';
import type { Balances, Body, CallOptions, Caller, Data, Entry, Param, Query } from './caller.ts';
import { Resource, texts } from './caller.ts';
import type { Pages } from './caller.ts';

/** `service.wallets` */
export class Wallets extends Resource {
  /**
   * Create a wallet.
   *
   * `POST /api/wallets`; scope `whitelabel` or `sign:wallets`; repeated if the answer is lost.
   */
  create(body: Body<typeof createWallet>, options?: CallOptions): Promise<Data<typeof createWallet>> {
    return this.caller.call(createWallet, { body }, options);
  }

  /**
   * Create a wallet from an existing private key.
   *
   * `POST /api/wallets/import`; scope `whitelabel` or `sign:wallets`; repeated if the answer is lost.
   */
  import(body: Body<typeof importWallet>, options?: CallOptions): Promise<Data<typeof importWallet>> {
    return this.caller.call(importWallet, { body }, options);
  }

  /**
   * List the token's wallets, oldest first: all of them, or with `limit` page by page.
   *
   * `GET /api/wallets`; scope `view:wallets` or `use:all-wallets`; repeated if the answer is lost.
   */
  list(query: Query<typeof listWallets> = {}, options?: CallOptions): Pages<Entry<typeof listWallets>> {
    return this.caller.pages(listWallets, { query: texts(query) }, options);
  }

  /**
   * Read a wallet with its balance.
   *
   * `GET /api/wallets/{id}`; scope `view:wallets` or `use:all-wallets`; repeated if the answer is lost.
   */
  read(id: Param<typeof readWallet, 'id'>, options?: CallOptions): Promise<Data<typeof readWallet>> {
    return this.caller.call(readWallet, { params: { id } }, options);
  }

  /**
   * Rename a wallet, make it the primary one, archive it or restore it.
   *
   * `PATCH /api/wallets/{id}`; scope `sign:wallets` or `whitelabel`; never repeated.
   */
  update(
    id: Param<typeof updateWallet, 'id'>,
    body: Body<typeof updateWallet>,
    options?: CallOptions,
  ): Promise<Data<typeof updateWallet>> {
    return this.caller.call(updateWallet, { params: { id }, body }, options);
  }

  /**
   * Read the native balance of a wallet.
   *
   * `GET /api/wallets/{id}/balance`; scope `view:wallets` or `use:all-wallets`; repeated if the answer is lost.
   */
  balance(
    id: Param<typeof readBalance, 'id'>,
    query: Query<typeof readBalance> = {},
    options?: CallOptions,
  ): Promise<Data<typeof readBalance>> {
    return this.caller.call(readBalance, { params: { id }, query: texts(query) }, options);
  }

  /**
   * Read the balances of all supported tokens.
   *
   * `GET /api/wallets/{id}/balance/tokens`; scope `view:wallets` or `use:all-wallets`; repeated if the answer is lost.
   */
  tokenBalances(
    id: Param<typeof listTokenBalances, 'id'>,
    query: Omit<Query<typeof listTokenBalances>, 'partial'> = {},
    options?: CallOptions,
  ): Promise<Balances<typeof listTokenBalances>> {
    return this.caller.balances(listTokenBalances, { params: { id }, query: texts(query) }, options);
  }

  /**
   * Read the balance of one token, by its address.
   *
   * `GET /api/wallets/{id}/balance/tokens/{token}`; scope `view:wallets` or `use:all-wallets`; repeated if the answer is lost.
   */
  tokenBalance(
    id: Param<typeof readTokenBalance, 'id'>,
    token: Param<typeof readTokenBalance, 'token'>,
    query: Query<typeof readTokenBalance> = {},
    options?: CallOptions,
  ): Promise<Data<typeof readTokenBalance>> {
    return this.caller.call(readTokenBalance, { params: { id, token }, query: texts(query) }, options);
  }

  /**
   * List the non-fungible tokens of an Ethereum wallet.
   *
   * `GET /api/wallets/{walletId}/nonfungibles`; scope `view:wallets` or `use:all-wallets`; repeated if the answer is lost.
   */
  nonFungibles(
    walletId: Param<typeof listNonFungibles, 'walletId'>,
    query: Query<typeof listNonFungibles> = {},
    options?: CallOptions,
  ): Promise<Data<typeof listNonFungibles>> {
    return this.caller.call(listNonFungibles, { params: { walletId }, query: texts(query) }, options);
  }

  /**
   * List what the service has signed for a wallet, and incoming transfers, newest first.
   *
   * `GET /api/wallets/{id}/transactions`; scope `view:wallets` or `use:all-wallets`; repeated if the answer is lost.
   */
  transactions(
    id: Param<typeof listTransactions, 'id'>,
    query: Query<typeof listTransactions> = {},
    options?: CallOptions,
  ): Pages<Entry<typeof listTransactions>> {
    return this.caller.pages(listTransactions, { params: { id }, query: texts(query) }, options);
  }

  /**
   * Export a wallet's private key.
   *
   * `POST /api/wallets/{id}/export`; scope `sign:wallets` or `whitelabel`; never repeated.
   */
  exportKey(
    id: Param<typeof exportWallet, 'id'>,
    body: Body<typeof exportWallet>,
    options?: CallOptions,
  ): Promise<Data<typeof exportWallet>> {
    return this.caller.call(exportWallet, { params: { id }, body }, options);
  }

  /**
   * Watch a wallet for deposits on one of its networks. Repeating the call changes nothing.
   *
   * `PUT /api/wallets/{id}/watch`; scope `view:wallets` or `use:all-wallets`, and `webhooks`; never repeated.
   */
  watch(
    id: Param<typeof watchWallet, 'id'>,
    query: Query<typeof watchWallet> = {},
    options?: CallOptions,
  ): Promise<Data<typeof watchWallet>> {
    return this.caller.call(watchWallet, { params: { id }, query: texts(query) }, options);
  }

  /**
   * Read whether a wallet is watched for deposits.
   *
   * `GET /api/wallets/{id}/watch`; scope `view:wallets` or `use:all-wallets`, and `webhooks`; repeated if the answer is lost.
   */
  readWatch(
    id: Param<typeof readWatch, 'id'>,
    query: Query<typeof readWatch> = {},
    options?: CallOptions,
  ): Promise<Data<typeof readWatch>> {
    return this.caller.call(readWatch, { params: { id }, query: texts(query) }, options);
  }

  /**
   * Stop watching a wallet. Deposits that still wait for confirmations are not reported.
   *
   * `DELETE /api/wallets/{id}/watch`; scope `view:wallets` or `use:all-wallets`, and `webhooks`; never repeated.
   */
  unwatch(
    id: Param<typeof unwatchWallet, 'id'>,
    query: Query<typeof unwatchWallet> = {},
    options?: CallOptions,
  ): Promise<Data<typeof unwatchWallet>> {
    return this.caller.call(unwatchWallet, { params: { id }, query: texts(query) }, options);
  }
}

/** `service.recipients` */
export class Recipients extends Resource {
  /**
   * Find the wallet address for an e-mail address on a chain.
   *
   * `POST /api/recipients`; scope `save:transaction` or `sign:wallets`; never repeated.
   */
  find(body: Body<typeof findRecipient>, options?: CallOptions): Promise<Data<typeof findRecipient>> {
    return this.caller.call(findRecipient, { body }, options);
  }
}

/** `service.transactions` */
export class Transactions extends Resource {
  /**
   * Build the chain's native transaction request for an intent.
   *
   * `POST /api/transactions/build`; scope `save:transaction` or `sign:wallets`; never repeated.
   */
  build(body: Body<typeof buildTransaction>, options?: CallOptions): Promise<Data<typeof buildTransaction>> {
    return this.caller.call(buildTransaction, { body }, options);
  }

  /**
   * Estimate what a native transaction request would cost, and whether it would be executed.
   *
   * `POST /api/transactions/estimate`; scope `save:transaction` or `sign:wallets`; never repeated.
   */
  estimate(
    body: Body<typeof estimateTransaction>,
    options?: CallOptions,
  ): Promise<Data<typeof estimateTransaction>> {
    return this.caller.call(estimateTransaction, { body }, options);
  }

  /**
   * Sign a native transaction request and send it.
   *
   * `POST /api/transactions/execute`; scope `sign:wallets`; repeated if the answer is lost.
   */
  execute(
    body: Body<typeof executeTransaction>,
    options?: CallOptions,
  ): Promise<Data<typeof executeTransaction>> {
    return this.caller.call(executeTransaction, { body }, options);
  }

  /**
   * Sign up to 100 of a wallet's native transaction requests with one PIN check, and send them.
   *
   * `POST /api/transactions/batch`; scope `sign:wallets`; repeated if the answer is lost.
   */
  executeBatch(body: Body<typeof executeBatch>, options?: CallOptions): Promise<Data<typeof executeBatch>> {
    return this.caller.call(executeBatch, { body }, options);
  }

  /**
   * Read a transaction that the caller's wallets sent or received.
   *
   * `GET /api/transactions/{hash}`; scope `view:wallets` or `use:all-wallets`; repeated if the answer is lost.
   */
  read(
    hash: Param<typeof readTransaction, 'hash'>,
    query: Query<typeof readTransaction>,
    options?: CallOptions,
  ): Promise<Data<typeof readTransaction>> {
    return this.caller.call(readTransaction, { params: { hash }, query: texts(query) }, options);
  }

  /**
   * Read the status of a transaction.
   *
   * `GET /api/transactions/{hash}/status`; scope `view:wallets` or `use:all-wallets`; repeated if the answer is lost.
   */
  status(
    hash: Param<typeof readTransactionStatus, 'hash'>,
    query: Query<typeof readTransactionStatus>,
    options?: CallOptions,
  ): Promise<Data<typeof readTransactionStatus>> {
    return this.caller.call(readTransactionStatus, { params: { hash }, query: texts(query) }, options);
  }

  /**
   * Send a pending transaction again, with a higher fee.
   *
   * `POST /api/transactions/{hash}/speed-up`; scope `sign:wallets`; repeated if the answer is lost.
   */
  speedUp(
    hash: Param<typeof speedUpTransaction, 'hash'>,
    body: Body<typeof speedUpTransaction>,
    options?: CallOptions,
  ): Promise<Data<typeof speedUpTransaction>> {
    return this.caller.call(speedUpTransaction, { params: { hash }, body }, options);
  }

  /**
   * Replace a pending transaction by a transfer to the wallet itself.
   *
   * `POST /api/transactions/{hash}/cancel`; scope `sign:wallets`; repeated if the answer is lost.
   */
  cancel(
    hash: Param<typeof cancelTransaction, 'hash'>,
    body: Body<typeof cancelTransaction>,
    options?: CallOptions,
  ): Promise<Data<typeof cancelTransaction>> {
    return this.caller.call(cancelTransaction, { params: { hash }, body }, options);
  }
}

/** `service.signatures` */
export class Signatures extends Resource {
  /**
   * Sign data.
   *
   * `POST /api/signatures`; scope `sign:wallets`; repeated if the answer is lost.
   */
  create(body: Body<typeof createSignature>, options?: CallOptions): Promise<Data<typeof createSignature>> {
    return this.caller.call(createSignature, { body }, options);
  }
}

/** `service.spendingSessions` */
export class SpendingSessions extends Resource {
  /**
   * Open a spending session. Its token replaces the PIN for five minutes.
   *
   * `POST /api/wallets/{id}/sessions`; scope `sign:wallets`; never repeated.
   */
  open(
    id: Param<typeof openSpendingSession, 'id'>,
    body: Body<typeof openSpendingSession>,
    options?: CallOptions,
  ): Promise<Data<typeof openSpendingSession>> {
    return this.caller.call(openSpendingSession, { params: { id }, body }, options);
  }

  /**
   * List a wallet's open spending sessions with what they have used, oldest first.
   *
   * `GET /api/wallets/{id}/sessions`; scope `sign:wallets`; repeated if the answer is lost.
   */
  list(
    id: Param<typeof listSpendingSessions, 'id'>,
    query: Query<typeof listSpendingSessions> = {},
    options?: CallOptions,
  ): Pages<Entry<typeof listSpendingSessions>> {
    return this.caller.pages(listSpendingSessions, { params: { id }, query: texts(query) }, options);
  }

  /**
   * End a spending session.
   *
   * `DELETE /api/wallets/{id}/sessions/{sessionId}`; scope `sign:wallets`; never repeated.
   */
  end(
    id: Param<typeof endSpendingSession, 'id'>,
    sessionId: Param<typeof endSpendingSession, 'sessionId'>,
    options?: CallOptions,
  ): Promise<Data<typeof endSpendingSession>> {
    return this.caller.call(endSpendingSession, { params: { id, sessionId } }, options);
  }
}

/** `service.swaps` */
export class Swaps extends Resource {
  /**
   * List what can be swapped for what on a wallet's network.
   *
   * `GET /api/wallets/{id}/swaps/pairs`; scope `view:wallets` or `use:all-wallets`; repeated if the answer is lost.
   */
  pairs(
    id: Param<typeof swapPairs, 'id'>,
    query: Query<typeof swapPairs> = {},
    options?: CallOptions,
  ): Promise<Data<typeof swapPairs>> {
    return this.caller.call(swapPairs, { params: { id }, query: texts(query) }, options);
  }

  /**
   * Get the rate of every exchange for an amount to sell or to buy.
   *
   * `GET /api/swaps/rates`; scope `view:wallets` or `use:all-wallets`; repeated if the answer is lost.
   */
  rates(query: Query<typeof swapRates>, options?: CallOptions): Promise<Data<typeof swapRates>> {
    return this.caller.call(swapRates, { query: texts(query) }, options);
  }

  /**
   * Build the native transaction requests of a swap, in order.
   *
   * `POST /api/wallets/{id}/swaps`; scope `save:transaction` or `sign:wallets`; never repeated.
   */
  create(
    id: Param<typeof createSwap, 'id'>,
    body: Body<typeof createSwap>,
    options?: CallOptions,
  ): Promise<Data<typeof createSwap>> {
    return this.caller.call(createSwap, { params: { id }, body }, options);
  }
}

/** `service.policies` */
export class Policies extends Resource {
  /**
   * List the policies of clients and wallets, oldest first.
   *
   * `GET /api/policies`; scope `manage:policies`; repeated if the answer is lost.
   */
  list(query: Query<typeof listPolicies> = {}, options?: CallOptions): Pages<Entry<typeof listPolicies>> {
    return this.caller.pages(listPolicies, { query: texts(query) }, options);
  }

  /**
   * Read the policy of a client or a wallet, and earlier ones that still apply.
   *
   * `GET /api/policies/{of}/{id}`; scope `manage:policies`; repeated if the answer is lost.
   */
  read(
    of: Param<typeof readPolicy, 'of'>,
    id: Param<typeof readPolicy, 'id'>,
    options?: CallOptions,
  ): Promise<Data<typeof readPolicy>> {
    return this.caller.call(readPolicy, { params: { of, id } }, options);
  }

  /**
   * Set a policy. Tighter limits apply at once, looser ones after a delay.
   *
   * `PUT /api/policies/{of}/{id}`; scope `manage:policies`; never repeated.
   */
  set(
    of: Param<typeof putPolicy, 'of'>,
    id: Param<typeof putPolicy, 'id'>,
    body: Body<typeof putPolicy>,
    options?: CallOptions,
  ): Promise<Data<typeof putPolicy>> {
    return this.caller.call(putPolicy, { params: { of, id }, body }, options);
  }

  /**
   * Withdraw the newest policy, which restores the one before it.
   *
   * `POST /api/policies/{of}/{id}/withdrawals`; scope `manage:policies`; never repeated.
   */
  withdraw(
    of: Param<typeof withdrawPolicy, 'of'>,
    id: Param<typeof withdrawPolicy, 'id'>,
    options?: CallOptions,
  ): Promise<Data<typeof withdrawPolicy>> {
    return this.caller.call(withdrawPolicy, { params: { of, id } }, options);
  }
}

/** `service.approvals` */
export class Approvals extends Resource {
  /**
   * List the transactions that wait for the caller's approval, oldest first.
   *
   * `GET /api/approvals`; scope `approve:transactions`; repeated if the answer is lost.
   */
  list(
    query: Query<typeof listHeldTransactions> = {},
    options?: CallOptions,
  ): Pages<Entry<typeof listHeldTransactions>> {
    return this.caller.pages(listHeldTransactions, { query: texts(query) }, options);
  }

  /**
   * Approve a transaction that another client requested, by the hash of its draft.
   *
   * `POST /api/transactions/{id}/approvals`; scope `approve:transactions`; never repeated.
   */
  approve(
    id: Param<typeof approveTransaction, 'id'>,
    body: Body<typeof approveTransaction>,
    options?: CallOptions,
  ): Promise<Data<typeof approveTransaction>> {
    return this.caller.call(approveTransaction, { params: { id }, body }, options);
  }
}

/** `service.pincodes` */
export class Pincodes extends Resource {
  /**
   * Change the master PIN, or a wallet's own.
   *
   * `POST /api/pincode`; scope `sign:wallets` or `whitelabel`; never repeated.
   */
  change(body: Body<typeof changePincode>, options?: CallOptions): Promise<Data<typeof changePincode>> {
    return this.caller.call(changePincode, { body }, options);
  }

  /**
   * Set a new PIN with the recovery code, which lifts every lock and is used up.
   *
   * `POST /api/pincode/recover`; scope `sign:wallets` or `whitelabel`; never repeated.
   */
  recover(body: Body<typeof recoverPincode>, options?: CallOptions): Promise<Data<typeof recoverPincode>> {
    return this.caller.call(recoverPincode, { body }, options);
  }

  /**
   * Get a new recovery code for a PIN. The previous one no longer works.
   *
   * `POST /api/pincode/recovery-code`; scope `sign:wallets` or `whitelabel`; never repeated.
   */
  renewRecoveryCode(
    body: Body<typeof renewRecoveryCode>,
    options?: CallOptions,
  ): Promise<Data<typeof renewRecoveryCode>> {
    return this.caller.call(renewRecoveryCode, { body }, options);
  }
}

/** `service.clientSecrets` */
export class ClientSecrets extends Resource {
  /**
   * Create a second client secret. Both are valid until one is revoked.
   *
   * `POST /api/client/secrets`; the client's secret; never repeated.
   */
  create(options?: CallOptions): Promise<Data<typeof createClientSecret>> {
    return this.caller.call(createClientSecret, {}, options);
  }

  /**
   * List the client secrets, oldest first, with their last use.
   *
   * `GET /api/client/secrets`; the client's secret; repeated if the answer is lost.
   */
  list(
    query: Query<typeof listClientSecrets> = {},
    options?: CallOptions,
  ): Pages<Entry<typeof listClientSecrets>> {
    return this.caller.pages(listClientSecrets, { query: texts(query) }, options);
  }

  /**
   * Revoke a client secret, and the tokens issued for it. The last valid one cannot be revoked.
   *
   * `DELETE /api/client/secrets/{id}`; the client's secret; never repeated.
   */
  revoke(
    id: Param<typeof revokeClientSecret, 'id'>,
    options?: CallOptions,
  ): Promise<Data<typeof revokeClientSecret>> {
    return this.caller.call(revokeClientSecret, { params: { id } }, options);
  }
}

/** `service.profile` */
export class Profile extends Resource {
  /**
   * Read the profile of the token's holder.
   *
   * `GET /api/profile`; scope `view:profile`; repeated if the answer is lost.
   */
  read(options?: CallOptions): Promise<Data<typeof readProfile>> {
    return this.caller.call(readProfile, {}, options);
  }
}

/** `service.tokens` */
export class Tokens extends Resource {
  /**
   * Get a user's access token for a token of an identity provider.
   *
   * `POST /auth/exchange`; never repeated.
   */
  exchange(body: Body<typeof exchangeToken>, options?: CallOptions): Promise<Data<typeof exchangeToken>> {
    return this.caller.call(exchangeToken, { body }, options);
  }
}

/** `service.checkoutSessions` */
export class CheckoutSessions extends Resource {
  /**
   * Create a checkout session. The customer pays at its `url`.
   *
   * `POST /checkout/sessions`; scope `checkout`; repeated if the answer is lost.
   */
  create(body: Body<typeof createSession>, options?: CallOptions): Promise<Data<typeof createSession>> {
    return this.caller.call(createSession, { body }, options);
  }

  /**
   * Read a checkout session.
   *
   * `GET /checkout/sessions/{sessionId}`; scope `checkout`; repeated if the answer is lost.
   */
  read(
    sessionId: Param<typeof readSession, 'sessionId'>,
    options?: CallOptions,
  ): Promise<Data<typeof readSession>> {
    return this.caller.call(readSession, { params: { sessionId } }, options);
  }

  /**
   * List checkout sessions, newest first.
   *
   * `GET /checkout/sessions`; scope `checkout`; repeated if the answer is lost.
   */
  list(query: Query<typeof listSessions> = {}, options?: CallOptions): Pages<Entry<typeof listSessions>> {
    return this.caller.pages(listSessions, { query: texts(query) }, options);
  }

  /**
   * End an open checkout session, so that it can no longer be paid.
   *
   * `POST /checkout/sessions/{sessionId}/expire`; scope `checkout`; never repeated.
   */
  expire(
    sessionId: Param<typeof expireSession, 'sessionId'>,
    options?: CallOptions,
  ): Promise<Data<typeof expireSession>> {
    return this.caller.call(expireSession, { params: { sessionId } }, options);
  }

  /**
   * Accept under- or overpayments by wallet as the payment of an open checkout session.
   *
   * `POST /checkout/sessions/{sessionId}/accept`; scope `checkout`; never repeated.
   */
  acceptPayments(
    sessionId: Param<typeof acceptPayments, 'sessionId'>,
    body: Body<typeof acceptPayments>,
    options?: CallOptions,
  ): Promise<Data<typeof acceptPayments>> {
    return this.caller.call(acceptPayments, { params: { sessionId }, body }, options);
  }

  /**
   * Read a paid session's receipt. Its customers see it at `receipt_url`.
   *
   * `GET /checkout/sessions/{sessionId}/receipt`; scope `checkout`; repeated if the answer is lost.
   */
  receipt(
    sessionId: Param<typeof readReceipt, 'sessionId'>,
    options?: CallOptions,
  ): Promise<Data<typeof readReceipt>> {
    return this.caller.call(readReceipt, { params: { sessionId } }, options);
  }

  /**
   * Look again for payments to a session's own address on Bitcoin or Litecoin; returns those to the session.
   *
   * `POST /checkout/sessions/{sessionId}/search`; scope `checkout`; never repeated.
   */
  searchPayments(
    sessionId: Param<typeof searchPayments, 'sessionId'>,
    options?: CallOptions,
  ): Promise<Data<typeof searchPayments>> {
    return this.caller.call(searchPayments, { params: { sessionId } }, options);
  }
}

/** `service.refunds` */
export class Refunds extends Resource {
  /**
   * Refund a payment, in full or in part.
   *
   * `POST /checkout/sessions/{sessionId}/refunds`; scope `refund`; repeated if the answer is lost.
   */
  create(
    sessionId: Param<typeof createRefund, 'sessionId'>,
    body: Body<typeof createRefund>,
    options?: CallOptions,
  ): Promise<Data<typeof createRefund>> {
    return this.caller.call(createRefund, { params: { sessionId }, body }, options);
  }

  /**
   * List a session's refunds, newest first.
   *
   * `GET /checkout/sessions/{sessionId}/refunds`; scope `refund`; repeated if the answer is lost.
   */
  list(
    sessionId: Param<typeof listRefunds, 'sessionId'>,
    query: Query<typeof listRefunds> = {},
    options?: CallOptions,
  ): Pages<Entry<typeof listRefunds>> {
    return this.caller.pages(listRefunds, { params: { sessionId }, query: texts(query) }, options);
  }

  /**
   * Read a refund.
   *
   * `GET /checkout/sessions/{sessionId}/refunds/{refundId}`; scope `refund`; repeated if the answer is lost.
   */
  read(
    sessionId: Param<typeof readRefund, 'sessionId'>,
    refundId: Param<typeof readRefund, 'refundId'>,
    options?: CallOptions,
  ): Promise<Data<typeof readRefund>> {
    return this.caller.call(readRefund, { params: { sessionId, refundId } }, options);
  }
}

/** `service.refundLinks` */
export class RefundLinks extends Resource {
  /**
   * Make a link by which the customer says where a refund of a payment by wallet goes.
   *
   * `POST /checkout/sessions/{sessionId}/refund-links`; scope `refund`; never repeated.
   */
  create(
    sessionId: Param<typeof createRefundLink, 'sessionId'>,
    body: Body<typeof createRefundLink>,
    options?: CallOptions,
  ): Promise<Data<typeof createRefundLink>> {
    return this.caller.call(createRefundLink, { params: { sessionId }, body }, options);
  }

  /**
   * List a session's links for refunds, newest first.
   *
   * `GET /checkout/sessions/{sessionId}/refund-links`; scope `refund`; repeated if the answer is lost.
   */
  list(
    sessionId: Param<typeof listRefundLinks, 'sessionId'>,
    query: Query<typeof listRefundLinks> = {},
    options?: CallOptions,
  ): Pages<Entry<typeof listRefundLinks>> {
    return this.caller.pages(listRefundLinks, { params: { sessionId }, query: texts(query) }, options);
  }

  /**
   * Read a link for a refund, with the address that the customer gave.
   *
   * `GET /checkout/sessions/{sessionId}/refund-links/{linkId}`; scope `refund`; repeated if the answer is lost.
   */
  read(
    sessionId: Param<typeof readRefundLink, 'sessionId'>,
    linkId: Param<typeof readRefundLink, 'linkId'>,
    options?: CallOptions,
  ): Promise<Data<typeof readRefundLink>> {
    return this.caller.call(readRefundLink, { params: { sessionId, linkId } }, options);
  }

  /**
   * Cancel a link for a refund, whether the customer has answered or not.
   *
   * `POST /checkout/sessions/{sessionId}/refund-links/{linkId}/cancel`; scope `refund`; never repeated.
   */
  cancel(
    sessionId: Param<typeof cancelRefundLink, 'sessionId'>,
    linkId: Param<typeof cancelRefundLink, 'linkId'>,
    options?: CallOptions,
  ): Promise<Data<typeof cancelRefundLink>> {
    return this.caller.call(cancelRefundLink, { params: { sessionId, linkId } }, options);
  }
}

/** `service.walletPayments` */
export class WalletPayments extends Resource {
  /**
   * List the transfers to receiving wallets, newest first: payments, and transfers that paid for nothing.
   *
   * `GET /checkout/wallet-payments`; scope `checkout`; repeated if the answer is lost.
   */
  list(
    query: Query<typeof listWalletPayments> = {},
    options?: CallOptions,
  ): Pages<Entry<typeof listWalletPayments>> {
    return this.caller.pages(listWalletPayments, { query: texts(query) }, options);
  }
}

/** `service.receivingWallets` */
export class ReceivingWallets extends Resource {
  /**
   * Set the wallets that get payments, one for each coin or token of a network, in the order in which customers see them. Those that have a key stay, after them.
   *
   * `PUT /account/settings/receiving-wallets`; scope `receiving-wallet`; never repeated.
   */
  set(
    body: Body<typeof setReceivingWallets>,
    options?: CallOptions,
  ): Promise<Data<typeof setReceivingWallets>> {
    return this.caller.call(setReceivingWallets, { body }, options);
  }

  /**
   * Read which wallets get payments, in their order; none if no wallet is set.
   *
   * `GET /account/settings/receiving-wallets`; scope `receiving-wallet`; repeated if the answer is lost.
   */
  read(options?: CallOptions): Promise<Data<typeof readReceivingWallets>> {
    return this.caller.call(readReceivingWallets, {}, options);
  }
}

/** `service.receivingWallet` */
export class ReceivingWallet extends Resource {
  /**
   * Set the only wallet that gets payments at an address; those that have a key stay. Existing quotes still go to the previous wallets.
   *
   * `PUT /account/settings/receiving-wallet`; scope `receiving-wallet`; never repeated.
   */
  set(
    body: Body<typeof setReceivingWallet>,
    options?: CallOptions,
  ): Promise<Data<typeof setReceivingWallet>> {
    return this.caller.call(setReceivingWallet, { body }, options);
  }

  /**
   * Receive Bitcoin or Litecoin at an address for each session, of an extended public key. Sessions that have an address keep it.
   *
   * `PUT /api/client/receiving-key`; the client's secret; never repeated.
   */
  setKey(body: Body<typeof setReceivingKey>, options?: CallOptions): Promise<Data<typeof setReceivingKey>> {
    return this.caller.call(setReceivingKey, { body }, options);
  }

  /**
   * Stop offering payments in the coin of this key. Sessions keep the addresses that they have, and payments there still count.
   *
   * `DELETE /api/client/receiving-key/{id}`; the client's secret; never repeated.
   */
  deleteKey(
    id: Param<typeof deleteReceivingKey, 'id'>,
    options?: CallOptions,
  ): Promise<Data<typeof deleteReceivingKey>> {
    return this.caller.call(deleteReceivingKey, { params: { id } }, options);
  }

  /**
   * Read the first wallet that gets payments.
   *
   * `GET /account/settings/receiving-wallet`; scope `receiving-wallet`; repeated if the answer is lost.
   */
  read(options?: CallOptions): Promise<Data<typeof readReceivingWallet>> {
    return this.caller.call(readReceivingWallet, {}, options);
  }

  /**
   * Remove all wallets that get payments at an address; those that have a key stay. Payments in progress still count.
   *
   * `DELETE /account/settings/receiving-wallet`; scope `receiving-wallet`; never repeated.
   */
  delete(options?: CallOptions): Promise<Data<typeof deleteReceivingWallet>> {
    return this.caller.call(deleteReceivingWallet, {}, options);
  }
}

/** `service.branding` */
export class Branding extends Resource {
  /**
   * Set the look of the payment page.
   *
   * `POST /account/settings/branding`; scope `branding`; never repeated.
   */
  set(body: Body<typeof setBranding>, options?: CallOptions): Promise<Data<typeof setBranding>> {
    return this.caller.call(setBranding, { body }, options);
  }

  /**
   * Upload an icon for the payment page: a square PNG, JPEG or WebP of at least 128 by 128 pixels.
   *
   * `POST /account/settings/branding/icon`; scope `branding`; never repeated.
   */
  uploadIcon(content: Blob, name: string, options?: CallOptions): Promise<Data<typeof uploadIcon>> {
    return this.caller.call(uploadIcon, { file: { content, name } }, options);
  }
}

/** `service.webhooks` */
export class Webhooks extends Resource {
  /**
   * Register a receiver of payment events.
   *
   * `POST /webhooks`; scope `webhooks`; never repeated.
   */
  create(body: Body<typeof createWebhook>, options?: CallOptions): Promise<Data<typeof createWebhook>> {
    return this.caller.call(createWebhook, { body }, options);
  }

  /**
   * List the receivers.
   *
   * `GET /webhooks`; scope `webhooks`; repeated if the answer is lost.
   */
  list(query: Query<typeof listWebhooks> = {}, options?: CallOptions): Pages<Entry<typeof listWebhooks>> {
    return this.caller.pages(listWebhooks, { query: texts(query) }, options);
  }

  /**
   * Read a receiver.
   *
   * `GET /webhooks/{id}`; scope `webhooks`; repeated if the answer is lost.
   */
  read(id: Param<typeof readWebhook, 'id'>, options?: CallOptions): Promise<Data<typeof readWebhook>> {
    return this.caller.call(readWebhook, { params: { id } }, options);
  }

  /**
   * Delete a receiver with its deliveries. A delivery in progress may still arrive.
   *
   * `DELETE /webhooks/{id}`; scope `webhooks`; never repeated.
   */
  delete(id: Param<typeof deleteWebhook, 'id'>, options?: CallOptions): Promise<Data<typeof deleteWebhook>> {
    return this.caller.call(deleteWebhook, { params: { id } }, options);
  }

  /**
   * List a receiver's deliveries, sent and waiting, newest first.
   *
   * `GET /webhooks/{id}/deliveries`; scope `webhooks`; repeated if the answer is lost.
   */
  deliveries(
    id: Param<typeof listDeliveries, 'id'>,
    query: Query<typeof listDeliveries> = {},
    options?: CallOptions,
  ): Pages<Entry<typeof listDeliveries>> {
    return this.caller.pages(listDeliveries, { params: { id }, query: texts(query) }, options);
  }

  /**
   * Send an event again, at once.
   *
   * `POST /webhooks/{id}/deliveries/{deliveryId}/redeliver`; scope `webhooks`; never repeated.
   */
  redeliver(
    id: Param<typeof redeliver, 'id'>,
    deliveryId: Param<typeof redeliver, 'deliveryId'>,
    options?: CallOptions,
  ): Promise<Data<typeof redeliver>> {
    return this.caller.call(redeliver, { params: { id, deliveryId } }, options);
  }
}

/** `service.walletWebhooks` */
export class WalletWebhooks extends Resource {
  /**
   * Register a receiver of events of the application's wallets; with `use:all-wallets` of its users', too.
   *
   * `POST /api/webhooks`; scope `view:wallets` or `use:all-wallets`, and `webhooks`; never repeated.
   */
  create(
    body: Body<typeof createWalletWebhook>,
    options?: CallOptions,
  ): Promise<Data<typeof createWalletWebhook>> {
    return this.caller.call(createWalletWebhook, { body }, options);
  }

  /**
   * List the receivers of events of wallets, oldest first.
   *
   * `GET /api/webhooks`; scope `view:wallets` or `use:all-wallets`, and `webhooks`; repeated if the answer is lost.
   */
  list(
    query: Query<typeof listWalletWebhooks> = {},
    options?: CallOptions,
  ): Pages<Entry<typeof listWalletWebhooks>> {
    return this.caller.pages(listWalletWebhooks, { query: texts(query) }, options);
  }

  /**
   * Read a receiver of events of wallets.
   *
   * `GET /api/webhooks/{id}`; scope `view:wallets` or `use:all-wallets`, and `webhooks`; repeated if the answer is lost.
   */
  read(
    id: Param<typeof readWalletWebhook, 'id'>,
    options?: CallOptions,
  ): Promise<Data<typeof readWalletWebhook>> {
    return this.caller.call(readWalletWebhook, { params: { id } }, options);
  }

  /**
   * Delete a receiver with its deliveries. A delivery in progress may still arrive.
   *
   * `DELETE /api/webhooks/{id}`; scope `view:wallets` or `use:all-wallets`, and `webhooks`; never repeated.
   */
  delete(
    id: Param<typeof deleteWalletWebhook, 'id'>,
    options?: CallOptions,
  ): Promise<Data<typeof deleteWalletWebhook>> {
    return this.caller.call(deleteWalletWebhook, { params: { id } }, options);
  }

  /**
   * List a receiver's deliveries, sent and waiting, newest first.
   *
   * `GET /api/webhooks/{id}/deliveries`; scope `view:wallets` or `use:all-wallets`, and `webhooks`; repeated if the answer is lost.
   */
  deliveries(
    id: Param<typeof listWalletDeliveries, 'id'>,
    query: Query<typeof listWalletDeliveries> = {},
    options?: CallOptions,
  ): Pages<Entry<typeof listWalletDeliveries>> {
    return this.caller.pages(listWalletDeliveries, { params: { id }, query: texts(query) }, options);
  }

  /**
   * Send an event again, at once.
   *
   * `POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver`; scope `view:wallets` or `use:all-wallets`, and `webhooks`; never repeated.
   */
  redeliver(
    id: Param<typeof redeliverWalletEvent, 'id'>,
    deliveryId: Param<typeof redeliverWalletEvent, 'deliveryId'>,
    options?: CallOptions,
  ): Promise<Data<typeof redeliverWalletEvent>> {
    return this.caller.call(redeliverWalletEvent, { params: { id, deliveryId } }, options);
  }
}

/** Every resource of the service. */
export class Calls {
  readonly wallets: Wallets;
  readonly recipients: Recipients;
  readonly transactions: Transactions;
  readonly signatures: Signatures;
  readonly spendingSessions: SpendingSessions;
  readonly swaps: Swaps;
  readonly policies: Policies;
  readonly approvals: Approvals;
  readonly pincodes: Pincodes;
  readonly clientSecrets: ClientSecrets;
  readonly profile: Profile;
  readonly tokens: Tokens;
  readonly checkoutSessions: CheckoutSessions;
  readonly refunds: Refunds;
  readonly refundLinks: RefundLinks;
  readonly walletPayments: WalletPayments;
  readonly receivingWallets: ReceivingWallets;
  readonly receivingWallet: ReceivingWallet;
  readonly branding: Branding;
  readonly webhooks: Webhooks;
  readonly walletWebhooks: WalletWebhooks;

  /** @internal */
  constructor(caller: Caller) {
    this.wallets = new Wallets(caller);
    this.recipients = new Recipients(caller);
    this.transactions = new Transactions(caller);
    this.signatures = new Signatures(caller);
    this.spendingSessions = new SpendingSessions(caller);
    this.swaps = new Swaps(caller);
    this.policies = new Policies(caller);
    this.approvals = new Approvals(caller);
    this.pincodes = new Pincodes(caller);
    this.clientSecrets = new ClientSecrets(caller);
    this.profile = new Profile(caller);
    this.tokens = new Tokens(caller);
    this.checkoutSessions = new CheckoutSessions(caller);
    this.refunds = new Refunds(caller);
    this.refundLinks = new RefundLinks(caller);
    this.walletPayments = new WalletPayments(caller);
    this.receivingWallets = new ReceivingWallets(caller);
    this.receivingWallet = new ReceivingWallet(caller);
    this.branding = new Branding(caller);
    this.webhooks = new Webhooks(caller);
    this.walletWebhooks = new WalletWebhooks(caller);
  }
}
