/** The payment providers that `PAYMENT_PROVIDER` may name: one line each, under the name that the setting uses. */
export { stripe } from './stripe/stripe-provider.ts';
export { test } from './test/test-provider.ts';
