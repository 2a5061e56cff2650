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

const RECEIVER = {
  id: 'wh_1e0b7a52-6d0c-4b53-8a77-0d8c5a1f6a10',
  url: 'https://shop.example/wallet-events',
  events: ['wallet.deposit', 'transaction.confirmed', 'transaction.failed'],
  allWallets: false,
  authenticationMethod: { type: 'API_KEY' },
};
const LISTED_RECEIVER = { ...RECEIVER, createdAt: '2026-01-31T09:05:12.345Z', disabledAt: null };
const DELIVERY = {
  id: '3c1f0f0e-4b0e-4f7a-9a51-2a6c7b9d8e01',
  eventId: 'evt_8xKdPq0bR2mZ5sT7uVwY1aBc',
  webhookId: RECEIVER.id,
  type: 'wallet.deposit',
  walletId: WALLET,
  state: 'delivered',
  attempts: [{ at: '2026-01-31T09:05:13.000Z', status: 204, error: null, milliseconds: 84 }],
  nextAttemptAt: null,
};
const WATCH = {
  walletId: WALLET,
  network: 'ethereum',
  confirmations: 12,
  since: '2026-01-31T09:05:12.345Z',
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
  createWalletWebhook: {
    errors: ['request.invalid', 'request.conflict'],
    body: {
      url: RECEIVER.url,
      events: RECEIVER.events,
      authenticationMethod: { type: 'API_KEY', headerName: 'X-Shop-Key', apiKey: 'correct-horse' },
    },
    answer: { ...RECEIVER, signingSecret: 'whsec_…' },
  },
  listWalletWebhooks: { errors: ['request.invalid'], answer: [LISTED_RECEIVER] },
  readWalletWebhook: { errors: ['request.not-found'], answer: LISTED_RECEIVER },
  deleteWalletWebhook: { errors: ['request.not-found'], answer: {} },
  listWalletDeliveries: { errors: ['request.invalid', 'request.not-found'], answer: [DELIVERY] },
  redeliverWalletEvent: {
    errors: ['request.not-found', 'request.conflict'],
    answer: { ...DELIVERY, state: 'waiting', nextAttemptAt: '2026-01-31T09:10:00.000Z' },
  },
  watchWallet: {
    errors: ['wallet.forbidden', 'chain.not-supported', 'wallet.balance.not.supported.yet'],
    answer: WATCH,
  },
  readWatch: { errors: ['wallet.forbidden', 'request.not-found'], answer: WATCH },
  unwatchWallet: { errors: ['wallet.forbidden'], answer: {} },
};
