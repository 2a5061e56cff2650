import { AT, AT_MS, DOLLAR, HASH, type RouteNotes, SHOP, TILL } from './samples.ts';

const SESSION_ID = `cs_test_${'A'.repeat(43)}`;
const PAGE = 'A'.repeat(43);
const SHOP_SITE = 'https://shop.example';
const seconds = Math.floor(AT_MS / 1000);

const SESSION = {
  id: SESSION_ID,
  object: 'checkout.session',
  after_expiration: null,
  allow_promotion_codes: null,
  amount_subtotal: 2999,
  amount_total: 2999,
  automatic_tax: { enabled: false, status: null },
  billing_address_collection: null,
  cancel_url: `${SHOP_SITE}/cart`,
  client_reference_id: 'A-1042',
  consent: null,
  consent_collection: null,
  created: seconds,
  currency: 'eur',
  currency_conversion: null,
  custom_fields: [],
  custom_text: { shipping_address: null, submit: null },
  customer: 'customer-7',
  customer_creation: 'if_required',
  customer_details: null,
  customer_email: null,
  expires_at: seconds + 1800,
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
  livemode: false,
  locale: null,
  metadata: { channel: 'web' },
  mode: 'payment',
  payment_intent: null,
  payment_link: null,
  payment_method_collection: 'if_required',
  payment_method_options: {},
  payment_method_types: ['card'],
  payment_status: 'unpaid',
  phone_number_collection: { enabled: false },
  receipt_url: null as string | null,
  recovered_from: null,
  refunded: 'none',
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_details: null,
  shipping_options: [],
  status: 'open',
  submit_type: null,
  subscription: null,
  success_url: `${SHOP_SITE}/thanks?session={CHECKOUT_SESSION_ID}`,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  url: `https://service.example/pay/${PAGE}` as string | null,
  wallet_payment: null as object | null,
};
const PAYMENT_ID = 'pi_0a4d55a8d778402212345678';
const PAID = {
  ...SESSION,
  status: 'complete',
  payment_status: 'paid',
  payment_intent: PAYMENT_ID,
  receipt_url: `https://service.example/pay/${PAGE}?receipt`,
  url: null,
};
const RECEIPT = {
  number: '20260131-7F3K9Q2M',
  paidAt: AT_MS,
  merchant: 'Mug Shop Ltd',
  merchantVerified: true,
  reference: 'A-1042',
  livemode: false,
  lineItems: [{ name: 'Mug', quantity: 2, unitAmount: 1250, amount: 2500 }],
  currency: 'EUR',
  amountTotal: 2500,
  card: { brand: 'visa', last4: '4242' },
  coins: [],
  refunds: [],
  branding: null,
};
const REFUND = {
  id: 're_8a520d4d7a1f2b115f0c6b1e',
  object: 'refund',
  created: seconds,
  session: SESSION_ID,
  payment: PAYMENT_ID,
  method: 'card',
  status: 'succeeded',
  failure_reason: null,
  note: 'One mug was broken',
  amount: 1250,
  currency: 'eur',
  wallet: null,
};

const WEBHOOK_ID = 'wh_5b0c6d1e2f3a4b5c';
const WEBHOOK = {
  id: WEBHOOK_ID,
  url: `${SHOP_SITE}/events`,
  application: 'PAY',
  authenticationMethod: { type: 'BASIC_AUTHENTICATION' },
};
const LISTED = { ...WEBHOOK, createdAt: AT, disabledAt: null };
const DELIVERY = {
  id: 'del_0a4d55a8d7784022',
  eventId: 'evt_1977d8c5bb947f70',
  type: 'payment.succeeded',
  webhookId: WEBHOOK_ID,
  sessionId: SESSION_ID,
  sequence: 1,
  state: 'delivered',
  attempts: [{ at: AT, status: 204, error: null, milliseconds: 41 }],
  nextAttemptAt: null,
};

const RECEIVING = {
  secretType: 'ETHEREUM',
  network: 'ethereum',
  tokenAddress: null,
  address: TILL,
  confirmations: 12,
  createdAt: AT,
};

const QUOTE = {
  state: 'quoted',
  to: TILL,
  amount: '0.01499731',
  expiresAt: AT_MS + 600_000,
  transactionHash: null,
  confirmations: 0,
  needed: 12,
  problem: null,
  received: null,
  difference: null,
  order: null,
};

const ICON_ID = 'file_0a4d55a8d7784022';
const BRANDING = {
  settings: { branding: { primary_color: '#1f4d3a', secondary_color: '#e9a23b', icon: ICON_ID } },
};

const page = { page: PAGE };
const ATTEMPT = 'a1b2c3d4e5f60718';
const PAYING = [
  'request.invalid',
  'checkout.session.unknown',
  'checkout.session.complete',
  'checkout.session.expired',
  'checkout.payment.pending',
] as const;

export const CHECKOUT_NOTES: RouteNotes = {
  createSession: {
    errors: [
      'request.invalid',
      'request.conflict',
      'checkout.provider.refused',
      'checkout.provider.unreachable',
    ],
    body: {
      line_items: [
        {
          price_data: { product_data: { name: 'Mug' }, unit_amount: 1250, currency: 'EUR' },
          quantity: 2,
        },
        {
          price_data: { product_data: { name: 'Shipping' }, unit_amount: 499, currency: 'EUR' },
          quantity: 1,
        },
      ],
      success_url: SESSION.success_url,
      cancel_url: SESSION.cancel_url,
      mode: 'payment',
      customer: { id: 'customer-7' },
      client_reference_id: 'A-1042',
      metadata: { channel: 'web' },
    },
    answer: SESSION,
  },
  readSession: {
    errors: ['request.invalid', 'checkout.session.unknown'],
    params: { sessionId: SESSION_ID },
    answer: SESSION,
  },
  listSessions: {
    errors: ['request.invalid'],
    query: { status: 'complete', limit: '100' },
    answer: [PAID],
  },
  expireSession: {
    errors: [
      'request.invalid',
      'checkout.session.unknown',
      'checkout.session.complete',
      'checkout.payment.pending',
      'checkout.provider.unreachable',
    ],
    params: { sessionId: SESSION_ID },
    answer: { ...SESSION, status: 'expired', url: null },
  },
  acceptPayments: {
    errors: [...PAYING, 'request.conflict', 'checkout.provider.unreachable', 'node.unreachable'],
    params: { sessionId: SESSION_ID },
    body: { payments: [PAYMENT_ID] },
    answer: {
      ...PAID,
      wallet_payment: {
        status: 'paid',
        payments: [PAYMENT_ID],
        network: 'ethereum',
        token_address: DOLLAR,
        symbol: 'DUSD',
        expected: '29.99',
        received: '29.49',
        missing: '0.5',
        excess: null,
        transaction_hash: HASH,
      },
    },
  },
  readReceipt: {
    errors: ['request.invalid', 'checkout.session.unknown', 'request.not-found'],
    params: { sessionId: SESSION_ID },
    answer: RECEIPT,
  },
  readPayReceipt: {
    errors: ['request.invalid', 'checkout.session.unknown', 'request.not-found'],
    params: page,
    answer: RECEIPT,
  },
  createRefund: {
    errors: [
      'request.invalid',
      'request.conflict',
      'checkout.session.unknown',
      'checkout.refund.refused',
      'wallet.forbidden',
      'wallet.archived',
      'wallet.session.ended',
      'wallet.session.limit',
      'policy.refused',
      'pincode.wrong',
      'pincode.locked',
      'transaction.insufficient-funds',
      'transaction.refused',
      'node.unreachable',
    ],
    params: { sessionId: SESSION_ID },
    body: { amount: 1250, note: 'One mug was broken' },
    answer: REFUND,
  },
  listRefunds: {
    errors: ['request.invalid', 'checkout.session.unknown'],
    params: { sessionId: SESSION_ID },
    query: { status: 'succeeded', limit: '20' },
    answer: [REFUND],
  },
  readRefund: {
    errors: ['request.invalid', 'checkout.session.unknown', 'request.not-found'],
    params: { sessionId: SESSION_ID, refundId: REFUND.id },
    answer: REFUND,
  },
  uploadIcon: {
    errors: ['request.invalid', 'request.too-large', 'request.media-type'],
    answer: {
      id: ICON_ID,
      object: 'file',
      created: seconds,
      expires_at: null,
      filename: 'icon.png',
      links: { object: 'list', data: [], has_more: false, url: `/files/${ICON_ID}/links` },
      purpose: 'business_icon',
      size: 4321,
      title: null,
      type: 'png',
      url: `https://service.example/account/settings/branding/icon/${ICON_ID}`,
    },
  },
  setBranding: { errors: ['request.invalid'], body: BRANDING, answer: BRANDING },
  setReceivingWallet: {
    errors: ['request.invalid', 'chain.not-supported'],
    body: { secretType: 'ETHEREUM', address: TILL },
    answer: RECEIVING,
  },
  readReceivingWallet: { errors: ['request.not-found'], answer: RECEIVING },
  deleteReceivingWallet: { errors: ['request.not-found'], answer: {} },
  listWalletPayments: {
    errors: ['request.invalid'],
    query: { state: 'unassigned', limit: '100' },
    answer: [
      {
        id: 'wp_0a4d55a8d7784022',
        state: 'unassigned',
        reason: 'late',
        sessionId: SESSION_ID,
        network: 'ethereum',
        tokenAddress: DOLLAR,
        symbol: 'DUSD',
        amount: '29.99',
        from: SHOP,
        to: TILL,
        transactionHash: HASH,
        seenAt: AT,
      },
    ],
  },
  createWebhook: {
    errors: ['request.invalid', 'request.conflict'],
    body: {
      url: WEBHOOK.url,
      application: 'PAY',
      authenticationMethod: { type: 'BASIC_AUTHENTICATION', username: 'shop', password: 'correct horse' },
    },
    answer: { ...WEBHOOK, signingSecret: 'whsec_…' },
  },
  listWebhooks: { errors: ['request.invalid'], query: { limit: '100' }, answer: [LISTED] },
  readWebhook: {
    errors: ['request.invalid', 'request.not-found'],
    params: { id: WEBHOOK_ID },
    answer: LISTED,
  },
  deleteWebhook: {
    errors: ['request.invalid', 'request.not-found'],
    params: { id: WEBHOOK_ID },
    answer: {},
  },
  listDeliveries: {
    errors: ['request.invalid', 'request.not-found'],
    params: { id: WEBHOOK_ID },
    query: { state: 'delivered', limit: '20' },
    answer: [DELIVERY],
  },
  redeliver: {
    errors: ['request.invalid', 'request.not-found', 'request.conflict'],
    params: { id: WEBHOOK_ID, deliveryId: DELIVERY.id },
    answer: { ...DELIVERY, state: 'waiting', nextAttemptAt: AT },
  },
  readPayPage: {
    errors: ['request.invalid', 'checkout.session.unknown'],
    params: page,
    answer: {
      merchant: 'Mug shop',
      status: 'open',
      cancelled: false,
      provider: 'test',
      livemode: false,
      lineItems: [{ name: 'Mug', quantity: 2, unitAmount: 1250, amount: 2500 }],
      currency: 'EUR',
      amountTotal: 2999,
      createdAt: AT_MS,
      expiresAt: AT_MS + 1_800_000,
      now: AT_MS,
      branding: null,
      cards: [{ number: '4242424242424242', brand: 'visa' }],
      card: { redirect: null },
      wallet: null,
      redirect: null,
      receipt: false,
    },
  },
  payByCard: {
    errors: [...PAYING, 'request.conflict'],
    params: page,
    body: {
      attempt: ATTEMPT,
      email: 'ada@example.com',
      card: {
        number: '4242424242424242',
        expiryMonth: 12,
        expiryYear: 2098,
        securityCode: '123',
        name: 'Ada Lovelace',
      },
      country: 'GB',
    },
    answer: { state: 'paid', redirect: `${SHOP_SITE}/thanks?session=${SESSION_ID}` },
  },
  answerChallenge: {
    errors: [...PAYING, 'request.conflict'],
    params: page,
    body: { attempt: ATTEMPT, outcome: 'complete' },
    answer: { state: 'paid', redirect: `${SHOP_SITE}/thanks?session=${SESSION_ID}` },
  },
  quoteWalletPayment: {
    errors: [...PAYING, 'checkout.wallet.unavailable', 'checkout.wallet.no-price'],
    params: page,
    answer: QUOTE,
  },
  tellWalletPayment: {
    errors: ['request.invalid', 'checkout.session.unknown', 'checkout.wallet.unavailable'],
    params: page,
    body: { transactionHash: HASH },
    answer: { ...QUOTE, state: 'pending', transactionHash: HASH, confirmations: 1 },
  },
  cancelPayment: {
    errors: PAYING,
    params: page,
    answer: { redirect: `${SHOP_SITE}/cart` },
  },
};
