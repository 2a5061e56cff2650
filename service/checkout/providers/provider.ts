/** Who takes the money. A provider is added by its file and its line in `open-provider.ts`. */
import type { FastifyInstance } from 'fastify';
import type { CreateSession, CustomerDetails } from '../../../src/api/checkout.ts';
import type { SessionRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';

export interface NewSession {
  id: string;
  pageId: string;
  applicationId: string;
  lineItems: CreateSession['line_items'];
  /** Capital letters. */
  currency: string;
  /** Minor units. */
  amountTotal: number;
  customerId: string | null;
  successUrl: string;
  cancelUrl: string;
  expiresAt: Date;
  /** Our page, where the session can be paid in another way as well: who comes back from the provider's page comes there. */
  ownPage: string | undefined;
}

export interface OpenedSession {
  /** Where the customer pays. */
  url: string;
  /** The session's id there; null where it has none of its own. */
  providerSession: string | null;
  /** As the provider has it. */
  expiresAt: Date;
}

/** What a session is at its provider. */
export type Outcome =
  | { status: 'open' }
  | { status: 'expired' }
  | {
      status: 'complete';
      paid: boolean;
      paymentIntent: string | null;
      customerDetails: CustomerDetails;
    };

export interface PaymentProvider {
  /** In the path of its dashboard, and in `checkout_sessions.provider`. */
  readonly name: 'test' | 'stripe';
  readonly livemode: boolean;
  /** Nothing is stored before it has answered. Throws `checkout.provider.*`. */
  open(session: NewSession): Promise<OpenedSession>;
  /**
   * Ends an open session there, because its time is over or its customer went back, and answers what it is then: the payment may have
   * come in the last moment. Throws `checkout.provider.unreachable`.
   */
  close(session: SessionRow): Promise<Outcome>;
  /** The application's way to its payments. */
  loginLink(applicationId: string): Promise<string>;
  /** Routes of its own. */
  serve(app: FastifyInstance, service: Service): void | Promise<void>;
}

/** What a provider is made of. */
export type ProviderParts = Pick<Service, 'config' | 'db' | 'url'>;
