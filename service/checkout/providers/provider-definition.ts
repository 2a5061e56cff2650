/** What a payment provider tells the service about itself. `docs/adding-a-payment-provider.md` walks through one. */
import type * as z from 'zod';
import type { Area, Service } from '../../service.ts';
import type { PaymentProvider } from '../sessions/payment-provider.ts';

/** What a provider may use before the service listens. */
export type ProviderParts = Pick<Service, 'db' | 'url'>;

export interface OpenedProvider {
  payments: PaymentProvider;
  /** Puts the provider's own routes on the server. */
  area: Area;
}

/** `V`: its environment variables. `S`: what its settings become once they are checked. */
export interface ProviderDefinition<V extends z.ZodRawShape = z.ZodRawShape, S = unknown> {
  /** Its environment variables; a wrong one stops the service whichever provider is in use. Its README explains each. */
  variables: V;
  /** Called only for the provider in use. `problems` has a sentence for each reason why the service cannot start. */
  readSettings(
    values: z.infer<z.ZodObject<V>>,
    checkout: { sessionMinutes: number },
  ): { settings: S } | { problems: string[] };
  /** Summary of `GET /<name>-dashboard` in the API reference. */
  dashboard: string;
  /** Import what is large or knows the database only in here: every command of the service loads this definition. */
  open(parts: ProviderParts, settings: S): Promise<OpenedProvider>;
}
