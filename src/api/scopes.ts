/** Scope names (spec 2.1). */
export const SCOPES = [
  'view:wallets',
  'use:all-wallets',
  'whitelabel',
  'sign:wallets',
  'view:profile',
  'save:transaction',
  'manage:policies',
  'approve:transactions',
  'email',
  'profile',
] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes of a user's token that was exchanged for an identity provider's (spec 4.2). */
export const EXCHANGE_SCOPES = ['view:wallets', 'sign:wallets', 'view:profile', 'email', 'profile'] as const;
