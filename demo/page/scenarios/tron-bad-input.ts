/** Every documented bad input of Tron's requests. */
import {
  badChain,
  badLink,
  badNative,
  badTransfer,
  badWallet,
  EVERYWHERE,
  type Field,
  NO_NETWORK,
  NOT_SMALLEST,
  notAddresses,
} from './bad-input.ts';
import { badMessages } from './messages.ts';
import type { Scenario } from './scenario.ts';

const TO = 'TSKH4bbh5jLBRLUuzj8h5AFd2iBBu1Fc94';
/** A wrong last character, and one hex digit too few. */
const MISTYPED = ['TSKH4bbh5jLBRLUuzj8h5AFd2iBBu1Fc95', '41b34db8c381092de976c050cec9abd45e7afa13d'];

const ADDRESSES = notAddresses('TRON', ...MISTYPED);
const REQUEST = { type: 'TRX_TRANSACTION', to: TO, value: 1 };
const CALL = { type: 'CONTRACT_EXECUTION', secretType: 'TRON', to: TO, functionName: 'burn' };

const common: Field[] = [{ path: 'to', values: ADDRESSES }, ...EVERYWHERE, NO_NETWORK];

export const tronBadInput: Scenario[] = [
  badTransfer(
    'TRON',
    TO,
    ADDRESSES,
    '0.1234567',
    { path: 'tokenAddress', values: ['0x1234', 'USD', '0123', MISTYPED[0]] },
    { path: 'data', values: [7, '0x123', '0xzz'] },
  ),
  badNative('TRON', 'bad-transaction', 'TRX_TRANSACTION', REQUEST, [
    ...common,
    { path: 'value', values: [...NOT_SMALLEST, '9223372036854775808'] },
    { path: 'data', values: [7, '0x123', '0xzz'] },
  ]),
  badNative(
    'TRON',
    'bad-token',
    'TRC10_TRANSACTION',
    { type: 'TRC10_TRANSACTION', to: TO, value: 1, token: '1000001' },
    [
      ...common,
      { path: 'value', values: [...NOT_SMALLEST, '9223372036854775808'] },
      { path: 'token', values: [...ADDRESSES, '0', '01000001'] },
      { path: 'memo', values: [7, '0x123', '0xzz'] },
    ],
  ),
  badNative('TRON', 'bad-call', 'CONTRACT_EXECUTION', { ...CALL, inputs: [] }, [
    ...common,
    { path: 'value', values: [-1, 1.5, 'one'] },
    { path: 'functionName', values: ['', 'burn(uint256)', 7, undefined] },
    { path: 'inputs', values: ['none', undefined] },
    {
      path: 'inputs.0.value',
      field: 'inputs',
      values: [[{ type: 'uint256', value: '-1' }], [{ type: 'address', value: 'nobody' }]],
    },
    { path: 'inputs.0.type', field: 'inputs', values: [[{ type: 'money', value: '1' }]] },
  ]),
  badMessages('TRON'),
  badLink('TRON'),
  badWallet('TRON', TO, REQUEST, { type: 'TRON_MESSAGE', data: '0x00' }),
  badChain('TRON', TO, { NFT_TRANSFER: { tokenAddress: TO, tokenId: '1' } }),
];
