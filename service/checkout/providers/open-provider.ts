/** The provider that the settings name. */
import type { PaymentProvider, ProviderParts } from './provider.ts';

const MAKERS: Record<PaymentProvider['name'], (parts: ProviderParts) => Promise<PaymentProvider>> = {
  test: async (parts) => (await import('./test/test-provider.ts')).testProvider(parts),
  // Its SDK is large, and most services run without.
  stripe: async (parts) => (await import('./stripe/stripe-provider.ts')).stripeProvider(parts),
};

export function openProvider(parts: ProviderParts): Promise<PaymentProvider> {
  return MAKERS[parts.config.payments.provider](parts);
}
