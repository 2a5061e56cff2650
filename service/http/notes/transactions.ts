import {
  AT,
  DOLLAR,
  ETH_TRANSACTION,
  HASH,
  PIN,
  type RouteNotes,
  SENDING,
  SHOP,
  SIGNING,
  SOON,
  STORED_SECRET,
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

export const TRANSACTION_NOTES: RouteNotes = {
  buildTransaction: {
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
  executeTransaction: {
    errors: [...SENDING, 'wallet.session.ended', 'wallet.session.limit'],
    body: { ...ETH_TRANSACTION, walletId: WALLET, pincode: PIN },
    answer: { transactionHash: HASH },
  },
  executeApproved: {
    errors: SENDING,
    body: { walletId: WALLET, pincode: PIN, draft: '{…}' },
    answer: { transactionHash: HASH, raw: '0x…' },
  },
  readTransactionStatus: {
    errors: ['request.invalid', 'wallet.balance.not.supported.yet', 'node.unreachable'],
    params: { hash: HASH },
    query: { secretType: 'ETHEREUM' },
    answer: { transactionHash: HASH, secretType: 'ETHEREUM', status: 'confirmed', mined: null },
  },
  createSignature: {
    errors: SIGNING,
    body: { type: 'ETHEREUM_RAW', walletId: WALLET, data: '0x68656c6c6f', pincode: PIN },
    answer: { success: true, result: { r: '0x…', s: '0x…', v: '0x1b', signature: '0x…' } },
  },
  swapPairs: { errors: SWAPPING, params, answer: [{ from: COIN, to: TOKEN }] },
  swapRates: {
    errors: SWAPPING,
    query: { ...SWAP, amount: '0.5' },
    answer: { exchangeRates: [RATE], bestRate: RATE },
  },
  createSwap: {
    errors: [
      ...SWAPPING,
      'wallet.archived',
      'transaction.insufficient-funds',
      'swap.no-exchange-found',
      'swap.dex.get-price.failed',
      'swap.dex.allowance-error',
      'swap.dex.exchange-not-found',
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
  openSpendingSession: {
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
    errors: ['request.invalid', 'wallet.forbidden'],
    params,
    query: { limit: '100' },
    answer: [SESSION],
  },
  endSpendingSession: {
    errors: ['request.invalid', 'wallet.forbidden', 'wallet.session.ended'],
    params: { id: WALLET, sessionId: SESSION.id },
    answer: {},
  },
};
