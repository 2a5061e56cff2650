/** What the reference says of a call beyond its schemas: the errors that are its own, and an example. By the name of its constant. */

export interface RouteNote {
  /** Besides those that every call may answer: `token.*`, `request.rate-limited`, `service.unreachable` and `internal.error`. */
  errors: readonly string[];
  body?: unknown;
  answer: unknown;
}

const WALLET = '5f0c6b1e-9c1f-4c39-8a52-0d4d7a1f2b11';
const HASH = '0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b';
const LATER = '0x2d0a9ee1c5b3f1c4d7f86f0f7f4a2b3c9f1e8d7c6b5a49382716050403020100';
const TILL = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
const SHOP = '0xA614a7847ccb88c74F8b1F42F09C3342Ea945Efa';

const eth = (value: string, raw: string) => ({ value, raw, decimals: 18, symbol: 'ETH' });

const ENTRY = {
  transactionHash: HASH,
  secretType: 'ETHEREUM',
  network: 'ethereum',
  direction: 'out',
  status: 'confirmed',
  createdAt: '2026-01-31T09:05:12.345Z',
  kind: 'transfer',
  from: TILL,
  to: SHOP,
  amount: eth('0.25', '250000000000000000'),
  fee: { maximum: eth('0.000063', '63000000000000'), paid: eth('0.000042', '42000000000000') },
  nonce: 7,
};

/** Of every call that signs. */
const SIGNING = [
  'request.invalid',
  'request.conflict',
  'wallet.forbidden',
  'wallet.archived',
  'device.proof.invalid',
  'device.unknown',
  'passkey.required',
  'passkey.invalid',
  'pincode.wrong',
  'pincode.locked',
  'chain.not-supported',
  'transaction.insufficient-funds',
  'transaction.refused',
  'node.unreachable',
] as const;

const TRANSACTION = { type: 'ETH_TRANSACTION', to: SHOP, value: '250000000000000000' };
const REPLACING = {
  errors: [...SIGNING, 'request.not-found'],
  body: { walletId: WALLET, pincode: '739154' },
  answer: { transactionHash: LATER, replaces: HASH },
};

const ITEM = {
  price_data: { product_data: { name: 'Mug' }, unit_amount: 1250, currency: 'EUR' },
  quantity: 2,
};
const ORDER = {
  line_items: [ITEM],
  success_url: 'https://shop.example/thanks?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://shop.example/cart',
  mode: 'payment',
  client_reference_id: 'A-1042',
  metadata: { channel: 'web' },
};
const SESSION_ID = 'cs_test_Qh0bYx3mJ0y1v7c2';
const SESSION = {
  id: SESSION_ID,
  object: 'checkout.session',
  after_expiration: null,
  allow_promotion_codes: null,
  amount_subtotal: 2500,
  amount_total: 2500,
  automatic_tax: { enabled: false, status: null },
  billing_address_collection: null,
  cancel_url: ORDER.cancel_url,
  client_reference_id: ORDER.client_reference_id,
  consent: null,
  consent_collection: null,
  created: 1769850312,
  currency: 'eur',
  currency_conversion: null,
  custom_fields: [],
  custom_text: { shipping_address: null, submit: null },
  customer: null,
  customer_creation: 'if_required',
  customer_details: null,
  customer_email: null,
  expires_at: 1769852112,
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
  metadata: ORDER.metadata,
  mode: 'payment',
  payment_intent: 'pi_5f0c6b1e9c1f4c398a520d4d',
  payment_link: null,
  payment_method_collection: 'always',
  payment_method_options: {},
  payment_method_types: ['card'],
  payment_status: 'paid',
  phone_number_collection: { enabled: false },
  receipt_url: 'https://service.example/pay/3q2kXvW0?receipt',
  recovered_from: null,
  refunded: 'none',
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_details: null,
  shipping_options: [],
  status: 'complete',
  submit_type: null,
  subscription: null,
  success_url: ORDER.success_url,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  url: null,
  wallet_payment: null,
};
/** Not paid yet, or never. */
const UNPAID = { ...SESSION, payment_status: 'unpaid', payment_intent: null, receipt_url: null };
const RECEIPT = {
  number: '20260131-7F3K9Q2M',
  paidAt: 1769850400000,
  merchant: 'Mug Shop Ltd',
  merchantVerified: true,
  reference: ORDER.client_reference_id,
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
  created: 1769936712,
  session: SESSION_ID,
  payment: SESSION.payment_intent,
  method: 'card',
  status: 'succeeded',
  failure_reason: null,
  note: 'One mug was broken',
  amount: 1250,
  currency: 'eur',
  wallet: null,
};

export const ROUTE_NOTES: Readonly<Record<string, RouteNote>> = {
  listTransactions: {
    errors: ['request.invalid', 'wallet.forbidden'],
    answer: [ENTRY],
  },
  readTransaction: {
    errors: ['request.invalid', 'request.not-found'],
    answer: {
      transactionHash: HASH,
      secretType: 'ETHEREUM',
      status: 'confirmed',
      entries: [{ ...ENTRY, walletId: WALLET }],
    },
  },
  estimateTransaction: {
    errors: [
      'request.invalid',
      'wallet.forbidden',
      'wallet.archived',
      'chain.not-supported',
      'wallet.balance.not.supported.yet',
      'node.unreachable',
    ],
    body: { ...TRANSACTION, walletId: WALLET },
    answer: {
      secretType: 'ETHEREUM',
      network: 'ethereum',
      kind: 'transfer',
      from: TILL,
      to: SHOP,
      amount: eth('0.25', '250000000000000000'),
      fee: { expected: eth('0.000042', '42000000000000'), maximum: eth('0.000063', '63000000000000') },
      total: eth('0.250063', '250063000000000000'),
      balance: eth('1.5', '1500000000000000000'),
      nonce: 7,
      facts: [],
      refusal: null,
    },
  },
  executeBatch: {
    errors: SIGNING.slice(0, 11),
    body: { walletId: WALLET, pincode: '739154', transactions: [TRANSACTION, TRANSACTION] },
    answer: [
      { outcome: 'sent', transactionHash: HASH },
      {
        outcome: 'refused',
        error: {
          code: 'transaction.insufficient-funds',
          detail: 'The wallet does not hold enough: 0.1 ETH is missing. Nothing was signed.',
          details: { need: '250063000000000000', have: '150063000000000000' },
        },
      },
    ],
  },
  speedUpTransaction: REPLACING,
  cancelTransaction: REPLACING,
  importWallet: {
    errors: [
      'request.invalid',
      'request.conflict',
      'device.proof.invalid',
      'device.unknown',
      'passkey.required',
      'passkey.invalid',
      'pincode.wrong',
      'pincode.locked',
      'wallet.encrypt.internal-error',
    ],
    body: {
      walletType: 'WHITE_LABEL',
      secretType: 'ETHEREUM',
      pincode: '739154',
      identifier: 'old-till',
      key: '0x…',
    },
    answer: {
      id: WALLET,
      address: TILL,
      walletType: 'WHITE_LABEL',
      secretType: 'ETHEREUM',
      createdAt: [2026, 1, 31, 9, 5, 12, 345_000_000],
      archived: false,
      alias: '',
      description: '',
      primary: true,
      hasCustomPin: true,
      status: 'ACTIVE',
      identifier: 'old-till',
      recoveryCode: '0000-0000-0000-0000-0000-0000-0000-0000',
    },
  },
  createSession: {
    errors: [
      'request.invalid',
      'request.conflict',
      'checkout.provider.refused',
      'checkout.provider.unreachable',
    ],
    body: ORDER,
    answer: { ...UNPAID, status: 'open', url: 'https://service.example/pay/3q2kXvW0' },
  },
  listSessions: { errors: ['request.invalid'], answer: [SESSION] },
  readSession: { errors: ['checkout.session.unknown', 'checkout.provider.unreachable'], answer: SESSION },
  expireSession: {
    errors: [
      'checkout.session.unknown',
      'checkout.session.complete',
      'checkout.payment.pending',
      'checkout.provider.unreachable',
    ],
    answer: { ...UNPAID, status: 'expired' },
  },
  acceptPayments: {
    errors: [
      'request.invalid',
      'request.conflict',
      'checkout.session.unknown',
      'checkout.session.complete',
      'checkout.session.expired',
      'checkout.payment.pending',
      'checkout.provider.unreachable',
      'node.unreachable',
    ],
    body: { payments: ['pi_5f0c6b1e9c1f4c398a520d4d'] },
    answer: SESSION,
  },
  readReceipt: { errors: ['checkout.session.unknown', 'request.not-found'], answer: RECEIPT },
  readPayReceipt: { errors: ['checkout.session.unknown', 'request.not-found'], answer: RECEIPT },
  createRefund: {
    errors: [
      'checkout.session.unknown',
      'checkout.refund.refused',
      'token.scope',
      ...SIGNING,
      'wallet.session.ended',
      'wallet.session.limit',
      'policy.refused',
    ],
    body: { amount: 1250, note: 'One mug was broken' },
    answer: REFUND,
  },
  listRefunds: { errors: ['request.invalid', 'checkout.session.unknown'], answer: [REFUND] },
  readRefund: { errors: ['checkout.session.unknown', 'request.not-found'], answer: REFUND },
};
