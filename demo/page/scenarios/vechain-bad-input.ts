/** Every documented bad input of VeChain's requests. */
import {
  badChain,
  badInput,
  badLink,
  badNative,
  badTransfer,
  badWallet,
  cases,
  EVERYWHERE,
  type Field,
  NO_NETWORK,
  NOT_HEX,
  NOT_SMALLEST,
  notAddresses,
  refusal,
  refusedByWallet,
} from './bad-input.ts';
import type { Scenario } from './scenario.ts';

const TO = '0xA614a7847ccb88c74F8b1F42F09C3342Ea945Efa';
/** One letter in the wrong case. */
const BAD_CHECKSUM = '0xa614a7847ccb88c74F8b1F42F09C3342Ea945Efa';

const ADDRESSES = notAddresses('VECHAIN', BAD_CHECKSUM);
const CLAUSE = { to: TO, amount: '1' };
const REQUEST = { type: 'VET_TRANSACTION', clauses: [CLAUSE] };

const TRANSACTION: Field[] = [
  { path: 'blockRef', values: ['latest', '0x12', 7] },
  { path: 'chainTag', values: [-1, 256, 'main'] },
  { path: 'expiration', values: [-1, 1.5, 2 ** 32] },
  { path: 'gas', values: [0, -1, 1.5, 'much'] },
  { path: 'gasPriceCoef', values: [-1, 1.5, 256] },
  { path: 'nonce', values: [-1, 'next', '0x10000000000000000'] },
  { path: 'clauses', values: [[], 'one', null, undefined] },
  ...EVERYWHERE,
  NO_NETWORK,
];

function inClause(type: string, clause: Record<string, unknown>, fields: Field[]): Scenario {
  const id = `bad-clause-${type.toLowerCase().replaceAll('_', '-')}`;
  return badInput('VECHAIN', id, `Clause of ${type}`, () =>
    fields.flatMap(({ path, values }) =>
      values.map((value) =>
        refusal(path, value, `clauses.0.${path}`, {
          action: 'execute',
          request: { type, clauses: [{ ...clause, [path]: value }] },
        }),
      ),
    ),
  );
}

const transferred: Field[] = [
  { path: 'to', values: ADDRESSES },
  { path: 'amount', values: NOT_SMALLEST },
  { path: 'colour', values: ['red'] },
];

const message = { action: 'sign', type: 'VECHAIN_TRANSACTION', data: '0x00' };
const certificate = { ...message, type: 'VECHAIN_CERTIFICATE', purpose: 'agreement' };

export const vechainBadInput: Scenario[] = [
  badTransfer(
    'VECHAIN',
    TO,
    ADDRESSES,
    '0.1234567890123456789',
    { path: 'tokenAddress', values: ['0x1234', 'USD', BAD_CHECKSUM] },
    { path: 'data', values: NOT_HEX },
  ),
  badNative('VECHAIN', 'bad-transaction', 'VET_TRANSACTION', REQUEST, TRANSACTION),
  inClause('VET_TRANSACTION', CLAUSE, [...transferred, { path: 'data', values: NOT_HEX }]),
  inClause('VTHO_TRANSACTION', CLAUSE, [...transferred, { path: 'data', values: ['0x00'] }]),
  inClause('VECHAIN_VIP180_TRANSACTION', { ...CLAUSE, tokenAddress: TO }, [
    ...transferred,
    { path: 'tokenAddress', values: ADDRESSES },
  ]),
  badInput('VECHAIN', 'bad-signature', 'Signature', () => [
    ...cases(message, null, [
      { path: 'data', values: [...NOT_HEX, '', undefined] },
      { path: 'prefix', values: ['no'] },
      { path: 'hash', values: ['no'] },
    ]),
    ...cases({ ...message, prefix: false }, null, [{ path: 'hash', values: [false] }]),
    ...cases(certificate, null, [
      { path: 'data', values: [...NOT_HEX, '', undefined] },
      { path: 'purpose', values: ['login', '', undefined] },
      { path: 'annex', values: [{ domain: 'bank.example', timestamp: 1 }] },
      { path: 'prefix', values: [true] },
    ]),
  ]),
  refusedByWallet('VECHAIN', 'bad-network', 'Wrong network', REQUEST, [
    { path: 'chainTag', values: [0x4a, '0x27'] },
  ]),
  badLink('VECHAIN'),
  badWallet('VECHAIN', TO, REQUEST, { type: 'VECHAIN_TRANSACTION', data: '0x00' }),
  badChain('VECHAIN', TO, { NFT_TRANSFER: { tokenAddress: TO, tokenId: '1' } }),
];
