/** The provider `stripe`: Stripe Checkout. */
import type { ProviderDefinition } from '../provider-definition.ts';
import { readSettings, type StripeSettings, variables } from './stripe-settings.ts';

export const stripe = {
  variables,
  readSettings,
  dashboard: "Get a link to Stripe's dashboard, when the service runs with Stripe.",
  // The SDK is large, and most services run without it.
  open: async (parts, settings) => (await import('./stripe-checkout.ts')).stripeCheckout(parts, settings),
} satisfies ProviderDefinition<typeof variables, StripeSettings>;
