/** Every documented bad input of Bitcoin's and Litecoin's requests. */
import type { SecretType } from '../../../src/chains/secret-type.ts';
import {
  badChain,
  badLink,
  badNative,
  badTransfer,
  badWallet,
  EVERYWHERE,
  NOT_SMALLEST,
  notAddresses,
  refusedByWallet,
} from './bad-input.ts';
import { badMessages } from './messages.ts';
import type { Scenario } from './scenario.ts';

interface BadUtxo {
  secretType: SecretType;
  type: string;
  to: string;
  /** A wrong checksum, mixed case, a witness version that does not exist yet. */
  mistyped: string[];
  /** Addresses of mainnet and of the public testnet. */
  elsewhere: string[];
  /** The largest amount that is still dust, in satoshis. */
  dust: number;
  feeField: string;
  notRates: unknown[];
}

function utxoBadInput({ secretType, type, to, dust, ...bad }: BadUtxo): Scenario[] {
  const addresses = notAddresses(secretType, ...bad.mistyped);
  const request = { type, to, value: 100_000 };
  return [
    badTransfer(secretType, to, addresses, '0.123456789', {
      path: 'data',
      values: ['0x0', 'a'.repeat(81)],
    }),
    badNative(secretType, 'bad-transaction', type, request, [
      { path: 'to', values: addresses },
      { path: 'value', values: [...NOT_SMALLEST, '8400000000000001'] },
      { path: bad.feeField, values: bad.notRates },
      { path: 'data', values: ['0x0', `0x${'ab'.repeat(81)}`] },
      { path: 'network', values: ['mainnet'] },
      ...EVERYWHERE,
    ]),
    badNative(secretType, 'dust', 'Dust', request, [{ path: 'value', values: [0, 1, dust, `${dust}`] }]),
    refusedByWallet(secretType, 'bad-network', 'Wrong network', request, [
      { path: 'to', values: bad.elsewhere },
    ]),
    badMessages(secretType, [{ path: 'format', values: ['ecdsa', '', 'BIP322'] }]),
    badLink(secretType),
    badWallet(secretType, to, request, { type: `${secretType}_MESSAGE`, data: '0x00' }),
    badChain(secretType, to, {
      TOKEN_TRANSFER: { value: '1', tokenAddress: to },
      NFT_TRANSFER: { tokenAddress: to, tokenId: '1' },
      CONTRACT_EXECUTION: { functionName: 'transfer', inputs: [] },
    }),
  ];
}

export const bitcoinBadInput = utxoBadInput({
  secretType: 'BITCOIN',
  type: 'BTC_TRANSACTION',
  to: 'bcrt1q06426mzd9qmrsxm5qyfzfse8az8ukdxgkhwtv2',
  mistyped: [
    'bcrt1q06426mzd9qmrsxm5qyfzfse8az8ukdxgkhwtv3',
    'bcrt1Q06426mzd9qmrsxm5qyfzfse8az8ukdxgkhwtv2',
    '1L4x5Zth2avE2jMHvSZoGkTXAzjPDViC6Z',
    'bc1sw50qgdz25j',
  ],
  elsewhere: [
    'bc1qpccgr877h8tpfrp4n0tmdyrql8z7angrzdludn',
    'tb1qqsdrnsm9url2fy5k3nrr2fzlt7v0rzf23uzstt',
    '1L4x5Zth2avE2jMHvSZoGkTXAzjPDViC6Y',
  ],
  dust: 293,
  feeField: 'feePerByte',
  notRates: [0, -1, 0.5, 100_000, '1e3', 'fast'],
});

export const litecoinBadInput = utxoBadInput({
  secretType: 'LITECOIN',
  type: 'LTC_TRANSACTION',
  to: 'rltc1qmvg62qauasfqe07xhdepnu80u9tk59htahkkfd',
  mistyped: [
    'rltc1qmvg62qauasfqe07xhdepnu80u9tk59htahkkff',
    'rltc1Qmvg62qauasfqe07xhdepnu80u9tk59htahkkfd',
    'LNNPn6wPAMMCbPffzDbZgxtJ9AECf7ZUV8',
    'ltcmweb1qqnobody',
  ],
  elsewhere: ['ltc1qw2u7f3puu6fqusyahwky0l894l6233kqk38395', 'LNNPn6wPAMMCbPffzDbZgxtJ9AECf7ZUV7'],
  dust: 2_939,
  feeField: 'feePerKiloByte',
  notRates: [0, -1, 999, 1.5, 100_000_000, 'fast'],
});
