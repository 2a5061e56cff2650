/** Every documented bad input of Aeternity's requests. */
import {
  badChain,
  badLink,
  badNative,
  badTransfer,
  badWallet,
  EVERYWHERE,
  NO_NETWORK,
  NOT_SMALLEST,
  notAddresses,
} from './bad-input.ts';
import { badMessages } from './messages.ts';
import type { Scenario } from './scenario.ts';

const TO = 'ak_2rWzKE9RQJEUxVPJjZZtTddfvHRj3PcAY6Ytim9AzCKKbfC3fN';
/** A wrong last character, the same bytes as a contract, and a name. */
const MISTYPED = [`${TO.slice(0, -1)}P`, `ct_${TO.slice(3)}`];

const ADDRESSES = notAddresses('AETERNITY', ...MISTYPED);
const REQUEST = { type: 'AE_TRANSACTION', to: TO, value: '1' };

export const aeternityBadInput: Scenario[] = [
  badTransfer('AETERNITY', TO, ADDRESSES, '0.1234567890123456789', {
    path: 'data',
    values: [7, '0x123', '0xzz'],
  }),
  badNative('AETERNITY', 'bad-transaction', 'AE_TRANSACTION', REQUEST, [
    { path: 'to', values: ADDRESSES },
    { path: 'value', values: NOT_SMALLEST },
    { path: 'fee', values: [-1, 1.5, 'low'] },
    { path: 'ttl', values: [-1, 1.5, 'soon'] },
    { path: 'nonce', values: [0, -1, 1.5, 'next'] },
    { path: 'data', values: [7, '0x123', '0xzz'] },
    ...EVERYWHERE,
    NO_NETWORK,
  ]),
  badMessages('AETERNITY'),
  badLink('AETERNITY'),
  badWallet('AETERNITY', TO, REQUEST, { type: 'AETERNITY_MESSAGE', data: '0x00' }),
  badChain('AETERNITY', TO, {
    TOKEN_TRANSFER: { value: '1', tokenAddress: TO },
    NFT_TRANSFER: { tokenAddress: TO, tokenId: '1' },
    CONTRACT_EXECUTION: { functionName: 'transfer', inputs: [] },
  }),
];
