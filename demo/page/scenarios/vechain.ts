/** VeChain: VET, VTHO and VIP-180 tokens, one or several clauses in a transaction. */
import { approveCall, burnCall, TOO_MUCH, transferCall, UNLIMITED } from './evm-data.ts';
import { messages, signInElsewhere } from './messages.ts';
import { type ChainScenarios, hex, type Scenario } from './scenario.ts';
import { builds, statusOf, tokenTransfer, transfers, twoInARow } from './transfers.ts';
import { vechainBadInput } from './vechain-bad-input.ts';

/** Nobody's address: the bytes of a hash. */
const RECIPIENT = '0xA614a7847ccb88c74F8b1F42F09C3342Ea945Efa';
const OTHER = '0x207A80c2a5a6BFeEb359D1ca6821e0199F2fCB9C';
/** VTHO's own contract, on every VeChain network. */
const VTHO = '0x0000000000000000000000000000456E65726779';
/** In wei. */
const ONE = '1000000000000000000';

const base = { secretType: 'VECHAIN', recipient: RECIPIENT, value: '2.5' } as const;
const SMALL = { type: 'VET_TRANSACTION', clauses: [{ to: RECIPIENT, amount: ONE }] };

const transaction: Scenario[] = [
  {
    id: 'vet-transaction',
    title: 'VET',
    hint: 'VET_TRANSACTION with one clause, the amount in wei. The fee is paid in VTHO: take some.',
    payload: () => ({ action: 'execute', request: SMALL }),
  },
  {
    id: 'vet-clauses',
    title: 'VET, two clauses',
    hint: 'Both or none: two recipients in one transaction, the second with the bytes of “hello”.',
    payload: () => ({
      action: 'execute',
      request: {
        type: 'VET_TRANSACTION',
        clauses: [
          { to: RECIPIENT, amount: ONE },
          { to: OTHER, amount: '500000000000000000', data: hex('hello') },
        ],
      },
    }),
  },
  {
    id: 'vet-fields',
    title: 'Every field',
    hint: 'gasPriceCoef makes it a transaction of the older form. It expires after 30 blocks.',
    payload: () => ({
      action: 'execute',
      request: { ...SMALL, expiration: 30, gas: 40000, gasPriceCoef: 128, nonce: '0x4711', blockRef: null },
    }),
  },
  {
    id: 'vtho-transaction',
    title: 'VTHO',
    hint: 'VTHO_TRANSACTION: the gas coin itself is sent.',
    payload: () => ({
      action: 'execute',
      request: { type: 'VTHO_TRANSACTION', clauses: [{ to: RECIPIENT, amount: ONE }] },
    }),
  },
  {
    id: 'vip180-transaction',
    title: 'VIP-180 token',
    hint: 'VECHAIN_VIP180_TRANSACTION with two clauses, amounts in the token’s smallest units.',
    payload: ({ contracts }) => ({
      action: 'execute',
      request: {
        type: 'VECHAIN_VIP180_TRANSACTION',
        clauses: [
          { to: RECIPIENT, amount: '3000000000000000000', tokenAddress: contracts['DUSD'] },
          { to: OTHER, amount: ONE, tokenAddress: contracts['DUSD'] },
        ],
      },
    }),
  },
  {
    id: 'approve-and-pay',
    title: 'Mixed clauses',
    hint: 'VET, a token transfer and an allowance: the approval shows each.',
    payload: ({ contracts }) => ({
      action: 'execute',
      request: {
        type: 'VET_TRANSACTION',
        clauses: [
          { to: RECIPIENT, amount: ONE },
          { to: contracts['DUSD'], amount: 0, data: transferCall(RECIPIENT, 2n * 10n ** 18n) },
          { to: contracts['DUSD'], amount: 0, data: approveCall(OTHER, 5n * 10n ** 18n) },
        ],
      },
    }),
  },
  {
    id: 'contract-execution',
    title: 'Contract execution',
    hint: 'The function and its inputs by name: an allowance of 5 Demo Dollars.',
    payload: ({ contracts }) => ({
      action: 'execute',
      request: {
        type: 'CONTRACT_EXECUTION',
        secretType: 'VECHAIN',
        to: contracts['DUSD'],
        functionName: 'approve',
        inputs: [
          { type: 'address', value: OTHER },
          { type: 'uint256', value: '5000000000000000000' },
        ],
      },
    }),
  },
  {
    id: 'unlimited-approval',
    title: 'Unlimited approval',
    hint: 'Danger: the contract could take all Demo Dollars.',
    payload: ({ contracts }) => ({
      action: 'execute',
      request: {
        type: 'VET_TRANSACTION',
        clauses: [{ to: contracts['DUSD'], amount: 0, data: approveCall(OTHER, UNLIMITED) }],
      },
    }),
  },
  {
    id: 'will-fail',
    title: 'Will fail',
    hint: 'The second clause reverts, so neither would happen: danger, with the contract’s words.',
    payload: ({ contracts }) => ({
      action: 'execute',
      request: {
        type: 'VET_TRANSACTION',
        clauses: [
          { to: RECIPIENT, amount: ONE },
          { to: contracts['DUSD'], amount: 0, data: burnCall(OTHER, TOO_MUCH) },
        ],
      },
    }),
  },
  twoInARow([SMALL, { ...SMALL, clauses: [{ to: OTHER, amount: ONE }] }]),
];

export const vechain: ChainScenarios = {
  secretType: 'VECHAIN',
  faucet: { VET: 'Get test VET', VTHO: 'Get VTHO', DUSD: 'Get Demo Dollars' },
  transfer: transfers(
    base,
    tokenTransfer(
      base,
      { id: 'token-transfer', title: 'VIP-180 token', hint: 'Demo Dollar has 18 decimals.' },
      '12.5',
      ({ contracts }) => contracts['DUSD'],
    ),
    tokenTransfer(
      base,
      { id: 'vtho-transfer', title: 'VTHO', hint: 'The gas coin, as the token that it also is.' },
      '10',
      () => VTHO,
    ),
  ),
  transaction,
  sign: [
    ...messages('VECHAIN_TRANSACTION'),
    {
      id: 'unreadable-message',
      title: 'Bytes',
      hint: 'VECHAIN_TRANSACTION with the prefix, of bytes that are no text: danger, with a separate tick.',
      payload: () => ({ action: 'sign', type: 'VECHAIN_TRANSACTION', data: `0x${'c0ffee'.repeat(11)}` }),
    },
    ...(['identification', 'agreement'] as const).map((purpose) => ({
      id: `certificate-${purpose}`,
      title: `Certificate: ${purpose}`,
      hint: 'The wallet shows the text, and names the demo’s own host, which the page cannot choose.',
      payload: () => ({
        action: 'sign',
        type: 'VECHAIN_CERTIFICATE',
        data: hex('I am the owner of this wallet.'),
        purpose,
      }),
    })),
    signInElsewhere('VECHAIN_CERTIFICATE', 'VeChain', { purpose: 'identification' }),
  ],
  read: [
    builds('VECHAIN', 'A GAS_TRANSFER body becomes a VTHO_TRANSACTION; nothing opens.', () => ({
      type: 'GAS_TRANSFER',
      to: RECIPIENT,
      value: '1.5',
    })),
    statusOf('VECHAIN', `0x${'0'.repeat(64)}`),
  ],
  badInput: vechainBadInput,
};
