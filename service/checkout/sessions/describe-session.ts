/** A session as the API shows it. */
import type { CheckoutSession } from '../../../src/api/checkout.ts';
import type { SessionRow } from '../../database/schema.ts';

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

export function describeSession(row: SessionRow): CheckoutSession {
  return {
    id: row.id,
    object: 'checkout.session',
    after_expiration: null,
    allow_promotion_codes: null,
    amount_subtotal: Number(row.amount_subtotal),
    amount_total: Number(row.amount_total),
    automatic_tax: { enabled: false, status: null },
    billing_address_collection: null,
    cancel_url: row.cancel_url,
    client_reference_id: row.client_reference_id,
    consent: null,
    consent_collection: null,
    created: seconds(row.created_at),
    currency: row.currency.toLowerCase(),
    currency_conversion: null,
    custom_fields: [],
    custom_text: { shipping_address: null, submit: null },
    customer: row.customer_id,
    customer_creation: 'if_required',
    customer_details: row.customer_details,
    customer_email: null,
    expires_at: seconds(row.expires_at),
    invoice: null,
    invoice_creation: {
      enabled: false,
      invoice_data: {
        account_tax_ids: null,
        custom_fields: null,
        description: null,
        footer: null,
        metadata: {},
        rendering_options: null,
      },
    },
    livemode: row.livemode,
    locale: null,
    metadata: row.metadata ?? {},
    mode: 'payment',
    payment_intent: row.payment_intent,
    payment_link: null,
    payment_method_collection: 'always',
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: row.payment_status,
    phone_number_collection: { enabled: false },
    receipt_url: row.payment_status === 'paid' ? row.receipt_url : null,
    recovered_from: null,
    refunded: row.refunded,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_details: null,
    shipping_options: [],
    status: row.status,
    submit_type: null,
    subscription: null,
    success_url: row.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    url: row.status === 'open' ? row.url : null,
    wallet_payment: row.wallet_payment,
  };
}
