/** Every call of the service, one constant each, so that a caller's bundle holds only those it makes. */
export * from './checkout-routes.ts';
export { createClientSecret, listClientSecrets, revokeClientSecret } from './client-routes.ts';
export * from './history-routes.ts';
export * from './order-routes.ts';
export * from './passkey-routes.ts';
export * from './pay-routes.ts';
export * from './spending-session-routes.ts';
export * from './policy-routes.ts';
export * from './token-routes.ts';
export * from './transaction-routes.ts';
export * from './user-routes.ts';
export * from './wallet-event-routes.ts';
export * from './wallet-routes.ts';
