/** What sessions ask of the provider that takes the money. `docs/adding-a-payment-provider.md` explains how to add one. */
import type { CreateSession, CustomerDetails } from '../../../src/api/checkout.ts';
import type { SessionRow } from '../../database/schema.ts';

export interface NewSession {
  id: string;
  pageId: string;
  applicationId: string;
  lineItems: CreateSession['line_items'];
  /** In capital letters. */
  currency: string;
  /** In minor units. */
  amountTotal: number;
  customerId: string | null;
  successUrl: string;
  cancelUrl: string;
  expiresAt: Date;
  /** URL of our own page when the session can also be paid there; customers who leave the provider's page return to it. */
  ownPage: string | undefined;
}

export interface OpenedSession {
  /** Where the customer pays. */
  url: string;
  /** The provider's id of the session; null when it has none. */
  providerSession: string | null;
  /** The provider's time, which may differ from the one that was asked for. */
  expiresAt: Date;
}

/** The state of a session at its provider. */
export type Outcome =
  | { status: 'open' }
  | { status: 'expired' }
  | {
      status: 'complete';
      paid: boolean;
      paymentIntent: string | null;
      customerDetails: CustomerDetails;
    };

/** A refund of a card payment, to its card. */
export interface ProviderRefund {
  /** Our id. The same in every call about the refund. */
  id: string;
  session: SessionRow;
  /** In minor units. */
  amount: number;
  /** The provider's id of the refund; null while it is not known whether the provider has one. */
  providerRefund: string | null;
  /** True if the provider was never asked for it. */
  first: boolean;
}

/** The state of a refund at its provider. */
export interface RefundOutcome {
  state: 'pending' | 'succeeded' | 'failed';
  /** Null when the provider has no ids of refunds. */
  providerRefund: string | null;
  /** Why it failed. */
  reason: string | null;
}

export interface PaymentProvider {
  /** As in `PAYMENT_PROVIDER`, in the path of its dashboard and in `checkout_sessions.provider`. */
  readonly name: string;
  readonly livemode: boolean;
  /** Customers always pay on our own page, never on one of the provider's. */
  readonly paysOnOwnPage: boolean;
  /** Numbers of the only cards that our own page accepts; absent when it takes no cards. */
  readonly testCards?: readonly { number: string; brand: string }[];
  /** Called before the session is stored. Throws `checkout.provider.*`. */
  open(session: NewSession): Promise<OpenedSession>;
  /**
   * Closes an open session whose time is over or whose customer went back, and answers its final state: it may have been paid at the last
   * moment. Throws `checkout.provider.unreachable`.
   */
  close(session: SessionRow): Promise<Outcome>;
  /**
   * Makes the refund unless the provider has it, and returns its state: called again, also after a crash, it never refunds twice. Throws
   * `checkout.provider.refused`, after which there is no refund, and `checkout.provider.unreachable`, after which there may be one.
   */
  refund(refund: ProviderRefund): Promise<RefundOutcome>;
  /** URL at which the application sees its payments. */
  loginLink(applicationId: string): Promise<string>;
}
