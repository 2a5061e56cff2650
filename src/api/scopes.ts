/** Scope names: docs/service.md#tokens says what each allows. */
export const SCOPES = [
  'view:wallets',
  'use:all-wallets',
  'whitelabel',
  'sign:wallets',
  'view:profile',
  'save:transaction',
  'manage:policies',
  'approve:transactions',
  'checkout',
  'refund',
  'receiving-wallet',
  'branding',
  'webhooks',
  'email',
  'profile',
] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes of calls that took every token of an application, until migration 026. */
export const CHECKOUT_SCOPES = [
  'checkout',
  'refund',
  'receiving-wallet',
  'branding',
  'webhooks',
] as const satisfies Scope[];

/** The scopes of a user's token that was exchanged for an identity provider's: docs/service.md#users. */
export const EXCHANGE_SCOPES = ['view:wallets', 'sign:wallets', 'view:profile', 'email', 'profile'] as const;
