/** The provider `test`: takes well-known test cards on our own page, and no money. */
import type { ProviderDefinition } from '../provider-definition.ts';

export const test = {
  variables: {},
  readSettings: () => ({ settings: {} }),
  dashboard: 'Get a link to the test payments, when the service runs with the provider `test`.',
  open: async (parts) => (await import('./test-payments.ts')).testPayments(parts),
} satisfies ProviderDefinition;
