import { RECEIPT } from './checkout.ts';
import { AT_MS, HASH, PAGE, PAYING, type RouteNotes, SESSION_ID, SHOP_SITE, TILL } from './samples.ts';

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

const page = { page: PAGE };
const SHOWN = {
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
  latestEnd: AT_MS + 86_400_000,
  now: AT_MS,
  branding: null,
  cards: [{ number: '4242424242424242', brand: 'visa' }],
  card: { redirect: null },
  wallet: null,
  redirect: null,
  receipt: false,
  receiptMail: false,
};
const ATTEMPT = 'a1b2c3d4e5f60718';

const REFUND_TOKEN = 'VbW5rZ0cT2m1JqKx8yFhN4dSaPoLgE7uRt3wYiXeBk0';
const REFUND_ADDRESS = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const REFUND_REQUEST = {
  merchant: 'Fernhill Outfitters',
  branding: null,
  livemode: true,
  secretType: 'ETHEREUM',
  networkName: 'Ethereum mainnet',
  amount: '0.0125',
  symbol: 'ETH',
  expiresAt: 1_795_432_200_000,
  address: null,
  sent: false,
};

export const PAY_PAGE_NOTES = {
  readPayReceipt: {
    sdk: null,
    errors: ['request.invalid', 'checkout.session.unknown', 'request.not-found'],
    params: page,
    answer: RECEIPT,
  },
  mailReceipt: {
    sdk: null,
    errors: [
      'request.invalid',
      'checkout.session.unknown',
      'request.not-found',
      'request.conflict',
      'request.rate-limited',
    ],
    params: page,
    body: { email: 'ada@example.com' },
    answer: { state: 'waiting' },
  },
  readPayPage: {
    sdk: null,
    errors: ['request.invalid', 'checkout.session.unknown', 'checkout.provider.unreachable'],
    params: page,
    answer: SHOWN,
  },
  extendPage: {
    sdk: null,
    errors: [...PAYING, 'checkout.provider.unreachable'],
    params: page,
    answer: { ...SHOWN, expiresAt: AT_MS + 2_280_000, now: AT_MS + 1_680_000 },
  },
  payByCard: {
    sdk: null,
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
    sdk: null,
    errors: [...PAYING, 'request.conflict'],
    params: page,
    body: { attempt: ATTEMPT, outcome: 'complete' },
    answer: { state: 'paid', redirect: `${SHOP_SITE}/thanks?session=${SESSION_ID}` },
  },
  quoteWalletPayment: {
    sdk: null,
    errors: [
      ...PAYING,
      'checkout.wallet.unavailable',
      'checkout.wallet.no-price',
      'checkout.provider.unreachable',
    ],
    params: page,
    answer: QUOTE,
  },
  tellWalletPayment: {
    sdk: null,
    errors: [
      'request.invalid',
      'checkout.session.unknown',
      'checkout.session.complete',
      'checkout.session.expired',
      'checkout.wallet.unavailable',
      'checkout.provider.unreachable',
    ],
    params: page,
    body: { transactionHash: HASH },
    answer: { ...QUOTE, state: 'pending', transactionHash: HASH, confirmations: 1 },
  },
  completeOrder: {
    sdk: null,
    errors: [...PAYING, 'request.conflict', 'checkout.provider.unreachable'],
    params: page,
    answer: { state: 'paid', redirect: `${SHOP_SITE}/thanks` },
  },
  cancelPayment: {
    sdk: null,
    errors: [...PAYING, 'checkout.provider.unreachable'],
    params: page,
    answer: { redirect: `${SHOP_SITE}/cart` },
  },
  readRefundRequest: {
    sdk: null,
    errors: ['request.invalid', 'request.not-found'],
    body: { token: REFUND_TOKEN },
    answer: REFUND_REQUEST,
  },
  giveRefundAddress: {
    sdk: null,
    errors: ['request.invalid', 'request.not-found', 'request.conflict'],
    body: { token: REFUND_TOKEN, address: REFUND_ADDRESS },
    answer: { ...REFUND_REQUEST, address: REFUND_ADDRESS },
  },
} satisfies RouteNotes;
