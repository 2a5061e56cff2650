import { type RouteNotes, WALLET } from './samples.ts';

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

export const WALLET_EVENT_NOTES = {
  createWalletWebhook: {
    sdk: 'walletWebhooks.create',
    errors: ['request.invalid', 'request.conflict'],
    body: {
      url: RECEIVER.url,
      events: RECEIVER.events,
      authenticationMethod: { type: 'API_KEY', headerName: 'X-Shop-Key', apiKey: 'correct-horse' },
    },
    answer: { ...RECEIVER, signingSecret: `whsec_${'A'.repeat(43)}=` },
  },
  listWalletWebhooks: { sdk: 'walletWebhooks.list', errors: ['request.invalid'], answer: [LISTED_RECEIVER] },
  readWalletWebhook: {
    sdk: 'walletWebhooks.read',
    errors: ['request.invalid', 'request.not-found'],
    params: { id: RECEIVER.id },
    answer: LISTED_RECEIVER,
  },
  deleteWalletWebhook: {
    sdk: 'walletWebhooks.delete',
    errors: ['request.invalid', 'request.not-found'],
    params: { id: RECEIVER.id },
    answer: {},
  },
  listWalletDeliveries: {
    sdk: 'walletWebhooks.deliveries',
    errors: ['request.invalid', 'request.not-found'],
    params: { id: RECEIVER.id },
    query: { state: 'delivered', limit: '20' },
    answer: [DELIVERY],
  },
  redeliverWalletEvent: {
    sdk: 'walletWebhooks.redeliver',
    errors: ['request.invalid', 'request.not-found', 'request.conflict'],
    params: { id: RECEIVER.id, deliveryId: DELIVERY.id },
    answer: { ...DELIVERY, state: 'waiting', nextAttemptAt: '2026-01-31T09:10:00.000Z' },
  },
  watchWallet: {
    sdk: 'wallets.watch',
    errors: [
      'request.invalid',
      'wallet.forbidden',
      'chain.not-supported',
      'wallet.balance.not.supported.yet',
    ],
    params: { id: WALLET },
    answer: WATCH,
  },
  readWatch: {
    sdk: 'wallets.readWatch',
    errors: ['request.invalid', 'wallet.forbidden', 'request.not-found'],
    params: { id: WALLET },
    answer: WATCH,
  },
  unwatchWallet: {
    sdk: 'wallets.unwatch',
    errors: ['request.invalid', 'wallet.forbidden'],
    params: { id: WALLET },
    answer: {},
  },
} satisfies RouteNotes;
