/** What Ethereum and GoChain have in common: transfers, native transactions, signatures. */
import { approveAllCall, approveCall, burnCall, TOO_MUCH, transferCall, UNLIMITED } from './evm-data.ts';
import { type EvmNames, RECIPIENT, small } from './evm-names.ts';
import { messages } from './messages.ts';
import { type ChainScenarios, type Context, hex, type Scenario } from './scenario.ts';
import { signIns, typedData } from './typed-data.ts';
import { builds, statusOf, tokenTransfer, transfers, twoInARow } from './transfers.ts';

const SPENDER = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';

/** What differs between the two chains. */
interface Own {
  gasPrice: Scenario;
  feeOverCeiling: Scenario;
  more?: Scenario[];
}

export function evmScenarios(
  names: EvmNames,
  { gasPrice, feeOverCeiling, more = [] }: Own,
): Omit<ChainScenarios, 'faucet' | 'badInput'> {
  const { secretType, coin, tokenStandard, coinRequest, tokenRequest } = names;
  const base = { secretType, recipient: RECIPIENT, value: '0.25' };
  const SMALL = small(coinRequest);
  const call = (contract: string, data: string) => (context: Context) => ({
    action: 'execute',
    request: { type: coinRequest, to: context.contracts[contract], value: 0, data },
  });
  return {
    secretType,
    transfer: transfers(
      base,
      tokenTransfer(
        base,
        { id: 'token-transfer', title: `${tokenStandard} token`, hint: 'Demo Dollar has 18 decimals.' },
        '12.5',
        ({ contracts }) => contracts['DUSD'],
      ),
      tokenTransfer(
        base,
        {
          id: 'token-six-decimals',
          title: 'Token, 6 decimals',
          hint: 'Demo Cent has 6 decimals: 0.000001 is its smallest unit.',
        },
        '0.000001',
        ({ contracts }) => contracts['DCENT'],
      ),
    ),
    transaction: [
      {
        id: 'transaction-data',
        title: `${coin[0]!.toUpperCase()}${coin.slice(1)} with data`,
        hint: `${coinRequest}, value in wei, with the bytes of “hello”.`,
        payload: () => ({ action: 'execute', request: { ...SMALL, data: hex('hello') } }),
      },
      gasPrice,
      {
        id: 'native-token',
        title: `${tokenStandard} transaction`,
        hint: `${tokenRequest}, value in the token’s smallest units.`,
        payload: ({ contracts }) => ({
          action: 'execute',
          request: {
            type: tokenRequest,
            to: RECIPIENT,
            value: '3000000000000000000',
            tokenAddress: contracts['DUSD'],
          },
        }),
      },
      {
        id: 'contract-call',
        title: 'Contract call',
        hint: 'A token transfer as a call: the approval decodes it.',
        payload: call('DUSD', transferCall(RECIPIENT, 2n * 10n ** 18n)),
      },
      {
        id: 'contract-execution',
        title: 'Contract execution',
        hint: 'The function and its inputs by name: an allowance of 5 Demo Dollars.',
        payload: ({ contracts }) => ({
          action: 'execute',
          request: {
            type: 'CONTRACT_EXECUTION',
            secretType,
            to: contracts['DUSD'],
            functionName: 'approve',
            inputs: [
              { type: 'address', value: SPENDER },
              { type: 'uint256', value: '5000000000000000000' },
            ],
          },
        }),
      },
      {
        id: 'contract-creation',
        title: 'Contract creation',
        hint: 'No recipient, and code as data.',
        payload: () => ({
          action: 'execute',
          request: { type: coinRequest, value: 0, data: '0x600a600c600039600a6000f3602a60005260206000f3' },
        }),
      },
      {
        id: 'nft-transfer',
        title: 'NFT transfer',
        hint: 'Get a ticket from the faucet first: its number goes into the payload.',
        payload: ({ contracts, ticket = '0' }) => ({
          action: 'execute',
          request: {
            type: 'NFT_TRANSFER',
            secretType,
            to: RECIPIENT,
            tokenAddress: contracts['NFT'],
            tokenId: ticket,
          },
        }),
      },
      {
        id: 'item-transfer',
        title: 'ERC-1155 transfer',
        hint: 'Get items from the faucet first; they have number 7.',
        payload: ({ contracts }) => ({
          action: 'execute',
          request: {
            type: 'TOKEN_TRANSFER',
            secretType,
            to: RECIPIENT,
            value: 1,
            tokenAddress: contracts['ITEM'],
            tokenId: 7,
          },
        }),
      },
      {
        id: 'unlimited-approval',
        title: 'Unlimited approval',
        hint: 'Danger: the contract could take all Demo Dollars. The wallet offers a limit.',
        payload: call('DUSD', approveCall(SPENDER, UNLIMITED)),
      },
      {
        id: 'approval-for-all',
        title: 'Approval for all',
        hint: 'setApprovalForAll on the tickets: every NFT of the collection.',
        payload: call('NFT', approveAllCall(SPENDER)),
      },
      {
        id: 'will-fail',
        title: 'Will fail',
        hint: 'The contract refuses to burn Demo Dollars of somebody else: danger, with the contract’s words.',
        payload: call('DUSD', burnCall(SPENDER, TOO_MUCH)),
      },
      feeOverCeiling,
      ...more,
      twoInARow([SMALL, { ...SMALL, value: '20000000000000000' }]),
    ],
    sign: [
      ...signatures(names.transactionSignature, names.rawSignature),
      ...typedData(names.typedSignature),
      ...signIns(names.rawSignature),
    ],
    read: [
      builds(
        secretType,
        'A TOKEN_TRANSFER body becomes a native request; nothing opens.',
        ({ contracts }) => ({
          type: 'TOKEN_TRANSFER',
          to: RECIPIENT,
          value: '1.5',
          tokenAddress: contracts['DUSD'],
        }),
      ),
      statusOf(secretType, `0x${'0'.repeat(64)}`),
    ],
  };
}

function signatures(transaction: string, raw: string): Scenario[] {
  return [
    ...messages(transaction),
    {
      id: 'raw-signature',
      title: 'Raw data',
      hint: `${raw} with the prefix: the bytes are shown as hex.`,
      payload: () => ({ action: 'sign', type: raw, data: `0x${'c0ffee'.repeat(11)}` }),
    },
    {
      id: 'blind-signing',
      title: 'Blind signing',
      hint: 'A bare hash, without prefix: danger, with a separate tick.',
      payload: () => ({
        action: 'sign',
        type: raw,
        data: `0x${'ab'.repeat(32)}`,
        prefix: false,
        hash: false,
      }),
    },
  ];
}
