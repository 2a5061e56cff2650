import {
  AT,
  DOLLAR,
  ENTRY,
  eth,
  ETH_TRANSACTION,
  HASH,
  LATER,
  OPENING,
  PIN,
  type RouteNotes,
  SENDING,
  SHOP,
  SIGNING,
  SOON,
  STORED_SECRET,
  TILL,
  WALLET,
} from './samples.ts';

const params = { id: WALLET };
const COIN = { secretType: 'ETHEREUM', symbol: 'ETH', tokenAddress: '' };
const TOKEN = { secretType: 'ETHEREUM', symbol: 'DUSD', tokenAddress: DOLLAR };

const RATE = {
  exchange: 'Uniswap V2',
  orderType: 'SELL',
  inputAmount: 0.5,
  outputAmount: 1246.2,
  slippage: 0.5,
  fee: 0.3,
  priceImpact: 0.02,
  rawInputAmount: '500000000000000000',
  rawOutputAmount: '1246200000000000000000',
  inputDecimals: 18,
  outputDecimals: 18,
  networkFee: { symbol: 'ETH', decimals: 18, amount: 0.00021, rawAmount: '210000000000000' },
  route: ['', DOLLAR],
};
const SWAP = {
  fromSecretType: 'ETHEREUM',
  toSecretType: 'ETHEREUM',
  fromToken: '',
  toToken: DOLLAR,
  orderType: 'SELL',
};
const SWAPPING = [
  'request.invalid',
  'wallet.forbidden',
  'chain.not-supported',
  'wallet.balance.not.supported.yet',
  'node.unreachable',
] as const;

/** What is null is filled in when it is executed. */
const BUILT = {
  type: 'ETH_TRANSACTION',
  walletId: WALLET,
  pincode: null,
  gasPrice: null,
  gas: null,
  nonce: null,
  network: null,
};

const SESSION = {
  id: 'e3b0c442-98fc-4c14-9afb-f4c8996fb924',
  createdAt: AT,
  expiresAt: SOON,
  transactions: 20,
  transactionsUsed: 0,
  limits: [{ amount: '1000000000000000000', used: '0' }],
};

const REPLACING = {
  params: { hash: HASH },
  errors: [...SENDING, 'request.not-found'],
  body: { walletId: WALLET, pincode: '739154' },
  answer: { transactionHash: LATER, replaces: HASH },
};

export const TRANSACTION_NOTES = {
  buildTransaction: {
    sdk: 'transactions.build',
    errors: [
      'request.invalid',
      'wallet.forbidden',
      'wallet.archived',
      'device.proof.invalid',
      'device.unknown',
      'recipient.unknown',
      'chain.not-supported',
      'wallet.balance.not.supported.yet',
      'node.unreachable',
    ],
    body: { type: 'TRANSFER', secretType: 'ETHEREUM', walletId: WALLET, to: SHOP, value: '0.25' },
    answer: { ...BUILT, to: SHOP, value: '250000000000000000', data: null },
  },
  estimateTransaction: {
    sdk: 'transactions.estimate',
    errors: [
      'request.invalid',
      'wallet.forbidden',
      'wallet.archived',
      'chain.not-supported',
      'wallet.balance.not.supported.yet',
      'node.unreachable',
    ],
    body: { ...ETH_TRANSACTION, walletId: WALLET },
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
  executeTransaction: {
    sdk: 'transactions.execute',
    errors: [...SENDING, 'wallet.session.ended', 'wallet.session.limit'],
    body: { ...ETH_TRANSACTION, walletId: WALLET, pincode: PIN },
    answer: { transactionHash: HASH },
  },
  executeBatch: {
    sdk: 'transactions.executeBatch',
    // What one transaction alone fails with is in the answer.
    errors: [...OPENING, 'wallet.archived', 'chain.not-supported'],
    body: { walletId: WALLET, pincode: '739154', transactions: [ETH_TRANSACTION, ETH_TRANSACTION] },
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
  executeApproved: {
    sdk: null,
    errors: SENDING,
    body: { walletId: WALLET, pincode: PIN, draft: '{…}' },
    answer: { transactionHash: HASH, raw: '0x…' },
  },
  readTransaction: {
    sdk: 'transactions.read',
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
  readTransactionStatus: {
    sdk: 'transactions.status',
    errors: ['request.invalid', 'wallet.balance.not.supported.yet', 'node.unreachable'],
    params: { hash: HASH },
    query: { secretType: 'ETHEREUM' },
    answer: { transactionHash: HASH, secretType: 'ETHEREUM', status: 'confirmed', mined: null },
  },
  speedUpTransaction: { sdk: 'transactions.speedUp', ...REPLACING },
  cancelTransaction: { sdk: 'transactions.cancel', ...REPLACING },
  createSignature: {
    sdk: 'signatures.create',
    errors: SIGNING,
    body: { type: 'ETHEREUM_RAW', walletId: WALLET, data: '0x68656c6c6f', pincode: PIN },
    answer: { success: true, result: { r: '0x…', s: '0x…', v: '0x1b', signature: '0x…' } },
  },
  openSpendingSession: {
    sdk: 'spendingSessions.open',
    errors: [
      'request.invalid',
      'request.conflict',
      'wallet.forbidden',
      'wallet.archived',
      'pincode.wrong',
      'pincode.locked',
      ...STORED_SECRET,
      'chain.not-supported',
      'node.unreachable',
    ],
    params,
    body: { pincode: PIN, limits: [{ amount: '1000000000000000000' }], transactions: 20 },
    answer: { ...SESSION, token: 'cbss_…' },
  },
  listSpendingSessions: {
    sdk: 'spendingSessions.list',
    errors: ['request.invalid', 'wallet.forbidden'],
    params,
    query: { limit: '100' },
    answer: [SESSION],
  },
  endSpendingSession: {
    sdk: 'spendingSessions.end',
    errors: ['request.invalid', 'wallet.forbidden', 'wallet.session.ended'],
    params: { id: WALLET, sessionId: SESSION.id },
    answer: {},
  },
  swapPairs: { sdk: 'swaps.pairs', errors: SWAPPING, params, answer: [{ from: COIN, to: TOKEN }] },
  swapRates: {
    sdk: 'swaps.rates',
    errors: SWAPPING,
    query: { ...SWAP, amount: '0.5' },
    answer: { exchangeRates: [RATE], bestRate: RATE },
  },
  createSwap: {
    sdk: 'swaps.create',
    errors: [
      ...SWAPPING,
      'wallet.archived',
      'transaction.insufficient-funds',
      'swap.no-exchange-found',
      'swap.dex.get-price.failed',
      'swap.dex.allowance-error',
      'swap.dex.exchange-not-found',
      'swap.dex.sell-only',
      'swap.dex.unavailable',
    ],
    params,
    body: {
      walletId: WALLET,
      ...SWAP,
      inputAmount: '0.5',
      outputAmount: '1246.2',
      exchange: 'Uniswap V2',
    },
    answer: [
      {
        ...BUILT,
        to: '0x8A791620dd6260079BF849Dc5567aDC3F2FdC318',
        value: '500000000000000000',
        data: '0x…',
      },
    ],
  },
} satisfies RouteNotes;
