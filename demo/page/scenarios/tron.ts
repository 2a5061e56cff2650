/** Tron: TRX with a memo, TRC-10 and TRC-20 tokens, calls. */
import { ownMessages } from './messages.ts';
import { type ChainScenarios, type Context, hex, type Scenario } from './scenario.ts';
import { builds, statusOf, tokenTransfer, transfers, twoInARow } from './transfers.ts';
import { tronBadInput } from './tron-bad-input.ts';

/** Nobody's address: the bytes of a hash. */
const RECIPIENT = 'TSKH4bbh5jLBRLUuzj8h5AFd2iBBu1Fc94';
const RECIPIENT_HEX = '41b34db8c381092de976c050cec9abd45e7afa13d4';
/** Tether's contract on mainnet; unused on the local network. */
const SPENDER = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

const base = { secretType: 'TRON', recipient: RECIPIENT, value: '2.5' } as const;
/** A transfer of 1 TRX in sun. */
const SMALL = { type: 'TRX_TRANSACTION', to: RECIPIENT, value: 1_000_000 };

/** The id of the TRC-10 token, which has no contract. */
const demoPoint = ({ network }: Context) => network.tokens.find(({ symbol }) => symbol === 'DPT')?.address;

function execution(functionName: string, inputs: object[]): Scenario['payload'] {
  return ({ contracts }) => ({
    action: 'execute',
    request: {
      type: 'CONTRACT_EXECUTION',
      secretType: 'TRON',
      to: contracts['DUSD'],
      functionName,
      inputs,
    },
  });
}

const transaction: Scenario[] = [
  {
    id: 'trx-transaction',
    title: 'TRX',
    hint: 'TRX_TRANSACTION, value in sun. A first transfer to an address makes its account, which costs.',
    payload: () => ({ action: 'execute', request: SMALL }),
  },
  {
    id: 'trx-memo',
    title: 'TRX with a memo',
    hint: 'data is text for everybody to read. The network takes 1 TRX for it.',
    payload: () => ({ action: 'execute', request: { ...SMALL, data: 'Order 4711' } }),
  },
  {
    id: 'trx-memo-bytes',
    title: 'Memo as bytes',
    hint: 'data that begins with 0x is bytes: the same memo.',
    payload: () => ({ action: 'execute', request: { ...SMALL, data: hex('Order 4711') } }),
  },
  {
    id: 'hex-address',
    title: 'Hex address',
    hint: 'The recipient as 41 and 40 hex digits. The wallet shows the usual form.',
    payload: () => ({ action: 'execute', request: { ...SMALL, to: RECIPIENT_HEX } }),
  },
  {
    id: 'trc10-transaction',
    title: 'TRC-10 token',
    hint: 'TRC10_TRANSACTION; token is the id. Demo Point has 4 decimals: 25000 is 2.5.',
    payload: (context) => ({
      action: 'execute',
      request: { type: 'TRC10_TRANSACTION', to: RECIPIENT, value: 25_000, token: demoPoint(context) },
    }),
  },
  {
    id: 'trc20-transaction',
    title: 'TRC-20 token',
    hint: 'TRC10_TRANSACTION; token is a contract’s address. It costs energy.',
    payload: ({ contracts }) => ({
      action: 'execute',
      request: {
        type: 'TRC10_TRANSACTION',
        to: RECIPIENT,
        value: '3000000000000000000',
        token: contracts['DUSD'],
      },
    }),
  },
  {
    id: 'trc20-memo',
    title: 'TRC-20 token with a memo',
    hint: 'memo is to tokens and calls what data is to TRX. The network takes 1 TRX for it.',
    payload: ({ contracts }) => ({
      action: 'execute',
      request: {
        type: 'TRC10_TRANSACTION',
        to: RECIPIENT,
        value: '3000000000000000000',
        token: contracts['DUSD'],
        memo: 'Order 4711',
      },
    }),
  },
  {
    id: 'contract-execution',
    title: 'Contract execution',
    hint: 'The function and its inputs by name: an allowance of 5 Demo Dollars.',
    payload: execution('approve', [
      { type: 'address', value: SPENDER },
      { type: 'uint256', value: '5000000000000000000' },
    ]),
  },
  {
    id: 'unlimited-approval',
    title: 'Unlimited approval',
    hint: 'Danger: the spender could take all Demo Dollars.',
    payload: execution('approve', [
      { type: 'address', value: SPENDER },
      { type: 'uint256', value: (2n ** 256n - 1n).toString() },
    ]),
  },
  {
    id: 'will-fail',
    title: 'Will fail',
    hint: 'The contract refuses to burn Demo Dollars of somebody else: danger, with the contract’s words.',
    payload: execution('burnFrom', [
      { type: 'address', value: SPENDER },
      { type: 'uint256', value: (10n ** 30n).toString() },
    ]),
  },
  twoInARow([SMALL, { ...SMALL, value: 2_000_000 }]),
];

export const tron: ChainScenarios = {
  secretType: 'TRON',
  faucet: { TRX: 'Get test TRX', DUSD: 'Get Demo Dollars', DPT: 'Get Demo Points' },
  transfer: transfers(
    base,
    {
      id: 'transfer-memo',
      title: 'Transfer with a memo',
      hint: 'data becomes the memo.',
      payload: () => ({
        action: 'transfer',
        to: RECIPIENT,
        value: '2.5',
        secretType: 'TRON',
        data: 'Order 4711',
      }),
    },
    tokenTransfer(
      base,
      { id: 'token-transfer', title: 'TRC-20 token', hint: 'Demo Dollar has 18 decimals.' },
      '12.5',
      ({ contracts }) => contracts['DUSD'],
    ),
    tokenTransfer(
      base,
      {
        id: 'trc10-transfer',
        title: 'TRC-10 token',
        hint: 'tokenAddress is the id. Demo Point has 4 decimals.',
      },
      '2.5',
      demoPoint,
    ),
  ),
  transaction,
  sign: ownMessages('TRON_MESSAGE', 'Tron'),
  read: [
    builds('TRON', 'A TOKEN_TRANSFER body becomes a TRC10_TRANSACTION; nothing opens.', ({ contracts }) => ({
      type: 'TOKEN_TRANSFER',
      to: RECIPIENT,
      value: '1.5',
      tokenAddress: contracts['DUSD'],
    })),
    statusOf('TRON', '0'.repeat(64)),
  ],
  badInput: tronBadInput,
};
