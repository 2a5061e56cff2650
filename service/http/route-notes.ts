/** What the reference says of a call beyond its schemas: its own errors, and an example. By the name of the route's constant. */

import { CHECKOUT_NOTES } from './notes/checkout.ts';
import { PAY_PAGE_NOTES } from './notes/pay-page.ts';
import { POLICY_NOTES } from './notes/policies.ts';
import {
  AT_MS,
  HASH,
  LATER,
  OPENING,
  type RouteNote,
  type RouteNotes,
  SENDING,
  SHOP,
  STORED_SECRET,
  TILL,
  WALLET,
} from './notes/samples.ts';
import { TRANSACTION_NOTES } from './notes/transactions.ts';
import { USER_NOTES } from './notes/users.ts';
import { WALLET_EVENT_NOTES } from './notes/wallet-events.ts';
import { WALLET_NOTES } from './notes/wallets.ts';
import { WEBHOOK_NOTES } from './notes/webhooks.ts';

const eth = (value: string, raw: string) => ({ value, raw, decimals: 18, symbol: 'ETH' });

const ENTRY = {
  transactionHash: HASH,
  secretType: 'ETHEREUM',
  network: 'ethereum',
  direction: 'out',
  status: 'confirmed',
  mined: null,
  createdAt: '2026-01-31T09:05:12.345Z',
  kind: 'transfer',
  from: TILL,
  to: SHOP,
  amount: eth('0.25', '250000000000000000'),
  fee: { maximum: eth('0.000063', '63000000000000'), paid: eth('0.000042', '42000000000000') },
  nonce: 7,
};

const TRANSACTION = { type: 'ETH_TRANSACTION', to: SHOP, value: '250000000000000000' };
const REPLACING = {
  params: { hash: HASH },
  errors: [...SENDING, 'request.not-found'],
  body: { walletId: WALLET, pincode: '739154' },
  answer: { transactionHash: LATER, replaces: HASH },
};

export const ROUTE_NOTES: RouteNotes = {
  ...WALLET_NOTES,
  ...WALLET_EVENT_NOTES,
  ...TRANSACTION_NOTES,
  ...POLICY_NOTES,
  ...USER_NOTES,
  ...CHECKOUT_NOTES,
  ...PAY_PAGE_NOTES,
  ...WEBHOOK_NOTES,
  listTransactions: {
    errors: ['request.invalid', 'wallet.forbidden'],
    params: { id: WALLET },
    query: { direction: 'all', limit: '100' },
    answer: [ENTRY],
  },
  readTransaction: {
    errors: ['request.invalid', 'request.not-found'],
    params: { hash: HASH },
    query: { secretType: 'ETHEREUM' },
    answer: {
      transactionHash: HASH,
      secretType: 'ETHEREUM',
      status: 'confirmed',
      mined: null,
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
    // What one transaction alone fails with is in the answer.
    errors: [...OPENING, 'wallet.archived', 'chain.not-supported'],
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
      ...STORED_SECRET,
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
};

/** Every payment provider has one: `dashboardRoute`. */
const DASHBOARD: RouteNote = {
  errors: ['request.not-found'],
  answer: {
    object: 'login_link',
    created: Math.floor(AT_MS / 1000),
    url: 'https://service.example/test-dashboard/yyFQiJxh-K9R-q1l-YNh8ie26rfb5JTNtpEsbThM6zg',
  },
};

/** Of the call with this name. */
export function noteOf(name: string): RouteNote | undefined {
  return ROUTE_NOTES[name] ?? (/^open\w+Dashboard$/.test(name) ? DASHBOARD : undefined);
}
