/** Every call of the service, one constant each, so that a caller's bundle holds only those it makes. */
export {
  addPasskey,
  changePincode,
  enrolDevice,
  listDevices,
  putLinks,
  readAccount,
  readLinks,
  readPasskey,
  recoverPincode,
  removeDevice,
  removePasskey,
  renewRecoveryCode,
} from './account.ts';
export * from './checkout-routes.ts';
export { createClientSecret, listClientSecrets, revokeClientSecret } from './client-secret.ts';
export { listTransactions, readTransaction } from './history.ts';
export { cancelTransaction, estimateTransaction, executeBatch, speedUpTransaction } from './orders.ts';
export {
  answerChallenge,
  cancelPayment,
  completeOrder,
  extendPage,
  payByCard,
  quoteWalletPayment,
  readPayPage,
  tellWalletPayment,
} from './pay.ts';
export {
  approveTransaction,
  listHeldTransactions,
  listPolicies,
  putPolicy,
  readPolicy,
  withdrawPolicy,
} from './policy.ts';
export { mailReceipt, readPayReceipt } from './receipt.ts';
export { endSpendingSession, listSpendingSessions, openSpendingSession } from './spending-session.ts';
export { exchangeToken, issueToken, readDiscovery, readJwks, readProfile } from './token.ts';
export * from './transaction-routes.ts';
export {
  createWalletWebhook,
  deleteWalletWebhook,
  listWalletDeliveries,
  listWalletWebhooks,
  readWalletWebhook,
  readWatch,
  redeliverWalletEvent,
  unwatchWallet,
  watchWallet,
} from './wallet-event.ts';
export * from './wallet-routes.ts';
